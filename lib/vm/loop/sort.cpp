// Sorts of a loop's arrays by keys, which are arrays too.
#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/regions/row_order.h"
#include "support/by_size.h"
#include "support/should_stop.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// Elements that sweeps compute while a sort moves one.
constexpr size_t elements_of_sort = 64;

// Copies elements `order[i]` of a row to elements i of another row, for i below `count`.
using CopyInOrder = void (*)(unsigned char *to, const unsigned char *from, ptrdiff_t stride, const uint32_t *order,
                             size_t count);

template <size_t size>
void copy_in_order(unsigned char *to, const unsigned char *from, ptrdiff_t stride, const uint32_t *order, size_t count) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + static_cast<ptrdiff_t>(i) * stride, from + static_cast<ptrdiff_t>(order[i]) * stride, size);
}

struct SortedKey {
  RegisterRef array;
  regions::KeyOrder order;
};

struct SortedArray {
  RegisterRef to, from;
  size_t item;
  CopyInOrder copy;
};

struct RowSort : Detail {
  std::vector<SortedKey> keys;
  std::vector<SortedArray> arrays;
  // Rows of `size` elements, of which `kept` are written; the elements of `inner` rows are side by side.
  size_t outer, size, inner, kept;
  uint32_t scratch;

  void run(unsigned char *registers) const {
    unsigned char *const memory = address_in(registers, scratch);
    auto *order = reinterpret_cast<uint32_t *>(memory + regions::row_order_bytes(size));
    for (size_t i = 0; i < outer; ++i)
      for (size_t j = 0; j < inner && !should_stop(); ++j) {
        find_order(registers, i * size * inner + j, order, memory);
        for (const SortedArray &each : arrays)
          each.copy(each.to.find(registers) + (i * kept * inner + j) * each.item,
                    each.from.find(registers) + (i * size * inner + j) * each.item,
                    static_cast<ptrdiff_t>(inner * each.item), order, kept);
      }
  }

private:
  void find_order(unsigned char *registers, size_t first, uint32_t *order, unsigned char *memory) const {
    regions::KeyRow rows[most_sort_keys];
    for (size_t k = 0; k < keys.size(); ++k) {
      const size_t item = size_of(keys[k].order.type);
      rows[k] = {keys[k].order, keys[k].array.find(registers) + first * item, static_cast<ptrdiff_t>(inner * item)};
    }
    regions::find_row_order(rows, keys.size(), size, kept, order, memory);
  }
};

} // namespace

DecodedArrayOp decode_sort(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Sort>(frame, instruction);
  const Registers &results = instruction.results, &operands = instruction.operands;
  const size_t key_count = fields.keys.size(), count = results.size();
  if (key_count < 1 || count < 1 || operands.size() != key_count + count)
    throw ProgramError("a sort must have keys, results, and an operand for each key and each result, got " +
                       std::to_string(key_count) + " keys, " + std::to_string(count) + " results and " +
                       std::to_string(operands.size()) + " operands");
  check_number("kept", fields.kept, 0, fields.size);
  auto result = std::make_unique<RowSort>();
  const Sizes sizes = three_sizes(fields.outer, fields.size, fields.inner);
  result->outer = sizes[0], result->size = sizes[1], result->inner = sizes[2];
  result->kept = static_cast<size_t>(fields.kept);
  const size_t size = product(sizes, 3), kept = result->size ? size / result->size * result->kept : 0;
  if (kept == 0)
    result->outer = 0;
  for (size_t i = 0; i < key_count; ++i) {
    const uint32_t index = operands[i];
    const int64_t flags = fields.keys[i];
    check_count(frame, index, size);
    if (is_complex(frame.types[index]))
      throw ProgramError("the keys of a sort must be real numbers");
    result->keys.push_back({RegisterRef(frame, index), {frame.types[index], (flags & 1) != 0, (flags & 2) != 0}});
  }
  for (size_t i = 0; i < count; ++i) {
    const uint32_t to = results[i], from = operands[key_count + i];
    check_count(frame, from, size);
    check_count(frame, to, kept);
    check_same_type(frame, from, to);
    const size_t item = size_of(frame.types[to]);
    const CopyInOrder copy = by_size(item, [](auto known) { return copy_in_order<known>; });
    result->arrays.push_back({RegisterRef(frame, to), RegisterRef(frame, from), item, copy});
  }
  result->scratch = frame.scratch();
  const size_t scratch = regions::row_order_bytes(result->size) + sizeof(uint32_t) * result->size;
  return {run_detail<RowSort>, std::move(result), size * (key_count + count) * elements_of_sort, scratch};
}

} // namespace hlokit::vm
