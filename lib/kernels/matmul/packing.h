// Conversion of elements from and to memory, and packing: copies of operands in the order in which tiles read them.
// Part of kernels.cpp, with internal linkage.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/elements/scalars.h"
#include "kernels/matmul/vectors.h"
#include "support/shuffles.h"

namespace hlokit::matmul {
namespace {

template <class T> HLOKIT_INLINE T number_of(T value) { return value; }
HLOKIT_INLINE float number_of(Half value) { return widen(value); }
HLOKIT_INLINE float number_of(BFloat value) { return widen(value); }

template <class T, class S> void read(T *to, const unsigned char *from, ptrdiff_t stride, size_t count) {
  if (stride == sizeof(S)) {
    const S *values = reinterpret_cast<const S *>(from);
    for (size_t i = 0; i < count; ++i)
      to[i] = static_cast<T>(number_of(values[i]));
    return;
  }
  for (size_t i = 0; i < count; ++i, from += stride)
    to[i] = static_cast<T>(number_of(*reinterpret_cast<const S *>(from)));
}

// A number outside the range of an integer type is a mistake of the caller, but must not be undefined behaviour.
template <class D, class T> D converted(T value) {
  if constexpr (std::is_same_v<D, BFloat>) {
    return narrow(static_cast<float>(value));
  } else if constexpr (std::is_same_v<D, Half>) {
    return narrow_to_half(static_cast<float>(value));
  } else if constexpr (std::is_integral_v<D>) {
    constexpr T limit = static_cast<T>(uint64_t(1) << (8 * sizeof(D) - 1));
    return value >= -limit && value < limit ? static_cast<D>(value) : D(0);
  } else {
    return static_cast<D>(value);
  }
}

template <class D, class T> void write(unsigned char *to, ptrdiff_t stride, const T *from, size_t count) {
  if (stride == sizeof(D)) {
    D *values = reinterpret_cast<D *>(to);
    for (size_t i = 0; i < count; ++i)
      values[i] = converted<D>(from[i]);
    return;
  }
  for (size_t i = 0; i < count; ++i, to += stride)
    *reinterpret_cast<D *>(to) = converted<D>(from[i]);
}

// The offsets of consecutive indices, and how many of them, from the first on, are evenly spaced.
struct Places {
  const ptrdiff_t *at;
  size_t count, run, first_run;
  ptrdiff_t stride; // within runs
  bool is_even() const { return first_run >= count; }
};

// A run ends where the innermost dimension does: the first after `first_run` indices, the others after `run`.
Places places(const Offsets &offsets, size_t first, size_t count, ptrdiff_t *memory) {
  if (!count)
    return {memory, 0, 1, 1, 0};
  const size_t inner = offsets.sizes[offsets.rank - 1];
  const ptrdiff_t stride = offsets.strides[offsets.rank - 1];
  const size_t within = first % inner;
  Places result{memory, count, inner, inner - within, stride};
  if (offsets.all) {
    result.at = offsets.all + first;
    return result;
  }
  size_t index = first / inner;
  for (size_t done = 0; done < count; ++index) {
    ptrdiff_t offset = 0;
    size_t rest = index;
    for (size_t i = offsets.rank - 1; i-- > 0;) {
      const size_t size = offsets.sizes[i];
      if (i == 0) {
        offset += static_cast<ptrdiff_t>(rest) * offsets.strides[i];
      } else {
        offset += static_cast<ptrdiff_t>(rest % size) * offsets.strides[i];
        rest /= size;
      }
    }
    const size_t start = done ? 0 : within;
    const size_t end = least(inner, start + (count - done));
    for (size_t i = start; i < end; ++i)
      memory[done++] = offset + static_cast<ptrdiff_t>(i) * stride;
  }
  return result;
}

// Calls act(start, count) for each run of indices from `start` to `end`.
template <class Act> HLOKIT_INLINE void each_run(const Places &places, size_t start, size_t end, Act act) {
  if (start >= end)
    return;
  // Only the run of `start` requires a division, and only if it is not the first.
  size_t next = start < places.first_run ? places.first_run : start + places.run - (start - places.first_run) % places.run;
  for (; next < end; start = next, next += places.run)
    act(start, next - start);
  act(start, end - start);
}

// Packing ---------------------------------------------------------------------------------------------

// Fewer numbers than twice `width`, as two vectors of it, which may overlap, or narrower ones.
template <class T, size_t width> HLOKIT_INLINE void copy_few(T *to, const T *from, size_t count) {
  if constexpr (width == 1) {
    if (count)
      *to = *from;
  } else if (count < width) {
    copy_few<T, width / 2>(to, from, count);
  } else {
    const Vector<T, width> last = load<T, width>(from + count - width);
    store(to, load<T, width>(from));
    store(to + count - width, last);
  }
}

template <class T> HLOKIT_INLINE void copy(T *to, const T *from, size_t count) {
  size_t i = 0;
  for (; i + lanes<T> <= count; i += lanes<T>)
    store(to + i, load(from + i));
  if (i == count)
    return;
  if (count > lanes<T>)
    store(to + count - lanes<T>, load(from + count - lanes<T>));
  else
    copy_few<T, lanes<T> / 2>(to, from, count);
}

// Transposes a square: `lanes` rows, which begin at `from`, become columns of rows that are `row` elements apart.
#if defined(HLOKIT_SHUFFLES)
template <class T> HLOKIT_INLINE void transpose(T *to, ptrdiff_t row, const T *const *from, size_t offset) {
  constexpr int count = lanes<T>;
  Vector<T> rows[count];
  HLOKIT_UNROLL
  for (int i = 0; i < count; ++i)
    rows[i] = load(from[i] + offset);
  hlokit::transpose(rows);
  HLOKIT_UNROLL
  for (int i = 0; i < count; ++i)
    store(to + i * row, rows[i]);
}
#else
template <class T> void transpose(T *to, ptrdiff_t row, const T *const *from, size_t offset) {
  for (size_t i = 0; i < lanes<T>; ++i)
    for (size_t j = 0; j < lanes<T>; ++j)
      to[static_cast<ptrdiff_t>(i) * row + static_cast<ptrdiff_t>(j)] = from[j][offset + i];
}
#endif

// Rows are often in pages of their own, where processors do not prefetch by themselves: the rows that follow.
constexpr size_t ahead = 4;
HLOKIT_INLINE void prefetch(const unsigned char *from, size_t bytes) {
  for (size_t line = 0; line < bytes; line += 64)
    HLOKIT_PREFETCH(from + line, 0);
}

// An operand in memory.
template <class T> struct Source {
  const unsigned char *data;
  Read<T> read; // null for T itself
  size_t size;
  Read<T> plain; // reads T

  HLOKIT_INLINE void get(T *to, ptrdiff_t offset, ptrdiff_t stride, size_t count) const {
    if (!read && stride == ptrdiff_t(sizeof(T)))
      copy(to, reinterpret_cast<const T *>(data + offset), count);
    else
      (read ? read : plain)(to, data + offset, stride, count);
  }
};

// Packs columns `first` to `end` as [terms, width], with zeros after the last column.
template <class T>
void pack_columns(T *to, const Source<T> &source, const Places &terms, const Places &columns, size_t first,
                  size_t end, size_t width, T *scratch) {
  const size_t count = terms.count;
  const ptrdiff_t item = static_cast<ptrdiff_t>(source.size);
  if (end - first < width)
    memset(to, 0, width * count * sizeof(T));
  if (terms.stride != item || columns.stride == item || terms.run == 1) {
    for (size_t k = 0; k < count; ++k)
      each_run(columns, first, end, [&](size_t start, size_t length) {
        source.get(to + k * width + (start - first), terms.at[k] + columns.at[start], columns.stride, length);
      });
    return;
  }
  for (size_t group = first; group < end; group += lanes<T>) {
    const T *lines[lanes<T>];
    for (size_t j = 0; j < lanes<T>; ++j) {
      T *line = scratch + j * block_terms;
      lines[j] = line;
      if (group + j >= end) {
        memset(line, 0, count * sizeof(T));
      } else if (!source.read && terms.is_even()) {
        lines[j] = reinterpret_cast<const T *>(source.data + columns.at[group + j] + terms.at[0]);
      } else {
        each_run(terms, 0, count, [&](size_t start, size_t length) {
          source.get(line + start, columns.at[group + j] + terms.at[start], item, length);
        });
      }
    }
    T *place = to + (group - first);
    size_t k = 0;
    for (; k + lanes<T> <= count; k += lanes<T>)
      transpose(place + k * width, static_cast<ptrdiff_t>(width), lines, k);
    for (; k < count; ++k)
      for (size_t j = 0; j < lanes<T>; ++j)
        place[k * width + j] = lines[j][k];
  }
}

// Rows of `a` as tiles read them: a pointer to the first element and distances.
template <class T> struct Rows {
  const T *data;
  ptrdiff_t row, term;
};

// A gap between packed rows, so that they do not fall into the same sets of the cache.
constexpr size_t row_gap = vector_bytes;

template <class T>
Rows<T> pack_rows(T *to, const Source<T> &source, const Places &rows, const Places &terms) {
  const ptrdiff_t item = static_cast<ptrdiff_t>(source.size);
  if (terms.stride != item && rows.stride == item) {
    const size_t distance = rows.count + row_gap / sizeof(T);
    for (size_t k = 0; k < terms.count; ++k)
      each_run(rows, 0, rows.count, [&](size_t start, size_t length) {
        source.get(to + k * distance + start, terms.at[k] + rows.at[start], item, length);
      });
    return {to, 1, static_cast<ptrdiff_t>(distance)};
  }
  const size_t distance = terms.count + row_gap / sizeof(T);
  const bool is_contiguous = terms.is_even() && terms.stride == item;
  for (size_t i = 0; i < rows.count; ++i) {
    if (is_contiguous && i + ahead < rows.count)
      prefetch(source.data + rows.at[i + ahead] + terms.at[0], terms.count * source.size);
    each_run(terms, 0, terms.count, [&](size_t start, size_t length) {
      source.get(to + i * distance + start, rows.at[i] + terms.at[start], terms.stride, length);
    });
  }
  return {to, static_cast<ptrdiff_t>(distance), 1};
}

} // namespace
} // namespace hlokit::matmul
