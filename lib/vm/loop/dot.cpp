// Contractions of a loop's arrays.
#include <string>

#include "kernels/matmul/product.h"
#include "vm/loop/arrays.h"
#include "vm/instruction.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct Contraction : Detail {
  RegisterRef to, a, b;
  std::unique_ptr<const matmul::PreparedProduct> product;
  uint32_t scratch = 0; // the slot of the workspace

  void run(unsigned char *registers) const {
    product->run({a.find(registers), b.find(registers), to.find(registers)}, address_in(registers, scratch), 1);
  }
};

// Throws ProgramError unless the result is in row-major order of batch, rows and columns.
void check_order(const matmul::Product &product, int64_t item) {
  auto expected = static_cast<ptrdiff_t>(item);
  for (const matmul::Axes *axes : {&product.columns, &product.rows, &product.batch})
    for (size_t i = axes->size(); i-- > 0; expected *= static_cast<ptrdiff_t>((*axes)[i].size))
      if ((*axes)[i].size > 1 && (*axes)[i].c != expected)
        throw ProgramError("the result of a dot must be in row-major order");
}

// A group of dimensions, and the arrays that have them.
struct Group {
  matmul::Axes matmul::Product::*axes;
  bool a, b, c;
};

} // namespace

DecodedArrayOp decode_dot(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  check_registers(frame, instruction.to, {instruction.a, instruction.b});
  const ElementType a = frame.types[instruction.a], b = frame.types[instruction.b], c = frame.types[instruction.to];
  const bool is_wide = a == ElementType::f64 || a == ElementType::c128;
  matmul::Product product{a, b, c, is_wide ? ElementType::f64 : ElementType::f32, {}, {}, {}, {}};
  if (a != b || is_integer(a) || is_integer(c) || !matmul::is_supported(a, b, c, product.work))
    throw ProgramError(std::string("there are no products of ") + name_of(a) + " and " + name_of(b) + " as " + name_of(c));

  NumberReader numbers(given);
  const int64_t a_offset = numbers.any(), b_offset = numbers.any();
  Extent extents[] = {Extent(a_offset), Extent(b_offset), Extent(0)};
  const Group groups[] = {{&matmul::Product::batch, true, true, true},
                          {&matmul::Product::rows, true, false, true},
                          {&matmul::Product::terms, true, true, false},
                          {&matmul::Product::columns, false, true, true}};
  const auto a_item = static_cast<int64_t>(size_of(a)), c_item = static_cast<int64_t>(size_of(c));
  size_t work = 1, written = 1;
  for (const Group &group : groups) {
    const size_t rank = numbers.rank();
    const Sizes sizes = numbers.sizes(rank);
    const size_t count = vm::product(sizes, rank);
    work = work && count && count <= static_cast<size_t>(most_elements) / work ? work * count : 0;
    if (count == 0 || work == 0)
      throw ProgramError("a dot must have 1 to " + std::to_string(most_elements) + " products of elements");
    if (group.c)
      written *= count;
    matmul::Axes &axes = product.*group.axes;
    for (size_t i = 0; i < rank; ++i)
      axes.push_back({sizes[i], 0, 0, 0});
    auto read = [&](Extent &extent, ptrdiff_t matmul::Axis::*stride, int64_t item) {
      for (matmul::Axis &axis : axes) {
        int64_t elements = numbers.any();
        extent.add(axis.size, elements);
        axis.*stride = static_cast<ptrdiff_t>(elements * item);
      }
    };
    if (group.a)
      read(extents[0], &matmul::Axis::a, a_item);
    if (group.b)
      read(extents[1], &matmul::Axis::b, a_item);
    if (group.c)
      read(extents[2], &matmul::Axis::c, c_item);
  }
  numbers.end();
  extents[0].check(frame.count(instruction.a));
  extents[1].check(frame.count(instruction.b));
  extents[2].check(frame.count(instruction.to));
  // No two elements of the result share memory: the result is a whole array, in some order.
  if (written != frame.count(instruction.to))
    throw ProgramError("a dot must write all " + std::to_string(frame.count(instruction.to)) +
                       " elements of its result, got " + std::to_string(written));
  check_order(product, c_item);

  auto result = std::make_unique<Contraction>();
  result->to = RegisterRef(frame, instruction.to);
  result->a = RegisterRef(frame, instruction.a, a_offset);
  result->b = RegisterRef(frame, instruction.b, b_offset);
  result->product = matmul::prepare(product);
  result->scratch = frame.scratch();
  const size_t scratch = result->product->workspace_bytes();
  return {run_detail<Contraction>, std::move(result), (is_complex(a) ? work : work / 4) + written, scratch};
}

} // namespace hlokit::vm
