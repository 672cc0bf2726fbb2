// Generators of random bits.
#include <string>

#include "kernels/random/bits.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct Generation : Detail {
  random::Generator generator{};
  random::BitArray array{};
  size_t words = 0;
  RegisterRef state, next, to;
};

const DecodedInstruction *run_generation(const DecodedInstruction *at, unsigned char *registers) {
  const auto &here = static_cast<const Generation &>(*at->detail);
  random::random_bits(here.generator, reinterpret_cast<const uint64_t *>(here.state.find(registers)), here.words, here.array,
                      reinterpret_cast<uint64_t *>(here.next.find(registers)), here.to.find(registers), 1);
  return at + 1;
}

bool is_unsigned(ElementType type) {
  return type == ElementType::ui8 || type == ElementType::ui16 || type == ElementType::ui32 || type == ElementType::ui64;
}

} // namespace

DecodedArrayOp decode_random_bits(const Frame &frame, const Numbers &given) {
  NumberReader numbers(given);
  const DecodedCall registers = read_registers(frame, numbers);
  const Sizes sizes = numbers.sizes(3);
  numbers.end();
  if (registers.number > 1 || registers.results.size() != 2 || registers.operands.size() != 1)
    throw ProgramError("a generator of random bits must be 0 or 1, with 2 results and 1 operand");
  const uint32_t state = registers.operands[0], next = registers.results[0], to = registers.results[1];
  for (uint32_t index : {state, next, to})
    check_whole(frame, index);
  check_type(frame.types, state, ElementType::ui64);
  check_same_type(frame, state, next);
  check_apart(next, state);
  check_apart(to, state);
  check_apart(to, next);
  auto result = std::make_unique<Generation>();
  result->generator = static_cast<random::Generator>(registers.number);
  result->words = frame.count(state);
  result->array = {sizes[0], sizes[1], sizes[2], size_of(frame.types[to])};
  if (!random::has_state(result->generator, result->words) || frame.count(next) != result->words)
    throw ProgramError("a generator of random bits must have states of one size that it knows, got " +
                       std::to_string(result->words) + " and " + std::to_string(frame.count(next)) + " words");
  if (!is_unsigned(frame.types[to]) || frame.count(to) != product(sizes, 3))
    throw ProgramError("random bits must be " + std::to_string(product(sizes, 3)) + " unsigned integers, got " +
                       std::to_string(frame.count(to)) + " of " + name_of(frame.types[to]));
  result->state = RegisterRef(frame, state, 0);
  result->next = RegisterRef(frame, next, 0);
  result->to = RegisterRef(frame, to, 0);
  constexpr size_t elements_of_item = 16; // that sweeps compute meanwhile
  return {run_generation, std::move(result), frame.count(to) * elements_of_item, 0};
}

} // namespace hlokit::vm
