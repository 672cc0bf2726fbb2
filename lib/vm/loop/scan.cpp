// Running reductions of a loop's arrays: each result is the initial value combined with all values up to its place.
#include <string>
#include <string_view>

#include "kernels/regions/combine.h"
#include "vm/instruction.h"
#include "vm/loop/arrays.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

// Rows [size, inner] of an array. `first` is the first value of the first step, and `step` the distance to the next one.
struct Scan : Detail {
  RegisterRef to, from, init;
  size_t outer, size, inner, item;
  ptrdiff_t first, step;
  uint32_t scratch;

  size_t elements() const { return size * inner; }
  // Calls scan_one(target, source) for each array [size, inner].
  template <class ScanOne> void each_array(unsigned char *registers, const ScanOne &scan_one) const {
    const unsigned char *source = from.find(registers);
    unsigned char *target = to.find(registers);
    for (size_t i = 0; i < outer; ++i, source += elements() * item, target += elements() * item)
      scan_one(target, source);
  }
};

// In the type of the values, from the initial value on.
struct PlainScan : Scan {
  Sweep combine;

  void run(unsigned char *registers) const {
    unsigned char *const initial = address_in(registers, scratch); // a row of the initial value
    fill(initial, init.find(registers), inner, item);
    const auto bytes = static_cast<ptrdiff_t>(item);
    each_array(registers, [&](unsigned char *target, const unsigned char *source) {
      const unsigned char *before = initial, *at = source + first * bytes;
      unsigned char *result = target + first * bytes;
      for (size_t row = 0; row < size; ++row, at += step * bytes, result += step * bytes) {
        combine(result, before, at, nullptr, inner);
        before = result;
      }
    });
  }
};

// Sums or products in f64, rounded once.
struct WideScan : Scan {
  const regions::Combination *combination;

  void run(unsigned char *registers) const {
    const unsigned char *const initial = init.find(registers);
    const size_t at = static_cast<size_t>(first) * item;
    if (inner == 1)
      return combination->run(to.find(registers) + at, from.find(registers) + at, initial, {outer, size, size, step});
    each_array(registers, [&](unsigned char *target, const unsigned char *source) {
      combination->run(target + at, source + at, initial, {inner, 1, size, step});
    });
  }
};

} // namespace

DecodedArrayOp decode_scan(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Scan>(frame, instruction);
  const ElementType type = frame.types[fields.to];
  if (is_complex(type))
    throw ProgramError(std::string("a scan must combine real numbers, got ") + name_of(type));
  const std::string_view operation = check_binary_operation(frame.types, fields.operation, fields.to).name;
  const Sizes sizes = three_sizes(fields.outer, fields.size, fields.inner);
  const size_t count = product(sizes, 3);
  check_count(frame, fields.operand, count);
  check_count(frame, fields.to, count);
  const bool is_wide = fields.is_wide != 0;
  const regions::Combination *const combination = regions::find_combination(operation, type);
  if (is_wide && !(combination && combination->is_sum))
    throw ProgramError("a scan that accumulates in f64 must be a sum or a product of floats");
  if (count == 0)
    return {return_to_loop, nullptr, 0, 0};
  auto set_up = [&](auto &scan) {
    scan.to = RegisterRef(frame, fields.to);
    scan.from = RegisterRef(frame, fields.operand);
    scan.init = RegisterRef(frame, fields.init);
    scan.outer = sizes[0], scan.size = sizes[1], scan.inner = sizes[2];
    scan.item = size_of(type);
    scan.first = fields.is_reverse ? static_cast<ptrdiff_t>(scan.elements() - scan.inner) : 0;
    scan.step = (fields.is_reverse ? -1 : 1) * static_cast<ptrdiff_t>(scan.inner);
    scan.scratch = frame.scratch();
  };
  constexpr size_t elements_of_step = 16; // that sweeps compute meanwhile
  if (!is_wide) {
    auto result = std::make_unique<PlainScan>();
    set_up(*result);
    result->combine = kernel_of(static_cast<int>(fields.operation)).sweep;
    const size_t work = count + sizes[0] * sizes[1] * elements_of_step;
    return {run_detail<PlainScan>, std::move(result), work, sizes[2] * size_of(type)};
  }
  auto result = std::make_unique<WideScan>();
  set_up(*result);
  result->combination = combination;
  return {run_detail<WideScan>, std::move(result), count * elements_of_step, 0};
}

} // namespace hlokit::vm
