// Products of matrices, a rectangle at a time.
//
// The sums of a tile of the result stay in registers while a block of terms is added (tiles.h). Operands are used in
// place where that is fast, and otherwise packed in the order in which tiles read them, and converted (packing.h).
//
// Compiled once for each level of processor: see the rules in support/variants.h.
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "kernels/matmul/kernels.h"
#include "kernels/matmul/lines.h"
#include "kernels/matmul/packing.h"
#include "kernels/matmul/tiles.h"
#include "kernels/matmul/vectors.h"
#include "support/should_stop.h"

namespace hlokit::matmul {
namespace {

constexpr size_t rounded_up(size_t value, size_t to) { return (value + to - 1) / to * to; }

template <class T> struct Layout {
  size_t rows, block, columns, terms; // at a time
  size_t a, b, scratch, tile, sums, offsets, bytes;

  explicit Layout(const Part<T> &part)
      : rows(rows_at_a_time(part.rows, most_rows)), block(rows_at_a_time(rows, block_rows)), columns(least(part.columns, block_columns)),
        terms(least(part.terms, block_terms)) {
    const size_t widest = 8 * lanes<T>, padded = rounded_up(columns, widest);
    size_t at = 0;
    const auto reserve = [&](size_t count, size_t size) {
      const size_t place = at;
      at = rounded_up(at + count * size, 64);
      return place;
    };
    const size_t gap = row_gap / sizeof(T);
    a = reserve((block + gap) * (terms + gap), sizeof(T));
    b = reserve(padded * terms, sizeof(T));
    scratch = reserve(lanes<T> * block_terms, sizeof(T));
    tile = reserve(tile_rows * widest, sizeof(T));
    sums = reserve(part.terms > terms ? Sums<T>::size * rows * padded : 0, sizeof(T));
    offsets = reserve(2 * (rows + columns + terms), sizeof(ptrdiff_t));
    bytes = at;
  }
};

template <class T> size_t workspace_bytes(const Part<T> &part) { return Layout<T>(part).bytes; }

// Up to this many rows, of at least this many terms, are multiplied along memory if columns are contiguous.
constexpr size_t dot_rows = 6, dot_columns = 8, dot_terms = 128;

template <class T> class Rectangle {
public:
  explicit Rectangle(const Part<T> &part) : part_(part), layout_(part), vectors_(best_vectors<T>(part.rows)) {
    unsigned char *memory = part.workspace;
    a_memory_ = reinterpret_cast<T *>(memory + layout_.a);
    b_memory_ = reinterpret_cast<T *>(memory + layout_.b);
    scratch_ = reinterpret_cast<T *>(memory + layout_.scratch);
    tile_ = reinterpret_cast<T *>(memory + layout_.tile);
    sums_ = reinterpret_cast<T *>(memory + layout_.sums);
    offsets_ = reinterpret_cast<ptrdiff_t *>(memory + layout_.offsets);
  }

  void compute() {
    if (part_.terms >= dot_terms && part_.rows <= dot_rows && !part_.read_a && !part_.read_b && is_contiguous(part_.a_terms) &&
        is_contiguous(part_.b_terms) && !is_contiguous(part_.b_columns)) {
      for (size_t column = 0; column < part_.columns && !should_stop(); column += block_columns)
        compute_dots_of(column);
      return;
    }
    for (size_t column = 0; column < part_.columns; column += block_columns)
      for (size_t row = 0; row < part_.rows && !should_stop(); row += layout_.rows)
        compute_rows(row, column);
  }

private:
  static bool is_contiguous(const Offsets &offsets) {
    return offsets.rank == 1 && offsets.strides[0] == ptrdiff_t(sizeof(T));
  }

  void compute_dots_of(size_t first_column) {
    const size_t rows = part_.rows, columns = least(block_columns, part_.columns - first_column);
    ptrdiff_t *memory = offsets_;
    const auto locate = [&memory](const Offsets &offsets, size_t first, size_t count) {
      ptrdiff_t *at = memory;
      memory += count;
      return places(offsets, first, count, at);
    };
    const Places a_rows = locate(part_.a_rows, part_.first_row, rows);
    const Places c_rows = locate(part_.c_rows, part_.first_row, rows);
    const Places b_columns = locate(part_.b_columns, part_.first_column + first_column, columns);
    const Places c_columns = locate(part_.c_columns, part_.first_column + first_column, columns);
    const T *a[dot_rows];
    for (size_t i = 0; i < rows; ++i)
      a[i] = reinterpret_cast<const T *>(part_.a + a_rows.at[i]);
    for (size_t column = 0; column < columns; column += dot_columns) {
      const size_t valid = least(columns - column, dot_columns);
      const T *b[dot_columns];
      for (size_t j = 0; j < valid; ++j)
        b[j] = reinterpret_cast<const T *>(part_.b + b_columns.at[column + j]);
      for (size_t i = 0; i < rows;) {
        const size_t count = least(rows - i, size_t(dot_tile_rows));
        for (size_t j = 0; j < valid;) {
          T *to = tile_ + i * dot_columns + j;
          if (valid - j >= dot_tile_columns<T>) {
            (count > 1 ? compute_dots<T, dot_tile_rows, dot_tile_columns<T>>
                       : compute_dots<T, 1, dot_tile_columns<T>>)(a + i, b + j, part_.terms, to, dot_columns);
            j += dot_tile_columns<T>;
          } else {
            (count > 1 ? compute_dots<T, dot_tile_rows, 1> : compute_dots<T, 1, 1>)(a + i, b + j, part_.terms, to,
                                                                                   dot_columns);
            j += 1;
          }
        }
        i += count;
      }
      put(c_rows, 0, rows, c_columns, column, valid, dot_columns);
    }
  }

  void compute_rows(size_t first_row, size_t first_column) {
    const size_t rows = least(layout_.rows, part_.rows - first_row);
    const size_t columns = least(block_columns, part_.columns - first_column);
    ptrdiff_t *memory = offsets_;
    const auto locate = [&memory](const Offsets &offsets, size_t first, size_t count) {
      ptrdiff_t *at = memory;
      memory += count;
      return places(offsets, first, count, at);
    };
    const Places b_columns = locate(part_.b_columns, part_.first_column + first_column, columns);
    const Places c_columns = locate(part_.c_columns, part_.first_column + first_column, columns);
    ptrdiff_t *const rest = memory;
    // Empty sums are written as well.
    size_t term = 0;
    do {
      const size_t terms = least(layout_.terms, part_.terms - term);
      memory = rest;
      const Places a_terms = locate(part_.a_terms, term, terms);
      const Places b_terms = locate(part_.b_terms, term, terms);
      const Columns b = columns_of(b_terms, b_columns, rows);
      ptrdiff_t *const block = memory;
      T *sums = sums_;
      for (size_t row = 0; row < rows; row += layout_.block) {
        const size_t count = least(layout_.block, rows - row);
        memory = block;
        const Places a_rows = locate(part_.a_rows, part_.first_row + first_row + row, count);
        const Places c_rows = locate(part_.c_rows, part_.first_row + first_row + row, count);
        const Rows<T> a = rows_of(a_rows, a_terms, columns);
        sums = compute_tiles(a, b, c_rows, c_columns, term, terms, sums);
      }
      term += terms;
    } while (term < part_.terms && !should_stop());
  }

  // The vectors in a row of the next panel.
  size_t panel_vectors(size_t left) const {
    size_t vectors = vectors_;
    while (vectors > 1 && left <= vectors / 2 * lanes<T>)
      vectors /= 2;
    return vectors;
  }

  // Columns as tiles read them: in place, or packed into panels (an incomplete last panel always is).
  struct Columns {
    const unsigned char *data; // null if packed
    const ptrdiff_t *at;
    ptrdiff_t term;
  };

  Columns columns_of(const Places &terms, const Places &columns, size_t rows) const {
    const Source<T> source{part_.b, part_.read_b, part_.b_size, plain};
    const ptrdiff_t size = sizeof(T);
    const size_t count = terms.count, end = columns.count;
    const size_t width = vectors_ * lanes<T>, whole = end / width * width;
    // The caller may have packed panels itself, for several products.
    const bool are_panels = !columns.is_even() && columns.run % width == 0 && columns.first_run % width == 0;
    const bool in_place = !part_.read_b && (columns.is_even() || are_panels) && columns.stride == size;
    const bool is_direct = in_place && count && terms.is_even() && terms.stride % size == 0 &&
                           (are_panels || rows <= 2 * size_t(tile_rows));
    // Panels of full width are packed a row at a time, across all panels: that reads memory in its order.
    if (in_place && !is_direct && !are_panels)
      for (size_t k = 0; k < count; ++k) {
        const T *from = reinterpret_cast<const T *>(part_.b + terms.at[k] + columns.at[0]);
        if (k + ahead < count)
          prefetch(part_.b + terms.at[k + ahead] + columns.at[0], whole * sizeof(T));
        for (size_t column = 0; column < whole; column += width)
          copy(b_memory_ + column * count + k * width, from + column, width);
      }
    for (size_t column = in_place && (is_direct || !are_panels) ? whole : 0; column < end;) {
      const size_t panel = panel_vectors(end - column) * lanes<T>, valid = least(panel, end - column);
      if (!is_direct || valid < panel)
        pack_columns(b_memory_ + column * count, source, terms, columns, column, column + valid, panel, scratch_);
      column += valid;
    }
    if (is_direct)
      return {part_.b + terms.at[0], columns.at, terms.stride / size};
    return {nullptr, nullptr, 0};
  }

  // Rows are used in place if they are evenly spaced and read only a few times.
  Rows<T> rows_of(const Places &rows, const Places &terms, size_t columns) const {
    const Source<T> source{part_.a, part_.read_a, part_.a_size, plain};
    const ptrdiff_t size = sizeof(T);
    if (terms.count && !part_.read_a && rows.is_even() && terms.is_even() && rows.stride % size == 0 &&
        terms.stride % size == 0 && (rows.count <= size_t(tile_rows) || columns <= 4 * lanes<T>))
      return {reinterpret_cast<const T *>(part_.a + rows.at[0] + terms.at[0]), rows.stride / size,
              terms.stride / size};
    return pack_rows(a_memory_, source, rows, terms);
  }

  // Returns the end of the sums of these tiles.
  T *compute_tiles(const Rows<T> &a, const Columns &b, const Places &c_rows, const Places &c_columns, size_t term,
                   size_t terms, T *sums) {
    const size_t rows = c_rows.count, columns = c_columns.count, height = best_rows(rows);
    const bool is_first = term == 0, is_last = term + terms == part_.terms;
    for (size_t column = 0; column < columns;) {
      const size_t vectors = panel_vectors(columns - column), width = vectors * lanes<T>;
      const size_t valid = least(width, columns - column);
      const bool is_direct = b.data && valid == width;
      const T *panel = is_direct ? reinterpret_cast<const T *>(b.data + b.at[column]) : b_memory_ + column * terms;
      const ptrdiff_t panel_term = is_direct ? b.term : static_cast<ptrdiff_t>(width);
      for (size_t row = 0; row < rows; row += height) {
        const size_t count = least(height, rows - row);
        const T *first = a.data + static_cast<ptrdiff_t>(row) * a.row;
        // Prefetch the result.
        if (is_last && c_columns.stride == static_cast<ptrdiff_t>(part_.c_size))
          for (size_t i = row; i < row + count; ++i)
            for (size_t line = 0; line < valid * part_.c_size; line += 64)
              HLOKIT_PREFETCH(part_.c + c_rows.at[i] + c_columns.at[column] + line, 1);
        tiles<T>.get(count, vectors)(Tile<T>{first, a.row, a.term, panel, panel_term, terms, tile_});
        if (!is_first || !is_last) {
          const size_t size = count * width;
          (is_last ? Sums<T>::end : is_first ? Sums<T>::begin : Sums<T>::add)(sums, tile_, size);
          sums += Sums<T>::size * size;
        }
        if (is_last)
          put(c_rows, row, count, c_columns, column, valid, width);
      }
      column += valid;
    }
    return sums;
  }

  // Writes a tile to the result.
  void put(const Places &rows, size_t first_row, size_t count, const Places &columns, size_t first_column,
           size_t valid, size_t width) const {
    for (size_t i = 0; i < count; ++i) {
      unsigned char *row = part_.c + rows.at[first_row + i];
      const T *values = tile_ + i * width;
      each_run(columns, first_column, first_column + valid, [&](size_t start, size_t length) {
        unsigned char *to = row + columns.at[start];
        const T *from = values + (start - first_column);
        if (!part_.write && columns.stride == ptrdiff_t(sizeof(T)))
          copy(reinterpret_cast<T *>(to), from, length);
        else
          (part_.write ? part_.write : write<T, T>)(to, columns.stride, from, length);
      });
    }
  }

  static constexpr Read<T> plain = read<T, T>;
  const Part<T> &part_;
  const Layout<T> layout_;
  const size_t vectors_;
  T *a_memory_, *b_memory_, *scratch_, *tile_, *sums_;
  ptrdiff_t *offsets_;
};

template <class T> void compute(const Part<T> &part) { Rectangle<T>(part).compute(); }

template <class T>
constexpr Kernels<T> table{tile_rows,
                             2 * lanes<T>,
                             workspace_bytes<T>,
                             compute<T>,
                             compute_line<T>,
                             // i1, i8 to i64, ui8 to ui64, f32, f64, bf16, f16
                             {nullptr, read<T, int8_t>, read<T, int16_t>, read<T, int32_t>, read<T, int64_t>,
                              read<T, uint8_t>, read<T, uint16_t>, read<T, uint32_t>, nullptr, read<T, float>,
                              read<T, double>, read<T, BFloat>, read<T, Half>},
                             {nullptr, nullptr, nullptr, write<int32_t, T>, write<int64_t, T>, nullptr, nullptr,
                              nullptr, nullptr, write<float, T>, write<double, T>,
                              std::is_same_v<T, float> ? write<BFloat, T> : nullptr,
                              std::is_same_v<T, float> ? write<Half, T> : nullptr}};
static_assert(static_cast<size_t>(ElementType::ui8) == 5 && static_cast<size_t>(ElementType::f32) == 9 &&
              static_cast<size_t>(ElementType::f16) == 12);

} // namespace

namespace HLOKIT_VARIANT {

const Kernels<float> &kernels(float) { return table<float>; }
const Kernels<double> &kernels(double) { return table<double>; }

} // namespace HLOKIT_VARIANT

} // namespace hlokit::matmul
