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

DecodedArrayOp decode_lapack(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Lapack>(frame, instruction);
  const Registers &results = instruction.results, &operands = instruction.operands;
  auto result = std::make_unique<Factorization>();
  result->routine = linalg::routine_at(static_cast<size_t>(fields.routine));
  if (!result->routine || results.empty())
    throw ProgramError("there is no routine " + std::to_string(fields.routine));
  const linalg::Routine &routine = *result->routine;
  const std::string name = routine.name;
  result->type = frame.types[results[0]]; // of each routine the first written array holds matrices
  if (!linalg::has_kernel(routine, result->type))
    throw ProgramError(name + " has no kernel for " + name_of(result->type));
  result->count = static_cast<size_t>(fields.matrices);
  if (fields.options.size() != routine.options)
    throw ProgramError(name + " has " + std::to_string(routine.options) + " options");
  for (size_t i = 0; i < routine.options; ++i)
    result->call.options[i] = static_cast<int32_t>(fields.options[i]);
  const std::vector<linalg::ArrayShape> shapes = linalg::shapes_of(routine, result->type);
  if (fields.arrays.size() != shapes.size())
    throw ProgramError(name + " must have " + std::to_string(shapes.size()) + " arrays, got " +
                       std::to_string(fields.arrays.size()));
  linalg::SizeTable table;
  size_t written = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const linalg::ArrayShape &shape = shapes[i];
    const auto &[source, own] = fields.arrays[i];
    check_number("source", source, -1, static_cast<int64_t>(operands.size()) - 1);
    Stack stack;
    stack.is_written = shape.is_written;
    stack.has_start = source >= 0;
    if (!stack.is_written && !stack.has_start)
      throw ProgramError("an array that is read must be an operand");
    Sizes sizes{};
    sizes[0] = result->count;
    const size_t rank = 1 + shape.letters.size();
    bool fits = own.size() == shape.letters.size();
    for (size_t j = 1; fits && j < rank; ++j) {
      sizes[j] = static_cast<size_t>(own[j - 1]);
      fits = table.set(shape.letters[j - 1], sizes[j]);
    }
    if (!fits)
      throw ProgramError("arrays must have the shapes of " + name);
    const size_t count = vm::product(sizes, rank);
    if (stack.is_written && written == results.size())
      throw ProgramError("there must be a result for each written array");
    const auto find = [&](uint32_t index) {
      check_type(frame.types, index, shape.type);
      check_count(frame, index, count);
      return RegisterRef(frame, index);
    };
    if (stack.has_start)
      stack.start = find(operands[static_cast<size_t>(source)]);
    stack.array = stack.is_written ? find(results[written++]) : stack.start;
    stack.bytes = count * size_of(shape.type);
    stack.matrix_bytes = result->count ? stack.bytes / result->count : 0;
    result->stacks.push_back(stack);
  }
  if (written != results.size())
    throw ProgramError("there must be as many results as written arrays");
  result->call.sizes = table.sizes();
  if (routine.fits && !routine.fits(result->call))
    throw ProgramError("sizes and options of " + name + " must go together");
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

DecodedArrayOp decode_fft(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Fft>(frame, instruction);
  const auto kind = static_cast<fft::Kind>(static_cast<int64_t>(fields.kind));
  Sizes sizes = three_sizes(fields.outer, fields.length, fields.inner);
  if (!fft::is_known(kind, sizes[1]))
    throw ProgramError("a transform must have a length with a kernel, got " + std::to_string(sizes[1]));
  auto result = std::make_unique<Transform>(kind, sizes[1]);
  result->lines.outer = sizes[0], result->lines.inner = sizes[2];
  sizes[1] = result->plan.inputs();
  result->lines.from_f64 = check_side(frame, fields.operand, kind == fft::Kind::real, sizes);
  sizes[1] = result->plan.outputs();
  result->lines.to_f64 = check_side(frame, fields.to, kind == fft::Kind::inverse_real, sizes);
  result->from = RegisterRef(frame, fields.operand);
  result->to = RegisterRef(frame, fields.to);
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

DecodedArrayOp decode_threefry(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Threefry>(frame, instruction);
  auto result = std::make_unique<Hash>();
  result->count = frame.count(fields.to_low);
  check_count(frame, fields.to_high, result->count);
  result->low = RegisterRef(frame, fields.to_low);
  result->high = RegisterRef(frame, fields.to_high);
  for (size_t i = 0; i < operand_count; ++i) {
    const uint32_t index = instruction.operands[i];
    result->steps[i] = frame.count(index) == 1 ? 0 : 1;
    check_count(frame, index, result->steps[i] ? result->count : 1);
    result->operands[i] = RegisterRef(frame, index);
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

DecodedArrayOp decode_random_bits(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::RandomBits>(frame, instruction);
  const Sizes sizes = three_sizes(fields.before, fields.size, fields.after);
  auto result = std::make_unique<Generation>();
  result->generator = fields.is_philox ? random::Generator::philox : random::Generator::threefry;
  result->words = frame.count(fields.state);
  result->array = {sizes[0], sizes[1], sizes[2], size_of(frame.types[fields.to])};
  check_type(frame.types, fields.state, ElementType::ui64);
  check_count(frame, fields.next_state, result->words);
  check_count(frame, fields.to, product(sizes, 3));
  if (!random::has_state(result->generator, result->words))
    throw ProgramError("a generator of random bits must know its state, got " + std::to_string(result->words) + " words");
  if (!is_unsigned(frame.types[fields.to]))
    throw ProgramError(std::string("random bits must be unsigned integers, got ") + name_of(frame.types[fields.to]));
  result->state = RegisterRef(frame, fields.state);
  result->next = RegisterRef(frame, fields.next_state);
  result->to = RegisterRef(frame, fields.to);
  constexpr size_t elements_of_item = 16; // that sweeps compute meanwhile
  return {run_detail<Generation>, std::move(result), frame.count(fields.to) * elements_of_item, 0};
}

} // namespace hlokit::vm
