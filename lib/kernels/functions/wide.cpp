#include "kernels/functions/wide.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/functions/wide_words.h"

namespace hlokit::functions {
namespace {

// result += value at word `at`, with carry.
template <int size> void add_at(uint64_t (&result)[size], int at, uint64_t value) {
  for (; value != 0 && at < size; ++at) {
    result[at] += value;
    value = result[at] < value ? 1 : 0;
  }
}

void shift_left(uint64_t (&words)[4], int count) {
  const int whole = count / 64, part = count % 64;
  for (int i = 3; i >= 0; --i) {
    const uint64_t high = i >= whole ? words[i - whole] : 0, low = i > whole ? words[i - whole - 1] : 0;
    words[i] = part == 0 ? high : high << part | low >> (64 - part);
  }
}
void shift_right(uint64_t (&words)[4], int count) {
  const int whole = count / 64, part = count % 64;
  for (int i = 0; i < 4; ++i) {
    const uint64_t low = i + whole < 4 ? words[i + whole] : 0, high = i + whole < 3 ? words[i + whole + 1] : 0;
    words[i] = part == 0 ? low : low >> part | high << (64 - part);
  }
}

// Compares mantissas.
bool is_below(const Wide &a, const Wide &b) {
  for (int i = 3; i >= 0; --i)
    if (a.words[i] != b.words[i])
      return a.words[i] < b.words[i];
  return false;
}

// 1 / n! and 1 / n.
struct Reciprocals {
  Wide of_factorials[factorial_count], of_integers[factorial_count];
  Reciprocals() {
    of_factorials[0] = wide(1);
    for (int i = 1; i < factorial_count; ++i) {
      of_integers[i] = wide(1) / wide(i);
      of_factorials[i] = of_factorials[i - 1] / wide(i);
    }
  }
};
const Reciprocals &reciprocals() {
  static const Reciprocals all;
  return all;
}
constexpr Wide ln2 = {{0x8a0d175b8baafa2c, 0x40f343267298b62d, 0xc9e3b39803f2f6af, 0xb17217f7d1cf79ab}, 0, false};

} // namespace

// The product of two words in two words.
void multiply_words(uint64_t a, uint64_t b, uint64_t &high, uint64_t &low) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Twice = unsigned __int128;
  const Twice product = static_cast<Twice>(a) * b;
  high = static_cast<uint64_t>(product >> 64);
  low = static_cast<uint64_t>(product);
#else
  constexpr uint64_t half = 0xFFFFFFFF;
  const uint64_t low_low = (a & half) * (b & half), low_high = (a & half) * (b >> 32);
  const uint64_t high_low = (a >> 32) * (b & half), high_high = (a >> 32) * (b >> 32);
  const uint64_t middle = (low_low >> 32) + (low_high & half) + (high_low & half);
  high = high_high + (low_high >> 32) + (high_low >> 32) + (middle >> 32);
  low = (middle << 32) | (low_low & half);
#endif
}

int leading_zeros(uint64_t word) {
  int count = 0;
  for (int step = 32; step > 0; step /= 2)
    if (word >> (64 - step) == 0) {
      word <<= step;
      count += step;
    }
  return count;
}

Wide normalised(Wide value) {
  if (value.is_zero())
    return {};
  int zeros = 0;
  for (int i = 3; i >= 0; --i) {
    if (value.words[i] != 0) {
      zeros += leading_zeros(value.words[i]);
      break;
    }
    zeros += 64;
  }
  shift_left(value.words, zeros);
  value.exponent -= zeros;
  return value;
}

const Wide &factorial_reciprocal(int n) { return reciprocals().of_factorials[n]; }
const Wide &reciprocal_of(int n) { return reciprocals().of_integers[n]; }

Wide wide(double value) {
  int exponent;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  Wide result = {{0, 0, 0, static_cast<uint64_t>(fraction * 0x1p53) << 11}, exponent, std::signbit(value)};
  return result.is_zero() ? Wide{} : result;
}

double nearest(const Wide &value, FloatLimits limits) {
  if (value.is_zero())
    return 0;
  Wide rounded = value;
  // Round off the noise: bits below the trusted bits are in the lowest two words.
  constexpr int noise = 256 - trusted_bits;
  uint64_t sum[5] = {value.words[0], value.words[1], value.words[2], value.words[3], 0};
  add_at(sum, (noise - 1) / 64, uint64_t(1) << (noise - 1) % 64);
  for (int i = 0; i < 4; ++i)
    rounded.words[i] = sum[i];
  if (sum[4] != 0) {
    rounded.words[3] = uint64_t(1) << 63; // all other bits are 0
    ++rounded.exponent;
  }
  rounded.words[0] = 0;
  rounded.words[noise / 64] &= ~uint64_t(0) << noise % 64;
  if (rounded.exponent > limits.most)
    return value.is_negative ? -HUGE_VAL : HUGE_VAL;
  // The bits that a subnormal number lacks.
  const int64_t missing = rounded.exponent >= limits.least ? 0 : limits.least - rounded.exponent;
  const int64_t bits = limits.digits - missing;
  double result = 0;
  if (bits >= 0) {
    uint64_t top = bits == 0 ? 0 : rounded.words[3] >> (64 - bits);
    uint64_t rest[4] = {rounded.words[0], rounded.words[1], rounded.words[2], rounded.words[3]};
    shift_left(rest, static_cast<int>(bits));
    const bool is_half_or_more = rest[3] >> 63 != 0;
    const bool is_half = rest[3] == uint64_t(1) << 63 && (rest[0] | rest[1] | rest[2]) == 0;
    top += is_half_or_more && (!is_half || (top & 1) != 0) ? 1 : 0;
    result = std::ldexp(static_cast<double>(top), static_cast<int>(rounded.exponent - bits));
  }
  return value.is_negative ? -result : result;
}

double nearest_f64(const Wide &value) { return nearest(value); }

double to_odd(const Wide &value) {
  const double result = nearest(value);
  if (value.is_zero())
    return result;
  if (std::fabs(result) == HUGE_VAL)
    return std::nextafter(result, 0);
  const Wide rest = value - wide(result);
  const bool is_exact = rest.is_zero() || rest.exponent < value.exponent - trusted_bits;
  uint64_t bits;
  std::memcpy(&bits, &result, sizeof bits);
  return is_exact || (bits & 1) != 0 ? result : std::nextafter(result, rest.is_negative ? -HUGE_VAL : HUGE_VAL);
}

double approximate(const Wide &value) {
  const int64_t exponent = value.exponent < -5000 ? -5000 : value.exponent > 5000 ? 5000 : value.exponent;
  const double size = std::ldexp(static_cast<double>(value.words[3] >> 11), static_cast<int>(exponent) - 53);
  return value.is_negative ? -size : size;
}

Wide operator-(Wide value) {
  value.is_negative = !value.is_negative;
  return value;
}
Wide magnitude(Wide a) {
  a.is_negative = false;
  return a;
}
Wide scaled(Wide a, int64_t count) {
  a.exponent += count;
  return a.is_zero() ? Wide{} : a;
}

Wide operator+(const Wide &a, const Wide &b) {
  if (a.is_zero() || b.is_zero())
    return a.is_zero() ? b : a;
  const bool is_swapped = a.exponent < b.exponent || (a.exponent == b.exponent && is_below(a, b));
  Wide most = is_swapped ? b : a, least = is_swapped ? a : b;
  const int64_t distance = most.exponent - least.exponent;
  if (distance >= 256)
    return most;
  shift_right(least.words, static_cast<int>(distance));
  if (most.is_negative == least.is_negative) {
    uint64_t carry = 0;
    for (int i = 0; i < 4; ++i) {
      const uint64_t sum = most.words[i] + least.words[i], with_carry = sum + carry;
      carry = (sum < least.words[i] ? 1 : 0) | (with_carry < sum ? 1 : 0);
      most.words[i] = with_carry;
    }
    if (carry != 0) {
      shift_right(most.words, 1);
      most.words[3] |= uint64_t(1) << 63;
      ++most.exponent;
    }
    return most;
  }
  uint64_t borrow = 0;
  for (int i = 0; i < 4; ++i) {
    const uint64_t difference = most.words[i] - least.words[i], with_borrow = difference - borrow;
    borrow = (most.words[i] < least.words[i] ? 1 : 0) | (difference < borrow ? 1 : 0);
    most.words[i] = with_borrow;
  }
  return normalised(most);
}
Wide operator-(const Wide &a, const Wide &b) { return a + -b; }

Wide operator*(const Wide &a, const Wide &b) {
  if (a.is_zero() || b.is_zero())
    return {};
  uint64_t product[8] = {};
  for (int i = 0; i < 4; ++i) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; ++j) {
      uint64_t high, low;
      multiply_words(a.words[i], b.words[j], high, low);
      low += carry;
      high += low < carry ? 1 : 0;
      product[i + j] += low;
      carry = high + (product[i + j] < low ? 1 : 0);
    }
    product[i + 4] = carry;
  }
  Wide result = {{product[4], product[5], product[6], product[7]}, a.exponent + b.exponent, a.is_negative != b.is_negative};
  if (result.words[3] >> 63 == 0) {
    shift_left(result.words, 1);
    result.words[0] |= product[3] >> 63;
    --result.exponent;
  }
  return result;
}

Wide operator/(const Wide &a, const Wide &b) {
  if (a.is_zero())
    return {};
  Wide divisor = b;
  divisor.exponent = 0; // from 1/2 to 1
  divisor.is_negative = false;
  Wide reciprocal = wide(1 / approximate(divisor));
  for (int i = 0; i < 3; ++i)
    reciprocal = reciprocal + reciprocal * (wide(1) - divisor * reciprocal);
  Wide quotient = a * reciprocal;
  quotient.exponent -= b.exponent;
  quotient.is_negative = a.is_negative != b.is_negative;
  return quotient;
}

Wide root(const Wide &a) {
  if (a.is_zero())
    return {};
  const int64_t half = (a.exponent + (a.exponent & 1)) / 2;
  const Wide fraction = scaled(a, -2 * half);
  Wide result = wide(std::sqrt(approximate(fraction)));
  for (int i = 0; i < 3; ++i)
    result = scaled(result + fraction / result, -1);
  return scaled(result, half);
}

Wide cube_root(const Wide &a) {
  if (a.is_zero())
    return {};
  const int64_t third = (a.exponent - (((a.exponent % 3) + 3) % 3)) / 3;
  const Wide fraction = scaled(a, -3 * third), three = wide(3);
  Wide result = wide(std::cbrt(approximate(fraction)));
  for (int i = 0; i < 3; ++i) {
    const Wide square = result * result;
    result = result + (fraction - square * result) / (three * square);
  }
  return scaled(result, third);
}

bool is_less(const Wide &a, const Wide &b) {
  const Wide difference = a - b;
  return difference.is_negative && !difference.is_zero();
}

// Exponentials: Taylor's series of a small argument.
Wide exponential(const Wide &a) {
  constexpr int halvings = 8, terms = 26;
  if (!a.is_zero() && a.exponent > 21)
    return exponential(a.is_negative ? wide(-0x1p20) : wide(0x1p20));
  const double count = std::rint(approximate(a) * 0x1.71547652b82fep+0);
  const Wide rest = scaled(a - ln2 * wide(count), -halvings);
  Wide sum = factorial_reciprocal(terms);
  for (int n = terms - 1; n >= 0; --n)
    sum = sum * rest + factorial_reciprocal(n);
  for (int i = 0; i < halvings; ++i)
    sum = sum * sum;
  return scaled(sum, static_cast<int64_t>(count));
}

Wide exponential_minus_one(const Wide &a) {
  if (a.is_zero() || a.exponent > -10)
    return exponential(a) - wide(1);
  Wide sum = factorial_reciprocal(24);
  for (int n = 23; n >= 1; --n)
    sum = sum * a + factorial_reciprocal(n);
  return sum * a;
}

// Logarithms: Newton's method with the fourth power of the error, from the logarithm of the C library: any start with
// some 40 correct bits gives the same result.
Wide log(const Wide &a) {
  Wide fraction = a;
  int64_t exponent = a.exponent;
  fraction.exponent = 0;
  if (approximate(fraction) < 0.7071) {
    fraction.exponent = 1;
    --exponent;
  }
  const Wide start = wide(std::log(approximate(fraction)));
  const Wide rest = fraction * exponential(-start) - wide(1);
  return ln2 * wide(static_cast<double>(exponent)) + (start + log_plus_one(rest));
}

Wide log_plus_one(const Wide &a) {
  if (a.is_zero())
    return {};
  if (a.exponent > -20)
    return log(wide(1) + a);
  // 2 atanh(s), s = a / (2 + a)
  const Wide s = a / (wide(2) + a), square = s * s;
  Wide sum = {};
  for (int n = 15; n >= 1; n -= 2)
    sum = sum * square + reciprocal_of(n);
  return scaled(sum * s, 1);
}

} // namespace hlokit::functions
