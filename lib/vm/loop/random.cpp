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

  void run(unsigned char *registers) const {
    random::random_bits(generator, reinterpret_cast<const uint64_t *>(state.find(registers)), words, array,
                        reinterpret_cast<uint64_t *>(next.find(registers)), to.find(registers), 1);
  }
};

bool is_unsigned(ElementType type) {
  return type == ElementType::ui8 || type == ElementType::ui16 || type == ElementType::ui32 || type == ElementType::ui64;
}

} // namespace

DecodedArrayOp decode_random_bits(const Frame &frame, const Instruction &, const Numbers &given) {
  NumberReader numbers(given);
  const DecodedCall registers = read_registers(frame, numbers);
  const Sizes sizes = numbers.sizes(3);
  numbers.end();
  if (registers.number > 1 || registers.results.size() != 2 || registers.operands.size() != 1)
    throw ProgramError("a generator of random bits must be 0 or 1, with 2 results and 1 operand");
  check_registers(frame, registers);
  const uint32_t state = registers.operands[0], next = registers.results[0], to = registers.results[1];
  auto result = std::make_unique<Generation>();
  result->generator = static_cast<random::Generator>(registers.number);
  result->words = frame.count(state);
  result->array = {sizes[0], sizes[1], sizes[2], size_of(frame.types[to])};
  check_type(frame.types, state, ElementType::ui64);
  check_same_type(frame, state, next);
  check_count(frame, next, result->words);
  check_count(frame, to, product(sizes, 3));
  if (!random::has_state(result->generator, result->words))
    throw ProgramError("a generator of random bits must know its state, got " + std::to_string(result->words) + " words");
  if (!is_unsigned(frame.types[to]))
    throw ProgramError(std::string("random bits must be unsigned integers, got ") + name_of(frame.types[to]));
  result->state = RegisterRef(frame, state);
  result->next = RegisterRef(frame, next);
  result->to = RegisterRef(frame, to);
  constexpr size_t elements_of_item = 16; // that sweeps compute meanwhile
  return {run_detail<Generation>, std::move(result), frame.count(to) * elements_of_item, 0};
}

} // namespace hlokit::vm
