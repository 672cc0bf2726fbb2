"""Data movement: reshape, transpose, broadcast, concatenate, reverse and pad.

Kernels return views of their operands if NumPy supports the view, because no kernel writes into an operand.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import accumulate, pairwise
from math import prod
from operator import itemgetter, methodcaller
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.registry import IDENTITY, Kernel, KernelFunction, Operation, Value
from hlokit.engine.native.fused.copies import copy_into
from hlokit.errors import EvaluationError
from hlokit.kernels.shapes.specialization import Shape, checked_shape, specialize
from hlokit.values import shapes

# NumPy joins smaller arrays faster.
_LARGE_BYTES = 1 << 20
# Filling a result of up to this number of bytes is faster than creating a view with repeated elements.
_SMALL_BYTES = 16384


def reshape(operation: Operation) -> Kernel:
    """spec "reshape": result[result_index] = operand[operand_index] of the same row-major position."""
    operand, shape = operation.operand(), operation.result().dims
    if operand.shape == shape:
        return IDENTITY
    if shape == () and operand.is_static:
        # Indexing returns a NumPy scalar, which later operations process faster than an array of rank 0.
        origin = (0,) * operand.rank
        source = f"{{0}}[{', '.join('0' * len(origin))}]"
        return Kernel(itemgetter(origin), source=source, array_op=array_ops.Reshape())
    if not operation.result().is_static:
        return Kernel(partial(_reshape_to, shape))
    return Kernel(
        methodcaller("reshape", shape), source=f"{{0}}.reshape({shape})", array_op=array_ops.Reshape()
    )


def _reshape_to(shape: Shape, operand: Value) -> Value:
    """The operand in a shape of which a size may be unknown."""
    return operand.reshape(shapes.reshaped(operand.size, shape))


def transpose(operation: Operation) -> Kernel:
    """spec "transpose": result[result_index] = operand[operand_index], where
    result_index[d] = operand_index[permutation[d]]."""
    permutation = operation.attributes.ints("permutation")
    if is_increasing(permutation):
        return IDENTITY
    source, array_op = f"{{0}}.transpose({permutation})", array_ops.Transpose(permutation)
    return Kernel(methodcaller("transpose", permutation), source=source, array_op=array_op)


def is_increasing(numbers: Shape) -> bool:
    """Whether each number is larger than its predecessor."""
    return all(low < high for low, high in pairwise(numbers))


def broadcast_in_dim(operation: Operation) -> Kernel:
    """spec "broadcast_in_dim": result[result_index] = operand[operand_index], where for each d
    operand_index[d] = dim(operand, d) = 1 ? 0 : result_index[broadcast_dimensions[d]]."""
    operand, result = operation.operand(), operation.result()
    dimensions = operation.attributes.ints("broadcast_dimensions")
    if operand.shape == result.shape and is_increasing(dimensions):
        return IDENTITY
    if operand.is_static and result.is_static and operand.size == result.size and is_increasing(dimensions):
        source = f"{{0}}.reshape({result.dims})"
        return Kernel(methodcaller("reshape", result.dims), source=source, array_op=array_ops.Reshape())
    dtype = result.element_type.dtype

    def make(operand_shape: Shape) -> KernelFunction:
        shape = shapes.broadcast(operand_shape, dimensions, result.dims)
        return make_broadcast(dimensions, shape, dtype, operand_shape)

    return Kernel(specialize(make, (operand,)), array_op=array_ops.Broadcast(dimensions))


def broadcast(operation: Operation) -> Kernel:
    """deprecated "broadcast": result[i..., operand_index...] = operand[operand_index...]."""
    operand, result = operation.operand(), operation.result()
    sizes = operation.attributes.ints("broadcast_sizes")
    if not sizes:
        return IDENTITY
    dimensions = tuple(range(len(sizes), len(sizes) + operand.rank))
    dtype = result.element_type.dtype

    def make(operand_shape: Shape) -> KernelFunction:
        return make_broadcast(dimensions, sizes + operand_shape, dtype, operand_shape)

    return Kernel(specialize(make, (operand,)))


def make_broadcast(
    dimensions: Shape, shape: Shape, dtype: np.dtype[np.generic], operand_shape: Shape
) -> KernelFunction:
    """The kernel of broadcast_in_dim for an operand of `operand_shape`: a view, or a copy if faster."""
    order = sorted(range(len(dimensions)), key=dimensions.__getitem__)
    permutation = None if is_increasing(dimensions) else tuple(order)
    aligned = [1] * len(shape)
    for dimension, size in zip(dimensions, operand_shape, strict=True):
        aligned[dimension] = size
    # NumPy adds leading dimensions implicitly.
    leading = min(dimensions, default=len(shape))
    insert = tuple(aligned[leading:])
    inserted = None if insert == tuple(operand_shape[d] for d in order) else insert
    is_small = prod(shape) * dtype.itemsize <= _SMALL_BYTES
    if is_small and dtype.names is not None and not operand_shape:
        return _kernels.RepeatedRecord(shape, dtype).run

    def kernel(operand: Value) -> Value:
        if permutation is not None:
            operand = operand.transpose(permutation)
        if inserted is not None:
            operand = operand.reshape(inserted)
        if not is_small:
            return np.broadcast_to(operand, shape)
        result = np.empty(shape, dtype)
        result[...] = operand
        return result

    return kernel


def concatenate(operation: Operation) -> Kernel:
    """spec "concatenate": result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1],
    where id = d0 + ... + dk-1 + kd."""
    dimension = operation.attributes.int_("dimension")
    if len(operation.operand_types) == 1:
        return IDENTITY
    dtype = operation.result().element_type.dtype
    if dtype.names is not None:  # NumPy would compare the fields of all operands
        return Kernel(partial(_joined_records, dtype, np.dtype((np.void, dtype.itemsize)), dimension))

    return Kernel(partial(_joined, dimension), array_op=array_ops.Concatenate(dimension))


def _joined(dimension: int, *inputs: Value) -> Value:
    if sum([value.nbytes for value in inputs]) < _LARGE_BYTES * len(inputs):
        return np.concatenate(inputs, dimension)
    first = inputs[0]
    ends = list(accumulate([value.shape[dimension] for value in inputs]))
    result: Any = np.empty((*first.shape[:dimension], ends[-1], *first.shape[dimension + 1 :]), first.dtype)
    before = (slice(None),) * dimension
    for value, end in zip(inputs, ends, strict=True):
        copy_into(result[(*before, slice(end - value.shape[dimension], end))], value)
    return result


def _joined_records(
    dtype: np.dtype[np.generic], opaque: np.dtype[np.void], dimension: int, *inputs: Value
) -> Value:
    return np.concatenate([value.view(opaque) for value in inputs], dimension).view(dtype)


def reverse(operation: Operation) -> Kernel:
    """spec "reverse": result[result_index] = operand[operand_index], where
    operand_index[d] = d in dimensions ? dim(result, d) - result_index[d] - 1 : result_index[d]."""
    dimensions = operation.attributes.ints("dimensions")
    if not dimensions:
        return IDENTITY
    items = ["::-1" if d in dimensions else ":" for d in range(operation.operand().rank)]
    backwards = tuple(slice(None, None, -1 if item != ":" else None) for item in items)
    source = f"{{0}}[{', '.join(items)}]"
    return Kernel(itemgetter(backwards), source=source, array_op=array_ops.Reverse(dimensions))


def pad(operation: Operation) -> Kernel:
    """spec "pad": result[edge_padding_low + operand_index * (interior_padding + 1)] = operand[operand_index],
    padding_value elsewhere."""
    attributes = operation.attributes
    low, high, interior = (
        attributes.ints(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    operand = operation.operand()
    if not any((*low, *high, *interior)):
        return IDENTITY
    make = partial(make_pad, operand.element_type.dtype, low, high, interior)
    return Kernel(specialize(make, (operand,)), array_op=array_ops.Pad(low, interior))


def _item(index: tuple[slice, ...], operand: Value, *_: Value) -> Value:
    return operand[index]


def padded_shape(shape: Shape, low: Shape, high: Shape, interior: Shape) -> Shape:
    """Constraint (C4) of "pad"."""
    return tuple(
        size + low_ + high_ + max(size - 1, 0) * interior_
        for size, low_, high_, interior_ in zip(shape, low, high, interior, strict=True)
    )


def make_pad(
    dtype: np.dtype[np.generic], low: Shape, high: Shape, interior: Shape, operand_shape: Shape
) -> KernelFunction:
    """The kernel of pad for an operand of `operand_shape`: one allocation and one strided assignment."""
    shape = padded_shape(operand_shape, low, high, interior)
    placements = array_ops.Pad(low, interior).placements(operand_shape, shape)
    source = tuple([slice(p.first, p.first + p.size) for p in placements])
    target = tuple([slice(p.start, p.stop, p.step) for p in placements])
    if not any(interior) and all(size <= 0 for size in (*low, *high)):
        return partial(_item, source)
    keeps_all = all(p.size == size for p, size in zip(placements, operand_shape, strict=True))

    def kernel(operand: Value, padding_value: Value) -> Value:
        result = np.empty(shape, dtype)
        result.fill(padding_value)
        result[target] = operand if keeps_all else operand[source]
        return result

    return kernel


def dynamic_reshape(operation: Operation) -> Kernel:
    """spec "dynamic_reshape": "reshape" to output_shape."""
    result = operation.result()

    def kernel(operand: Value, output_shape: Value) -> Value:
        shape = checked_shape(output_shape, result, "output_shape")
        if prod(shape) != operand.size:
            raise EvaluationError(f"output_shape must be of {operand.size} elements, got {list(shape)}")
        return operand.reshape(shape)

    return Kernel(kernel)


def dynamic_broadcast_in_dim(operation: Operation) -> Kernel:
    """spec "dynamic_broadcast_in_dim": "broadcast_in_dim" to output_dimensions."""
    result = operation.result()
    dtype = result.element_type.dtype
    dimensions = operation.attributes.ints("broadcast_dimensions")

    @lru_cache(maxsize=64)
    def make(shape: Shape, operand_shape: Shape) -> KernelFunction:
        for dimension, size in zip(dimensions, operand_shape, strict=True):
            if size not in (1, shape[dimension]):
                raise EvaluationError(
                    f"output_dimensions[{dimension}] must be {size}, as the "
                    f"operand's dimension is, got {shape[dimension]}"
                )
        return make_broadcast(dimensions, shape, dtype, operand_shape)

    def kernel(operand: Value, output_dimensions: Value) -> Value:
        shape = checked_shape(output_dimensions, result, "output_dimensions")
        return make(shape, operand.shape)(operand)

    return Kernel(kernel)


def dynamic_pad(operation: Operation) -> Kernel:
    """spec "dynamic_pad": "pad" by edge_padding_low, edge_padding_high and interior_padding."""
    result = operation.result()
    dtype = result.element_type.dtype

    def kernel(
        operand: Value,
        padding_value: Value,
        edge_padding_low: Value,
        edge_padding_high: Value,
        interior_padding: Value,
    ) -> Value:
        low, high, interior = (
            tuple(map(int, sizes)) for sizes in (edge_padding_low, edge_padding_high, interior_padding)
        )
        if any(size < 0 for size in interior):
            raise EvaluationError(f"interior_padding must not be negative, got {list(interior)}")
        checked_shape(padded_shape(operand.shape, low, high, interior), result, "the padded shape")
        if not any((*low, *high, *interior)):
            return operand
        return make_pad(dtype, low, high, interior, operand.shape)(operand, padding_value)

    return Kernel(kernel)
