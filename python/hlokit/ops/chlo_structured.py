"""CHLO's operations on whole tensors: top_k, ragged_dot and scan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.errors import UnsupportedError
from hlokit.interpreter.block import Block
from hlokit.interpreter.bodies import are_native, in_rows
from hlokit.interpreter.machine import THREADS
from hlokit.interpreter.registry import Kernel, Operation, Value, op
from hlokit.mlir.dimension_numbers import DotDimensionNumbers, RaggedDotDimensionNumbers
from hlokit.ops.blocks import Array
from hlokit.ops.compare import total_order_key
from hlokit.ops.compensated import matmul
from hlokit.ops.contraction import contraction_product
from hlokit.ops.elementwise import by_value
from hlokit.ops.products import with_types
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Shape = tuple[int, ...]
Product = Callable[[Value, Value], Value]

# Lanes from this length are cut down to the candidates before they are sorted.
_LONG = 64


# top_k ----------------------------------------------------------------------------------------------


@op("chlo.top_k")
def top_k(operation: Operation) -> Kernel:
    """(values, indices) = the k greatest elements of each lane of the last dimension, and where they are.

    In total order (NaN above infinity, 0 above -0), the first of equal elements first.
    """
    element_type = operation.operand().element_type
    if element_type.kind is Kind.COMPLEX:
        raise UnsupportedError("chlo.top_k of complex numbers: they have no order")
    k = operation.attributes.int_("k")
    index_dtype = operation.result(1).element_type.dtype
    order = _native_order(element_type) if are_native() else None

    def kernel(operand: Value) -> tuple[Value, Value]:
        if order is None or operand.shape[-1] < 4 * k or not operand.size:
            indices = largest(ordinals(operand, element_type), k)
        else:
            indices = np.empty((*operand.shape[:-1], k), np.intp)
            rows: Any = operand.reshape(-1, operand.shape[-1])
            places: Any = indices.reshape(rows.shape[0], k)
            _native.top(order, in_rows(rows), places, THREADS)
        return np.take_along_axis(operand, indices, -1), indices.astype(index_dtype)

    return Kernel(kernel)


def _native_order(element_type: ElementType) -> str | None:
    """How `_native.top` orders the elements; None if it does not."""
    match element_type.kind:
        case Kind.FLOAT if element_type.width >= 16:
            return "float"
        case Kind.SIGNED if not element_type.is_narrow_integer:
            return "signed"
        case Kind.UNSIGNED if not element_type.is_narrow_integer:
            return "unsigned"
        case _:
            return None


def ordinals(operand: Array, element_type: ElementType) -> Array:
    """Integers in the order of the elements."""
    if element_type.kind is Kind.FLOAT:
        return total_order_key(element_type)(np.ascontiguousarray(operand))
    if element_type.kind is Kind.BOOL:
        return operand.view(np.uint8)
    return by_value(operand, element_type.width) if element_type.is_narrow_integer else operand


def largest(numbers: Array, k: int) -> Array:
    """The positions of the k largest integers of each lane of the last dimension, the largest first."""
    size = numbers.shape[-1]
    descending = ~numbers  # reverses the order of integers, whatever their sign
    if size < _LONG or 4 * k >= size or k == 0:
        return np.argsort(descending, axis=-1, kind="stable")[..., :k]
    rows = descending.reshape(-1, size)
    limit = np.partition(rows, k - 1, axis=-1)[:, k - 1]
    result = np.empty((rows.shape[0], k), np.intp)
    for row, row_limit, target in zip(rows, limit, result, strict=True):
        candidates = np.flatnonzero(row <= row_limit)
        target[:] = candidates[np.argsort(row[candidates], kind="stable")[:k]]
    return result.reshape(*numbers.shape[:-1], k)


# ragged_dot -----------------------------------------------------------------------------------------


@op("chlo.ragged_dot")
def ragged_dot(operation: Operation) -> Kernel:
    """result = dot_general of the parts of lhs and rhs that belong together.

    Along the ragged dimension of lhs, group_sizes[..., i] elements belong to group i. If it is

    - free: each part of lhs is multiplied with slice i of rhs along its group dimension;
    - contracting: each part is summed by itself; slice i of the result along a new first dimension;
    - batching: a dot_general, whatever the groups are.

    What belongs to no group gives 0.
    """
    numbers = operation.attributes.read("ragged_dot_dimension_numbers", RaggedDotDimensionNumbers.read)
    (ragged,) = numbers.lhs_ragged_dimensions
    if ragged in numbers.lhs_contracting_dimensions:
        return Kernel(_ragged_contracting(operation, numbers, ragged))
    if ragged in numbers.lhs_batching_dimensions:
        return Kernel(_ragged_batch(operation, numbers, ragged))
    return Kernel(_ragged_free(operation, numbers, ragged))


def _product(operation: Operation, numbers: DotDimensionNumbers, rhs: TensorType) -> Product:
    """A dot_general of operands of dynamic shape."""
    lhs = _dynamic(operation.operand(0))
    contracting = numbers.lhs_contracting_dimensions

    def terms(a: Array, b: Array) -> int:
        del b
        return prod([a.shape[dimension] for dimension in contracting])

    product = contraction_product(numbers, lhs, rhs)
    precise = contraction_product(numbers, lhs, rhs, matmul) if operation.is_precise else None
    types = lhs.element_type, rhs.element_type, operation.result().element_type
    return with_types(*types, product, terms, precise)


def _dynamic(type_: TensorType, rank: int | None = None) -> TensorType:
    return TensorType((-1,) * (type_.rank if rank is None else rank), type_.element_type)


def _parts(group_sizes: Array, prefix: Sequence[int], ragged: int, rank: int) -> list[tuple[int, Any, Shape]]:
    """(group, items of lhs, index of the group's prefix) of all parts that are not empty.

    Args:
      prefix: the dimensions of lhs that those of group_sizes before the last are; they vary outside.
    """
    parts: list[tuple[int, Any, Shape]] = []
    for index in np.ndindex(group_sizes.shape[:-1]):
        start = 0
        for group, size in enumerate(map(int, group_sizes[index])):
            items: list[slice] = [slice(None)] * rank
            for dimension, position in zip(prefix, index, strict=False):
                items[dimension] = slice(position, position + 1)
            items[ragged] = slice(start, start + size)
            start += size
            if size > 0:
                parts.append((group, tuple(items), index))
    return parts


def _rhs_items(pairs: Sequence[tuple[int, int]], lhs_items: Sequence[slice], rank: int) -> tuple[slice, ...]:
    """What of rhs goes with items of lhs: the same of batching and contracting dimensions."""
    items = [slice(None)] * rank
    for lhs_dimension, rhs_dimension in pairs:
        items[rhs_dimension] = lhs_items[lhs_dimension]
    return tuple(items)


def _ragged_free(operation: Operation, numbers: RaggedDotDimensionNumbers, ragged: int) -> Any:
    (group_dimension,) = numbers.rhs_group_dimensions

    def without_group(dimension: int) -> int:
        return dimension - (dimension > group_dimension)

    inner = DotDimensionNumbers(
        numbers.lhs_batching_dimensions,
        tuple(map(without_group, numbers.rhs_batching_dimensions)),
        numbers.lhs_contracting_dimensions,
        tuple(map(without_group, numbers.rhs_contracting_dimensions)),
    )
    rhs_type = operation.operand(1)
    product = _product(operation, inner, _dynamic(rhs_type, rhs_type.rank - 1))
    rank = operation.operand(0).rank
    batching = numbers.lhs_batching_dimensions
    free = tuple(d for d in range(rank) if d not in batching + numbers.lhs_contracting_dimensions)
    prefix = (*batching, *(d for d in free if d < ragged))
    pairs = tuple(zip(batching, inner.rhs_batching_dimensions, strict=True))
    # Dimensions of lhs in the order in which the result begins.
    kept = batching + free
    dtype = operation.result().element_type.dtype

    def kernel(lhs: Value, rhs: Value, group_sizes: Value) -> Value:
        groups = np.moveaxis(rhs, group_dimension, 0)
        rest = [size for d, size in enumerate(groups.shape[1:]) if d not in _rhs_used(inner)]
        result = np.zeros((*(lhs.shape[d] for d in kept), *rest), dtype)
        for group, items, _ in _parts(np.asarray(group_sizes), prefix, ragged, rank):
            rhs_part = groups[group][_rhs_items(pairs, items, rhs.ndim - 1)]
            result[tuple(items[d] for d in kept)] = product(lhs[items], rhs_part)
        return result

    return kernel


def _rhs_used(numbers: DotDimensionNumbers) -> tuple[int, ...]:
    return numbers.rhs_batching_dimensions + numbers.rhs_contracting_dimensions


def _ragged_contracting(operation: Operation, numbers: RaggedDotDimensionNumbers, ragged: int) -> Any:
    inner = numbers.dot_general
    product = _product(operation, inner, _dynamic(operation.operand(1)))
    rank, rhs_rank = operation.operand(0).rank, operation.operand(1).rank
    batching, contracting = inner.lhs_batching_dimensions, inner.lhs_contracting_dimensions
    prefix = (*batching, *contracting[: contracting.index(ragged)])
    pairs = (
        *zip(batching, inner.rhs_batching_dimensions, strict=True),
        *zip(contracting, inner.rhs_contracting_dimensions, strict=True),
    )
    free = tuple(d for d in range(rank) if d not in batching + contracting)
    dtype = operation.result().element_type.dtype

    def kernel(lhs: Value, rhs: Value, group_sizes: Value) -> Value:
        sizes = np.asarray(group_sizes)
        rest = [size for d, size in enumerate(rhs.shape) if d not in _rhs_used(inner)]
        kept = [lhs.shape[d] for d in batching + free]
        result = np.zeros((sizes.shape[-1], *kept, *rest), dtype)
        for group, items, _ in _parts(sizes, prefix, ragged, rank):
            part = product(lhs[items], rhs[_rhs_items(pairs, items, rhs_rank)])
            where = (group, *(items[d] for d in batching + free))
            # Prefix dimensions that are contracted: several parts are summed.
            result[where] = result[where] + part
        return result

    return kernel


def _ragged_batch(operation: Operation, numbers: RaggedDotDimensionNumbers, ragged: int) -> Any:
    del ragged
    product = _product(operation, numbers.dot_general, _dynamic(operation.operand(1)))

    def kernel(lhs: Value, rhs: Value, group_sizes: Value) -> Value:
        del group_sizes
        return product(lhs, rhs)

    return kernel


# scan -----------------------------------------------------------------------------------------------


@op("chlo.scan")
def scan(operation: Operation) -> Kernel:
    """(outputs..., carries...): carry = inits; for each slice i of the inputs along `dimension`, in reverse
    order if is_reverse: outputs[i], carry = body(inputs[i]..., carry...)."""
    attributes = operation.attributes
    dimension = attributes.int_("dimension")
    is_reverse = attributes.bool_("is_reverse", False)
    size = attributes.int_("scan_dim_size", 0)
    input_count, _ = attributes.ints("operandSegmentSizes")
    output_count, _ = attributes.ints("resultSegmentSizes")
    operand_count = len(operation.operand_types)
    (body,) = operation.regions
    ufunc = _accumulated(body) if operand_count == 2 and input_count == output_count == 1 else None
    output_types = [operation.result(index) for index in range(output_count)]

    def loop(*operands: Value) -> Any:
        inputs = [np.moveaxis(operand, dimension, 0) for operand in operands[:input_count]]
        carries, captured = operands[input_count:operand_count], operands[operand_count:]
        count = inputs[0].shape[0] if inputs else size
        outputs: list[list[Value]] = [[] for _ in range(output_count)]
        for index in reversed(range(count)) if is_reverse else range(count):
            results = body(*[input_[index] for input_ in inputs], *carries, *captured)
            results = (results,) if len(body.plan.outputs) == 1 else results
            for output, value in zip(outputs, results, strict=False):
                output.append(value)
            carries = results[output_count:]
        stacked = [
            _stack(values[::-1] if is_reverse else values, type_, dimension, inputs)
            for values, type_ in zip(outputs, output_types, strict=True)
        ]
        results = (*stacked, *carries)
        return results[0] if len(results) == 1 else results

    def accumulate(input_: Value, init: Value) -> Any:
        assert ufunc is not None
        lanes = np.moveaxis(input_, dimension, 0)
        lanes = lanes[::-1] if is_reverse else lanes
        whole = np.concatenate([np.asarray(init)[np.newaxis], lanes])
        sums = ufunc.accumulate(whole, dtype=whole.dtype)
        output = sums[:0:-1] if is_reverse else sums[1:]
        return np.moveaxis(output, 0, dimension), sums[-1]

    return Kernel(loop if ufunc is None else accumulate)


def _accumulated(body: Block) -> np.ufunc | None:
    """The commutative ufunc that makes of input and carry both results; None if it is not that simple.

    Not maximum and minimum: ufuncs leave open which of two zeros they give.
    """
    if len(body.plan.steps) != 1:
        return None
    (step,) = body.plan.steps
    if sorted(step.operands) != [0, 1] or body.plan.outputs != step.results * 2:
        return None
    return step.kernel.ufunc if step.kernel.ufunc in (np.add, np.multiply) else None


def _stack(values: Sequence[Value], type_: TensorType, dimension: int, inputs: Sequence[Array]) -> Array:
    if values:
        return np.stack(values, dimension)
    # Without a slice, a dynamic size is that of the input, or 0.
    like = inputs[0].shape[1:] if inputs else ()
    rest = [*like[:dimension], 0, *like[dimension:]]
    shape = [rest[d] if size < 0 and d < len(rest) else max(size, 0) for d, size in enumerate(type_.dims)]
    return np.empty(shape, type_.element_type.dtype)
