// Numbers of four types under the same names: f32, f64 and complex numbers of them.
//
// The only function of the C library in use is the square root, which is correctly rounded; results of its other
// functions depend on the processor.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "support/compiler.h"

namespace hlokit::linalg {

template <class R> struct Complex {
  R re, im;

  Complex() = default;
  HLOKIT_INLINE constexpr Complex(R real, R imag = 0) : re(real), im(imag) {}
};

template <class T> struct Parts {
  using Real = T;
  static constexpr size_t count = 1;
};
template <class R> struct Parts<Complex<R>> {
  using Real = R;
  static constexpr size_t count = 2;
};
template <class T> using Real = typename Parts<T>::Real;
template <class T> constexpr bool is_complex = Parts<T>::count == 2;

template <class R> constexpr R epsilon = sizeof(R) == 4 ? R(1.1920928955078125e-7) : R(2.220446049250313e-16);
// The least normal number.
template <class R> constexpr R least_normal = sizeof(R) == 4 ? R(1.1754943508222875e-38) : R(2.2250738585072014e-308);

// Rounds a product before it is added. GCC makes vfmaddsub of complex products and sums, even with -ffp-contract=off.
#if defined(__GNUC__) && !defined(__clang__) && (defined(__FMA__) || defined(__AVX512F__))
template <class R> static HLOKIT_INLINE R rounded(R x) {
  asm("" : "+v"(x));
  return x;
}
#else
template <class R> static HLOKIT_INLINE R rounded(R x) { return x; }
#endif

template <class R> static HLOKIT_INLINE Complex<R> operator+(Complex<R> a, Complex<R> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R> static HLOKIT_INLINE Complex<R> operator-(Complex<R> a, Complex<R> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R> static HLOKIT_INLINE Complex<R> operator-(Complex<R> a) { return {-a.re, -a.im}; }
template <class R> static HLOKIT_INLINE Complex<R> operator*(Complex<R> a, Complex<R> b) {
  return {rounded(a.re * b.re) - rounded(a.im * b.im), rounded(a.re * b.im) + rounded(a.im * b.re)};
}
template <class R> static HLOKIT_INLINE Complex<R> operator*(R a, Complex<R> b) { return {a * b.re, a * b.im}; }
template <class R> static HLOKIT_INLINE Complex<R> operator/(Complex<R> a, R b) { return {a.re / b, a.im / b}; }
template <class R> static HLOKIT_INLINE bool operator==(Complex<R> a, Complex<R> b) {
  return a.re == b.re && a.im == b.im;
}
template <class R> static HLOKIT_INLINE bool operator!=(Complex<R> a, Complex<R> b) { return !(a == b); }

template <class R> static HLOKIT_INLINE R magnitude(R x) { return sizeof(R) == 4 ? R(HLOKIT_MATH(fabsf)(float(x))) : R(HLOKIT_MATH(fabs)(double(x))); }
template <class R> static HLOKIT_INLINE R root(R x) { return sizeof(R) == 4 ? R(HLOKIT_MATH(sqrtf)(float(x))) : R(HLOKIT_MATH(sqrt)(double(x))); }

// Smith's quotient: no square of b, which might overflow.
template <class R> static HLOKIT_INLINE Complex<R> operator/(Complex<R> a, Complex<R> b) {
  if (b.im == 0)
    return {a.re / b.re, a.im / b.re};
  if (magnitude(b.re) >= magnitude(b.im)) {
    const R ratio = b.im / b.re, divisor = b.re + b.im * ratio;
    return {(a.re + rounded(a.im * ratio)) / divisor, (a.im - rounded(a.re * ratio)) / divisor};
  }
  const R ratio = b.re / b.im, divisor = b.re * ratio + b.im;
  return {(rounded(a.re * ratio) + a.im) / divisor, (rounded(a.im * ratio) - a.re) / divisor};
}

template <class R> static HLOKIT_INLINE R real(R x) { return x; }
template <class R> static HLOKIT_INLINE R real(Complex<R> x) { return x.re; }
template <class R> static HLOKIT_INLINE R imag(R) { return 0; }
template <class R> static HLOKIT_INLINE R imag(Complex<R> x) { return x.im; }
template <class R> static HLOKIT_INLINE R conj(R x) { return x; }
template <class R> static HLOKIT_INLINE Complex<R> conj(Complex<R> x) { return {x.re, -x.im}; }
// |re| + |im|
template <class R> static HLOKIT_INLINE R taxicab(R x) { return magnitude(x); }
template <class R> static HLOKIT_INLINE R taxicab(Complex<R> x) { return magnitude(x.re) + magnitude(x.im); }
template <class R> static HLOKIT_INLINE R square(R x) { return x * x; }
template <class R> static HLOKIT_INLINE R square(Complex<R> x) { return x.re * x.re + x.im * x.im; }

template <class R> static HLOKIT_INLINE bool is_nan(R x) { return x != x; }
template <class R> static HLOKIT_INLINE bool is_nan(Complex<R> x) { return x.re != x.re || x.im != x.im; }
template <class R> static HLOKIT_INLINE bool is_finite(R x) { return x - x == 0; }

template <class R> static HLOKIT_INLINE R with_sign(R size, R sign) { return (sign < 0 || (sign == 0 && 1 / sign < 0)) ? -magnitude(size) : magnitude(size); }

// sqrt(a^2 + b^2) without overflow or loss.
template <class R> static HLOKIT_INLINE R hypotenuse(R a, R b) {
  a = magnitude(a);
  b = magnitude(b);
  const R large = a > b ? a : b, small = a > b ? b : a;
  if (!(small > 0)) // 0, or a NaN
    return small == 0 ? large : small + large;
  const R top = sizeof(R) == 4 ? R(1e15) : R(1e140), bottom = 1 / top;
  if (large < top && large > bottom)
    return root(large * large + small * small);
  const R ratio = small / large;
  return large * root(1 + ratio * ratio);
}
template <class R> static HLOKIT_INLINE R absolute(R x) { return magnitude(x); }
template <class R> static HLOKIT_INLINE R absolute(Complex<R> x) { return hypotenuse(x.re, x.im); }

} // namespace hlokit::linalg
