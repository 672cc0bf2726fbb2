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

// A group of axes, and the arrays that have them.
struct Group {
  const fields::Axes<fields::DotAxis> &axes;
  matmul::Axes &of_product;
  bool has_lhs, has_rhs, has_result;
};

} // namespace

DecodedArrayOp decode_dot(const Frame &frame, const Instruction &instruction) {
  const auto fields = checked_fields<fields::Dot>(frame, instruction);
  const ElementType a = frame.types[fields.lhs], b = frame.types[fields.rhs], c = frame.types[fields.to];
  const bool is_wide = a == ElementType::f64 || a == ElementType::c128;
  matmul::Product product{a, b, c, is_wide ? ElementType::f64 : ElementType::f32, {}, {}, {}, {}};
  if (a != b || is_integer(a) || is_integer(c) || !matmul::is_supported(a, b, c, product.work))
    throw ProgramError(std::string("there are no products of ") + name_of(a) + " and " + name_of(b) + " as " + name_of(c));

  const auto item = static_cast<ptrdiff_t>(size_of(a)), result_item = static_cast<ptrdiff_t>(size_of(c));
  Extent lhs(fields.lhs_offset), rhs(fields.rhs_offset), to(0);
  size_t work = 1, written = 1;
  for (const Group &group : {Group{fields.batch, product.batch, true, true, true},
                             Group{fields.rows, product.rows, true, false, true},
                             Group{fields.terms, product.terms, true, true, false},
                             Group{fields.columns, product.columns, false, true, true}}) {
    const size_t count = vm::product(sizes_of(group.axes), group.axes.size());
    work = work && count && count <= static_cast<size_t>(most_elements) / work ? work * count : 0;
    if (work == 0)
      throw ProgramError("a dot must have 1 to " + std::to_string(most_elements) + " products of elements");
    written *= group.has_result ? count : 1;
    for (const fields::DotAxis &axis : group.axes) {
      if ((!group.has_lhs && axis.lhs != 0) || (!group.has_rhs && axis.rhs != 0) || (!group.has_result && axis.result != 0))
        throw ProgramError("an axis of a dot must have a stride of 0 in an array that lacks the axis");
      group.of_product.push_back({static_cast<size_t>(axis.size), axis.lhs * item, axis.rhs * item, axis.result * result_item});
    }
    lhs.add(group.axes, &fields::DotAxis::lhs);
    rhs.add(group.axes, &fields::DotAxis::rhs);
    to.add(group.axes, &fields::DotAxis::result);
  }
  lhs.check(frame.count(fields.lhs));
  rhs.check(frame.count(fields.rhs));
  to.check(frame.count(fields.to));
  // No two elements of the result share memory: the result is a whole array, in some order.
  if (written != frame.count(fields.to))
    throw ProgramError("a dot must write all " + std::to_string(frame.count(fields.to)) +
                       " elements of its result, got " + std::to_string(written));
  check_order(product, result_item);

  auto result = std::make_unique<Contraction>();
  result->to = RegisterRef(frame, fields.to);
  result->a = RegisterRef(frame, fields.lhs, fields.lhs_offset);
  result->b = RegisterRef(frame, fields.rhs, fields.rhs_offset);
  result->product = matmul::prepare(product);
  result->scratch = frame.scratch();
  const size_t scratch = result->product->workspace_bytes();
  return {run_detail<Contraction>, std::move(result), (is_complex(a) ? work : work / 4) + written, scratch};
}

} // namespace hlokit::vm
