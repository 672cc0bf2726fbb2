// The reductions of combinations.h.
//
// Compiled for the baseline and for AVX2: see the rules in support/variants.h.
#include "kernels/regions/combinations.h"

#include <math.h>
#include <string.h>

#include "kernels/elements/arithmetic.h"
#include "kernels/regions/combined_types.h"
#include "kernels/regions/quick_extrema.h"
#include "kernels/regions/row_sums.h"
#include "support/compiler.h"

namespace hlokit::regions {
namespace {

// Combines rows with `to`, four at a time.
template <template <class> class Op, class P, class T>
void combine_rows(P *HLOKIT_RESTRICT to, const T *HLOKIT_RESTRICT from, size_t rows, size_t stride, size_t width) {
  size_t i = 0;
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

template <template <class> class Op, class P, class T>
void reduce_rows(P *to, const T *from, size_t rows, size_t stride, size_t width) {
  for (size_t j = 0; j < width; ++j)
    to[j] = load<P>(from[j]);
  combine_rows<Op>(to, from + stride, rows - 1, stride, width);
}

// Whether a combination combines each of the bits, so that words combine several elements at once.
template <template <class> class Op, class T>
constexpr bool is_of_bits = std::is_integral_v<T> && (std::is_same_v<Op<T>, And<T>> || std::is_same_v<Op<T>, Or<T>>);

// Elements side by side, at least a word of them. The last word may overlap the one before: and, or combine bits twice as once.
template <template <class> class Op, class T> T reduce_words(const T *from, size_t count) {
  constexpr size_t step = sizeof(uint64_t) / sizeof(T);
  uint64_t total, more;
  memcpy(&total, from + count - step, sizeof total);
  for (size_t i = 0; i + step < count; i += step) {
    memcpy(&more, from + i, sizeof more);
    total = Op<uint64_t>::of(total, more);
  }
  for (size_t shift = 32; shift >= 8 * sizeof(T); shift /= 2)
    total = Op<uint64_t>::of(total, total >> shift);
  return static_cast<T>(total);
}

// Rows of a few floats, one after the other, each in the order of a sum: the compiler makes vectors of rows.
template <class T> constexpr size_t longest_short_row = std::is_same_v<T, float> || std::is_same_v<T, double> ? 4 : 1;

template <template <class> class Op, class P, class T, size_t length = longest_short_row<T>>
bool reduce_short_rows(P *HLOKIT_RESTRICT to, const T *HLOKIT_RESTRICT from, size_t rows, size_t wanted) {
  if constexpr (length < 2) {
    return false;
  } else {
    if (wanted != length)
      return reduce_short_rows<Op, P, T, length - 1>(to, from, rows, wanted);
    HLOKIT_INDEPENDENT
    for (size_t i = 0; i < rows; ++i) {
      const T *row = from + i * length;
      P total = load<P>(row[0]), other = load<P>(row[1]);
      if constexpr (length > 2)
        total = Op<P>::of(total, load<P>(row[2]));
      if constexpr (length > 3)
        other = Op<P>::of(other, load<P>(row[3]));
      to[i] = Op<P>::of(total, other);
    }
    return true;
  }
}

// Combined with any float, it gives this float.
template <template <class> class Op, class P> constexpr P neutral = P(0);
template <class P> constexpr P neutral<Add, P> = P(-0.0);
template <class P> constexpr P neutral<Multiply, P> = P(1);

// Combines floats side by side, in the order of a sum, with as many lanes as there are values: up to `sum_lanes`, of which
// some may be empty.
template <template <class> class Op, class P, class T, size_t lanes> P reduce_row(const T *HLOKIT_RESTRICT from, size_t count) {
  if constexpr (std::is_same_v<Op<P>, Add<double>> && has_fours<T>)
    return sum_of_row<T, lanes>(from, count);
  alignas(64) P totals[lanes];
  size_t i = 0;
  if (count < lanes) {
    for (size_t j = 0; j < lanes; ++j)
      totals[j] = neutral<Op, P>;
  } else {
    HLOKIT_INDEPENDENT
    for (size_t j = 0; j < lanes; ++j)
      totals[j] = load<P>(from[j]);
    for (i = lanes; i + lanes <= count; i += lanes) {
      HLOKIT_INDEPENDENT
      for (size_t j = 0; j < lanes; ++j)
        totals[j] = Op<P>::of(totals[j], load<P>(from[i + j]));
    }
  }
  HLOKIT_INDEPENDENT
  for (size_t j = 0; j < count - i; ++j)
    totals[j] = Op<P>::of(totals[j], load<P>(from[i + j]));
  for (size_t half = lanes / 2; half > 0; half /= 2) {
    HLOKIT_INDEPENDENT
    for (size_t j = 0; j < half; ++j)
      totals[j] = Op<P>::of(totals[j], totals[j + half]);
  }
  return totals[0];
}

// Extrema of at least as many floats as lanes. The last ones may overlap those before.
template <template <class> class Op, class P, class T, size_t lanes> P extremum_of_row(const T *HLOKIT_RESTRICT from, size_t count) {
  alignas(64) P totals[lanes];
  for (size_t j = 0; j < lanes; ++j)
    totals[j] = load<P>(from[j]);
  for (size_t i = lanes; i < count; i += lanes) {
    const T *more = from + (i + lanes < count ? i : count - lanes);
    HLOKIT_INDEPENDENT
    for (size_t j = 0; j < lanes; ++j)
      totals[j] = Op<P>::of(totals[j], load<P>(more[j]));
  }
  HLOKIT_UNROLL
  for (size_t half = lanes / 2; half > 0; half /= 2)
    HLOKIT_UNROLL
    for (size_t j = 0; j < half; ++j)
      totals[j] = Op<P>::of(totals[j], totals[j + half]);
  return totals[0];
}

// As many lanes as a row has elements; for extrema a quarter of them, and no more than registers hold.
constexpr size_t least_lanes = 8;
template <class Op> constexpr size_t most_lanes = is_extremum<Op> ? 16 : sum_lanes;

template <template <class> class Op, class P, class T, size_t lanes = least_lanes>
void reduce_each_row(P *to, const T *from, const Slab &slab) {
  if constexpr (lanes < most_lanes<Op<P>>)
    if (slab.rows > (is_extremum<Op<P>> ? 4 * lanes : lanes))
      return reduce_each_row<Op, P, T, 2 * lanes>(to, from, slab);
  for (size_t i = 0; i < slab.outer; ++i, from += slab.outer_stride)
    if constexpr (is_extremum<Op<P>>)
      to[i] = extremum_of_row<Op, P, T, lanes>(from, slab.rows);
    else
      to[i] = reduce_row<Op, P, T, lanes>(from, slab.rows);
}

// Combines the elements of a column.
template <template <class> class Op, class P, class T> P reduce_column(const T *from, size_t rows, size_t stride) {
  if constexpr (is_of_bits<Op, T>)
    if (stride == 1 && rows * sizeof(T) >= sizeof(uint64_t))
      return reduce_words<Op>(from, rows);
  P total = load<P>(*from);
  if (stride == 1 && !is_of_bits<Op, T>) // vectorised
    for (size_t i = 1; i < rows; ++i)
      total = Op<P>::of(total, load<P>(from[i]));
  else
    for (size_t i = 1; i < rows; ++i)
      total = Op<P>::of(total, load<P>(from[i * stride]));
  return total;
}

// Extrema of short columns of floats, several columns at a time: one after the other, each comparison would be a branch.
constexpr size_t short_column = 64, columns_at_a_time = 8;

template <template <class> class Op, class P, class T> void reduce_columns(P *to, const T *from, const Slab &slab) {
  P totals[columns_at_a_time];
  for (size_t j = 0; j < columns_at_a_time; ++j)
    totals[j] = load<P>(from[j * slab.outer_stride]);
  for (size_t i = 1; i < slab.rows; ++i) {
    const T *row = from + i * slab.row_stride;
    for (size_t j = 0; j < columns_at_a_time; ++j)
      totals[j] = Op<P>::of(totals[j], load<P>(row[j * slab.outer_stride]));
  }
  for (size_t j = 0; j < columns_at_a_time; ++j)
    to[j] = totals[j];
}

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
  for (size_t left = side; half > 0; left = half, half /= 2) {
    HLOKIT_INDEPENDENT
    for (size_t j = 0; j < (left - half) * width; ++j)
      wide[j] = Op<P>::of(wide[j], wide[half * width + j]);
  }
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

// The elements from which that is worth it: the compiler makes vectors of columns of integers itself.
template <class T> constexpr size_t least_narrow = is_float<Value<T>> ? 8 : 2 * wide_row;

// Reduces many short rows as if they were few long rows, then the parts of each long row in pairs.
template <template <class> class Op, class P, class T>
void reduce_narrow(P *to, const T *from, size_t rows, size_t width) {
  P wide[wide_row];
  size_t side = wide_row / width;
  while (side > rows)
    side /= 2;
  const size_t whole = rows / side * side;
  reduce_rows<Op, P>(wide, from, rows / side, side * width, side * width);
  for (size_t j = 0; j < (rows - whole) * width; ++j)
    wide[j] = Op<P>::of(wide[j], load<P>(from[whole * width + j]));
  for (; side > 1; side -= side / 2) {
    const size_t count = side / 2 * width;
    HLOKIT_INDEPENDENT
    for (size_t j = 0; j < count; ++j)
      wide[j] = Op<P>::of(wide[j], wide[(side - side / 2) * width + j]);
  }
  for (size_t j = 0; j < width; ++j)
    to[j] = wide[j];
}

template <template <class> class Op, class P, class T> void reduce_slab(P *to, const T *from, const Slab &slab) {
  const size_t width = slab.width;
  const bool is_narrow = width < narrow_row && slab.row_stride == width && slab.rows * width >= least_narrow<T>;
  if (width == 1 && slab.row_stride == 1 && slab.outer_stride == slab.rows &&
      reduce_short_rows<Op, P>(to, from, slab.outer, slab.rows))
    return;
  if constexpr (is_float<P>)
    if (width == 1 && slab.row_stride == 1 && !(is_extremum<Op<P>> && slab.rows < least_lanes))
      return reduce_each_row<Op, P>(to, from, slab);
  size_t i = 0;
  if constexpr (is_float<P> && !is_sum<Op, T>)
    if (width == 1 && slab.rows < short_column)
      for (; i + columns_at_a_time <= slab.outer; i += columns_at_a_time, to += columns_at_a_time)
        reduce_columns<Op>(to, from + i * slab.outer_stride, slab);
  from += i * slab.outer_stride;
  for (; i < slab.outer; ++i, from += slab.outer_stride, to += width)
    if constexpr (is_sum<Op, T>)
      sum_rows<Op, P>(to, from, slab.rows, slab.row_stride, width);
    else if (is_narrow)
      reduce_narrow<Op, P>(to, from, slab.rows, width);
    else if (width == 1)
      *to = reduce_column<Op, P>(from, slab.rows, slab.row_stride);
    else
      reduce_rows<Op, P>(to, from, slab.rows, slab.row_stride, width);
}

// An extremum of floats, quickly if that is right. A few rows at a time, which the search for NaNs then reads from a cache.
template <template <class> class Op, template <class> class Quick, class P, class T>
void reduce_quickly(P *to, const T *from, Slab slab) {
  const size_t most = 1 + 8192 / (slab.rows * slab.width);
  for (size_t left = slab.outer; left > 0; left -= slab.outer) {
    slab.outer = left < most ? left : most;
    reduce_slab<Quick>(to, from, slab);
    if (!are_quick(to, slab.outer * slab.width, from, runs_of(slab)))
      reduce_slab<Op>(to, from, slab);
    to += slab.outer * slab.width;
    from += slab.outer * slab.outer_stride;
  }
}

template <template <class> class Op, class P, class T>
void reduce(void *partials, const void *data, const Slab &slab) {
  auto *to = static_cast<P *>(partials);
  auto *from = static_cast<const T *>(data);
  if constexpr (is_float<P> && is_extremum<Op<P>>)
    if (runs_of(slab).length >= least_searched) {
      if constexpr (std::is_same_v<Op<P>, Maximum<P>>)
        return reduce_quickly<Op, QuickMaximum>(to, from, slab);
      else
        return reduce_quickly<Op, QuickMinimum>(to, from, slab);
    }
  reduce_slab<Op>(to, from, slab);
}

template <template <class> class Op, class P, class T>
void accumulate(void *partials, const void *from, size_t rows, size_t width) {
  combine_rows<Op>(static_cast<P *>(partials), static_cast<const T *>(from), rows, width, width);
}

template <template <class> class Op, class T> constexpr Reducing reducing() {
  using P = Partial<Op, T>;
  return {sizeof(P), is_sum<Op, T>, reduce<Op, P, T>, reduce<Op, P, P>, accumulate<Op, P, T>};
}

const Reducing table[] = {
#define HLOKIT_COMBINATION(name, type, Op, T) reducing<Op, T>(),
#define HLOKIT_REPLACEMENT(name, type, T) {},
#include "kernels/regions/combinations.inc"
};

} // namespace

namespace HLOKIT_VARIANT {

const Reducing *reductions() { return table; }

} // namespace HLOKIT_VARIANT

} // namespace hlokit::regions
