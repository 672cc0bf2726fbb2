// Angles of Wide (wide.h).
#include <cmath>

#include "kernels/functions/wide_words.h"

namespace hlokit::functions {
namespace {

constexpr Wide quarter_turn = {{0x020bbea63b139b22, 0x29024e088a67cc74, 0xc4c6628b80dc1cd1, 0xc90fdaa22168c234}, 1, false};

// The words of 2 / pi.
constexpr uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab, 0xf0cfbc209af4361d, 0xa9e391615ee61b08, 0x6599855f14a06840, 0x8dffd8804d732731, 0x06061556ca73a8c9,
};

} // namespace

Wide half_pi() { return quarter_turn; }

SineCosine sine_cosine(const Wide &a) {
  const Wide square = a * a;
  Wide sine = {}, cosine = {};
  for (int n = factorial_count - 2; n >= 0; n -= 2) {
    const Wide &even = factorial_reciprocal(n), &odd = factorial_reciprocal(n + 1);
    cosine = even - square * cosine;
    sine = odd - square * sine;
  }
  return {sine * a, cosine};
}

Wide atan2(const Wide &y, const Wide &x) {
  const Wide a = magnitude(y), b = magnitude(x);
  const bool is_steep = is_less(b, a);
  const Wide &least = is_steep ? b : a, &most = is_steep ? a : b;
  const Wide quotient = least / most;
  Wide angle = {}, rest = quotient;
  if (quotient.exponent > -30) {
    // The difference from the angle of the C library: any start with some 40 correct bits gives the same result.
    angle = wide(std::atan(approximate(quotient)));
    const auto [sine, cosine] = sine_cosine(angle);
    rest = (least * cosine - most * sine) / (most * cosine + least * sine);
  }
  // atan(rest), whose terms fall by 2**-60 at least
  const Wide square = rest * rest;
  Wide sum = {};
  for (int n = 11; n >= 1; n -= 2)
    sum = reciprocal_of(n) - square * sum;
  angle = angle + sum * rest;
  if (is_steep)
    angle = quarter_turn - angle;
  if (x.is_negative)
    angle = scaled(quarter_turn, 1) - angle;
  angle.is_negative = y.is_negative;
  return angle;
}

// Payne and Hanek: bits of 2 / pi whose products are whole turns are left out, and six words after them suffice.
WideAngle reduced(double x) {
  if (std::fabs(x) < 0.78)
    return {0, wide(x)};
  int exponent;
  const auto mantissa = static_cast<uint64_t>(std::frexp(std::fabs(x), &exponent) * 0x1p53);
  exponent -= 53; // |x| = mantissa * 2**exponent
  constexpr int count = 6;
  uint64_t product[count + 1] = {}; // the highest word first
  for (int i = count - 1; i >= 0; --i) {
    const int start = exponent - 2 + 64 * (i + 1); // counted with a word of zeros in front
    const uint64_t first = start < 64 ? 0 : two_over_pi[start / 64 - 1], second = two_over_pi[start / 64];
    const uint64_t word = start % 64 == 0 ? first : first << start % 64 | second >> (64 - start % 64);
    uint64_t high, low;
    multiply_words(mantissa, word, high, low);
    product[i + 1] += low;
    high += product[i + 1] < low ? 1 : 0;
    product[i] = high;
  }
  // product[0] counts whole turns; product[1] has two bits before the binary point, which count quarters.
  unsigned quarters = static_cast<unsigned>(product[1] >> 62);
  const bool is_above = (product[1] >> 61 & 1) != 0; // the next quarter is nearer
  uint64_t fraction[count];
  for (int i = 0; i < count; ++i)
    fraction[i] = product[i + 1];
  fraction[0] &= ~uint64_t(0) >> 2;
  if (is_above) { // 1 - fraction
    ++quarters;
    uint64_t carry = 1;
    for (int i = count - 1; i >= 0; --i) {
      fraction[i] = ~fraction[i] + carry;
      carry = carry != 0 && fraction[i] == 0 ? 1 : 0;
    }
    fraction[0] &= ~uint64_t(0) >> 2;
  }
  int from = 0;
  while (from < 2 && fraction[from] == 0)
    ++from;
  Wide rest = {{fraction[from + 3], fraction[from + 2], fraction[from + 1], fraction[from]}, 2 - 64 * from, is_above};
  // The bits that move up from the fifth word.
  const int zeros = leading_zeros(fraction[from]);
  rest = normalised(rest);
  if (zeros > 0 && from + 4 < count)
    rest.words[0] |= fraction[from + 4] >> (64 - zeros);
  rest = rest * quarter_turn;
  if (x < 0) {
    quarters = 0 - quarters;
    rest = -rest;
  }
  return {quarters & 3, rest};
}

WideAngle reduced(const Wide &x) {
  if (x.is_zero() || x.exponent < 0)
    return {0, x};
  const bool is_double = (x.words[0] | x.words[1] | x.words[2] | (x.words[3] & 0x7FF)) == 0;
  if (is_double && x.exponent <= 1024)
    return reduced(approximate(x));
  Wide count = magnitude(x) / quarter_turn + wide(0.5);
  if (count.exponent < 1 || count.exponent > 250)
    return {0, count.exponent < 1 ? x : Wide{}};
  const int below = 256 - static_cast<int>(count.exponent); // bits after the binary point
  for (int i = 0; i < 4; ++i)
    count.words[i] &= below >= 64 * (i + 1) ? 0 : below > 64 * i ? ~uint64_t(0) << (below - 64 * i) : ~uint64_t(0);
  const unsigned low = count.words[below / 64] >> below % 64 & 1;
  const unsigned high = below == 255 ? 0 : count.words[(below + 1) / 64] >> (below + 1) % 64 & 1;
  const unsigned quarters = 2 * high + low;
  const Wide rest = magnitude(x) - count * quarter_turn;
  return x.is_negative ? WideAngle{(0 - quarters) & 3, -rest} : WideAngle{quarters, rest};
}

} // namespace hlokit::functions
