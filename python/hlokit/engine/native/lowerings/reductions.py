"""Lowering of reductions: of dimensions, of windows, running reductions, and the index of an extremum."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.array_parameters import ReducedAxis, Reduction, Scan
from hlokit.engine.native.ir.instructions import REDUCE, SCAN, Instruction
from hlokit.engine.native.ir.target import NotLowerable, operation
from hlokit.engine.native.ir.views import Ints, View, splat_view
from hlokit.engine.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import opcode_name, traits_of
from hlokit.values.element_types import COMPLEX_F64, ElementType, Kind
from hlokit.values.types import TensorType

# The VM accumulates a reduction in one piece; for more elements the kernels are faster.
_VM_REDUCED_ELEMENTS = 1 << 18
# The most elements of all windows together.
_VM_WINDOW_ELEMENTS = 1 << 13
# The kernels combine the elements of larger windows of floats in another order than from the left.
_FOLDED_WINDOW = 32
# The lanes of a product, as in lib/kernels/elements/order_of_sums.h.
_MOST_LANES = 64
# The cost of one element of a running reduction, in elements of other instructions.
_SCAN_COST = 2

# Lowers a reduction of real numbers: from result type, operand and initial value to the result.
_ReductionOfParts = Callable[[TensorType, View, View], View | None]


def reduce(
    program: ProgramBuilder, dimensions: Ints, name: str, type_: TensorType, operand: View, init: View
) -> View:
    """spec "reduce" of one input by a commutative operation."""
    if type_.element_type.kind is Kind.COMPLEX:
        if opcode_name(name) == "multiply":
            return _complex_product(program, dimensions, type_, operand, init)
        return _of_parts(program, name, type_, operand, init, partial(reduce, program, dimensions, name))
    number = operation(name.removeprefix("stablehlo."), type_.element_type.name, type_.element_type.name)
    if number < 0 or operand.size > _VM_REDUCED_ELEMENTS:
        raise NotLowerable
    if not operand.size:
        return splat_view(program.scalar(init), type_.dims)
    if operand.size == 1:
        registers = program.scalar(init), program.scalar(operand)
        return program.pointwise(number, type_.element_type.name, type_.dims, registers)
    result = program.new(type_)
    kept = [d for d in range(len(operand.shape)) if d not in dimensions]
    axes = list(map(ReducedAxis, operand.shape, operand.strides))
    reduction = Reduction(number, operand.offset, [axes[d] for d in kept], [axes[d] for d in dimensions])
    registers = operand.register, program.scalar(init)
    program.add(Instruction(REDUCE, (result.register,), registers, reduction, work=operand.size))
    return result


def _complex_product(
    program: ProgramBuilder, dimensions: Ints, type_: TensorType, operand: View, init: View
) -> View:
    """A product of few complex numbers in f64: each is a lane, and half of the lanes multiplies the other
    half until one is left."""
    if not 0 < prod([operand.shape[d] for d in dimensions]) <= _MOST_LANES:
        raise NotLowerable
    wide = COMPLEX_F64.name
    operand, init = program.converted(operand, wide), program.converted(init, wide)
    kept = tuple([d for d in range(len(operand.shape)) if d not in dimensions])
    strides = tuple([operand.strides[d] for d in kept])
    lanes: list[View] = []
    for index in product(*[range(operand.shape[d]) for d in dimensions]):
        offset = operand.offset + sum(n * operand.strides[d] for n, d in zip(index, dimensions, strict=True))
        lanes.append(View(operand.register, offset, type_.dims, strides))
    half = _MOST_LANES // 2
    while half:
        products = [program.apply("multiply", wide, *pair) for pair in zip(lanes, lanes[half:], strict=False)]
        lanes = [*products, *lanes[len(products) : half]]
        half //= 2
    (total,) = lanes
    return program.converted(program.apply("multiply", wide, init, total), type_.element_type.name)


def _of_parts(
    program: ProgramBuilder,
    name: str,
    type_: TensorType,
    operand: View,
    init: View,
    reduce_part: _ReductionOfParts,
) -> View:
    """A sum of complex numbers, from the sums of their parts."""
    if opcode_name(name) != "add":
        raise NotLowerable
    element_type = type_.element_type
    part_type = type_._replace(element_type=element_type.part)
    sums: list[View] = []
    for part in ("real", "imag"):
        of_operand, of_init = (_part(program, part, element_type, view) for view in (operand, init))
        total = reduce_part(part_type, of_operand, of_init)
        if total is None:
            raise NotLowerable
        sums.append(program.dense(total))
    return program.apply("complex", element_type.name, *sums)


def _part(program: ProgramBuilder, name: str, type_: ElementType, view: View) -> View:
    """The real or imaginary part of complex numbers."""
    part = type_.part
    if view.size == 1 and program.is_known(view):
        return program.constant(TensorType(view.shape, part), getattr(program.known(view), name))
    return program.apply(name, part.name, view)


def reduce_window(
    program: ProgramBuilder, array_op: array_ops.ReduceWindow, type_: TensorType, operand: View, init: View
) -> View:
    """spec "reduce_window": windows are views of the padded operand.

    Floats are folded from the left, as in the kernels.
    """
    sizes, strides, dilations = (
        array_op.window_dimensions,
        array_op.window_strides,
        array_op.window_dilations,
    )
    axis = _running_axis(array_op, operand.shape, type_.dims)
    if axis is not None and (result := _running(program, array_op, axis, type_, operand, init)) is not None:
        return result
    count, kind = prod(sizes), type_.element_type.kind
    is_exact = kind is not Kind.FLOAT or traits_of(array_op.operation).extremum
    if kind is Kind.COMPLEX or not operand.size or not 0 < count * type_.size <= _VM_WINDOW_ELEMENTS:
        raise NotLowerable
    if not is_exact and count > _FOLDED_WINDOW:
        raise NotLowerable
    dimensions = zip(type_.dims, strides, sizes, dilations, strict=True)
    padded = tuple([(n - 1) * stride + (size - 1) * step + 1 for n, stride, size, step in dimensions])
    if any(array_op.low) or {*array_op.base_dilations} - {1} or padded != operand.shape:
        interior = tuple([step - 1 for step in array_op.base_dilations])
        operand = program.pad(
            array_ops.Pad(array_op.low, interior), type_._replace(shape=padded), operand, init
        )
    between = tuple([stride * n for stride, n in zip(operand.strides, strides, strict=True)])
    inside = tuple([stride * n for stride, n in zip(operand.strides, dilations, strict=True)])
    if is_exact:
        windows = operand._replace(shape=(*type_.dims, *sizes), strides=(*between, *inside))
        dimensions = tuple(range(type_.rank, 2 * type_.rank))
        return reduce(program, dimensions, array_op.operation, type_, windows, init)
    name = type_.element_type.name
    number = operation(array_op.operation.removeprefix("stablehlo."), name, name)
    total = splat_view(program.scalar(init), type_.dims)
    for index in product(*map(range, sizes)):
        offset = operand.offset + sum(n * stride for n, stride in zip(index, inside, strict=True))
        part = View(operand.register, offset, type_.dims, between)
        total = program.elementwise(number, name, (total, part))
    return total


def _running(
    program: ProgramBuilder,
    array_op: array_ops.ReduceWindow,
    axis: int,
    type_: TensorType,
    operand: View,
    init: View,
) -> View | None:
    """A running reduction; None if each window must be combined separately."""
    name, element_type = array_op.operation, type_.element_type
    kind, shape, is_reverse = element_type.kind, type_.dims, not array_op.low[axis]
    rounds = kind in (Kind.FLOAT, Kind.COMPLEX) and not traits_of(name).extremum
    if not traits_of(name).idempotent and not _is_identity(program, init, name, element_type):
        return None  # the padding would contribute
    is_wide = rounds and prod(array_op.window_dimensions) > _FOLDED_WINDOW
    if rounds and is_reverse and not is_wide:
        return None
    if kind is Kind.COMPLEX:
        return _of_parts(program, name, type_, operand, init, partial(_running, program, array_op, axis))
    number = operation(name.removeprefix("stablehlo."), element_type.name, element_type.name)
    if number < 0:
        return None
    result = program.new(type_)
    outer, inner = prod(shape[:axis]), prod(shape[axis + 1 :])
    scan = Scan(number, outer, shape[axis], inner, is_reverse, is_wide)
    registers = program.whole(operand), program.scalar(init)
    program.add(Instruction(SCAN, (result.register,), registers, scan, work=type_.size * _SCAN_COST))
    return result


def _is_identity(program: ProgramBuilder, init: View, name: str, type_: ElementType) -> bool:
    """Whether an initial value is a constant that changes nothing."""
    if type_.kind is Kind.COMPLEX:
        value = program.constant_arrays.get(init.register)
    else:
        value = program.constants.get(program.scalar(init))
    return value is not None and bool(np.all(value == np.asarray(traits_of(name).identity, type_.dtype)))


def arg_extremum(
    program: ProgramBuilder, array_op: array_ops.ArgExtremum, step: Step, operands: list[View]
) -> View:
    """The index of the extremum: the lowest index with the extremum, or with a NaN."""
    extremum_name = array_op.find() if len(operands) == 4 else None  # two inputs, two initial values
    if extremum_name is None or not operands[0].size or len(array_op.dimensions) != 1:
        raise NotLowerable
    values, indices, init, init_index = operands
    type_, index_type = map(tensor_type, step.operand_types[:2])
    if (
        not _is_constant(program, init, _identity(type_, extremum_name))
        or not _is_constant(program, init_index, 0)
        or not _is_iota(program, indices, array_op)
    ):
        raise NotLowerable
    result = tensor_type(step.result_types[1])
    extremum_type = type_._replace(shape=result.shape)
    extrema = reduce(program, array_op.dimensions, f"stablehlo.{extremum_name}", extremum_type, values, init)
    kept = tuple([d for d in range(type_.rank) if d not in array_op.dimensions])
    chosen = program.apply("EQ", "i1", values, extrema.broadcast(kept, type_.dims))
    if type_.element_type.kind is Kind.FLOAT:
        chosen = program.apply("or", "i1", chosen, program.apply("NE", "i1", values, values))
    none = program.constant(index_type._replace(shape=()), _identity(index_type, "minimum"))
    picked = program.apply("select", index_type.element_type.name, chosen, indices, none)
    return reduce(program, array_op.dimensions, "stablehlo.minimum", result, picked, none)


def _is_constant(program: ProgramBuilder, view: View, value: Value) -> bool:
    """Whether a view of one real number is a constant of this value."""
    constant = program.constants.get(program.scalar(view))
    return constant is not None and bool(constant == value)


def _is_iota(program: ProgramBuilder, indices: View, array_op: array_ops.ArgExtremum) -> bool:
    """Whether indices count from 0 along the reduced dimension."""
    array = program.constant_arrays.get(indices.register)
    if array is None or array.shape != indices.shape or not program.is_whole(indices):
        return False
    (dimension,) = array_op.dimensions
    counts = [*range(array.shape[dimension])]
    rows: Any = np.moveaxis(array, dimension, -1).reshape(-1, len(counts)).tolist()
    return all(row == counts for row in rows)


def _identity(type_: TensorType, name: str) -> Any:
    """The identity element of maximum or minimum."""
    dtype = type_.element_type.dtype
    if type_.element_type.kind is Kind.FLOAT:
        return np.asarray(-np.inf if name == "maximum" else np.inf, dtype)[()]
    if type_.element_type.kind is Kind.BOOL:
        return np.bool_(name == "minimum")
    if not type_.element_type.kind.is_integer:
        raise NotLowerable
    info = np.iinfo(dtype)
    return np.asarray(info.min if name == "maximum" else info.max, dtype)[()]


def _running_axis(array_op: array_ops.ReduceWindow, shape: Ints, result_shape: Ints) -> int | None:
    """The only axis with windows, if all windows begin, or all end, at an edge of the operand."""
    ones = {*array_op.window_strides, *array_op.base_dilations, *array_op.window_dilations}
    sizes = zip(array_op.window_dimensions, array_op.low, strict=True)
    axes = [axis for axis, (size, low) in enumerate(sizes) if size != 1 or low]
    if ones != {1} or len(axes) != 1 or shape != result_shape:
        return None
    (axis,) = axes
    size, low = array_op.window_dimensions[axis], array_op.low[axis]
    return axis if size >= shape[axis] and low in (0, size - 1) else None
