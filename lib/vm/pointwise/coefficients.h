// Made by python -m tools.generate.
#pragma once

#include <stdint.h>

namespace hlokit::vm {
namespace {

// (expm1(x) - x) / x**2, from -1.0001*log(2)/2 to 1.0001*log(2)/2: 2**-54
constexpr double exponential_minus_one_terms[] = {
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

// (atan(z) / z - 1) / z**2, of z**2, from 0 to (sqrt(2)-1)**2*1.0001: 2**-60
constexpr double atan_terms[] = {
    -0x1.5555555555555p-2,
    0x1.9999999999953p-3,
    -0x1.249249248d7dcp-3,
    0x1.c71c71c303dbbp-4,
    -0x1.745d165dc9713p-4,
    0x1.3b1392d519db1p-4,
    -0x1.110e87b4357d2p-4,
    0x1.e19a0bfa3eef9p-5,
    -0x1.ac7a5a79b3f26p-5,
    0x1.74dccfb93fff0p-5,
    -0x1.1b311bb48c215p-5,
    0x1.0acd9e91a5a35p-6,
};

// erf(x) / x, of x**2 / 8 - 1, from -1 to 1: 2**-60
constexpr double erf_terms[] = {
    0x1.6a040781a499cp-2,
    -0x1.69a0ccda3df48p-3,
    0x1.0dabaf0613e2cp-3,
    -0x1.b92e95c193713p-4,
    0x1.717efc7845718p-4,
    -0x1.3215d8b742ff1p-4,
    0x1.ea97f14b44a2ap-5,
    -0x1.76e8649c5334dp-5,
    0x1.0ed52c03bc446p-5,
    -0x1.7034f9ab55e15p-6,
    0x1.d635293108492p-7,
    -0x1.1a023e301262ap-7,
    0x1.3e15145c7df84p-8,
    -0x1.51ee638ed1239p-9,
    0x1.52d98f4450cbfp-10,
    -0x1.4160dcfe116dap-11,
    0x1.20ef5de5a25d3p-12,
    -0x1.ed82b5d0f1802p-14,
    0x1.913ea26ea3059p-15,
    -0x1.375c3839c9678p-16,
    0x1.cd5dfaae169acp-18,
    -0x1.456750c093848p-19,
    0x1.bb50f27d2d2aep-21,
    -0x1.2d8443581956ap-22,
    0x1.7811ae2a3616ep-24,
    -0x1.63b7303840fccp-26,
    0x1.ad7e96a15055bp-28,
    -0x1.e6de93897dcccp-29,
    0x1.00cea67be2456p-30,
};

// exp(x**2) erfc(x), of (x - 4) / (x + 4), from -1 to 6.2/14.2: 2**-60
constexpr double erfc_terms[] = {
    0x1.18932bf08e154p-3,
    -0x1.094922737431ap-2,
    0x1.bff01a5f90850p-3,
    -0x1.506666f69e4a7p-3,
    0x1.be502c3659079p-4,
    -0x1.027d5744b966dp-4,
    0x1.0066e1045f7a5p-5,
    -0x1.a4ded4130e2b7p-7,
    0x1.0a17eb98e8f64p-8,
    -0x1.a2f8fc055e1e3p-11,
    -0x1.6d1b00f4eacdbp-16,
    0x1.4b473337ab349p-14,
    -0x1.7a68364feaea4p-16,
    -0x1.fe2277e5b1cc1p-20,
    0x1.8affc0b1d5c80p-19,
    -0x1.c194c2fdd34bbp-22,
    -0x1.3867777c669b1p-22,
    0x1.c9b7505ca0fa7p-24,
    0x1.814c03a3c386ep-25,
    -0x1.536a15b4bcf46p-28,
    -0x1.77cdd694efd20p-29,
};

// erf_inv(x) / x, of -log(1 - x**2) / 8 - 1, from -1 to 1: 2**-56
constexpr double erf_inv_terms[] = {
    0x1.54aa057af365cp+1,
    0x1.692e01944fa78p+0,
    -0x1.4b5024e33cc2dp-2,
    0x1.017cebe1bd586p-3,
    -0x1.2ad743ad1a350p-5,
    -0x1.02d9b347560e3p-6,
    0x1.594a09f9ff0a6p-5,
    -0x1.76382ef328182p-5,
    0x1.0da63d0125eb5p-5,
    -0x1.c23e35689bcfcp-7,
    -0x1.628c7ce9f2781p-9,
    0x1.76d736cb6d5e3p-7,
    -0x1.9203fdbdfb371p-7,
    0x1.098eaae537413p-7,
    -0x1.541316b4a9625p-9,
    -0x1.a668b4ffb448cp-10,
    0x1.c7ff7d50d1053p-9,
    -0x1.a9bac4400d0bdp-9,
    0x1.d65c23859ae64p-10,
    -0x1.2809b843e72a3p-12,
    -0x1.bd2d4b1c8f266p-12,
    0x1.8f1e443347ec1p-11,
    -0x1.770b65f3db055p-10,
    0x1.1a500b359e019p-10,
    0x1.1a0a0f1221a5cp-10,
    -0x1.9001b6394a0a0p-10,
    -0x1.3b09bd91ef093p-10,
    0x1.bea342df66dabp-10,
    0x1.a2b91e74f772bp-10,
    -0x1.18f9b270adc25p-9,
    -0x1.24331e7fc60e2p-10,
    0x1.ea83f7eb97715p-10,
    0x1.664af9a6cd7b0p-12,
    -0x1.047cef4684058p-10,
    0x1.fafb6a098736cp-19,
    0x1.46b2c512328cbp-12,
    -0x1.e88092513f34fp-16,
    -0x1.b9b69c73b4758p-15,
    0x1.6c34d4f60ccf2p-18,
    0x1.dfefa8cb66899p-19,
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
