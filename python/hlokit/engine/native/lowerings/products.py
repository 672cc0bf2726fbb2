"""Lowering of sums of products: `dot_general`."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from math import prod
from typing import NamedTuple

from hlokit.engine.contract import array_ops
from hlokit.engine.native.ir.array_parameters import Dot, DotAxis
from hlokit.engine.native.ir.instructions import DOT, Instruction
from hlokit.engine.native.ir.target import COMPLEX, FLOATS, NotLowerable
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.builder import VM_DIMENSIONS, ProgramBuilder
from hlokit.engine.native.lowerings.reductions import reduce
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType

# Multiply-adds that cost as much as one element of another instruction.
_DOT_SPEED = 64
# Columns that products read side by side in each term, on every processor, in bytes; and from how many
# multiplications and rows on they do.
_PANEL_BYTES = 128
_PACKED_WORK = 1 << 16
_PACKED_ROWS = 7
# The fewest columns of products of pairs: the kernel of a product is faster if rows are shorter.
_LEAST_COLUMNS = 20
# The most products of integers, which are an array before they are added.
_MOST_INTEGER_PRODUCTS = 1 << 14


def dot(program: ProgramBuilder, array_op: array_ops.Dot, type_: TensorType, lhs: View, rhs: View) -> View:
    """spec "dot_general"."""
    numbers = array_op.numbers
    batch = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
    pairs = sorted(zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True))
    rows = [d for d in range(len(lhs.shape)) if d not in (*batch[0], *[pair[0] for pair in pairs])]
    columns = [d for d in range(len(rhs.shape)) if d not in (*batch[1], *[pair[1] for pair in pairs])]
    if type_.element_type.kind.is_integer:
        lhs = lhs.transposed((*batch[0], *rows, *[pair[0] for pair in pairs]))
        rhs = rhs.transposed((*batch[1], *columns, *[pair[1] for pair in pairs]))
        return _integers(program, type_, lhs, rhs, len(batch[0]), len(pairs))
    result = trivial(program, type_, lhs, rhs)
    if result is not None:
        return result
    shared = [
        [DotAxis(lhs.shape[one], lhs.strides[one], rhs.strides[other]) for one, other in group]
        for group in (zip(*batch, strict=True), pairs)
    ]
    factors = Factors(
        lhs,
        rhs,
        batch=shared[0],
        rows=[DotAxis(lhs.shape[d], lhs=lhs.strides[d]) for d in rows],
        terms=shared[1],
        columns=[DotAxis(rhs.shape[d], rhs=rhs.strides[d]) for d in columns],
    )
    return product(program, type_, factors)


def _integers(
    program: ProgramBuilder, type_: TensorType, lhs: View, rhs: View, batch: int, terms: int
) -> View:
    """The contraction of the last dimensions of integers: the sum of an array of products.

    Args:
      batch, terms: the numbers of first and of last dimensions that both operands have.
    """
    name = type_.element_type.name
    shape = (*type_.dims, *lhs.shape[len(lhs.shape) - terms :])
    if not 0 < prod(shape) <= _MOST_INTEGER_PRODUCTS or len(shape) > VM_DIMENSIONS:
        raise NotLowerable
    first, last = range(batch), range(type_.rank, len(shape))
    rows = range(batch, len(lhs.shape) - terms)
    columns = range(len(lhs.shape) - terms, type_.rank)
    factors = (
        program.converted(lhs, name).broadcast((*first, *rows, *last), shape),
        program.converted(rhs, name).broadcast((*first, *columns, *last), shape),
    )
    products, zero = program.apply("multiply", name, *factors), program.zeros(type_._replace(shape=()))
    return reduce(program, tuple(last), "stablehlo.add", type_, products, zero)


def products_of_pairs(
    program: ProgramBuilder, array_op: array_ops.Dot, type_: TensorType, lhs: View, rhs: View
) -> View:
    """A contraction of no dimension: a product for each pair of elements, none of which is -0."""
    name, numbers = type_.element_type.name, array_op.numbers
    types = {program.registers[operand.register].type for operand in (lhs, rhs)}
    if numbers.lhs_contracting_dimensions or types != {name} or name not in ("f32", "f64"):
        raise NotLowerable
    batch = len(numbers.lhs_batching_dimensions)
    rows = [d for d in range(len(lhs.shape)) if d not in numbers.lhs_batching_dimensions]
    columns = [d for d in range(len(rhs.shape)) if d not in numbers.rhs_batching_dimensions]
    if prod([rhs.shape[d] for d in columns]) < _LEAST_COLUMNS:
        raise NotLowerable
    lhs = lhs.transposed((*numbers.lhs_batching_dimensions, *rows))
    rhs = rhs.transposed((*numbers.rhs_batching_dimensions, *columns))
    left = lhs.broadcast(tuple(range(batch + len(rows))), type_.dims)
    right = rhs.broadcast((*range(batch), *range(batch + len(rows), type_.rank)), type_.dims)
    return program.apply("add", name, program.apply("multiply", name, left, right), program.zeros(type_))


def trivial(program: ProgramBuilder, type_: TensorType, lhs: View, rhs: View) -> View | None:
    """The result if it has no elements, or if its sums have no terms; None otherwise.

    Raises:
      NotLowerable: for types that the VM does not multiply.
    """
    name = type_.element_type.name
    types = {program.registers[operand.register].type for operand in (lhs, rhs)}
    if len(types) != 1 or not types <= FLOATS or name not in FLOATS:
        raise NotLowerable
    if any((type_name in types) != (name == type_name) for type_name in ("f64", *COMPLEX)):
        raise NotLowerable
    if not type_.size:
        return program.new(type_)
    if not (lhs.size and rhs.size):
        return program.zeros(type_)
    return None


class Factors(NamedTuple):
    """The operands of a product, and its axes, with their strides in the operands."""

    lhs: View
    rhs: View
    batch: list[DotAxis]
    rows: list[DotAxis]
    terms: list[DotAxis]
    columns: list[DotAxis]


def product(program: ProgramBuilder, type_: TensorType, factors: Factors) -> View:
    """A new array [batch..., rows..., columns...]."""
    lhs, rhs, *groups = _packed(program, factors) if program.is_repeated else factors
    result = program.new(type_)
    strides = iter(result.strides)
    for number in (0, 1, 3):  # those of the result
        groups[number] = [
            axis if axis.result else axis._replace(result=next(strides)) for axis in groups[number]
        ]
    dot = Dot(lhs.offset, rhs.offset, *groups)
    work = type_.size * prod(axis.size for axis in factors.terms) // _DOT_SPEED
    program.add(Instruction(DOT, (result.register,), (lhs.register, rhs.register), dot, work=work))
    return result


def _packed(program: ProgramBuilder, factors: Factors) -> Factors:
    """The factors with a copy of a matrix that no instruction writes, such as weights: in panels of columns,
    so that a loop, which needs the copy once, reads neighbours in memory."""
    matrix = program.registers[factors.rhs.register]
    rows = prod(axis.size for axis in factors.rows)
    if not matrix.is_constant or matrix.type not in ("f32", "f64") or factors.batch or rows < _PACKED_ROWS:
        return factors
    if len(factors.terms) != 1 or len(factors.columns) != 1:
        return factors
    (term,), (column,) = factors.terms, factors.columns
    panel = _PANEL_BYTES // ELEMENT_TYPES[matrix.type].dtype.itemsize
    is_small = rows * term.size * column.size < _PACKED_WORK
    if is_small or column.rhs != 1 or column.size % panel or column.size == panel:
        return factors
    shape, strides = (column.size // panel, term.size, panel), (panel, term.rhs, 1)
    panels = program.dense(View(factors.rhs.register, factors.rhs.offset, shape, strides))
    outer, step, inner = panels.strides
    columns = [DotAxis(shape[0], rhs=outer, result=panel), DotAxis(panel, rhs=inner, result=1)]
    return factors._replace(rhs=panels, terms=[term._replace(rhs=step)], columns=columns)
