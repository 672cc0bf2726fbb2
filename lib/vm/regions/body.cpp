#include "vm/regions/body.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "support/by_size.h"
#include "vm/scalars/handler_pairs.h"
#include "vm/strided_copy.h"

namespace hlokit::regions {

using vm::ProgramError;

namespace {

constexpr size_t line = 64; // bytes of the cache

void copy_element(unsigned char *to, const unsigned char *from, size_t size) {
  by_size(size, [&](auto known) { std::memcpy(to, from, known); });
}

} // namespace

Body::Body(const vm::Types &types, const std::vector<vm::Instruction> &program, std::vector<uint32_t> inputs,
           std::vector<uint32_t> outputs)
    : types_(types), inputs_(std::move(inputs)), outputs_(std::move(outputs)), is_written_(types.size()),
      is_fixed_(types.size()) {
  if (types.size() > (1 << 20) || inputs_.size() > (1 << 10) || outputs_.size() > (1 << 10))
    throw ProgramError("a body must be smaller");
  for (ElementType type : types) {
    if (is_complex(type))
      throw ProgramError("bodies of regions have no complex numbers");
    sizes_.push_back(size_of(type));
  }
  vm::Definitions definitions(types);
  for (uint32_t input : inputs_)
    definitions.add(input);
  for (const vm::Instruction &instruction : program) {
    vm::check_operation(types, instruction);
    is_written_[instruction.results[0]] = true;
  }
  for (uint32_t i = 0; i < types.size(); ++i) {
    is_fixed_[i] = !is_written_[i] && !definitions.has(i);
    if (is_fixed_[i])
      definitions.add(i);
  }
  vm::HandlerPairs pairs;
  for (const vm::Instruction &instruction : program) {
    definitions.add(instruction);
    const vm::Kernel &kernel = vm::kernel_of(instruction.opcode);
    const vm::Registers &operands = instruction.operands;
    const uint32_t to = instruction.results[0], a = operands[0];
    const uint32_t b = operands.size() > 1 ? operands[1] : a, c = operands.size() > 2 ? operands[2] : a;
    calls_.push_back({kernel.sweep, to, a, b, c});
    if (code_.size() % vm::longest_row == vm::longest_row - 1)
      code_.push_back(vm::instruction_of(vm::return_to_loop));
    code_.push_back(vm::instruction_of(kernel.handler, 8 * to, 8 * a, 8 * b, 8 * c));
    pairs.add(code_, instruction);
  }
  code_.push_back(vm::instruction_of(vm::halt));
  for (uint32_t output : outputs_)
    vm::check_register(types, output);
}

BlockEvaluator::BlockEvaluator(const Body &body, const unsigned char *image)
    : body_(body), at_(body.register_count()), own_(body.register_count()), results_(body.output_count()),
      is_direct_(body.output_count()) {
  const size_t count = body.register_count(), pitch = 8 * most + line;
  memory_.reset(new unsigned char[count * pitch + line]);
  unsigned char *next = memory_.get() + (line - reinterpret_cast<uintptr_t>(memory_.get()) % line) % line;
  for (size_t i = 0; i < count; ++i, next += pitch) {
    at_[i] = own_[i] = next;
    if (body.is_fixed_[i])
      vm::fill(next, image + 8 * i, most, body.sizes_[i]);
  }
  for (size_t i = 0; i < body.output_count(); ++i) {
    const uint32_t *first = body.outputs_.data(), *output = first + i;
    is_direct_[i] = body.is_written_[*output] && std::find(first, output, *output) == output;
  }
}

void BlockEvaluator::run(size_t count) {
  for (size_t i = 0; i < results_.size(); ++i)
    if (is_direct_[i])
      at_[body_.outputs_[i]] = own_[body_.outputs_[i]] = results_[i];
  for (const Body::SweepCall &call : body_.calls_)
    call.sweep(own_[call.to], at_[call.a], at_[call.b], at_[call.c], count);
  for (size_t i = 0; i < results_.size(); ++i)
    if (!is_direct_[i])
      std::memcpy(results_[i], at_[body_.outputs_[i]], count * body_.output_size(i));
}

ScalarEvaluator::ScalarEvaluator(const Body &body, const unsigned char *image)
    : body_(body), words_(new uint64_t[body.register_count() + 1]()) {
  std::memcpy(words_.get(), image, 8 * body.register_count());
}

void ScalarEvaluator::load(size_t input, const unsigned char *from) {
  const uint32_t index = body_.inputs_[input];
  copy_element(registers() + 8 * index, from, body_.sizes_[index]);
}

void ScalarEvaluator::run() {
  vm::run(body_.code_.data(), registers());
}

void ScalarEvaluator::store(size_t output, unsigned char *to) const {
  const uint32_t index = body_.outputs_[output];
  copy_element(to, registers() + 8 * index, body_.sizes_[index]);
}

} // namespace hlokit::regions
