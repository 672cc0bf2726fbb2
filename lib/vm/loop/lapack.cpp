// Routines of LAPACK on a loop's arrays.
#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/linalg/routines.h"
#include "vm/verifier.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// A stack of matrices of a routine.
struct Stack {
  RegisterRef array, start; // a written array starts with `start`, or with zeros
  bool is_written = false, has_start = false;
  size_t matrix_bytes = 0, bytes = 0;
};

struct Factorization : Detail {
  const linalg::Routine *routine = nullptr;
  ElementType type{};
  linalg::Call call{};
  std::vector<Stack> stacks;
  size_t count = 1;
};

const DecodedInstruction *run_lapack(const DecodedInstruction *at, unsigned char *registers) {
  const auto &factorization = static_cast<const Factorization &>(*at->detail);
  linalg::Stacks stacks{};
  stacks.count = factorization.count;
  for (size_t i = 0; i < factorization.stacks.size(); ++i) {
    const Stack &stack = factorization.stacks[i];
    unsigned char *array = stack.array.find(registers);
    if (stack.is_written && stack.has_start)
      std::memcpy(array, stack.start.find(registers), stack.bytes);
    else if (stack.is_written)
      std::memset(array, 0, stack.bytes);
    stacks.arrays[i] = array;
    stacks.strides[i] = stack.matrix_bytes;
  }
  linalg::run(*factorization.routine, factorization.type, stacks, factorization.call, 1);
  return at + 1;
}

void check_array(const Frame &frame, uint32_t index, ElementType type, size_t count) {
  check_whole(frame, index);
  check_type(frame.types, index, type);
  if (frame.count(index) != count)
    throw ProgramError("register " + std::to_string(index) + " must hold " + std::to_string(count) + " elements");
}

} // namespace

DecodedArrayOp decode_lapack(const Frame &frame, const Numbers &given) {
  NumberReader numbers(given);
  const DecodedCall registers = read_registers(frame, numbers);
  auto result = std::make_unique<Factorization>();
  result->routine = linalg::routine_at(registers.number);
  if (!result->routine || registers.results.empty())
    throw ProgramError("there is no routine " + std::to_string(registers.number));
  const linalg::Routine &routine = *result->routine;
  result->type = frame.types[registers.results[0]]; // of each routine the first written array holds matrices
  if (!linalg::has_kernel(routine, result->type))
    throw ProgramError(std::string(routine.name) + " has no kernel for " + name_of(result->type));
  for (size_t i = 0; i < registers.results.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      check_apart(registers.results[i], registers.results[j]);
    for (uint32_t operand : registers.operands)
      check_apart(registers.results[i], operand);
  }
  result->count = numbers.size();
  if (numbers.size() != routine.options)
    throw ProgramError(std::string(routine.name) + " has " + std::to_string(routine.options) + " options");
  for (size_t i = 0; i < routine.options; ++i)
    result->call.options[i] = static_cast<int32_t>(numbers.any());
  linalg::SizeTable table;
  size_t written = 0;
  for (const linalg::ArrayShape &shape : linalg::shapes_of(routine, result->type)) {
    const int64_t source = numbers.next(-1, static_cast<int64_t>(registers.operands.size()) - 1);
    Stack stack;
    stack.is_written = shape.is_written;
    stack.has_start = source >= 0;
    if (!stack.is_written && !stack.has_start)
      throw ProgramError("an array that is read must be an operand");
    Sizes sizes{};
    sizes[0] = result->count;
    size_t rank = 1;
    for (char letter : shape.letters) {
      sizes[rank] = numbers.size();
      if (!table.set(letter, sizes[rank++]))
        throw ProgramError("arrays must have the shapes of " + std::string(routine.name));
    }
    const size_t count = vm::product(sizes, rank);
    if (stack.is_written && written == registers.results.size())
      throw ProgramError("there must be a result for each written array");
    if (stack.has_start)
      check_array(frame, registers.operands[static_cast<size_t>(source)], shape.type, count);
    if (stack.is_written)
      check_array(frame, registers.results[written], shape.type, count);
    if (stack.has_start)
      stack.start = RegisterRef(frame, registers.operands[static_cast<size_t>(source)], 0);
    stack.array = stack.is_written ? RegisterRef(frame, registers.results[written++], 0) : stack.start;
    stack.bytes = count * size_of(shape.type);
    stack.matrix_bytes = result->count ? stack.bytes / result->count : 0;
    result->stacks.push_back(stack);
  }
  numbers.end();
  if (written != registers.results.size())
    throw ProgramError("there must be as many results as written arrays");
  result->call.sizes = table.sizes();
  if (routine.fits && !routine.fits(result->call))
    throw ProgramError("sizes and options of " + std::string(routine.name) + " must go together");
  const double work = std::min(double(result->count) * linalg::work_of(routine, result->call.sizes), 1e12);
  return {run_lapack, std::move(result), static_cast<size_t>(work), 0};
}

} // namespace hlokit::vm
