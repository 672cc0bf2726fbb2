// The structure of a module: its blocks, what their operations read and define, and which operations are
// alike. Read from bytecode; attributes and types are told apart by number, and never looked into.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode.h"

namespace hlokit {

// A file of bytecode without what attributes and resources consist of, which may be large. Takes the
// file in pieces, as a writer gives them.
class SlimFile {
public:
  void write(std::string_view piece);
  // The file so far. Only the tables of attributes, types and resources cannot be read of it.
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

// An argument of a block or a result of an operation in it: these are numbered together, in order.
struct ValueRef {
  uint32_t block;  // `nowhere` if it is defined further down
  uint32_t number;

  bool operator==(const ValueRef &other) const { return block == other.block && number == other.number; }
};

struct StructureOperation {
  uint32_t name; // into Bytecode::op_names
  // Operations of one kind have the same name, attributes, properties, and types of operands and results.
  // One with regions is of a kind of its own.
  uint32_t kind;
  uint32_t first_operand, operand_count; // of Structure::operands
  uint32_t first_result, result_count;   // numbers in its block
  uint32_t first_region, region_count;   // of Structure::regions
  // Behind the operations and blocks within it.
  uint32_t end, end_block;
};

struct StructureBlock {
  uint32_t argument_count, value_count;
  uint32_t first, end; // operations; `StructureOperation::end` leads from one to the next
};

struct StructureRegion {
  uint32_t first_block, block_count;
};

// Operations, blocks and regions in the order of the file, so that those within an operation follow it.
struct Structure {
  std::vector<StructureOperation> operations;
  std::vector<StructureBlock> blocks;
  std::vector<StructureRegion> regions;
  std::vector<ValueRef> operands;

  // Values from outside that the regions of an operation use, each once, in order of use.
  std::vector<ValueRef> captured(uint32_t operation) const;
};

// Of bytecode that the bindings wrote: the newest version, in which operations have properties.
Structure read_structure(const Bytecode &bytecode);

} // namespace hlokit
