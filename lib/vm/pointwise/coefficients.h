// Made by python -m tools.generate.
#pragma once

#include <stdint.h>

namespace hlokit::vm {
namespace {

// (expm1(x) - x) / x**2, from -1.0001*log(2)/2 to 1.0001*log(2)/2: 2**-41
constexpr double exponential_minus_one_terms[] = {
    0x1.fffffffffe062p-2,
    0x1.5555555554f96p-3,
    0x1.55555565c7e0ep-5,
    0x1.111111170bc08p-7,
    0x1.6c166bde96885p-10,
    0x1.a019c36bc053cp-13,
    0x1.a136bf03ec612p-16,
    0x1.72ad458027fbcp-19,
};

// (2 atanh(s) / s - 2) / s**2, of s**2, from 0 to (3-sqrt(8))**2*1.0001: 2**-38
constexpr double log_terms[] = {
    0x1.5555555564eb7p-1,
    0x1.999998cae671fp-2,
    0x1.249323f5fe0a4p-2,
    0x1.c67ad18010d25p-3,
    0x1.8c8cb725e2db5p-3,
};

// (expm1(x) - x) / x**2, from -1.0001*log(2)/2 to 1.0001*log(2)/2: 2**-54
constexpr double exponential_minus_one_of_power_terms[] = {
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
constexpr double log_of_power_terms[] = {
    0x1.5555555555558p-1,
    0x1.99999999952d7p-2,
    0x1.2492492df281ap-2,
    0x1.c71c62e3f11e6p-3,
    0x1.7462b51cb66b1p-3,
    0x1.39fe51a7c18f9p-3,
    0x1.2b5900de53b32p-3,
};

// (sin(r) / r - 1) / r**2, of r**2, from 0 to (pi/2)**2*1.0001: 2**-44
constexpr double sine_terms[] = {
    -0x1.55555555549c9p-3,
    0x1.1111110fc01e7p-7,
    -0x1.a01a001194bc1p-13,
    0x1.71dd8dd5d749ap-19,
    -0x1.ae20c173a995ep-26,
    0x1.54e70f31da4d6p-33,
};

// the same, to pi/4, from 0 to (pi/4)**2*1.0001: 2**-46
constexpr double sine_quarter_terms[] = {
    -0x1.555555555516bp-3,
    0x1.1111110fd3b3cp-7,
    -0x1.a019fd9ae7168p-13,
    0x1.71d9a9b87993fp-19,
    -0x1.aa283bea75579p-26,
};

// (cos(r) - 1 + r**2 / 2) / r**4, of r**2, from 0 to (pi/4)**2*1.0001: 2**-49
constexpr double cosine_quarter_terms[] = {
    0x1.5555555555437p-5,
    -0x1.6c16c16b613d3p-10,
    0x1.a019ff537986cp-16,
    -0x1.27e25f2996b83p-22,
    0x1.1c81b3862d88cp-29,
};

// (atan(z) / z - 1) / z**2, of z**2, from 0 to (sqrt(2)-1)**2*1.0001: 2**-41
constexpr double atan_terms[] = {
    -0x1.555555555260ep-2,
    0x1.999999885befbp-3,
    -0x1.249240d9941d8p-3,
    0x1.c7196338febe7p-4,
    -0x1.7415affa08e33p-4,
    0x1.377de082fa570p-4,
    -0x1.edbfaee18e70fp-5,
    0x1.0df7a02661596p-5,
};

// erf(x) / x, of x**2 / 8 - 1, from -1 to 1: 2**-46
constexpr double erf_terms[] = {
    0x1.6a040781a4867p-2,
    -0x1.69a0ccda3de95p-3,
    0x1.0dabaf063f5a8p-3,
    -0x1.b92e95c1acc28p-4,
    0x1.717efc681b7c7p-4,
    -0x1.3215d8b28d6ecp-4,
    0x1.ea97f3a51a1bdp-5,
    -0x1.76e8654bad868p-5,
    0x1.0ed515703ba75p-5,
    -0x1.7034ec83b3ee5p-6,
    0x1.d63727e475de2p-7,
    -0x1.1a02d2f2153cbp-7,
    0x1.3e06cfa0506c3p-8,
    -0x1.51e6147b00561p-9,
    0x1.535f7332bf0afp-10,
    -0x1.41aec5471e8a6p-11,
    0x1.1dadbe34ae020p-12,
    -0x1.e9ba0bde4bfe8p-14,
    0x1.abc8861189d8fp-15,
    -0x1.46bad4c89de10p-16,
    0x1.46a885797d93dp-18,
    -0x1.effd8ad23ca97p-20,
    0x1.99629bc9271fap-20,
    -0x1.ffef2bb611fc2p-22,
};

// exp(x**2) erfc(x), of (x - 4) / (x + 4), from -1 to 6.2/14.2: 2**-48
constexpr double erfc_terms[] = {
    0x1.18932bf08e1b2p-3,
    -0x1.0949227373bcap-2,
    0x1.bff01a5f88f42p-3,
    -0x1.506666f705f32p-3,
    0x1.be502c390bc4ap-4,
    -0x1.027d5728b8c70p-4,
    0x1.0066e0c390cc0p-5,
    -0x1.a4dee18fca2a1p-7,
    0x1.0a17e6e270316p-8,
    -0x1.a2f2b8d8d5e5ep-11,
    -0x1.6c36f37786ea4p-16,
    0x1.4aaa62b2c1965p-14,
    -0x1.7fd1cdcb8151dp-16,
    -0x1.f93ef7153d2ffp-20,
    0x1.d9f208d722becp-19,
    0x1.59bcd479597e0p-23,
    -0x1.77c0aa570c5d0p-23,
};

// erf_inv(x) / x, of -log(1 - x**2) / 8 - 1, from -1 to 1: 2**-45
constexpr double erf_inv_terms[] = {
    0x1.54aa057af368bp+1,
    0x1.692e01944fa09p+0,
    -0x1.4b5024e36ba5ap-2,
    0x1.017cebe22bfb4p-3,
    -0x1.2ad74331a774bp-5,
    -0x1.02d9b46c539a1p-6,
    0x1.5949fa090251ep-5,
    -0x1.76381bd41232fp-5,
    0x1.0da74f4f657eap-5,
    -0x1.c2436f34b73b1p-7,
    -0x1.633ce214e1853p-9,
    0x1.770e3e60668c4p-7,
    -0x1.90dea36eac8b3p-7,
    0x1.0814a89af5df9p-7,
    -0x1.68afa9cb922a8p-9,
    -0x1.6ede0552be8eep-10,
    0x1.03f72f09ac916p-8,
    -0x1.02c5cbbe8794cp-8,
    0x1.8cb6788c36bb7p-11,
    0x1.64a55be31a58fp-10,
    0x1.08bf9cb215986p-10,
    -0x1.fac3655f50b36p-10,
    -0x1.40961820face9p-9,
    0x1.04e5db9332c72p-8,
    0x1.7927a8315f0e3p-11,
    -0x1.9723a0a990caep-9,
    0x1.11caf86179912p-11,
    0x1.259d00e60ed59p-10,
    -0x1.88af8ea83f867p-12,
    -0x1.5ea529ec91dbbp-13,
    0x1.21b17313545a9p-14,
    0x1.795b8af525b43p-19,
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
