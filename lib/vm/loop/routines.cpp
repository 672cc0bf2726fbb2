// Instructions that call one kernel of lib/kernels: routines of LAPACK, Fourier transforms, random words.
#include <algorithm>
#include <cstring>
#include <string>

#include "kernels/fft/transform.h"
#include "kernels/linalg/routines.h"
#include "kernels/random/bits.h"
#include "kernels/random/threefry.h"
#include "support/copy_memory.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"
#include "vm/verifier.h"

namespace hlokit::random {
namespace {

Threefry best_threefry() { return HLOKIT_BEST_VARIANT(threefry_2x32); }

} // namespace
} // namespace hlokit::random

namespace hlokit::vm {

// Routines of LAPACK ------------------------------------------------------------------------------------------------

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

  void run(unsigned char *registers) const {
    linalg::Stacks found{};
    found.count = count;
    for (size_t i = 0; i < stacks.size(); ++i) {
      const Stack &stack = stacks[i];
      unsigned char *array = stack.array.find(registers);
      if (stack.is_written && stack.has_start)
        copy_memory(array, stack.start.find(registers), stack.bytes);
      else if (stack.is_written)
        std::memset(array, 0, stack.bytes);
      found.arrays[i] = array;
      found.strides[i] = stack.matrix_bytes;
    }
    linalg::run(*routine, type, found, call, 1);
  }
};

} // namespace

DecodedArrayOp decode_lapack(const Frame &frame, const Instruction &, const Numbers &given) {
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
  check_registers(frame, registers);
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
    const auto find = [&](uint32_t index) {
      check_type(frame.types, index, shape.type);
      check_count(frame, index, count);
      return RegisterRef(frame, index);
    };
    if (stack.has_start)
      stack.start = find(registers.operands[static_cast<size_t>(source)]);
    stack.array = stack.is_written ? find(registers.results[written++]) : stack.start;
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
  return {run_detail<Factorization>, std::move(result), static_cast<size_t>(work), 0};
}

// Fourier transforms along one dimension ----------------------------------------------------------------------------

namespace {

struct Transform : Detail {
  fft::Plan plan;
  RegisterRef from, to;
  fft::Lines lines{};

  Transform(fft::Kind kind, size_t length) : plan(kind, length) {}
  void run(unsigned char *registers) const {
    fft::Lines found = lines;
    found.from = from.find(registers);
    found.to = to.find(registers);
    fft::run(plan, found, 1);
  }
};

// Checks the array with one side of the lines; returns whether it is in f64.
bool check_side(const Frame &frame, uint32_t index, bool is_real, const Sizes &sizes) {
  const ElementType type = frame.types[index], wide = is_real ? ElementType::f64 : ElementType::c128;
  if (type != wide && type != (is_real ? ElementType::f32 : ElementType::c64))
    throw ProgramError(std::string("lines must be ") + (is_real ? "f32 or f64" : "complex") + ", got " + name_of(type));
  check_count(frame, index, product(sizes, 3));
  return type == wide;
}

} // namespace

DecodedArrayOp decode_fft(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  NumberReader numbers(given);
  const auto kind = static_cast<fft::Kind>(numbers.next(0, 3));
  Sizes sizes = numbers.sizes(3);
  numbers.end();
  if (!fft::is_known(kind, sizes[1]))
    throw ProgramError("a transform must have a length with a kernel, got " + std::to_string(sizes[1]));
  check_registers(frame, instruction.to, {instruction.a});
  auto result = std::make_unique<Transform>(kind, sizes[1]);
  result->lines.outer = sizes[0], result->lines.inner = sizes[2];
  sizes[1] = result->plan.inputs();
  result->lines.from_f64 = check_side(frame, instruction.a, kind == fft::Kind::real, sizes);
  sizes[1] = result->plan.outputs();
  result->lines.to_f64 = check_side(frame, instruction.to, kind == fft::Kind::inverse_real, sizes);
  result->from = RegisterRef(frame, instruction.a);
  result->to = RegisterRef(frame, instruction.to);
  constexpr size_t elements_of_element = 16; // that sweeps compute meanwhile
  return {run_detail<Transform>, std::move(result), product(sizes, 3) * elements_of_element, 0};
}

// Threefry-2x32 on words --------------------------------------------------------------------------------------------

namespace {

constexpr size_t operand_count = 5, operations_of_word = 80;

struct Hash : Detail {
  RegisterRef operands[operand_count], low, high;
  size_t steps[operand_count], count;
  random::Threefry kernel = random::best_threefry();

  void run(unsigned char *registers) const {
    const auto find = [&](const RegisterRef &words) { return reinterpret_cast<uint32_t *>(words.find(registers)); };
    random::Words words[operand_count];
    for (size_t i = 0; i < operand_count; ++i)
      words[i] = {find(operands[i]), steps[i]};
    kernel({words[0], words[1], {words[2], words[3], words[4]}}, find(low), find(high), count);
  }
};

} // namespace

DecodedArrayOp decode_threefry(const Frame &frame, const Instruction &, const Numbers &given) {
  NumberReader numbers(given);
  const DecodedCall registers = read_registers(frame, numbers);
  numbers.end();
  if (registers.number != 0 || registers.results.size() != 2 || registers.operands.size() != operand_count)
    throw ProgramError("threefry must have 2 results and " + std::to_string(operand_count) + " operands, got " +
                       std::to_string(registers.results.size()) + " and " + std::to_string(registers.operands.size()));
  const uint32_t low = registers.results[0], high = registers.results[1];
  auto result = std::make_unique<Hash>();
  result->count = frame.count(low);
  check_registers(frame, registers);
  const auto find = [&](uint32_t index, size_t count) {
    check_type(frame.types, index, ElementType::ui32);
    check_count(frame, index, count);
    return RegisterRef(frame, index);
  };
  result->low = find(low, result->count);
  result->high = find(high, result->count);
  for (size_t i = 0; i < operand_count; ++i) {
    const uint32_t index = registers.operands[i];
    result->steps[i] = frame.count(index) == 1 ? 0 : 1;
    result->operands[i] = find(index, result->steps[i] ? result->count : 1);
  }
  const size_t work = result->count * operations_of_word;
  return {run_detail<Hash>, std::move(result), work, 0};
}

// Generators of random bits -----------------------------------------------------------------------------------------

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
