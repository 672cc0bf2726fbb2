// Contractions of a loop's arrays.
#include <cstring>
#include <string>

#include "kernels/matmul/complex_product.h"
#include "kernels/matmul/product.h"
#include "vm/loop/arrays.h"
#include "vm/instruction.h"
#include "vm/loop/strided.h"

namespace hlokit::vm {
namespace {

struct Contraction : Detail {
  RegisterRef to, a, b;
  matmul::Product product;
  // `matmul::multiply` computes a product of two matrices, with strides in elements.
  bool is_plain = false;
  matmul::Strides a_strides{}, b_strides{}, c_strides{};
  size_t m = 1, n = 1, k = 1;
  uint32_t scratch = 0; // of a complex product
};

const DecodedInstruction *run_complex_dot(const DecodedInstruction *at, unsigned char *registers) {
  const auto &dot = static_cast<const Contraction &>(*at->detail);
  matmul::Product product = dot.product;
  product.a = dot.a.find(registers);
  product.b = dot.b.find(registers);
  product.c = dot.to.find(registers);
  unsigned char *workspace;
  std::memcpy(&workspace, registers + dot.scratch, sizeof workspace);
  matmul::run_complex(product, workspace, 1);
  return at + 1;
}

const DecodedInstruction *run_dot(const DecodedInstruction *at, unsigned char *registers) {
  const auto &dot = static_cast<const Contraction &>(*at->detail);
  unsigned char *to = dot.to.find(registers), *a = dot.a.find(registers), *b = dot.b.find(registers);
  if (dot.is_plain && dot.product.work == ElementType::f32) {
    matmul::multiply(reinterpret_cast<float *>(to), dot.c_strides, reinterpret_cast<const float *>(a), dot.a_strides,
                     reinterpret_cast<const float *>(b), dot.b_strides, dot.m, dot.n, dot.k);
  } else if (dot.is_plain) {
    matmul::multiply(reinterpret_cast<double *>(to), dot.c_strides, reinterpret_cast<const double *>(a), dot.a_strides,
                     reinterpret_cast<const double *>(b), dot.b_strides, dot.m, dot.n, dot.k);
  } else {
    matmul::Product product = dot.product;
    product.a = a;
    product.b = b;
    product.c = to;
    matmul::run(product, 1);
  }
  return at + 1;
}

// Throws ProgramError unless the result is in row-major order of batch, rows and columns.
void check_order(const matmul::Product &product, int64_t item) {
  auto expected = static_cast<ptrdiff_t>(item);
  for (const matmul::Axes *axes : {&product.columns, &product.rows, &product.batch})
    for (size_t i = axes->size(); i-- > 0; expected *= static_cast<ptrdiff_t>((*axes)[i].size))
      if ((*axes)[i].c != expected)
        throw ProgramError("products must be written in row-major order");
}

// A group of dimensions, and the arrays that have them.
struct Group {
  matmul::Axes matmul::Product::*axes;
  bool a, b, c;
};

} // namespace

DecodedArrayOp decode_dot(const Frame &frame, const Instruction &instruction, const Numbers &given) {
  for (uint32_t index : {instruction.to, instruction.a, instruction.b})
    check_whole(frame, index);
  check_apart(instruction.to, instruction.a);
  check_apart(instruction.to, instruction.b);
  const ElementType types[] = {frame.types[instruction.a], frame.types[instruction.b], frame.types[instruction.to]};
  auto result = std::make_unique<Contraction>();
  Contraction &dot = *result;
  matmul::Product &product = dot.product;
  const bool is_complex = types[0] == ElementType::c64 && types[2] == ElementType::c64;
  for (ElementType type : types)
    if (!is_complex && type != ElementType::f32 && type != ElementType::f64 && type != ElementType::bf16 && type != ElementType::f16)
      throw ProgramError("products must be of floats");
  product = {types[0], types[1], types[2], ElementType::f32, {}, {}, {}, {}, nullptr, nullptr, nullptr};
  if (types[0] == ElementType::f64)
    product.work = ElementType::f64;
  if (is_complex)
    product.a_type = product.b_type = product.c_type = ElementType::f32;
  if (!matmul::is_supported(product.a_type, product.b_type, product.c_type, product.work) || types[0] != types[1])
    throw ProgramError("there are no products of such types");

  NumberReader numbers(given);
  const int64_t a_offset = numbers.any(), b_offset = numbers.any();
  Extent extents[] = {Extent(a_offset), Extent(b_offset), Extent(0)};
  const Group groups[] = {{&matmul::Product::batch, true, true, true},
                          {&matmul::Product::rows, true, false, true},
                          {&matmul::Product::terms, true, true, false},
                          {&matmul::Product::columns, false, true, true}};
  const auto a_item = static_cast<int64_t>(size_of(types[0])), c_item = static_cast<int64_t>(size_of(types[2]));
  size_t work = 1, written = 1;
  for (const Group &group : groups) {
    const size_t rank = numbers.rank();
    Sizes sizes{};
    for (size_t i = 0; i < rank; ++i)
      sizes[i] = numbers.size();
    const size_t count = vm::product(sizes, rank);
    work = work && count && count <= static_cast<size_t>(most_elements) / work ? work * count : 0;
    if (count == 0 || work == 0)
      throw ProgramError("products must be of some elements, and not of too many");
    if (group.c)
      written *= count;
    matmul::Axes axes;
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
    // Dimensions that are adjacent in memory become one.
    matmul::Axes &merged = product.*group.axes;
    for (const matmul::Axis &axis : axes) {
      if (axis.size == 1)
        continue;
      auto size = static_cast<ptrdiff_t>(axis.size);
      if (!merged.empty() && (!group.a || merged.back().a == axis.a * size) &&
          (!group.b || merged.back().b == axis.b * size) && (!group.c || merged.back().c == axis.c * size)) {
        size_t all = merged.back().size * axis.size;
        merged.back() = axis;
        merged.back().size = all;
      } else {
        merged.push_back(axis);
      }
    }
  }
  numbers.end();
  extents[0].check(frame.count(instruction.a));
  extents[1].check(frame.count(instruction.b));
  extents[2].check(frame.count(instruction.to));
  // No two elements of the result share memory: the result is a whole array, in some order.
  if (written != frame.count(instruction.to))
    throw ProgramError("products must fill their result");
  check_order(product, c_item);

  dot.to = RegisterRef(frame, instruction.to, 0);
  dot.a = RegisterRef(frame, instruction.a, a_offset);
  dot.b = RegisterRef(frame, instruction.b, b_offset);
  if (is_complex) {
    dot.scratch = frame.scratch();
    return {run_complex_dot, std::move(result), work + written, matmul::complex_workspace_bytes(dot.product)};
  }
  dot.is_plain = product.batch.empty() && product.rows.size() <= 1 && product.terms.size() <= 1 &&
                 product.columns.size() <= 1 && types[0] == types[2] && size_of(types[0]) >= 4;
  auto elements = [](ptrdiff_t bytes, int64_t item) { return bytes / static_cast<ptrdiff_t>(item); };
  if (dot.is_plain) {
    for (const matmul::Axis &axis : product.rows) {
      dot.m = axis.size;
      dot.a_strides.row = elements(axis.a, a_item);
      dot.c_strides.row = elements(axis.c, c_item);
    }
    for (const matmul::Axis &axis : product.terms) {
      dot.k = axis.size;
      dot.a_strides.column = elements(axis.a, a_item);
      dot.b_strides.row = elements(axis.b, a_item);
    }
    for (const matmul::Axis &axis : product.columns) {
      dot.n = axis.size;
      dot.b_strides.column = elements(axis.b, a_item);
      dot.c_strides.column = elements(axis.c, c_item);
    }
    // A single row or column has any stride: choose that of contiguous memory.
    if (dot.k == 1 && dot.a_strides.column == 0)
      dot.a_strides.column = 1;
    if (dot.n == 1)
      dot.b_strides.column = dot.c_strides.column = 1;
    if (dot.m == 1)
      dot.c_strides.row = static_cast<ptrdiff_t>(dot.n);
  }
  return {run_dot, std::move(result), work / 4 + written, 0};
}

} // namespace hlokit::vm
