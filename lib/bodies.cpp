#include "bodies.h"

#include <algorithm>
#include <string>
#include <utility>

#include "vm_checks.h"

namespace hlokit::regions {

using vm::ProgramError;
using vm::Type;

namespace {

constexpr size_t line = 64; // bytes of the cache

} // namespace

Body::Body(const std::vector<Type> &types, const std::vector<vm::Source> &sources,
           std::vector<uint32_t> inputs, std::vector<uint32_t> outputs)
    : types_(types), inputs_(std::move(inputs)), outputs_(std::move(outputs)), is_written_(types.size(), false),
      is_fixed_(types.size(), true) {
  if (types.size() > (1 << 20) || inputs_.size() > (1 << 10) || outputs_.size() > (1 << 10))
    throw ProgramError("a body must be smaller");
  vm::check_simple(types);
  for (Type type : types)
    sizes_.push_back(vm::size_of(type));
  for (uint32_t input : inputs_) {
    vm::check_register(types, input);
    if (!is_fixed_[input])
      throw ProgramError("an input must be given once");
    is_fixed_[input] = false;
  }
  for (const vm::Source &source : sources) {
    vm::check_operation(types, source);
    if (!is_fixed_[source.to])
      throw ProgramError("a register must be written once, and be no input");
    is_fixed_[source.to] = false;
    is_written_[source.to] = true;
  }
  std::vector<bool> is_ready(types.size());
  for (size_t i = 0; i < types.size(); ++i)
    is_ready[i] = !is_written_[i];
  for (const vm::Source &source : sources) {
    const vm::Operation &found = vm::check_operation(types, source);
    const uint32_t operands[] = {source.a, source.b, source.c};
    for (size_t i = 0; i < found.arity; ++i)
      if (!is_ready[operands[i]])
        throw ProgramError("a register must be written before it is read");
    is_ready[source.to] = true;
    const uint32_t b = found.arity > 1 ? source.b : source.a, c = found.arity > 2 ? source.c : source.a;
    moves_.push_back({found.sweep, source.to, source.a, b, c});
    if (code_.size() % vm::longest_row == vm::longest_row - 1)
      code_.push_back({vm::rest, 0, 0, 0, 0, 0, nullptr});
    code_.push_back({found.step, 8 * source.to, 8 * source.a, 8 * b, 8 * c, 0, nullptr});
  }
  code_.push_back({vm::halt, 0, 0, 0, 0, 0, nullptr});
  for (uint32_t output : outputs_)
    vm::check_register(types, output);
}

Blocks::Blocks(const Body &body, const unsigned char *image)
    : body_(body), at_(body.register_count()), own_(body.register_count()), results_(body.output_count()),
      is_direct_(body.output_count()) {
  const size_t count = body.register_count(), pitch = 8 * most + line;
  memory_.reset(new unsigned char[count * pitch + line]);
  unsigned char *next = memory_.get() + (line - reinterpret_cast<uintptr_t>(memory_.get()) % line) % line;
  for (size_t i = 0; i < count; ++i, next += pitch) {
    at_[i] = own_[i] = next;
    if (body.is_fixed_[i])
      for (size_t j = 0; j < most; ++j)
        copy_element(next + j * body.sizes_[i], image + 8 * i, body.sizes_[i]);
  }
  for (size_t i = 0; i < body.output_count(); ++i) {
    const uint32_t *first = body.outputs_.data(), *output = first + i;
    is_direct_[i] = body.is_written_[*output] && std::find(first, output, *output) == output;
  }
}

void Blocks::run(size_t count) {
  for (size_t i = 0; i < results_.size(); ++i)
    if (is_direct_[i])
      at_[body_.outputs_[i]] = own_[body_.outputs_[i]] = results_[i];
  for (const Body::Move &move : body_.moves_)
    move.sweep(own_[move.to], at_[move.a], at_[move.b], at_[move.c], count);
  for (size_t i = 0; i < results_.size(); ++i)
    if (!is_direct_[i])
      std::memcpy(results_[i], at_[body_.outputs_[i]], count * body_.output_size(i));
}

Scalars::Scalars(const Body &body, const unsigned char *image)
    : body_(body), words_(new uint64_t[body.register_count() + 1]()) {
  std::memcpy(words_.get(), image, 8 * body.register_count());
}

void Scalars::load(size_t input, const unsigned char *from) {
  const uint32_t index = body_.inputs_[input];
  copy_element(registers() + 8 * index, from, body_.sizes_[index]);
}

void Scalars::run() {
  vm::compute(body_.code_.data(), registers());
}

void Scalars::store(size_t output, unsigned char *to) const {
  const uint32_t index = body_.outputs_[output];
  copy_element(to, registers() + 8 * index, body_.sizes_[index]);
}

} // namespace hlokit::regions
