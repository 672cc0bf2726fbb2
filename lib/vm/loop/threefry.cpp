// Threefry-2x32 on a loop's words.
#include <string>

#include "kernels/random/threefry.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::random {
namespace {

Threefry best_threefry() { return HLOKIT_BEST_VARIANT(threefry_2x32); }

} // namespace
} // namespace hlokit::random

namespace hlokit::vm {
namespace {

constexpr size_t operand_count = 5, operations_of_word = 80;

struct Hash : Detail {
  RegisterRef operands[operand_count], low, high;
  size_t steps[operand_count], count;
  random::Threefry kernel = random::best_threefry();
};

const DecodedInstruction *run_threefry(const DecodedInstruction *at, unsigned char *registers) {
  const auto &hash = static_cast<const Hash &>(*at->detail);
  random::Words words[operand_count];
  for (size_t i = 0; i < operand_count; ++i)
    words[i] = {reinterpret_cast<const uint32_t *>(hash.operands[i].find(registers)), hash.steps[i]};
  const random::ThreefryInput input{words[0], words[1], {words[2], words[3], words[4]}};
  hash.kernel(input, reinterpret_cast<uint32_t *>(hash.low.find(registers)),
              reinterpret_cast<uint32_t *>(hash.high.find(registers)), hash.count);
  return next(at, registers);
}

} // namespace

DecodedArrayOp decode_threefry(const Frame &frame, const Numbers &given) {
  NumberReader numbers(given);
  const DecodedCall registers = read_registers(frame, numbers);
  numbers.end();
  if (registers.number != 0 || registers.results.size() != 2 || registers.operands.size() != operand_count)
    throw ProgramError("threefry must have 2 results and " + std::to_string(operand_count) + " operands, got " +
                       std::to_string(registers.results.size()) + " and " + std::to_string(registers.operands.size()));
  const uint32_t low = registers.results[0], high = registers.results[1];
  auto result = std::make_unique<Hash>();
  result->count = frame.count(low);
  check_apart(low, high);
  for (uint32_t index : {low, high}) {
    check_whole(frame, index);
    check_type(frame.types, index, ElementType::ui32);
    if (frame.count(index) != result->count)
      throw ProgramError("the results of threefry must have one size, got " + std::to_string(result->count) + " and " +
                         std::to_string(frame.count(index)));
  }
  for (size_t i = 0; i < operand_count; ++i) {
    const uint32_t index = registers.operands[i];
    check_whole(frame, index);
    check_type(frame.types, index, ElementType::ui32);
    check_apart(low, index);
    check_apart(high, index);
    if (frame.count(index) != result->count && frame.count(index) != 1)
      throw ProgramError("an operand of threefry must have 1 element or " + std::to_string(result->count) + ", got " +
                         std::to_string(frame.count(index)));
    result->steps[i] = frame.count(index) == 1 ? 0 : 1;
    result->operands[i] = RegisterRef(frame, index, 0);
  }
  result->low = RegisterRef(frame, low, 0);
  result->high = RegisterRef(frame, high, 0);
  const size_t work = result->count * operations_of_word;
  return {run_threefry, std::move(result), work, 0};
}

} // namespace hlokit::vm
