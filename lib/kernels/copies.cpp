// Where the last dimension has the smallest stride, rows are copied, forward or backward. Otherwise the last dimension
// and that of the smallest stride are divided into tiles, which are transposed: a tile is read in the order of the source
// and written in the order of the destination.
#include "kernels/copies.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "support/copy_memory.h"
#include "support/threads.h"

#if defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#include <emmintrin.h>
#define HLOKIT_SSE2
#endif

namespace hlokit::copies {
namespace {

// The number of bytes that a thread copies at a time, and the number for which another thread pays.
constexpr size_t part_bytes = 1 << 16, least_bytes = 1 << 19;
// Bytes of a row of a tile: two cache lines, or more for large elements.
template <class T> constexpr size_t tile_bytes = sizeof(T) < 8 ? 128 : 32 * sizeof(T);

// The largest rank of NumPy's arrays.
constexpr size_t most_dimensions = 64;

struct Dimension {
  size_t extent;
  ptrdiff_t stride;  // of the source
  ptrdiff_t written; // of the destination
};

size_t distance(ptrdiff_t stride) { return static_cast<size_t>(stride < 0 ? -stride : stride); }

// Collapses dimensions that are adjacent in both memories, and drops those of size 1.
std::vector<Dimension> dimensions_of(const Strided &to, const Strided &from, const std::vector<size_t> &shape, size_t size) {
  std::vector<Dimension> result;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1)
      continue;
    const auto extent = static_cast<ptrdiff_t>(shape[i]);
    const Dimension next{shape[i], from.strides[i], to.strides[i]};
    if (!result.empty() && result.back().stride == next.stride * extent && result.back().written == next.written * extent)
      result.back() = {result.back().extent * next.extent, next.stride, next.written};
    else
      result.push_back(next);
  }
  if (result.empty())
    result.push_back({1, static_cast<ptrdiff_t>(size), static_cast<ptrdiff_t>(size)});
  return result;
}

// Walks over the elements of some dimensions in row-major order, and has the offsets of the current element.
class Walk {
public:
  Walk(const std::vector<Dimension> &dimensions, size_t start) : dimensions_(dimensions) {
    for (size_t i = dimensions.size(); i-- > 0; start /= dimensions[i].extent) {
      index_[i] = start % dimensions[i].extent;
      read += static_cast<ptrdiff_t>(index_[i]) * dimensions[i].stride;
      written += static_cast<ptrdiff_t>(index_[i]) * dimensions[i].written;
    }
  }

  void next() {
    for (size_t i = dimensions_.size(); i-- > 0;) {
      const Dimension &each = dimensions_[i];
      read += each.stride;
      written += each.written;
      if (++index_[i] < each.extent)
        return;
      index_[i] = 0;
      read -= static_cast<ptrdiff_t>(each.extent) * each.stride;
      written -= static_cast<ptrdiff_t>(each.extent) * each.written;
    }
  }

  ptrdiff_t read = 0, written = 0;

private:
  const std::vector<Dimension> &dimensions_;
  size_t index_[most_dimensions];
};

size_t count_of(const std::vector<Dimension> &dimensions) {
  size_t result = 1;
  for (const Dimension &each : dimensions)
    result *= each.extent;
  return result;
}

template <class T> void copy_row(unsigned char *to, const unsigned char *from, ptrdiff_t stride, size_t count) {
  if (stride == static_cast<ptrdiff_t>(sizeof(T))) {
    copy_row_bytes(to, from, count * sizeof(T));
    return;
  }
  auto *result = reinterpret_cast<T *>(to);
  if (stride == -static_cast<ptrdiff_t>(sizeof(T))) {
    const T *last = reinterpret_cast<const T *>(from) - (count - 1);
    for (size_t i = 0; i < count; ++i)
      result[i] = last[count - 1 - i];
  } else {
    for (size_t i = 0; i < count; ++i)
      result[i] = *reinterpret_cast<const T *>(from + static_cast<ptrdiff_t>(i) * stride);
  }
}

template <class T>
void copy_rows(unsigned char *to, const unsigned char *from, std::vector<Dimension> outer, size_t threads) {
  const Dimension row = outer.back();
  outer.pop_back();
  Dimension line{1, 0, 0}; // of rows
  if (!outer.empty()) {
    line = outer.back();
    outer.pop_back();
  }
  // Long rows are split as well.
  const size_t rows = count_of(outer) * line.extent, piece = std::max<size_t>(part_bytes / sizeof(T), 1);
  const size_t pieces = (row.extent + piece - 1) / piece;
  const size_t together = pieces > 1 ? 1 : std::max<size_t>(piece / row.extent, 1);
  in_parallel((rows + together - 1) / together * pieces, threads, [&](size_t part) {
    const size_t first = part / pieces * together, start = part % pieces * piece, end = std::min(rows, first + together);
    const size_t count = std::min(piece, row.extent - start);
    Walk walk(outer, first / line.extent);
    for (size_t i = first; i < end; walk.next()) {
      const size_t place = i % line.extent, lines = std::min(line.extent - place, end - i);
      unsigned char *result = to + walk.written + static_cast<ptrdiff_t>(place) * line.written + start * sizeof(T);
      const unsigned char *source = from + walk.read + static_cast<ptrdiff_t>(place) * line.stride +
                                    static_cast<ptrdiff_t>(start) * row.stride;
      for (size_t j = 0; j < lines; ++j, result += line.written, source += line.stride)
        copy_row<T>(result, source, row.stride, count);
      i += lines;
    }
  });
}

// Transposes a square of elements. `step` and `pitch` are the distances of rows of the destination and the source, in
// bytes.
template <class T> void exchange_one(unsigned char *to, ptrdiff_t, const unsigned char *from, ptrdiff_t) {
  *reinterpret_cast<T *>(to) = *reinterpret_cast<const T *>(from);
}
template <class T> struct Square {
  static constexpr size_t side = 1;
  static void exchange(unsigned char *to, ptrdiff_t step, const unsigned char *from, ptrdiff_t pitch) {
    exchange_one<T>(to, step, from, pitch);
  }
};
#ifdef HLOKIT_SSE2
// Interleaves the first halves of two vectors, and their second halves.
template <size_t size> void interleave(__m128i a, __m128i b, __m128i *to) {
  if constexpr (size == 1) {
    to[0] = _mm_unpacklo_epi8(a, b);
    to[1] = _mm_unpackhi_epi8(a, b);
  } else if constexpr (size == 2) {
    to[0] = _mm_unpacklo_epi16(a, b);
    to[1] = _mm_unpackhi_epi16(a, b);
  } else if constexpr (size == 4) {
    to[0] = _mm_unpacklo_epi32(a, b);
    to[1] = _mm_unpackhi_epi32(a, b);
  } else {
    to[0] = _mm_unpacklo_epi64(a, b);
    to[1] = _mm_unpackhi_epi64(a, b);
  }
}

// One vector for each row. Interleaving the first half of the rows with the second log2(side) times transposes the
// square.
template <class T> struct VectorSquare {
  static constexpr size_t side = 16 / sizeof(T);
  static void exchange(unsigned char *to, ptrdiff_t step, const unsigned char *from, ptrdiff_t pitch) {
    __m128i rows[side], next[side];
    for (size_t i = 0; i < side; ++i)
      rows[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + static_cast<ptrdiff_t>(i) * pitch));
    for (size_t round = 1; round < side; round *= 2) {
      for (size_t i = 0; i < side / 2; ++i)
        interleave<sizeof(T)>(rows[i], rows[i + side / 2], next + 2 * i);
      for (size_t i = 0; i < side; ++i)
        rows[i] = next[i];
    }
    for (size_t i = 0; i < side; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + static_cast<ptrdiff_t>(i) * step), rows[i]);
  }
};
template <> struct Square<uint8_t> : VectorSquare<uint8_t> {};
template <> struct Square<uint16_t> : VectorSquare<uint16_t> {};
template <> struct Square<uint32_t> : VectorSquare<uint32_t> {};
template <> struct Square<uint64_t> : VectorSquare<uint64_t> {};
#endif

// Whether rows at this distance fall into the same few sets of the cache.
bool collide(ptrdiff_t stride) { return stride % 1024 == 0; }

// Copies a tile of `rows` times `columns` of the result; `across` is the dimension that numbers its rows.
template <class T>
void copy_tile(unsigned char *to, const unsigned char *from, const Dimension &across, const Dimension &row,
               size_t rows, size_t columns) {
  constexpr size_t side = tile_bytes<T> / sizeof(T), square = Square<T>::side;
  constexpr auto size = static_cast<ptrdiff_t>(sizeof(T));
  alignas(16) unsigned char tile[side * tile_bytes<T>];
  ptrdiff_t pitch = row.stride;
  if (across.stride != size || collide(pitch)) {
    pitch = static_cast<ptrdiff_t>(tile_bytes<T>);
    for (size_t j = 0; j < columns; ++j, from += row.stride) {
      if (across.stride == size && rows == side)
        std::memcpy(tile + j * tile_bytes<T>, from, tile_bytes<T>);
      else
        copy_row<T>(tile + j * tile_bytes<T>, from, across.stride, rows);
    }
    from = tile;
  }
  const auto exchange = [&](size_t i, size_t j, auto exchange_at) {
    exchange_at(to + static_cast<ptrdiff_t>(i) * across.written + j * sizeof(T), across.written,
                from + static_cast<ptrdiff_t>(j) * pitch + i * sizeof(T), pitch);
  };
  const size_t whole_rows = rows - rows % square, whole_columns = columns - columns % square;
  for (size_t i = 0; i < whole_rows; i += square)
    for (size_t j = 0; j < whole_columns; j += square)
      exchange(i, j, Square<T>::exchange);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = i < whole_rows ? whole_columns : 0; j < columns; ++j)
      exchange(i, j, exchange_one<T>);
}

template <class T>
void copy_tiles(unsigned char *to, const unsigned char *from, std::vector<Dimension> outer, size_t which,
                size_t threads) {
  constexpr size_t side = tile_bytes<T> / sizeof(T);
  const Dimension row = outer.back(), across = outer[which];
  outer.pop_back();
  outer.erase(outer.begin() + static_cast<ptrdiff_t>(which));
  const size_t tiles = (across.extent + side - 1) / side;
  in_parallel(count_of(outer) * tiles, threads, [&](size_t part) {
    const Walk walk(outer, part / tiles);
    const size_t first = part % tiles * side, rows = std::min(side, across.extent - first);
    unsigned char *result = to + walk.written + static_cast<ptrdiff_t>(first) * across.written;
    const unsigned char *start = from + walk.read + static_cast<ptrdiff_t>(first) * across.stride;
    for (size_t j = 0; j < row.extent; j += side)
      copy_tile<T>(result + j * sizeof(T), start + static_cast<ptrdiff_t>(j) * row.stride, across, row, rows,
                   std::min(side, row.extent - j));
  });
}

template <class T>
void copy_of(unsigned char *to, const unsigned char *from, const std::vector<Dimension> &dimensions, size_t threads) {
  size_t nearest = dimensions.size() - 1;
  for (size_t i = 0; i + 1 < dimensions.size(); ++i)
    if (dimensions[i].stride != 0 && distance(dimensions[i].stride) < distance(dimensions[nearest].stride))
      nearest = i;
  if (nearest + 1 == dimensions.size())
    copy_rows<T>(to, from, dimensions, threads);
  else
    copy_tiles<T>(to, from, dimensions, nearest, threads);
}

} // namespace

bool is_supported(size_t size, size_t alignment) {
  return (size == 1 || size == 2 || size == 4 || size == 8) && alignment % size == 0;
}

bool copy(const Strided &to, const Strided &from, const std::vector<size_t> &shape, size_t size, size_t threads) {
  size_t bytes = size;
  for (size_t extent : shape)
    bytes *= extent;
  if (bytes == 0)
    return true;
  const std::vector<Dimension> dimensions = dimensions_of(to, from, shape, size);
  if (dimensions.back().written != static_cast<ptrdiff_t>(size))
    return false;
  if (dimensions.size() > most_dimensions)
    throw std::invalid_argument("an array must have at most " + std::to_string(most_dimensions) +
                                " dimensions that do not merge, got " + std::to_string(dimensions.size()));
  threads = bytes < least_bytes ? 1 : threads;
  const auto function = size == 1   ? copy_of<uint8_t>
                        : size == 2 ? copy_of<uint16_t>
                        : size == 4 ? copy_of<uint32_t>
                                    : copy_of<uint64_t>;
  function(to.data, from.data, dimensions, threads);
  return true;
}

} // namespace hlokit::copies
