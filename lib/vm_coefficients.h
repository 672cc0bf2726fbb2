// Made by tests/unit/native/coefficients.py.
#pragma once

#include <stdint.h>

namespace hlokit::vm {
namespace {

// (expm1(x) - x) / x**2, from -1.0001*log(2)/2 to 1.0001*log(2)/2: 2**-54
constexpr double expm1_terms[] = {
    0x1.0000000000001p-1,
    0x1.5555555555556p-3,
    0x1.5555555553d63p-5,
    0x1.11111111109b3p-7,
    0x1.6c16c1788bd90p-10,
    0x1.a01a01a7c41d5p-13,
    0x1.a019b90d2ae7ap-16,
    0x1.71de0dae63bb3p-19,
    0x1.289185613a3d6p-22,
    0x1.af38a9b0ec855p-26,
};

// (2 atanh(s) / s - 2) / s**2, of s**2, from 0 to (3-sqrt(8))**2*1.0001: 2**-52
constexpr double log_terms[] = {
    0x1.5555555555558p-1,
    0x1.99999999952d7p-2,
    0x1.2492492df281ap-2,
    0x1.c71c62e3f11e6p-3,
    0x1.7462b51cb66b1p-3,
    0x1.39fe51a7c18f9p-3,
    0x1.2b5900de53b32p-3,
};

// (sin(r) / r - 1) / r**2, of r**2, from 0 to (pi/2)**2*1.0001: 2**-62
constexpr double sine_terms[] = {
    -0x1.5555555555555p-3,
    0x1.1111111111107p-7,
    -0x1.a01a01a018aaap-13,
    0x1.71de3a54564dfp-19,
    -0x1.ae6455a1c0795p-26,
    0x1.612401540ed0fp-33,
    -0x1.ae51366b753a9p-41,
    0x1.89a43bea5b135p-49,
};

// the same, to pi/4, from 0 to (pi/4)**2*1.0001: 2**-56
constexpr double sine_quarter_terms[] = {
    -0x1.5555555555555p-3,
    0x1.1111111110bb2p-7,
    -0x1.a01a019e83816p-13,
    0x1.71de379654304p-19,
    -0x1.ae600aca92c64p-26,
    0x1.5e0b05bff20f2p-33,
};

// (cos(r) - 1 + r**2 / 2) / r**4, of r**2, from 0 to (pi/4)**2*1.0001: 2**-60
constexpr double cosine_quarter_terms[] = {
    0x1.5555555555555p-5,
    -0x1.6c16c16c16967p-10,
    0x1.a01a019f4e9b4p-16,
    -0x1.27e4fa17bf139p-22,
    0x1.1eeb68cd22f56p-29,
    -0x1.907d8f29fe831p-37,
};

// The bits of 2 / pi behind its point.
constexpr uint64_t two_over_pi[] = {
    0xA2F9836E4E441529, 0xFC2757D1F534DDC0, 0xDB6295993C439041, 0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0, 0x06492EEA09D1921C, 0xFE1DEB1CB129A73E, 0xE88235F52EBB4484,
    0xE99C7026B45F7E41, 0x3991D639835339F4, 0x9C845F8BBDF9283B, 0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F, 0x6D367ECF27CB09B7, 0x4F463F669E5FEA2D, 0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA, 0x6BFB5FB11F8D5D08, 0x56033046FC7B6BAB, 0xF0CFBC209AF4361D,
};

} // namespace
} // namespace hlokit::vm
