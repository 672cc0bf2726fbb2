#include "kernels/regions/gather.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "support/by_size.h"
#include "support/copy_memory.h"
#include "support/threads.h"

namespace hlokit::regions {
namespace {

// Bytes for which another thread pays; finding the place of an index takes the time of copying some bytes.
constexpr size_t least_bytes = 1 << 19, bytes_of_index = 8;

template <size_t row>
void copy_rows(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count, size_t) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + i * row, from + static_cast<size_t>(places[i]) * row, row);
}

// Copies rows of 16 bytes and more, 16 bytes at a time; the last 16 bytes may overlap those before.
template <size_t pieces>
void copy_pieces(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count, size_t row) {
  for (size_t i = 0; i < count; ++i, to += row) {
    const unsigned char *source = from + static_cast<size_t>(places[i]) * row;
    for (size_t j = 0; j + 1 < pieces; ++j)
      std::memcpy(to + 16 * j, source + 16 * j, 16);
    std::memcpy(to + row - 16, source + row - 16, 16);
  }
}

// The same for rows of any number of pieces.
void copy_long_rows(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count,
                    size_t row) {
  for (size_t i = 0; i < count; ++i, to += row) {
    const unsigned char *source = from + static_cast<size_t>(places[i]) * row;
    if (row > 256) {
      copy_memory(to, source, row);
      continue;
    }
    for (size_t j = 0; j + 16 < row; j += 16)
      std::memcpy(to + j, source + j, 16);
    std::memcpy(to + row - 16, source + row - 16, 16);
  }
}

// The same for rows of a few words, of which the last may overlap the one before.
template <class Word>
void copy_few_words(unsigned char *to, const unsigned char *from, const int64_t *places, size_t count, size_t row) {
  for (size_t i = 0; i < count; ++i, to += row) {
    const unsigned char *source = from + static_cast<size_t>(places[i]) * row;
    std::memcpy(to, source, sizeof(Word));
    std::memcpy(to + row - sizeof(Word), source + row - sizeof(Word), sizeof(Word));
  }
}

// Adds to the places of vectors `start` to `start + count` the first rows of their groups.
void add_first_rows(const Groups &groups, size_t start, size_t count, int64_t *places) {
  size_t group = start / groups.vectors;
  for (size_t i = 0; i < count; ++group) {
    const size_t end = std::min(count, (group + 1) * groups.vectors - start);
    const auto first = static_cast<int64_t>(group * groups.rows);
    for (; i < end; ++i)
      places[i] += first;
  }
}

} // namespace

void gather(const unsigned char *operand, const IndexVectors &indices, Groups groups, size_t row,
            unsigned char *result, size_t threads) {
  if (row == 0 || indices.count == 0)
    return;
  for (const IndexVectors::Component &component : indices.components)
    if (component.extent == 0)
      throw std::invalid_argument("there must be rows to gather, got an extent of 0");
  const auto copy = row == 1    ? copy_rows<1>
                    : row == 2  ? copy_rows<2>
                    : row == 4  ? copy_rows<4>
                    : row == 8  ? copy_rows<8>
                    : row < 4   ? copy_few_words<uint16_t>
                    : row < 8   ? copy_few_words<uint32_t>
                    : row < 16  ? copy_few_words<uint64_t>
                    : row == 16 ? copy_pieces<1>
                    : row <= 32 ? copy_pieces<2>
                    : row <= 48 ? copy_pieces<3>
                    : row <= 64 ? copy_pieces<4>
                                : copy_long_rows;
  constexpr size_t most = 512, part_bytes = 1 << 16;
  const size_t work = indices.count * (row * groups.slices + bytes_of_index * indices.components.size());
  const size_t chunks = (indices.count + most - 1) / most;
  // Elements of one slice and one group.
  const bool is_direct = is_element_size(row) && groups.slices == 1 && groups.vectors >= indices.count;
  const size_t together = std::max<size_t>(part_bytes / (std::min(most, indices.count) * row), 1); // slices
  in_parallel((groups.slices + together - 1) / together * chunks, work < least_bytes ? 1 : threads, [&](size_t part) {
    const size_t start = part % chunks * most, count = std::min(most, indices.count - start);
    if (is_direct)
      return indices.read_rows(operand, row, start, count, result + start * row);
    int64_t places[most];
    indices.clamped_places(start, count, places);
    if (groups.vectors < indices.count)
      add_first_rows(groups, start, count, places);
    const size_t first = part / chunks * together;
    for (size_t slice = first; slice < std::min(groups.slices, first + together); ++slice)
      copy(result + (slice * indices.count + start) * row, operand + slice * groups.slice_rows * row, places, count, row);
  });
}

} // namespace hlokit::regions
