// The fuzz target: reads the structure of one input, as the planner does. Sanitizers check memory accesses; this file
// checks that all indices in the structure are valid.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "bytecode/structure.h"

namespace {

void require(bool is_right, const char *what) {
  if (is_right)
    return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// The file that results when a writer writes it in pieces of this size.
hlokit::SlimFile slim(std::string_view file, size_t piece) {
  hlokit::SlimFile slim;
  for (size_t at = 0; at < file.size(); at += piece)
    slim.write(file.substr(at, piece));
  return slim;
}

void check(const hlokit::Structure &structure) {
  const size_t operations = structure.operations.size(), blocks = structure.blocks.size();
  for (const hlokit::StructureBlock &block : structure.blocks) {
    require(block.first <= block.end && block.end <= operations, "a block ends where it cannot");
    uint32_t values = block.argument_count, at = block.first;
    while (at < block.end) {
      require(structure.operations[at].first_result == values, "results are not numbered in order");
      values += structure.operations[at].result_count;
      require(structure.operations[at].end > at, "an operation ends before it begins");
      at = structure.operations[at].end;
    }
    require(at == block.end && values == block.value_count, "a block has other operations than it says");
  }
  for (uint32_t at = 0; at < operations; ++at) {
    const hlokit::StructureOperation &operation = structure.operations[at];
    require(operation.end <= operations && operation.end_block <= blocks, "an operation has no end");
    for (uint32_t i = 0; i < operation.operand_count; ++i) {
      const hlokit::ValueRef value = structure.operands.at(operation.first_operand + i);
      require(value.block == hlokit::nowhere || value.number < structure.blocks.at(value.block).value_count,
              "an operand is no value");
    }
    for (uint32_t i = 0; i < operation.region_count; ++i) {
      const hlokit::StructureRegion region = structure.regions.at(operation.first_region + i);
      require(region.block_count == 0 || region.first_block < blocks, "a region has no blocks");
    }
    for (const hlokit::ValueRef value : structure.captured(at))
      require(value.number < structure.blocks.at(value.block).value_count, "what is captured is no value");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view file(reinterpret_cast<const char *>(data), size);
  try {
    const hlokit::SlimFile whole = slim(file, std::max<size_t>(size, 1));
    for (const size_t piece : {1, 7, 100})
      require(slim(file, piece).bytes() == whole.bytes(), "a file in pieces is another file");
    check(read_structure(hlokit::Bytecode(whole.bytes())));
  } catch (const hlokit::BytecodeError &) {
  }
  return 0;
}
