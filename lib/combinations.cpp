// Loops of combinations.h, compiled twice: the second time for AVX2 (combinations_avx2.cpp). As in
// vm_kernels.cpp, nothing here may be shared between objects.
#include "combinations.h"

#include "vm_arithmetic.h"

#ifndef HLOKIT_COMBINATIONS
#define HLOKIT_COMBINATIONS baseline_combinations
#endif

namespace hlokit::regions {
namespace {

using namespace hlokit::vm;

// Elements in the type that one combination is computed in, and back.
template <class T> struct Element {
  using Value = T;
  static T load(T value) { return value; }
  static T store(T value) { return value; }
};
template <> struct Element<BFloat> {
  using Value = float;
  static float load(BFloat value) { return widen(value); }
  static BFloat store(float value) { return narrow(value); }
};

template <class T> using Value = typename Element<T>::Value;

// Scatter -----------------------------------------------------------------------------------------------

template <template <class> class Op, class T>
void scatter(void *result, const int64_t *places, const void *updates, size_t count, size_t width) {
  using V = Value<T>;
  auto *HLOKIT_RESTRICT rows = static_cast<T *>(result);
  auto *HLOKIT_RESTRICT from = static_cast<const T *>(updates);
  if (width == 1) {
    for (size_t i = 0; i < count; ++i)
      if (places[i] >= 0) {
        T &to = rows[places[i]];
        to = Element<T>::store(Op<V>::of(Element<T>::load(to), Element<T>::load(from[i])));
      }
    return;
  }
  for (size_t i = 0; i < count; ++i, from += width) {
    if (places[i] < 0)
      continue;
    T *HLOKIT_RESTRICT row = rows + static_cast<size_t>(places[i]) * width;
    for (size_t j = 0; j < width; ++j)
      row[j] = Element<T>::store(Op<V>::of(Element<T>::load(row[j]), Element<T>::load(from[j])));
  }
}

template <class T>
void replace(void *result, const int64_t *places, const void *updates, size_t count, size_t width) {
  auto *rows = static_cast<T *>(result);
  auto *from = static_cast<const T *>(updates);
  if (width == 1) {
    for (size_t i = 0; i < count; ++i)
      if (places[i] >= 0)
        rows[places[i]] = from[i];
    return;
  }
  for (size_t i = 0; i < count; ++i)
    if (places[i] >= 0)
      memcpy(rows + static_cast<size_t>(places[i]) * width, from + i * width, width * sizeof(T));
}

// Reduce ------------------------------------------------------------------------------------------------

// The type of partial results: f64 for what rounds.
template <template <class> class Op, class T> struct PartialOf { using type = Value<T>; };
template <> struct PartialOf<Add, float> { using type = double; };
template <> struct PartialOf<Add, BFloat> { using type = double; };
template <> struct PartialOf<Multiply, float> { using type = double; };
template <> struct PartialOf<Multiply, BFloat> { using type = double; };
template <template <class> class Op, class T> using Partial = typename PartialOf<Op, T>::type;

template <class P, class T> inline P load(T value) { return static_cast<P>(Element<T>::load(value)); }

// A partial result in its type again, rounded once.
template <class T, class P> inline T rounded(P value) { return static_cast<T>(value); }
template <> inline BFloat rounded<BFloat, float>(float value) { return narrow(value); }
template <> inline BFloat rounded<BFloat, double>(double value) {
  // Rounded to odd in f32, so that rounding again is as if there had been no f32.
  float middle = static_cast<float>(value);
  uint32_t bits = bits_of<uint32_t>(middle);
  double back = static_cast<double>(middle), magnitude = value < 0 ? -value : value;
  if (back != value && value == value) {
    bits -= (back < 0 ? -back : back) > magnitude;
    bits |= 1;
  }
  return narrow(bits_of<float>(bits));
}

// Rows upon each other, four at a time.
template <template <class> class Op, class P, class T>
void reduce_rows(P *HLOKIT_RESTRICT to, const T *from, size_t rows, size_t stride, size_t width) {
  for (size_t j = 0; j < width; ++j)
    to[j] = load<P>(from[j]);
  size_t i = 1;
  for (; i + 4 <= rows; i += 4) {
    const T *a = from + i * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    for (size_t j = 0; j < width; ++j) {
      P total = Op<P>::of(to[j], load<P>(a[j]));
      total = Op<P>::of(total, load<P>(b[j]));
      total = Op<P>::of(total, load<P>(c[j]));
      to[j] = Op<P>::of(total, load<P>(d[j]));
    }
  }
  for (; i < rows; ++i)
    for (size_t j = 0; j < width; ++j)
      to[j] = Op<P>::of(to[j], load<P>(from[i * stride + j]));
}

// Rows of fewer elements are taken together, as many as there are elements of this.
constexpr size_t narrow_row = 16, wide_row = 64;

// Many short rows as if they were few long ones, and the parts of those combined in pairs.
template <template <class> class Op, class P, class T>
void reduce_narrow(P *to, const T *from, size_t rows, size_t width) {
  P wide[wide_row];
  size_t side = wide_row / width;
  const size_t whole = rows / side * side;
  reduce_rows<Op, P>(wide, from, rows / side, side * width, side * width);
  for (size_t j = 0; j < (rows - whole) * width; ++j)
    wide[j] = Op<P>::of(wide[j], load<P>(from[whole * width + j]));
  for (; side > 1; side -= side / 2)
    for (size_t j = 0; j < side / 2 * width; ++j)
      wide[j] = Op<P>::of(wide[j], wide[(side - side / 2) * width + j]);
  for (size_t j = 0; j < width; ++j)
    to[j] = wide[j];
}

// A few neighbours, in eight lanes.
template <template <class> class Op, class P, class T> P reduce_few(const T *from, size_t count) {
  constexpr size_t lanes = 8;
  P lane[lanes];
  lane[0] = load<P>(from[0]);
  size_t i = 1;
  if (count >= 2 * lanes) {
    for (; i < lanes; ++i)
      lane[i] = load<P>(from[i]);
    for (; i + lanes <= count; i += lanes)
      for (size_t j = 0; j < lanes; ++j)
        lane[j] = Op<P>::of(lane[j], load<P>(from[i + j]));
    for (size_t half = lanes / 2; half > 0; half /= 2)
      for (size_t j = 0; j < half; ++j)
        lane[j] = Op<P>::of(lane[j], lane[j + half]);
  }
  for (; i < count; ++i)
    lane[0] = Op<P>::of(lane[0], load<P>(from[i]));
  return lane[0];
}

template <template <class> class Op, class P, class T>
void reduce(void *partials, const void *data, const Slab &slab) {
  auto *to = static_cast<P *>(partials);
  auto *from = static_cast<const T *>(data);
  const size_t width = slab.width;
  const bool is_narrow = width < narrow_row && slab.row_stride == width && slab.rows >= 2 * wide_row / width;
  for (size_t i = 0; i < slab.outer; ++i, from += slab.outer_stride, to += width)
    if (is_narrow)
      reduce_narrow<Op, P>(to, from, slab.rows, width);
    else if (width == 1 && slab.row_stride == 1)
      *to = reduce_few<Op, P>(from, slab.rows);
    else
      reduce_rows<Op, P>(to, from, slab.rows, slab.row_stride, width);
}

template <template <class> class Op, class T>
void finish(void *result, const void *partials, const void *init, size_t count) {
  using P = Partial<Op, T>;
  auto *to = static_cast<T *>(result);
  auto *from = static_cast<const P *>(partials);
  const P first = load<P>(*static_cast<const T *>(init));
  for (size_t i = 0; i < count; ++i)
    to[i] = rounded<T, P>(Op<P>::of(first, from[i]));
}

// The table ---------------------------------------------------------------------------------------------

template <template <class> class Op, class T> constexpr Combination combination(const char *name, Type type) {
  using P = Partial<Op, T>;
  constexpr bool rounds = std::is_same_v<P, T> && is_float<T> &&
                          (std::is_same_v<Op<T>, Add<T>> || std::is_same_v<Op<T>, Multiply<T>>);
  return {name,   type,
          sizeof(T), scatter<Op, T>,
          sizeof(P), rounds,
          reduce<Op, P, T>, reduce<Op, P, P>,
          finish<Op, T>};
}

template <class T> constexpr Combination replacement(Type type) {
  return {"replace", type, sizeof(T), replace<T>, 0, false, nullptr, nullptr, nullptr};
}

// What wraps is the same with a sign and without.
#define OF_BITS(name, Op)                                                                                      \
  combination<Op, uint8_t>(name, Type::i8), combination<Op, uint16_t>(name, Type::i16),                        \
      combination<Op, uint32_t>(name, Type::i32), combination<Op, uint64_t>(name, Type::i64),                  \
      combination<Op, uint8_t>(name, Type::ui8), combination<Op, uint16_t>(name, Type::ui16),                  \
      combination<Op, uint32_t>(name, Type::ui32), combination<Op, uint64_t>(name, Type::ui64)
#define OF_ORDERED(name, Op)                                                                                   \
  combination<Op, int8_t>(name, Type::i8), combination<Op, int16_t>(name, Type::i16),                          \
      combination<Op, int32_t>(name, Type::i32), combination<Op, int64_t>(name, Type::i64),                    \
      combination<Op, uint8_t>(name, Type::ui8), combination<Op, uint16_t>(name, Type::ui16),                  \
      combination<Op, uint32_t>(name, Type::ui32), combination<Op, uint64_t>(name, Type::ui64)
#define OF_FLOATS(name, Op)                                                                                    \
  combination<Op, float>(name, Type::f32), combination<Op, double>(name, Type::f64),                           \
      combination<Op, BFloat>(name, Type::bf16)
#define OF_BOOLS(name, Op) combination<Op, uint8_t>(name, Type::i1)

const Combination combinations[] = {
    // clang-format off
    OF_BITS("add", Add), OF_FLOATS("add", Add), OF_BOOLS("add", Or),
    OF_BITS("multiply", Multiply), OF_FLOATS("multiply", Multiply), OF_BOOLS("multiply", And),
    OF_ORDERED("maximum", Maximum), OF_FLOATS("maximum", Maximum), OF_BOOLS("maximum", Or),
    OF_ORDERED("minimum", Minimum), OF_FLOATS("minimum", Minimum), OF_BOOLS("minimum", And),
    OF_BITS("and", And), OF_BOOLS("and", And),
    OF_BITS("or", Or), OF_BOOLS("or", Or),
    OF_BITS("xor", Xor), OF_BOOLS("xor", Xor),
    replacement<uint8_t>(Type::ui8), replacement<uint16_t>(Type::ui16),
    replacement<uint32_t>(Type::ui32), replacement<uint64_t>(Type::ui64),
    // clang-format on
};

} // namespace

Combinations HLOKIT_COMBINATIONS() { return {combinations, sizeof combinations / sizeof *combinations}; }

} // namespace hlokit::regions
