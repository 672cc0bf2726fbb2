// Tiles of sums of products of bytes: rows of signed bytes times columns of signed or unsigned ones (byte_kernels.cpp).
//
// Only byte_kernels.cpp includes this file.
#pragma once

#if defined(__AVX512BW__) && defined(HLOKIT_X86_VARIANTS)

#include <immintrin.h>
#include <string.h>

#include <utility>

#include "support/compiler.h"

// The level of the file has no such instructions, so that only these functions may use them.
#define HLOKIT_BYTE_PRODUCTS __attribute__((target("avx512vnni")))
#if defined(__linux__) && ((defined(__clang__) && __clang_major__ >= 13) || (!defined(__clang__) && __GNUC__ >= 11))
#define HLOKIT_BYTE_TILES __attribute__((target("amx-tile,amx-int8")))
#endif

namespace hlokit::matmul {
namespace {

constexpr size_t group = 4;           // terms that are neighbours in packed columns
constexpr size_t width_of_vector = 16; // columns of a vector
constexpr int wide = 4;               // the most vectors in a row of a tile
constexpr size_t bytes_of_vector = 64;

// A tile in memory: rows of bytes, with zeros up to a multiple of 64 terms; columns in groups of terms; where the sums go.
struct Tile {
  const int8_t *a;
  size_t rows, distance; // between rows
  const uint8_t *b;
  size_t groups;
  const int32_t *starts; // sums of each row before its first term, for unsigned columns
  int32_t *to;
  size_t pitch; // between rows of sums
};

HLOKIT_INLINE __m512i load_bytes(const void *from) { return _mm512_loadu_si512(from); }

// VPDPBUSD adds four products of unsigned and signed bytes to an i32.
class Vnni {
public:
  static constexpr bool are_columns_signed = false;
  static constexpr size_t rows_at_once = 120, most_rows = 12; // packed; of a tile
  static constexpr size_t rows_of_tile(int vectors) { return vectors == wide ? most_rows / 2 : most_rows; }

  template <int vectors> static void compute(const Tile &tile) {
    rows_of<vectors>(tile, std::make_integer_sequence<int, static_cast<int>(rows_of_tile(vectors))>());
  }

private:
  template <int vectors, int... rows> static void rows_of(const Tile &tile, std::integer_sequence<int, rows...>) {
    static constexpr void (*functions[])(const Tile &) = {compute_tile<rows + 1, vectors>...};
    functions[tile.rows - 1](tile);
  }

  template <int rows, int vectors> HLOKIT_BYTE_PRODUCTS static void compute_tile(const Tile &tile) {
    const int8_t *a = tile.a;
    const uint8_t *b = tile.b;
    __m512i sums[rows][vectors];
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        sums[i][j] = _mm512_set1_epi32(tile.starts[i]);
    for (size_t k = 0; k < tile.groups; ++k, a += group, b += vectors * bytes_of_vector) {
      __m512i columns[vectors];
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        columns[j] = load_bytes(b + static_cast<size_t>(j) * bytes_of_vector);
      HLOKIT_UNROLL
      for (int i = 0; i < rows; ++i) {
        int32_t word;
        memcpy(&word, a + static_cast<size_t>(i) * tile.distance, sizeof word);
        const __m512i row = _mm512_set1_epi32(word);
        HLOKIT_UNROLL
        for (int j = 0; j < vectors; ++j)
          sums[i][j] = _mm512_dpbusd_epi32(sums[i][j], columns[j], row);
      }
    }
    HLOKIT_UNROLL
    for (int i = 0; i < rows; ++i)
      HLOKIT_UNROLL
      for (int j = 0; j < vectors; ++j)
        _mm512_storeu_si512(tile.to + static_cast<size_t>(i) * tile.pitch + static_cast<size_t>(j) * width_of_vector,
                            sums[i][j]);
  }
};

#if defined(HLOKIT_BYTE_TILES)

// TDPBSSD adds 16 x 16 sums of 64 products. Rows and terms beyond the last ones are computed, too: of memory of the workspace,
// times zeros, or for sums that nobody reads.
class Amx {
public:
  static constexpr bool are_columns_signed = true;
  static constexpr size_t rows_at_once = 128, most_rows = 32;
  static constexpr size_t rows_of_tile(int) { return most_rows; }

  // While an object lives, this thread may compute.
  HLOKIT_BYTE_TILES Amx() { _tile_loadconfig(&shapes); }
  Amx(const Amx &) = delete;
  Amx &operator=(const Amx &) = delete;
  HLOKIT_BYTE_TILES ~Amx() { _tile_release(); }

  template <int vectors> static void compute(const Tile &tile) {
    // Compilers do not know that loads of tiles read memory: what was stored must be there.
    __asm__ volatile("" ::: "memory");
    constexpr size_t row_of_columns = static_cast<size_t>(vectors) * bytes_of_vector;
    for (size_t j = 0; j < static_cast<size_t>(vectors); j += 2)
      if (vectors == 1)
        two_by_one(tile, row_of_columns);
      else
        two_by_two(tile, j * width_of_vector, row_of_columns);
  }

private:
  static constexpr size_t rows = 16, groups_at_once = 16;

  struct alignas(64) Shapes {
    uint8_t palette, start, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
  };
  // In memory before the program begins: compilers do not know that the instruction reads all of it.
  static constexpr Shapes shapes{1, 0, {}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};

  // The intrinsics take numbers of registers, which are constants: 0 to 3 have the sums, 4 and 5 rows, 6 and 7 columns.
  HLOKIT_BYTE_TILES static void two_by_two(const Tile &tile, size_t column, size_t row_of_columns) {
    const int8_t *a = tile.a, *lower = tile.a + rows * tile.distance;
    const uint8_t *b = tile.b + column * group;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (size_t k = 0; k < tile.groups; k += groups_at_once) {
      _tile_loadd(4, a, tile.distance);
      _tile_loadd(6, b, row_of_columns);
      _tile_loadd(7, b + bytes_of_vector, row_of_columns);
      _tile_dpbssd(0, 4, 6);
      _tile_dpbssd(1, 4, 7);
      _tile_loadd(5, lower, tile.distance);
      _tile_dpbssd(2, 5, 6);
      _tile_dpbssd(3, 5, 7);
      a += groups_at_once * group;
      lower += groups_at_once * group;
      b += groups_at_once * row_of_columns;
    }
    int32_t *const to = tile.to + column, *const below = to + rows * tile.pitch;
    const size_t row = tile.pitch * sizeof(int32_t);
    _tile_stored(0, to, row);
    _tile_stored(1, to + width_of_vector, row);
    _tile_stored(2, below, row);
    _tile_stored(3, below + width_of_vector, row);
  }

  HLOKIT_BYTE_TILES static void two_by_one(const Tile &tile, size_t row_of_columns) {
    const int8_t *a = tile.a, *lower = tile.a + rows * tile.distance;
    const uint8_t *b = tile.b;
    _tile_zero(0);
    _tile_zero(2);
    for (size_t k = 0; k < tile.groups; k += groups_at_once) {
      _tile_loadd(4, a, tile.distance);
      _tile_loadd(5, lower, tile.distance);
      _tile_loadd(6, b, row_of_columns);
      _tile_dpbssd(0, 4, 6);
      _tile_dpbssd(2, 5, 6);
      a += groups_at_once * group;
      lower += groups_at_once * group;
      b += groups_at_once * row_of_columns;
    }
    const size_t row = tile.pitch * sizeof(int32_t);
    _tile_stored(0, tile.to, row);
    _tile_stored(2, tile.to + rows * tile.pitch, row);
  }
};

#endif

} // namespace
} // namespace hlokit::matmul

#endif
