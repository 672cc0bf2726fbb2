// Running reductions of a loop's arrays: each result is the initial value combined with all values up to its place.
#include <cmath>
#include <string>
#include <string_view>

#include "support/copy_memory.h"
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
  Sweep widen, narrow; // null for f64
  void (*run_column)(const WideScan &scan, double *results, const double *values, double initial);

  void run(unsigned char *registers) const {
    auto *const values = reinterpret_cast<double *>(address_in(registers, scratch)), *const results = values + elements();
    double initial = 0;
    convert(widen, &initial, init.find(registers), 1);
    each_array(registers, [&](unsigned char *target, const unsigned char *source) {
      convert(widen, values, source, elements());
      for (size_t column = 0; column < inner; ++column) {
        const ptrdiff_t start = first + static_cast<ptrdiff_t>(column);
        run_column(*this, results + start, values + start, initial);
      }
      convert(narrow, target, results, elements());
    });
  }

private:
  void convert(Sweep sweep, void *target, const void *source, size_t count) const {
    if (sweep)
      sweep(target, source, nullptr, nullptr, count);
    else
      copy_memory(target, source, count * item);
  }
};

// The combination of the values so far, and with the initial value.
struct Sum {
  double total;

  void add(double value) { total = total + value; }
  double with(double initial) const { return total + initial; }
};

struct Product {
  double total;

  void add(double value) { total = total * value; }
  double with(double initial) const { return total * initial; }
};

// Collects the rounding errors, and adds their sum last.
struct CompensatedSum {
  double total, errors = 0;

  void add(double value) {
    const double before = total;
    total = before + value;
    const double added = total - before;
    errors = errors + ((before - (total - added)) + (value - added));
  }
  // A sum of -0 stays -0: no error is no correction.
  double with(double initial) const { return (errors != 0 && std::isfinite(errors) ? total + errors : total) + initial; }
};

template <class Total> void run_column(const WideScan &scan, double *results, const double *values, double initial) {
  Total total{*values};
  for (size_t i = 0;;) {
    *results = total.with(initial);
    if (++i == scan.size)
      return;
    values += scan.step;
    results += scan.step;
    total.add(*values);
  }
}

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
  const bool is_sum = operation == "add", is_product = operation == "multiply", is_wide = fields.is_wide != 0;
  if (is_wide && (is_integer(type) || !(is_sum || is_product)))
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
  constexpr ElementType wide = ElementType::f64;
  result->widen = result->narrow = nullptr;
  if (type != wide) {
    result->widen = kernel_of(find_opcode("convert", wide, type)).sweep;
    result->narrow = kernel_of(find_opcode("convert", type, wide)).sweep;
  }
  result->run_column = is_product ? run_column<Product> : type == wide ? run_column<CompensatedSum> : run_column<Sum>;
  const size_t scratch = 2 * sizeof(double) * result->elements();
  return {run_detail<WideScan>, std::move(result), count * elements_of_step, scratch};
}

} // namespace hlokit::vm
