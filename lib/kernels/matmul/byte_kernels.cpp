// Products of i8 whose sums are i32, modulo 2^32: exact in any order of their terms.
//
// Vectors of processors multiply signed bytes by unsigned ones (byte_tiles.h): columns are packed as bytes + 128, which are
// unsigned, and 128 times the sum of a row is subtracted from the sums of the row beforehand. Tiles need neither.
//
// Compiled once for each level of processor: see the rules in support/variants.h.
#include "kernels/matmul/kernels.h"

#if defined(__AVX512BW__) && defined(HLOKIT_X86_VARIANTS)

#include "kernels/matmul/byte_tiles.h"
#include "kernels/matmul/packing.h"
#include "support/should_stop.h"
#include "support/shuffles.h"

namespace hlokit::matmul {
namespace {

// Columns and terms that are packed at once.
constexpr size_t byte_columns = 512, byte_terms = 2048;
constexpr size_t panel_columns = wide * width_of_vector;

constexpr size_t rounded_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

template <class Tiles> struct Layout {
  size_t rows, columns, terms, distance; // at a time; between packed rows
  size_t a, b, starts, tile, offsets, bytes;

  explicit Layout(const Part<int8_t> &part)
      : rows(rounded_up(least(part.rows, Tiles::rows_at_once), Tiles::most_rows)),
        columns(rounded_up(least(part.columns, byte_columns), panel_columns)),
        terms(rounded_up(least(part.terms, byte_terms), 64)), distance(terms + 64) {
    size_t at = 0;
    const auto reserve = [&](size_t size) {
      const size_t place = at;
      at += rounded_up(size, 64);
      return place;
    };
    a = reserve(rows * distance);
    b = reserve(columns * terms);
    starts = reserve(rows * sizeof(int32_t));
    tile = reserve(Tiles::most_rows * panel_columns * sizeof(int32_t));
    offsets = reserve(2 * (rows + columns + terms) * sizeof(ptrdiff_t));
    bytes = at;
  }
};

template <class Tiles> size_t workspace_bytes(const Part<int8_t> &part) { return Layout<Tiles>(part).bytes; }

// The sum of the bytes of a packed row.
HLOKIT_BYTE_PRODUCTS int32_t sum_of(const int8_t *row, size_t count) {
  __m512i sum = _mm512_setzero_si512();
  for (size_t k = 0; k < count; k += 64)
    sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(1), load_bytes(row + k));
  int32_t sums[width_of_vector], total = 0;
  _mm512_storeu_si512(sums, sum);
  for (const int32_t each : sums)
    total += each;
  return total;
}

// 16 bytes of four rows, some of whose bits change, as columns of four bytes.
template <uint8_t changes>
HLOKIT_INLINE void interleave_rows(uint8_t *to, const unsigned char *const (&rows)[group], size_t column) {
  typedef uint8_t Bytes __attribute__((vector_size(16)));
  typedef uint16_t Pairs __attribute__((vector_size(16)));
  Bytes bytes[group], pairs[group];
  HLOKIT_UNROLL
  for (size_t i = 0; i < group; ++i) {
    memcpy(&bytes[i], rows[i] + column, sizeof bytes[i]);
    bytes[i] ^= changes;
  }
  interleave(pairs[0], pairs[1], bytes[0], bytes[1]);
  interleave(pairs[2], pairs[3], bytes[2], bytes[3]);
  HLOKIT_UNROLL
  for (size_t half = 0; half < 2; ++half) {
    Pairs low, high;
    interleave(low, high, reinterpret_cast<Pairs>(pairs[half]), reinterpret_cast<Pairs>(pairs[half + 2]));
    memcpy(to + half * 32, &low, sizeof low);
    memcpy(to + half * 32 + 16, &high, sizeof high);
  }
}

template <class Tiles> class Rectangle {
public:
  explicit Rectangle(const Part<int8_t> &part) : part_(part), layout_(part) {
    a_ = reinterpret_cast<int8_t *>(part.workspace + layout_.a);
    b_ = part.workspace + layout_.b;
    starts_ = reinterpret_cast<int32_t *>(part.workspace + layout_.starts);
    tile_ = reinterpret_cast<int32_t *>(part.workspace + layout_.tile);
    offsets_ = reinterpret_cast<ptrdiff_t *>(part.workspace + layout_.offsets);
  }

  void compute() {
    for (size_t column = 0; column < part_.columns; column += byte_columns)
      for (size_t term = 0; (term == 0 || term < part_.terms) && !should_stop(); term += byte_terms)
        compute_block(column, term);
  }

private:
  // The bits of packed columns that change.
  static constexpr uint8_t changes = Tiles::are_columns_signed ? 0 : 0x80;

  void compute_block(size_t first_column, size_t first_term) {
    const size_t columns = least(byte_columns, part_.columns - first_column), terms = least(byte_terms, part_.terms - first_term);
    ptrdiff_t *memory = offsets_;
    const auto locate = [&memory](const Offsets &offsets, size_t first, size_t count) {
      ptrdiff_t *at = memory;
      memory += count;
      return places(offsets, first, count, at);
    };
    const Places a_terms = locate(part_.a_terms, first_term, terms), b_terms = locate(part_.b_terms, first_term, terms);
    const Places b_columns = locate(part_.b_columns, part_.first_column + first_column, columns);
    const Places c_columns = locate(part_.c_columns, part_.first_column + first_column, columns);
    for (size_t column = 0; column < columns; column += panel_columns)
      pack_panel(b_ + column * rounded_up(terms, group), b_terms, b_columns, column);
    ptrdiff_t *const rest = memory;
    for (size_t row = 0; row < part_.rows && !should_stop(); row += Tiles::rows_at_once) {
      const size_t rows = least(Tiles::rows_at_once, part_.rows - row);
      memory = rest;
      pack_rows_of(locate(part_.a_rows, part_.first_row + row, rows), a_terms);
      memory = rest;
      const Places c_rows = locate(part_.c_rows, part_.first_row + row, rows);
      for (size_t column = 0; column < columns; column += panel_columns) {
        const uint8_t *panel = b_ + column * rounded_up(terms, group);
        const size_t valid = least(panel_columns, columns - column);
        const auto compute_with = [&](auto vectors) {
          compute_tiles<decltype(vectors)::value>(panel, terms, c_rows, c_columns, column, valid, first_term > 0);
        };
        switch (width_of(valid) / width_of_vector) {
        case 1:
          compute_with(std::integral_constant<int, 1>());
          break;
        case 2:
          compute_with(std::integral_constant<int, 2>());
          break;
        default:
          compute_with(std::integral_constant<int, wide>());
        }
      }
    }
  }

  // The columns of a panel with so many of the product: those of 1, 2 or 4 vectors.
  static size_t width_of(size_t columns) {
    return columns <= width_of_vector ? width_of_vector : columns <= 2 * width_of_vector ? 2 * width_of_vector : panel_columns;
  }

  void pack_rows_of(const Places &rows, const Places &terms) {
    for (size_t i = 0; i < rows.count; ++i) {
      int8_t *const row = a_ + i * layout_.distance;
      const size_t end = rounded_up(terms.count, 64);
      each_run(terms, 0, terms.count, [&](size_t start, size_t length) {
        const unsigned char *from = part_.a + rows.at[i] + terms.at[start];
        if (terms.stride == 1)
          memcpy(row + start, from, length);
        else
          for (size_t k = 0; k < length; ++k, from += terms.stride)
            row[start + k] = static_cast<int8_t>(*from);
      });
      memset(row + terms.count, 0, end - terms.count);
      if constexpr (!Tiles::are_columns_signed)
        starts_[i] = static_cast<int32_t>(-128 * static_cast<int64_t>(sum_of(row, end)));
    }
  }

  // Columns from `first` on, four terms of one column after those of the column before it. Terms and columns beyond the last
  // one are any numbers: they are multiplied by zeros, or not written.
  void pack_panel(uint8_t *to, const Places &terms, const Places &columns, size_t first) {
    const size_t valid = least(panel_columns, columns.count - first), width = width_of(valid);
    const size_t whole = terms.count / group * group;
    size_t done = 0;
    if (columns.is_even() && columns.stride == 1) {
      for (; done < whole; done += group) {
        const unsigned char *rows[group];
        unsigned char copies[group][panel_columns];
        for (size_t i = 0; i < group; ++i) {
          rows[i] = part_.b + terms.at[done + i] + columns.at[first];
          if (valid < width)
            rows[i] = static_cast<unsigned char *>(memcpy(copies[i], rows[i], valid));
        }
        for (size_t column = 0; column < width; column += width_of_vector)
          interleave_rows<changes>(to + done * width + column * group, rows, column);
      }
    } else if (terms.is_even() && terms.stride == 1) {
      constexpr size_t several = 64; // terms, so that what is written stays in the cache
      for (; done < whole; done += least(several, whole - done))
        for (size_t j = 0; j < valid; ++j) {
          const unsigned char *const from = part_.b + columns.at[first + j] + terms.at[0];
          for (size_t term = done; term < least(done + several, whole); term += group) {
            uint32_t word;
            memcpy(&word, from + term, sizeof word);
            word ^= changes * UINT32_C(0x01010101);
            memcpy(to + term * width + j * group, &word, sizeof word);
          }
        }
    }
    for (size_t term = done; term < terms.count; ++term)
      for (size_t j = 0; j < valid; ++j)
        to[term / group * group * width + j * group + term % group] = part_.b[terms.at[term] + columns.at[first + j]] ^ changes;
  }

  template <int vectors>
  void compute_tiles(const uint8_t *panel, size_t terms, const Places &rows, const Places &columns, size_t column, size_t valid,
                     bool adds) {
    constexpr size_t most = Tiles::rows_of_tile(vectors), width = vectors * width_of_vector;
    for (size_t row = 0; row < rows.count; row += most) {
      const size_t count = least(most, rows.count - row), distance = layout_.distance;
      // Whole tiles are written to the result at once.
      const bool is_whole = count == most && valid == width && !adds && columns.is_even() && columns.stride == sizeof(int32_t);
      const ptrdiff_t pitch = is_whole ? even_distance(rows.at + row, count) : 0;
      int32_t *const to = pitch > 0 ? reinterpret_cast<int32_t *>(part_.c + rows.at[row] + columns.at[column]) : tile_;
      Tiles::template compute<vectors>({a_ + row * distance, count, distance, panel, (terms + group - 1) / group, starts_ + row, to,
                                        pitch > 0 ? static_cast<size_t>(pitch) / sizeof(int32_t) : width});
      for (size_t i = 0; pitch <= 0 && i < count; ++i)
        put(part_.c + rows.at[row + i], tile_ + i * width, columns, column, valid, adds);
    }
  }

  // The distance of at least two offsets that are evenly spaced; else 0.
  static ptrdiff_t even_distance(const ptrdiff_t *offsets, size_t count) {
    const ptrdiff_t distance = offsets[1] - offsets[0];
    for (size_t i = 2; i < count; ++i)
      if (offsets[i] - offsets[i - 1] != distance)
        return 0;
    return distance;
  }

  static void put(unsigned char *row, const int32_t *from, const Places &columns, size_t first, size_t count, bool adds) {
    each_run(columns, first, first + count, [&](size_t start, size_t length) {
      unsigned char *to = row + columns.at[start];
      const int32_t *values = from + (start - first);
      if (columns.stride == sizeof(int32_t) && !adds) {
        memcpy(to, values, length * sizeof(int32_t));
        return;
      }
      for (size_t j = 0; j < length; ++j, to += columns.stride) {
        auto &sum = *reinterpret_cast<uint32_t *>(to);
        sum = (adds ? sum : 0) + static_cast<uint32_t>(values[j]);
      }
    });
  }

  const Part<int8_t> &part_;
  const Layout<Tiles> layout_;
  int8_t *a_;
  uint8_t *b_;
  int32_t *starts_, *tile_;
  ptrdiff_t *offsets_;
};

template <class Tiles> void compute(const Part<int8_t> &part) {
  [[maybe_unused]] const Tiles tiles;
  Rectangle<Tiles>(part).compute();
}

template <class Tiles>
constexpr Kernels<int8_t> table{Tiles::rows_of_tile(wide), panel_columns, workspace_bytes<Tiles>, compute<Tiles>, nullptr, {}, {}};

} // namespace

namespace HLOKIT_VARIANT {
const Kernels<int8_t> *byte_kernels() {
#if defined(HLOKIT_BYTE_TILES)
  if (has_byte_tiles())
    return &table<Amx>;
#endif
  return &table<Vnni>;
}
} // namespace HLOKIT_VARIANT

} // namespace hlokit::matmul

#else

namespace hlokit::matmul::HLOKIT_VARIANT {
const Kernels<int8_t> *byte_kernels() { return nullptr; }
} // namespace hlokit::matmul::HLOKIT_VARIANT

#endif
