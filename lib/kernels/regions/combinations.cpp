// The kernels of combinations.h.
//
// Compiled for the baseline and for AVX2: see the rules in support/variants.h.
#include "kernels/regions/combinations.h"

#include <string.h>

#include "kernels/elements/arithmetic.h"

namespace hlokit::regions {
namespace {

// The type that combines elements of type T, and conversions to and from it.
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

// A result as an element. Elements that a scatter does not update keep their bits, so no later step can make NaNs
// canonical. NaNs are rare: a branch takes less time than a select, for which the next update of the same element would
// wait.
template <class T> HLOKIT_INLINE void store_canonical(T &to, Value<T> value) {
  to = Element<T>::store(value);
  if constexpr (is_float<Value<T>>)
    if (HLOKIT_UNLIKELY(value != value))
      to = Element<T>::store(CanonicalNan<Value<T>>::of(value));
}

template <class T> HLOKIT_INLINE T canonical(T value) {
  if constexpr (is_float<T>)
    return CanonicalNan<T>::of(value);
  else
    return value;
}

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
        store_canonical<T>(to, Op<V>::of(Element<T>::load(to), Element<T>::load(from[i])));
      }
    return;
  }
  for (size_t i = 0; i < count; ++i, from += width) {
    if (places[i] < 0)
      continue;
    T *HLOKIT_RESTRICT row = rows + static_cast<size_t>(places[i]) * width;
    for (size_t j = 0; j < width; ++j)
      row[j] = Element<T>::store(canonical(Op<V>::of(Element<T>::load(row[j]), Element<T>::load(from[j]))));
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

// The type of partial results: f64 for sums and products of floats.
template <template <class> class Op, class T> struct PartialOf { using type = Value<T>; };
template <> struct PartialOf<Add, float> { using type = double; };
template <> struct PartialOf<Add, BFloat> { using type = double; };
template <> struct PartialOf<Multiply, float> { using type = double; };
template <> struct PartialOf<Multiply, BFloat> { using type = double; };
template <template <class> class Op, class T> using Partial = typename PartialOf<Op, T>::type;

template <class P, class T> inline P load(T value) { return static_cast<P>(Element<T>::load(value)); }

// Combines rows, four at a time.
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

// Sums and products of floats round, so their order matters: the order of `sum_lanes` (combinations.h). The order of
// all other combinations is irrelevant.
template <template <class> class Op, class T>
constexpr bool is_sum = is_float<Value<T>> && (std::is_same_v<Op<Value<T>>, Add<Value<T>>> ||
                                               std::is_same_v<Op<Value<T>>, Multiply<Value<T>>>);

// As many lanes of rows as this are kept in the first-level cache.
constexpr size_t most_wide = 2048;

// Contiguous rows: the lanes of all elements of a row lie side by side.
template <template <class> class Op, class P, class T>
void sum_near_rows(P *to, const T *from, size_t rows, size_t width) {
  alignas(64) P wide[most_wide];
  const size_t side = rows < sum_lanes ? rows : sum_lanes, row = sum_lanes * width;
  for (size_t j = 0; j < side * width; ++j)
    wide[j] = load<P>(from[j]);
  size_t i = sum_lanes;
  for (; i + sum_lanes <= rows; i += sum_lanes) {
    const T *HLOKIT_RESTRICT values = from + i * width;
    for (size_t j = 0; j < row; ++j)
      wide[j] = Op<P>::of(wide[j], load<P>(values[j]));
  }
  if (i < rows)
    for (size_t j = 0; j < (rows - i) * width; ++j)
      wide[j] = Op<P>::of(wide[j], load<P>(from[i * width + j]));
  size_t half = sum_lanes / 2;
  while (half >= side)
    half /= 2;
  for (size_t left = side; half > 0; left = half, half /= 2)
    for (size_t j = 0; j < (left - half) * width; ++j)
      wide[j] = Op<P>::of(wide[j], wide[half * width + j]);
  for (size_t j = 0; j < width; ++j)
    to[j] = wide[j];
}

// Rows anywhere, a lane at a time. Sums of lanes `first`, first + step, first + 2 step, ... of rows of at most
// `most_columns` elements.
constexpr size_t most_columns = 256;

template <template <class> class Op, class P, class T>
void sum_far_lanes(P *to, const T *from, size_t rows, size_t stride, size_t width, size_t first, size_t step) {
  if (step == sum_lanes) {
    const size_t count = (rows - first + sum_lanes - 1) / sum_lanes;
    return reduce_rows<Op, P>(to, from + first * stride, count, sum_lanes * stride, width);
  }
  sum_far_lanes<Op>(to, from, rows, stride, width, first, 2 * step);
  if (first + step >= rows)
    return;
  alignas(64) P other[most_columns];
  sum_far_lanes<Op>(other, from, rows, stride, width, first + step, 2 * step);
  for (size_t j = 0; j < width; ++j)
    to[j] = Op<P>::of(to[j], other[j]);
}

// A block of a sum: at most `sum_block` rows.
template <template <class> class Op, class P, class T>
void sum_rows(P *to, const T *from, size_t rows, size_t stride, size_t width) {
  if (rows == 2)
    return reduce_rows<Op, P>(to, from, rows, stride, width);
  if (stride == width && (rows < sum_lanes ? rows : sum_lanes) * width <= most_wide)
    return sum_near_rows<Op>(to, from, rows, width);
  for (size_t column = 0; column < width; column += most_columns)
    sum_far_lanes<Op>(to + column, from + column, rows, stride,
                      width - column < most_columns ? width - column : most_columns, 0, 1);
}

// Rows of fewer elements are reduced together, up to this many elements.
constexpr size_t narrow_row = 16, wide_row = 64;

// Reduces many short rows as if they were few long rows, then the parts of each long row in pairs.
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

template <template <class> class Op, class P, class T>
void reduce(void *partials, const void *data, const Slab &slab) {
  auto *to = static_cast<P *>(partials);
  auto *from = static_cast<const T *>(data);
  const size_t width = slab.width;
  const bool is_narrow = width < narrow_row && slab.row_stride == width && slab.rows >= 2 * wide_row / width;
  for (size_t i = 0; i < slab.outer; ++i, from += slab.outer_stride, to += width)
    if constexpr (is_sum<Op, T>)
      sum_rows<Op, P>(to, from, slab.rows, slab.row_stride, width);
    else if (is_narrow)
      reduce_narrow<Op, P>(to, from, slab.rows, width);
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
    to[i] = rounded_to<T>(Op<P>::of(first, from[i]));
}

// The table ---------------------------------------------------------------------------------------------

template <template <class> class Op, class T> constexpr Combination combination(const char *name, ElementType type) {
  using P = Partial<Op, T>;
  if constexpr (HLOKIT_IS_BASELINE)
    return {name,      type,   sizeof(T),        scatter<Op, T>,
            sizeof(P), is_sum<Op, T>, reduce<Op, P, T>, reduce<Op, P, P>,
            finish<Op, T>};
  else
    return {name, type, sizeof(T), nullptr, sizeof(P), is_sum<Op, T>, reduce<Op, P, T>, reduce<Op, P, P>, nullptr};
}

template <class T> constexpr Combination replacement(ElementType type) {
  if constexpr (HLOKIT_IS_BASELINE)
    return {"replace", type, sizeof(T), replace<T>, 0, false, nullptr, nullptr, nullptr};
  else
    return {"replace", type, sizeof(T), nullptr, 0, false, nullptr, nullptr, nullptr};
}

// Operations that wrap are the same with and without sign.
#define OF_BITS(name, Op)                                                                                      \
  combination<Op, uint8_t>(name, ElementType::i8), combination<Op, uint16_t>(name, ElementType::i16),                        \
      combination<Op, uint32_t>(name, ElementType::i32), combination<Op, uint64_t>(name, ElementType::i64),                  \
      combination<Op, uint8_t>(name, ElementType::ui8), combination<Op, uint16_t>(name, ElementType::ui16),                  \
      combination<Op, uint32_t>(name, ElementType::ui32), combination<Op, uint64_t>(name, ElementType::ui64)
#define OF_ORDERED(name, Op)                                                                                   \
  combination<Op, int8_t>(name, ElementType::i8), combination<Op, int16_t>(name, ElementType::i16),                          \
      combination<Op, int32_t>(name, ElementType::i32), combination<Op, int64_t>(name, ElementType::i64),                    \
      combination<Op, uint8_t>(name, ElementType::ui8), combination<Op, uint16_t>(name, ElementType::ui16),                  \
      combination<Op, uint32_t>(name, ElementType::ui32), combination<Op, uint64_t>(name, ElementType::ui64)
#define OF_FLOATS(name, Op)                                                                                    \
  combination<Op, float>(name, ElementType::f32), combination<Op, double>(name, ElementType::f64),                           \
      combination<Op, BFloat>(name, ElementType::bf16)
#define OF_BOOLS(name, Op) combination<Op, uint8_t>(name, ElementType::i1)

const Combination table[] = {
    // clang-format off
    OF_BITS("add", Add), OF_FLOATS("add", Add), OF_BOOLS("add", Or),
    OF_BITS("multiply", Multiply), OF_FLOATS("multiply", Multiply), OF_BOOLS("multiply", And),
    OF_ORDERED("maximum", Maximum), OF_FLOATS("maximum", Maximum), OF_BOOLS("maximum", Or),
    OF_ORDERED("minimum", Minimum), OF_FLOATS("minimum", Minimum), OF_BOOLS("minimum", And),
    OF_BITS("and", And), OF_BOOLS("and", And),
    OF_BITS("or", Or), OF_BOOLS("or", Or),
    OF_BITS("xor", Xor), OF_BOOLS("xor", Xor),
    replacement<uint8_t>(ElementType::ui8), replacement<uint16_t>(ElementType::ui16),
    replacement<uint32_t>(ElementType::ui32), replacement<uint64_t>(ElementType::ui64),
    // clang-format on
};

} // namespace

namespace HLOKIT_VARIANT {

CombinationTable combination_table() { return {table, sizeof table / sizeof *table}; }

} // namespace HLOKIT_VARIANT

} // namespace hlokit::regions
