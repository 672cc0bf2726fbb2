"""The shapes of results and the attributes that follow from new shapes of operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers, DotDimensionNumbers
from hlokit.mlir.provider.bindings import ir

Shape = tuple[int, ...]


class DoesNotFit(Exception):
    """The shapes do not fit the operations."""


@dataclass(frozen=True, slots=True)
class Resized:
    """An operation whose operands have new shapes.

    Attributes:
      operands, before: the new and the old shapes of the operands.
      result: the old shape of the result.
      other: the replacement of sizes.
    """

    operation: ir.Operation
    attributes: Attributes
    operands: Sequence[Shape]
    before: Sequence[Shape]
    result: Shape
    other: Callable[[int], int]

    def ints(self, name: str) -> list[int]:
        return list(self.attributes.ints(name))


def array_text(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


# The new shape of the result, and the new text of attributes.
Inferred = tuple[Shape, tuple[tuple[str, str], ...]]


def like_operands(at: Resized) -> Inferred:
    return max(at.operands, key=len, default=tuple(map(at.other, at.result))), ()


def slice_(at: Resized) -> Inferred:
    (shape,), (old,) = at.operands, at.before
    starts, limits, strides = (at.ints(name) for name in ("start_indices", "limit_indices", "strides"))
    sizes: list[int] = []
    for axis, size in enumerate(shape):
        wanted = at.other(at.result[axis])
        if limits[axis] == old[axis]:
            limits[axis] = size
            starts[axis] = min(starts[axis], max(0, size - 1)) if size else 0
        else:
            limits[axis] = min(limits[axis], size)
            starts[axis] = min(starts[axis], max(0, limits[axis] - 1))
            if wanted != at.result[axis]:
                limits[axis] = min(size, starts[axis] + (wanted - 1) * strides[axis] + 1)
        sizes.append(-(-(limits[axis] - starts[axis]) // strides[axis]))
    return tuple(sizes), (("start_indices", array_text(starts)), ("limit_indices", array_text(limits)))


def reshape(at: Resized) -> Inferred:
    (shape,) = at.operands
    size, new = prod(shape), [at.other(dim) for dim in at.result]
    if prod(new) != size:
        for axis in sorted(range(len(new)), key=lambda axis: -at.result[axis]):
            rest = prod(new[:axis] + new[axis + 1 :])
            if rest and size % rest == 0:
                new[axis] = size // rest
                return tuple(new), ()
        raise DoesNotFit
    return tuple(new), ()


def concatenate(at: Resized) -> Inferred:
    axis = at.attributes.int_("dimension", 0)
    shape = list(at.operands[0])
    shape[axis] = sum(operand[axis] for operand in at.operands)
    return tuple(shape), ()


def pad(at: Resized) -> Inferred:
    low, high, interior = (
        at.ints(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding")
    )
    shape = tuple(
        low[axis] + size + max(0, size - 1) * interior[axis] + high[axis]
        for axis, size in enumerate(at.operands[0])
    )
    return shape, ()


def broadcast(at: Resized) -> Inferred:
    shape = [at.other(size) for size in at.result]
    for axis, target in enumerate(at.ints("broadcast_dimensions")):
        if at.before[0][axis] == at.result[target]:
            shape[target] = at.operands[0][axis]
    return tuple(shape), ()


def transpose(at: Resized) -> Inferred:
    return tuple(at.operands[0][axis] for axis in at.ints("permutation")), ()


def reduce(at: Resized) -> Inferred:
    axes = at.ints("dimensions")
    return tuple(size for axis, size in enumerate(at.operands[0]) if axis not in axes), ()


def dynamic_slice(at: Resized) -> Inferred:
    sizes = [
        min(at.other(size), limit) for size, limit in zip(at.ints("slice_sizes"), at.operands[0], strict=True)
    ]
    return tuple(sizes), (("slice_sizes", array_text(sizes)),)


def gather(at: Resized) -> Inferred:
    sizes = [
        min(at.other(size), limit) for size, limit in zip(at.ints("slice_sizes"), at.operands[0], strict=True)
    ]
    return tuple(map(at.other, at.result)), (("slice_sizes", array_text(sizes)),)


def first(at: Resized) -> Inferred:
    return at.operands[0], ()


def dot_general(at: Resized) -> Inferred:
    numbers = at.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
    lhs, rhs = at.operands
    batch = list(numbers.lhs_batching_dimensions)
    shape = [lhs[axis] for axis in batch]
    used = {*batch, *numbers.lhs_contracting_dimensions}
    shape += [size for axis, size in enumerate(lhs) if axis not in used]
    used = {*numbers.rhs_batching_dimensions, *numbers.rhs_contracting_dimensions}
    shape += [size for axis, size in enumerate(rhs) if axis not in used]
    return tuple(shape), ()


def convolution(at: Resized) -> Inferred:
    numbers = at.attributes.read("dimension_numbers", ConvDimensionNumbers.read)
    lhs, rhs = at.operands
    shape = [0] * len(lhs)
    groups = at.attributes.int_("batch_group_count", 1)
    shape[numbers.output_batch_dimension] = lhs[numbers.input_batch_dimension] // max(1, groups)
    shape[numbers.output_feature_dimension] = rhs[numbers.kernel_output_feature_dimension]
    spatial = numbers.output_spatial_dimensions
    for dimension, axis in enumerate(spatial):
        size, kernel = (
            lhs[numbers.input_spatial_dimensions[dimension]],
            rhs[numbers.kernel_spatial_dimensions[dimension]],
        )
        old = at.before[0][numbers.input_spatial_dimensions[dimension]]
        old_kernel = at.before[1][numbers.kernel_spatial_dimensions[dimension]]
        if (size, kernel) == (old, old_kernel):
            shape[axis] = at.result[axis]
        else:
            shape[axis] = _convolved(at, dimension, size, kernel)
    return tuple(shape), ()


def _convolved(at: Resized, dimension: int, size: int, kernel: int) -> int:
    def factor(name: str) -> int:
        return at.ints(name)[dimension] if name in at.operation.attributes else 1

    low = high = 0
    if "padding" in at.operation.attributes:
        low, high = np.asarray(at.attributes.elements("padding")).reshape(-1, 2)[dimension].tolist()
    base, window, stride = factor("lhs_dilation"), factor("rhs_dilation"), factor("window_strides")
    padded = low + high + max(0, (size - 1) * base + 1)
    dilated = (kernel - 1) * window + 1
    return max(0, (padded - dilated) // stride + 1)


Resize = Callable[[Resized], Inferred]
