// The implementations that the rows of opcodes.inc name. Each has `scalar()`, compiled once (handlers.cpp): the handler
// of scalars, and the sweep if vector instructions do not make it faster; and `kernel()`: the sweeps of this level.
//
// Part of handlers.cpp and kernels.cpp, with internal linkage: see support/variants.h.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "kernels/elements/arithmetic.h"
#include "kernels/elements/scalars.h"
#include "kernels/functions/functions.h"
#include "vm/pointwise/element_operations.h"
#include "vm/pointwise/functions.h"
#include "vm/pointwise/kernels.h"
#include "vm/pointwise/powers.h"
#include "vm/pointwise/rounding_errors.h"
#include "vm/pointwise/sweeps.h"

namespace hlokit::vm {
namespace {

// Scalars -------------------------------------------------------------------------------------------------

template <class T> inline T load(const unsigned char *registers, uint32_t offset) {
  T value;
  memcpy(&value, registers + offset, sizeof value);
  return value;
}

template <class T> inline void store(unsigned char *registers, uint32_t offset, T value) {
  memcpy(registers + offset, &value, sizeof value);
}

template <class Op, class To, class A>
const DecodedInstruction *handle1(const DecodedInstruction *at, unsigned char *registers) {
  store<To>(registers, at->to, Op::of(load<A>(registers, at->a)));
  return at[1].handler(at + 1, registers);
}
template <class Op, class To, class A, class B>
const DecodedInstruction *handle2(const DecodedInstruction *at, unsigned char *registers) {
  store<To>(registers, at->to, Op::of(load<A>(registers, at->a), load<B>(registers, at->b)));
  return at[1].handler(at + 1, registers);
}
template <class Op, class To, class A, class B, class C>
const DecodedInstruction *handle3(const DecodedInstruction *at, unsigned char *registers) {
  store<To>(registers, at->to,
            Op::of(load<A>(registers, at->a), load<B>(registers, at->b), load<C>(registers, at->c)));
  return at[1].handler(at + 1, registers);
}

// Implementations -----------------------------------------------------------------------------------------

// Whether a kernel has a variant for this level. Arrays of narrow integers and of f16 are seldom large, and half of
// a vector of 512 bits holds many of their elements, so the variants for AVX2 are enough for them.
template <class... Types> constexpr bool has_variant() {
  return HLOKIT_VARIANT_LEVEL != CpuLevel::avx512 || ((sizeof(Types) >= 4 || std::is_same_v<Types, BFloat>) && ...);
}

// Whether it has sweeps in which operands are one element for all. Types that are rare in large arrays have none.
template <class T>
constexpr bool has_broadcasts = !HLOKIT_IS_FALLBACK && (sizeof(T) >= 4 || std::is_same_v<T, BFloat>);

template <class Op, class To, class A> struct UnaryOf {
  static constexpr Kernel scalar() { return {handle1<Op, To, A>}; }
  static constexpr Kernel kernel() {
    if constexpr (has_variant<To, A>())
      return {nullptr, sweep1<Op, To, A>};
    else
      return {};
  }
};

// The operation that gives the same result on swapped operands, if it shares kernels with this operation.
template <class Op> struct Mirror { using type = void; };
template <class T> struct Mirror<Add<T>> { using type = Add<T>; };
template <class T> struct Mirror<Multiply<T>> { using type = Multiply<T>; };
template <class T> struct Mirror<And<T>> { using type = And<T>; };
template <class T> struct Mirror<Or<T>> { using type = Or<T>; };
template <class T> struct Mirror<Xor<T>> { using type = Xor<T>; };
template <class T> struct Mirror<Equal<T>> { using type = Equal<T>; };
template <class T> struct Mirror<NotEqual<T>> { using type = NotEqual<T>; };
template <class T> struct Mirror<Greater<T>> { using type = Less<T>; };
template <class T> struct Mirror<GreaterEqual<T>> { using type = LessEqual<T>; };

template <Sweep sweep> void mirrored(void *to, const void *a, const void *b, const void *, size_t count) {
  sweep(to, b, a, nullptr, count);
}

template <class Op, class To, class A> struct BinaryOf {
  using Other = typename Mirror<Op>::type;

  static constexpr Kernel scalar() { return {handle2<Op, To, A, A>}; }
  static constexpr Kernel kernel() {
    Kernel result;
    if constexpr (!has_variant<A>()) {
      return result;
    } else if constexpr (std::is_void_v<Other>) {
      result.sweep = sweep2<Op, To, A, A>;
      if constexpr (has_broadcasts<A>) {
        result.broadcasts[0] = {1, sweep2<Op, To, A, A, 1>};
        result.broadcasts[1] = {2, sweep2<Op, To, A, A, 2>};
      }
    } else if constexpr (std::is_same_v<Op, Other>) {
      result.sweep = sweep2<Op, To, A, A>;
      if constexpr (has_broadcasts<A>) {
        result.broadcasts[0] = {1, mirrored<sweep2<Op, To, A, A, 2>>};
        result.broadcasts[1] = {2, sweep2<Op, To, A, A, 2>};
      }
    } else {
      result.sweep = mirrored<sweep2<Other, To, A, A>>;
      if constexpr (has_broadcasts<A>) {
        result.broadcasts[0] = {1, mirrored<sweep2<Other, To, A, A, 2>>};
        result.broadcasts[1] = {2, mirrored<sweep2<Other, To, A, A, 1>>};
      }
    }
    return result;
  }
};

template <class Op, class T> struct TernaryOf {
  static constexpr Kernel scalar() { return {handle3<Op, T, T, T, T>}; }
  static constexpr Kernel kernel() {
    if constexpr (!has_variant<T>())
      return {};
    else if constexpr (has_broadcasts<T>)
      return {nullptr, sweep3<Op, T, T, T, T>, {{5, sweep3<Op, T, T, T, T, 5>}, {6, sweep3<Op, T, T, T, T, 6>}}};
    else
      return {nullptr, sweep3<Op, T, T, T, T>};
  }
};

template <template <class> class Op, class T> using Unary = UnaryOf<Op<T>, T, T>;
template <template <class> class Op, class T> using Binary = BinaryOf<Op<T>, T, T>;
template <template <class> class Op, class T> using Ternary = TernaryOf<Op<T>, T>;

// Operations that give the same bits with and without sign share the kernel of the unsigned type.
template <class T, bool = std::is_integral_v<T>> struct Unsigned { using type = std::make_unsigned_t<T>; };
template <class T> struct Unsigned<T, false> { using type = T; };
template <template <class> class Op, class T> using Wrapping1 = Unary<Op, typename Unsigned<T>::type>;
template <template <class> class Op, class T> using Wrapping2 = Binary<Op, typename Unsigned<T>::type>;

// Processors have no vector instruction that shifts bytes: words of several narrow integers are shifted by one amount.
template <template <class> class Op, class T> struct Shift : Wrapping2<Op, T> {
  using Bits = typename Unsigned<T>::type;
  static constexpr Kernel kernel() {
    Kernel result = Wrapping2<Op, T>::kernel();
    if constexpr (has_variant<Bits>() && sizeof(T) < 4 && !HLOKIT_IS_FALLBACK)
      result.broadcasts[0] = {2, shift_words<Op<Bits>, Bits>};
    return result;
  }
};

template <class T> void sweep_canonical_nan(void *to, const void *a, const void *, const void *, size_t count) {
  make_canonical(static_cast<T *>(to), static_cast<const T *>(a), count);
}
template <class T> struct NansCanonical {
  static constexpr Kernel scalar() { return {handle1<CanonicalNan<T>, T, T>}; }
  static constexpr Kernel kernel() {
    if constexpr (has_variant<T>())
      return {nullptr, sweep_canonical_nan<T>};
    else
      return {};
  }
};

// The same operation with vector instructions; void if there is none.
template <class Op> struct InVectors { using type = void; };
template <class T> struct InVectors<Divide<T>> { using type = DivideInF64<T>; };
template <class T> struct InVectors<Remainder<T>> { using type = RemainderInF64<T>; };
template <class T> struct InVectors<FloorRemainder<T>> { using type = FloorRemainderBy<T, RemainderInF64<T>>; };
template <class T> struct InVectors<FloorDivide<T>> { using type = FloorDivideBy<T, DivideInF64<T>, RemainderInF64<T>>; };

// Processors divide vectors of integers only in f64.
template <template <class> class Op, class T> struct SlowBinary {
  using Vectors = typename InVectors<Op<T>>::type;
  static constexpr Kernel scalar() { return {handle2<Op<T>, T, T, T>, sweep2<Op<T>, T, T, T>}; }
  static constexpr Kernel kernel() {
    if constexpr (std::is_void_v<Vectors> || sizeof(T) > 4 || HLOKIT_IS_FALLBACK)
      return {};
    else
      return {nullptr, sweep2<Vectors, T, T, T>, {{2, sweep2<Vectors, T, T, T, 2>}}};
  }
};

template <template <class> class Op, class T> using Comparison = BinaryOf<Op<T>, Bool, T>;
template <template <class> class Op, class T> using Equality = Comparison<Op, typename Unsigned<T>::type>;

template <class T> struct ClampFloats : Ternary<Clamp, T> {
  static constexpr Kernel kernel() {
    Kernel result = Ternary<Clamp, T>::kernel();
    if constexpr (has_broadcasts<T>)
      result.broadcasts[0].sweep = clamp_between<T>;
    return result;
  }
};

// Chooses bits: floats share the kernels of integers.
template <class T> struct Choice {
  using Word = Bits<T>;
  static constexpr Kernel scalar() { return {handle3<Select<Word>, Word, Bool, Word, Word>}; }
  static constexpr Kernel kernel() {
    Kernel result{nullptr, sweep3<Select<Word>, Word, Bool, Word, Word>};
    // The condition depends on the width alone, since all types of one width share the kernel.
    if constexpr (sizeof(Word) > 1 && !HLOKIT_IS_FALLBACK)
      result.broadcasts[0] = {6, sweep3<Select<Word>, Word, Bool, Word, Word, 6>};
    return result;
  }
};

template <class Op, class To, class A> struct Function1 {
  static constexpr Kernel scalar() { return {handle1<RoundedFunction<Op, To, A>, To, A>}; }
  static constexpr Kernel kernel() { return {nullptr, sweep_function1<Op, To, A>}; }
};
template <class Op, class To, class A> struct AngleFunction {
  static constexpr Kernel scalar() { return {handle1<RoundedFunction<Op, To, A>, To, A>}; }
  static constexpr Kernel kernel() { return {nullptr, sweep_angles<Op, To, A>}; }
};
template <class Op, class To, class A> struct Function2 {
  static constexpr Kernel scalar() { return {handle2<RoundedFunction<Op, To, A>, To, A, A>}; }
  static constexpr Kernel kernel() { return {nullptr, sweep_function2<Op, To, A>}; }
};
// Powers, of which those with one exponent for all have a sweep of their own.
template <class Op, class To, class A> struct PowerFunction : Function2<Op, To, A> {};
template <class T> struct PowerFunction<Power, T, T> {
  static constexpr Kernel scalar() { return {handle2<RoundedPower<T>, T, T, T>}; }
  static constexpr Kernel kernel() { return {nullptr, sweep_function2<Power, T, T>, {{2, sweep_powers_of_one<T>}}}; }
};
// A remainder, of which T is computed by Op.
template <class Op, class T> struct FloatRemainder {
  static constexpr Kernel scalar() { return {handle2<Op, T, T, T>}; }
  static constexpr Kernel kernel() {
    if constexpr (std::is_same_v<T, double>)
      return {nullptr, sweep_remainders_of_f64};
    else
      return {nullptr, sweep_remainders<Op, T>, {{2, sweep_remainders_by_one<Op, T>}}};
  }
};

// Functions of f64, which are compiled separately: those of this level compute scalars as well.
template <double function(double), Sweep sweep> struct DoubleFunction1 {
  static double of(double x) { return function(x); }
  static constexpr Kernel scalar() { return {}; }
  static constexpr Kernel kernel() { return {handle1<DoubleFunction1, double, double>, sweep}; }
};
template <double function(double, double), Sweep sweep, Sweep with_one = nullptr> struct DoubleFunction2 {
  static double of(double x, double y) { return function(x, y); }
  static constexpr Kernel scalar() { return {}; }
  static constexpr Kernel kernel() { return {handle2<DoubleFunction2, double, double, double>, sweep, {{2, with_one}}}; }
};

template <class T> using Copy = UnaryOf<Bitcast<T, T>, T, T>;

// Conversions between integers depend on the sign of the operand, and only where the result is wider.
template <class To, class A> struct ConversionOf { using type = UnaryOf<Convert<To, A>, To, A>; };
template <class T> struct ConversionOf<T, T> { using type = Copy<Bits<T>>; };
template <class A> struct OperandOf { using type = A; };
template <> struct OperandOf<Bool> { using type = uint8_t; };
template <class To, class A> constexpr auto conversion() {
  using From = typename OperandOf<A>::type;
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    using Result = std::make_unsigned_t<To>;
    using Operand = std::conditional_t<(sizeof(From) < sizeof(To)), From, std::make_unsigned_t<From>>;
    if constexpr (sizeof(Result) == sizeof(Operand))
      return ConversionOf<Result, Result>();
    else
      return ConversionOf<Result, Operand>();
  } else if constexpr (std::is_same_v<To, Bool> && std::is_integral_v<From>) {
    return ConversionOf<Bool, std::make_unsigned_t<From>>();
  } else {
    return ConversionOf<To, From>();
  }
}
template <class To, class A> using Conversion = typename decltype(conversion<To, A>())::type;

} // namespace
} // namespace hlokit::vm
