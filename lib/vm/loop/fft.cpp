// Fourier transforms of a loop's arrays along one dimension.
#include <string>

#include "kernels/fft/transform.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct Transform : Detail {
  fft::Plan plan;
  RegisterRef from, to;
  fft::Lines lines{};

  Transform(fft::Kind kind, size_t length) : plan(kind, length) {}
};

const DecodedInstruction *run_fft(const DecodedInstruction *at, unsigned char *registers) {
  const auto &transform = static_cast<const Transform &>(*at->detail);
  fft::Lines lines = transform.lines;
  lines.from = transform.from.find(registers);
  lines.to = transform.to.find(registers);
  fft::run(transform.plan, lines, 1);
  return at + 1;
}

// Checks the array with one side of the lines; returns whether it is in f64.
bool check_side(const Frame &frame, uint32_t index, bool is_real, const Sizes &sizes) {
  check_whole(frame, index);
  const ElementType type = frame.types[index], wide = is_real ? ElementType::f64 : ElementType::c128;
  if (type != wide && type != (is_real ? ElementType::f32 : ElementType::c64))
    throw ProgramError(std::string("lines must be ") + (is_real ? "f32 or f64" : "complex") + ", got " + name_of(type));
  if (frame.count(index) != product(sizes, 3))
    throw ProgramError("lines must have " + std::to_string(product(sizes, 3)) + " elements, got " +
                       std::to_string(frame.count(index)));
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
  check_apart(instruction.to, instruction.a);
  auto result = std::make_unique<Transform>(kind, sizes[1]);
  result->lines.outer = sizes[0], result->lines.inner = sizes[2];
  sizes[1] = result->plan.inputs();
  result->lines.from_f64 = check_side(frame, instruction.a, kind == fft::Kind::real, sizes);
  sizes[1] = result->plan.outputs();
  result->lines.to_f64 = check_side(frame, instruction.to, kind == fft::Kind::inverse_real, sizes);
  result->from = RegisterRef(frame, instruction.a, 0);
  result->to = RegisterRef(frame, instruction.to, 0);
  constexpr size_t elements_of_element = 16; // that sweeps compute meanwhile
  return {run_fft, std::move(result), product(sizes, 3) * elements_of_element, 0};
}

} // namespace hlokit::vm
