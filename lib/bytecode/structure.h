// The structure of a module, read from bytecode: the blocks, the values that operations read and define, and which
// operations are of one kind. Attributes and types are compared by index and never decoded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/container.h"

namespace hlokit {

// A file of bytecode without the content of attributes and resources, which may be large. Takes the file in pieces, as
// a writer produces them.
class SlimFile {
public:
  void write(std::string_view piece);
  // The file so far. Its tables of attributes, types and resources are unreadable, all others are complete.
  std::string_view bytes() const { return kept_; }

private:
  enum class State : uint8_t { magic, version, producer, id, size, alignment, padding, content };

  void head(uint8_t byte);
  bool number(uint8_t byte);
  void begin_content();

  State state_ = State::magic;
  std::string kept_;
  std::string digits_;    // of the number that is being read
  uint64_t number_ = 0;   // the last one
  uint64_t position_ = 0; // in the whole file
  uint64_t left_ = 0;     // of the section
  uint64_t alignment_ = 0;
  uint8_t id_ = 0;
};

constexpr uint32_t nowhere = UINT32_MAX;

// An argument of a block, or a result of an operation in the block; both are numbered together, in order.
struct ValueRef {
  uint32_t block; // `nowhere` for a value that is defined after its use
  uint32_t number;

  bool operator==(const ValueRef &other) const { return block == other.block && number == other.number; }
};

struct StructureOperation {
  uint32_t name; // into Bytecode::op_names
  // Operations of one kind have the same name, attributes and properties, and operands and results of the same types.
  // No other operation has the kind of an operation with regions.
  uint32_t kind;
  uint32_t first_operand, operand_count; // of Structure::operands
  uint32_t first_result, result_count;   // numbers in its block
  uint32_t first_region, region_count;   // of Structure::regions
  // The first operation and the first block after those within it.
  uint32_t end, end_block;
};

struct StructureBlock {
  uint32_t argument_count, value_count;
  uint32_t first, end; // operations, of which `StructureOperation::end` leads from one to the next
};

struct StructureRegion {
  uint32_t first_block, block_count;
};

// Operations, blocks and regions are in the order of the file: those within an operation follow it.
struct Structure {
  std::vector<StructureOperation> operations;
  std::vector<StructureBlock> blocks;
  std::vector<StructureRegion> regions;
  std::vector<ValueRef> operands;

  // The values from outside that the regions of an operation use, each once, in order of use.
  std::vector<ValueRef> captured(uint32_t operation) const;
};

// Reads bytecode that the bindings wrote, in the newest version: its operations have properties.
Structure read_structure(const Bytecode &bytecode);

} // namespace hlokit
