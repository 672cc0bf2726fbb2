// The bodies of regions: straight-line code of pointwise operations, evaluated on blocks of elements or one element at
// a time.
//
// A body is verified when it is made (vm/verifier.h), so that evaluation is safe for all data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vm/pointwise/kernel_choice.h"
#include "vm/verifier.h"

namespace hlokit::regions {

using Bytes = std::unique_ptr<unsigned char[]>;

// Straight-line code of pointwise operations on scalars. A register is an input, or written once, or *fixed*: a
// constant or a captured value, which evaluation takes from an image of the registers, of eight bytes each.
class Body {
public:
  Body(const vm::Types &types, const std::vector<vm::Instruction> &sources, std::vector<uint32_t> inputs,
       std::vector<uint32_t> outputs);
  Body(const Body &) = delete;
  Body &operator=(const Body &) = delete;

  size_t register_count() const { return sizes_.size(); }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  size_t input_size(size_t i) const { return sizes_[inputs_[i]]; }
  size_t output_size(size_t i) const { return sizes_[outputs_[i]]; }
  ElementType output_type(size_t i) const { return types_[outputs_[i]]; }

private:
  friend class BlockEvaluator;
  friend class ScalarEvaluator;
  struct SweepCall {
    vm::Sweep sweep;
    uint32_t to, a, b, c;
  };

  std::vector<ElementType> types_;
  std::vector<size_t> sizes_;
  std::vector<uint32_t> inputs_, outputs_;
  std::vector<bool> is_written_, is_fixed_;
  std::vector<SweepCall> calls_;               // for blocks
  std::vector<vm::DecodedInstruction> code_; // for scalars
};

// Evaluates a body on blocks of elements.
class BlockEvaluator {
public:
  static constexpr size_t most = 512;

  BlockEvaluator(const Body &body, const unsigned char *image);

  // Sets the elements of an input, which must stay in place until the run.
  void bind(size_t input, const unsigned char *data) { at_[body_.inputs_[input]] = data; }
  // Sets where to write an output. It must not overlap the inputs.
  void put(size_t output, unsigned char *to) { results_[output] = to; }
  void run(size_t count); // at most `most`

private:
  const Body &body_;
  std::vector<const unsigned char *> at_; // of each register
  std::vector<unsigned char *> own_, results_;
  std::vector<bool> is_direct_; // outputs that operations write to their destination
  Bytes memory_;
};

// Evaluates a body on one element.
class ScalarEvaluator {
public:
  ScalarEvaluator(const Body &body, const unsigned char *image);

  void load(size_t input, const unsigned char *from);
  void run();
  void store(size_t output, unsigned char *to) const;
  bool truth(size_t output) const { return registers()[8 * body_.outputs_[output]] != 0; }

private:
  unsigned char *registers() const { return reinterpret_cast<unsigned char *>(words_.get()); }

  const Body &body_;
  std::unique_ptr<uint64_t[]> words_;
};

} // namespace hlokit::regions
