// The updates of combinations.h.
//
// Compiled for the baseline and for AVX2: see the rules in support/variants.h.
#include <string.h>

#include "kernels/elements/arithmetic.h"
#include "kernels/regions/combinations.h"
#include "kernels/regions/combined_types.h"
#include "support/compiler.h"

namespace hlokit::regions {
namespace {

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

template <template <class> class Op, class T>
constexpr bool is_float_extremum = is_float<T> && (std::is_same_v<Op<T>, Maximum<T>> || std::is_same_v<Op<T>, Minimum<T>>);

// The extremum of two numbers. Of two zeros, each comparison takes another one.
template <template <class> class Op, class T> HLOKIT_INLINE T extremum(T a, T b) {
  constexpr bool is_maximum = std::is_same_v<Op<T>, Maximum<T>>;
  const T one = is_maximum ? (a > b ? a : b) : (a < b ? a : b), other = is_maximum ? (b > a ? b : a) : (b < a ? b : a);
  const Bits<T> x = bits_of<Bits<T>>(one), y = bits_of<Bits<T>>(other);
  return bits_of<T>(is_maximum ? x & y : x | y);
}

// Extrema of floats without branches that depend on which one is greater.
template <template <class> class Op, class T> HLOKIT_INLINE T combined(T a, T b) {
  if constexpr (is_float_extremum<Op, T>) {
    if (HLOKIT_UNLIKELY(HLOKIT_MATH(isunordered)(a, b)))
      return Op<T>::of(a, b);
    return extremum<Op>(a, b);
  } else {
    return Op<T>::of(a, b);
  }
}

// Combines some columns of a row with those of several updates.
template <size_t columns, template <class> class Op, class T>
HLOKIT_INLINE void combine_columns(T *HLOKIT_RESTRICT row, const T *HLOKIT_RESTRICT from, size_t updates, size_t width) {
  T values[columns];
  for (size_t j = 0; j < columns; ++j)
    values[j] = row[j];
  for (size_t i = 0; i < updates; ++i, from += width)
    for (size_t j = 0; j < columns; ++j)
      values[j] = Op<T>::of(values[j], from[j]);
  for (size_t j = 0; j < columns; ++j)
    row[j] = canonical(values[j]);
}

// The columns that are left, fewer than twice `columns`.
template <size_t columns, template <class> class Op, class T>
HLOKIT_INLINE void combine_last_columns(T *row, const T *from, size_t updates, size_t width, size_t left) {
  if (left >= columns) {
    combine_columns<columns, Op>(row, from, updates, width);
    row += columns, from += columns, left -= columns;
  }
  if constexpr (columns > 1)
    combine_last_columns<columns / 2, Op>(row, from, updates, width, left);
}

// Several updates of one place, as of sorted segments: registers take them.
template <template <class> class Op, class T>
HLOKIT_NOINLINE void combine_updates(T *row, const T *from, size_t updates, size_t width) {
  constexpr size_t columns = 32 / sizeof(T);
  size_t j = 0;
  for (; j + columns <= width; j += columns)
    combine_columns<columns, Op>(row + j, from + j, updates, width);
  if (j < width)
    combine_last_columns<columns / 2, Op>(row + j, from + j, updates, width, width - j);
}

// Combines a row of a few elements, which are too few for vectors, with an update.
template <template <class> class Op, class T> HLOKIT_INLINE void combine_few(T *row, const T *from, size_t width) {
  for (size_t j = 0; j < width; ++j)
    store_canonical<T>(row[j], combined<Op>(Element<T>::load(row[j]), Element<T>::load(from[j])));
}
// The same for any other row.
template <template <class> class Op, class T>
HLOKIT_INLINE void combine_row(T *HLOKIT_RESTRICT row, const T *HLOKIT_RESTRICT from, size_t width) {
  using V = Value<T>;
  for (size_t j = 0; j < width; ++j)
    row[j] = Element<T>::store(canonical(Op<V>::of(Element<T>::load(row[j]), Element<T>::load(from[j]))));
}

template <template <class> class Op, class T>
void scatter(void *result, const int64_t *places, const void *updates, size_t count, size_t width) {
  auto *HLOKIT_RESTRICT rows = static_cast<T *>(result);
  auto *HLOKIT_RESTRICT from = static_cast<const T *>(updates);
  if (width == 1) {
    for (size_t i = 0; i < count; ++i)
      if (places[i] >= 0)
        combine_few<Op>(rows + places[i], from + i, 1);
    return;
  }
  for (size_t i = 0, next; i < count; i = next) {
    next = i + 1;
    if (places[i] < 0)
      continue;
    T *row = rows + static_cast<size_t>(places[i]) * width;
    const T *values = from + i * width;
    // Narrow floats are rounded after each update.
    if constexpr (std::is_same_v<T, Value<T>>) {
      while (next < count && places[next] == places[i])
        ++next;
      if (next > i + 1) {
        combine_updates<Op>(row, values, next - i, width);
        continue;
      }
    }
    if (width < 4)
      combine_few<Op>(row, values, width);
    else
      combine_row<Op>(row, values, width);
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

// Folds as many neighbours as `columns`, in registers. Narrow floats are rounded each time; extrema need not be.
template <size_t columns, template <class> class Op, class T>
HLOKIT_INLINE void fold_columns(T *HLOKIT_RESTRICT to, const T *HLOKIT_RESTRICT from, Value<T> init, const size_t *offsets,
                                size_t count) {
  using V = Value<T>;
  V values[columns];
  Bits<V> nans[columns]; // all bits where a NaN came along
  for (size_t j = 0; j < columns; ++j)
    values[j] = init, nans[j] = init == init ? Bits<V>(0) : static_cast<Bits<V>>(all_bits<V>);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < columns; ++j) {
      const V next = Element<T>::load(from[offsets[i] + j]);
      if constexpr (is_float_extremum<Op, V>) {
        values[j] = extremum<Op>(values[j], next);
        nans[j] |= next == next ? Bits<V>(0) : static_cast<Bits<V>>(all_bits<V>);
      } else if constexpr (std::is_same_v<T, V>) {
        values[j] = Op<V>::of(values[j], next);
      } else {
        values[j] = Element<T>::load(Element<T>::store(Op<V>::of(values[j], next)));
      }
    }
  for (size_t j = 0; j < columns; ++j)
    if constexpr (is_float_extremum<Op, V>)
      to[j] = Element<T>::store(canonical(bits_of<V>(static_cast<Bits<V>>(bits_of<Bits<V>>(values[j]) | nans[j]))));
    else
      to[j] = Element<T>::store(values[j]);
}

template <template <class> class Op, class T>
void fold(void *result, const void *operand, const void *init, const size_t *offsets, size_t count, size_t size) {
  auto *to = static_cast<T *>(result);
  auto *from = static_cast<const T *>(operand);
  const Value<T> first = Element<T>::load(*static_cast<const T *>(init));
  constexpr size_t columns = fold_bytes / sizeof(T);
  if (size < columns) {
    for (size_t j = 0; j < size; ++j)
      fold_columns<1, Op>(to + j, from + j, first, offsets, count);
    return;
  }
  size_t j = 0;
  for (; j + columns < size; j += columns)
    fold_columns<columns, Op>(to + j, from + j, first, offsets, count);
  // The last ones again take a whole register, which may overlap the one before.
  fold_columns<columns, Op>(to + size - columns, from + size - columns, first, offsets, count);
}

// The elements of a line so far, combined. Sums of f64 collect their rounding errors, and add them last.
template <template <class> class Op, class T> struct Running {
  using P = Partial<Op, T>;
  static constexpr bool is_compensated = std::is_same_v<Op<T>, Add<double>>;

  HLOKIT_INLINE static void add(P &total, P &errors, P value) {
    const P before = total;
    total = Op<P>::of(before, value);
    if constexpr (is_compensated) {
      const P added = total - before;
      errors = errors + ((before - (total - added)) + (value - added));
    }
  }
  HLOKIT_INLINE static T result(P total, P errors, P init) {
    if constexpr (is_compensated) // A sum of -0 stays -0: no error is no correction.
      total = errors != 0 && errors - errors == 0 ? total + errors : total;
    return rounded_to<T>(Op<P>::of(init, total));
  }
};

// `count` lines together, up to `most`, so that no sum waits for the one before.
template <size_t most, template <class> class Op, class T>
HLOKIT_INLINE void run_lines(T *to, const T *from, Partial<Op, T> init, size_t count, size_t between, const Lines &lines) {
  using P = Partial<Op, T>;
  alignas(64) P totals[most], errors[most];
  for (size_t j = 0; j < count; ++j) {
    totals[j] = load<P>(from[j * between]), errors[j] = 0;
    to[j * between] = Running<Op, T>::result(totals[j], errors[j], init);
  }
  for (size_t i = 1; i < lines.size; ++i) {
    to += lines.step, from += lines.step;
    if (between == 1) {
      HLOKIT_INDEPENDENT
      for (size_t j = 0; j < count; ++j) {
        Running<Op, T>::add(totals[j], errors[j], load<P>(from[j]));
        to[j] = Running<Op, T>::result(totals[j], errors[j], init);
      }
    } else {
      HLOKIT_UNROLL
      for (size_t j = 0; j < most; ++j) {
        Running<Op, T>::add(totals[j], errors[j], load<P>(from[j * between]));
        to[j * between] = Running<Op, T>::result(totals[j], errors[j], init);
      }
    }
  }
}

template <template <class> class Op, class T>
void run(void *result, const void *operand, const void *initial, const Lines &lines) {
  constexpr size_t most = 256, few = 8;
  const size_t between = lines.between;
  auto *to = static_cast<T *>(result);
  auto *from = static_cast<const T *>(operand);
  const auto init = load<Partial<Op, T>>(*static_cast<const T *>(initial));
  size_t j = 0;
  if (between == 1 && lines.count > 1)
    for (; j < lines.count; j += most)
      run_lines<most, Op>(to + j, from + j, init, lines.count - j < most ? lines.count - j : most, 1, lines);
  for (; j + few <= lines.count; j += few)
    run_lines<few, Op>(to + j * between, from + j * between, init, few, between, lines);
  for (; j < lines.count; ++j)
    run_lines<1, Op>(to + j * between, from + j * between, init, 1, 1, lines);
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

template <template <class> class Op, class T> constexpr Update update(const char *name, ElementType type) {
  return {name, type, sizeof(T), scatter<Op, T>, fold<Op, T>, run<Op, T>, finish<Op, T>};
}
template <class T> constexpr Update replacement(const char *name, ElementType type) {
  return {name, type, sizeof(T), replace<T>, nullptr, nullptr, nullptr};
}

const Update table[] = {
#define HLOKIT_COMBINATION(name, type, Op, T) update<Op, T>(name, ElementType::type),
#define HLOKIT_REPLACEMENT(name, type, T) replacement<T>(name, ElementType::type),
#include "kernels/regions/combinations.inc"
};

} // namespace

namespace HLOKIT_VARIANT {

UpdateTable updates() { return {table, sizeof table / sizeof *table}; }

} // namespace HLOKIT_VARIANT

} // namespace hlokit::regions
