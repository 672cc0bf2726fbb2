// The bodies of regions: straight lines of pointwise operations, on blocks of elements or one at a time.
//
// A body is checked when it is made, as programs of vm.h are. No data can then do harm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "vm.h"

namespace hlokit::regions {

using Bytes = std::unique_ptr<unsigned char[]>;

// A straight line of pointwise operations on scalars. Registers are inputs, written once, or *fixed*: constants
// and captured values, which a run gets in an image of eight bytes a register.
class Body {
public:
  Body(const std::vector<vm::Type> &types, const std::vector<vm::Source> &sources,
       std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);

  size_t register_count() const { return sizes_.size(); }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  size_t input_size(size_t i) const { return sizes_[inputs_[i]]; }
  size_t output_size(size_t i) const { return sizes_[outputs_[i]]; }
  vm::Type output_type(size_t i) const { return types_[outputs_[i]]; }

private:
  friend class Blocks;
  friend class Scalars;
  struct Move {
    vm::Sweep sweep;
    uint32_t to, a, b, c;
  };

  std::vector<vm::Type> types_;
  std::vector<size_t> sizes_;
  std::vector<uint32_t> inputs_, outputs_;
  std::vector<bool> is_written_, is_fixed_;
  std::vector<Move> moves_;
  std::vector<vm::Instruction> code_;
};

// Evaluates a body on blocks of elements.
class Blocks {
public:
  static constexpr size_t most = 512;

  Blocks(const Body &body, const unsigned char *image);

  // The elements of an input. They stay where they are until the run.
  void bind(size_t input, const unsigned char *data) { at_[body_.inputs_[input]] = data; }
  // Where an output is to be put, apart from all that is bound.
  void put(size_t output, unsigned char *to) { results_[output] = to; }
  void run(size_t count); // at most `most`

private:
  const Body &body_;
  std::vector<const unsigned char *> at_; // of each register
  std::vector<unsigned char *> own_, results_;
  std::vector<bool> is_direct_; // outputs that operations write where they are to be put
  Bytes memory_;
};

// Evaluates a body on one element.
class Scalars {
public:
  Scalars(const Body &body, const unsigned char *image);

  void load(size_t input, const unsigned char *from);
  void run();
  void store(size_t output, unsigned char *to) const;
  bool truth(size_t output) const { return registers()[8 * body_.outputs_[output]] != 0; }

private:
  unsigned char *registers() const { return reinterpret_cast<unsigned char *>(words_.get()); }

  const Body &body_;
  std::unique_ptr<uint64_t[]> words_;
};

// Copies of one element, of 1, 2, 4 or 8 bytes.
inline void copy_element(unsigned char *to, const unsigned char *from, size_t size) {
  switch (size) {
  case 1:
    *to = *from;
    return;
  case 2:
    std::memcpy(to, from, 2);
    return;
  case 4:
    std::memcpy(to, from, 4);
    return;
  default:
    std::memcpy(to, from, 8);
  }
}

} // namespace hlokit::regions
