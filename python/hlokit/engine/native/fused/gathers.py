"""Gathers of single elements: what leads to an element."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from typing import NamedTuple

from hlokit.engine.contract.array_ops import Gather
from hlokit.engine.native.ir.views import Ints, View, dense_strides

# As in lib/vm/fused/schedule.h.
_MOST_COMPONENTS = 3


class Component(NamedTuple):
    """A component of the place of an element: it moves the place by `step` for each of `extent` indices.

    Attributes:
      indices: one for each element of the batch; None if they are places along a dimension of the
        batch.
      dimension: this dimension; -1 if there are indices.
      batch_shape: the shape of the batch.
    """

    indices: View | None
    dimension: int
    batch_shape: Ints
    extent: int
    step: int


def components_of(gather: Gather, shape: Ints, indices: Sequence[View]) -> list[Component] | None:
    """The components of the places of elements in an array of a shape.

    None if windows have several elements, components are not apart from each other, or there are too many.

    Args:
      indices: the index vectors, or their components (see `array_ops.Gather`).
    """
    numbers = gather.numbers
    at = numbers.index_vector_dim
    size = indices[0].shape[at] if at < len(indices[0].shape) else 1
    if size != 1 or len(indices) != len(numbers.start_index_map) or any(n != 1 for n in gather.slice_sizes):
        return None
    batch_shape = indices[0].shape[:at] + indices[0].shape[at + 1 :]
    strides = dense_strides(shape)
    batching = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    components = [
        *[
            Component(index, -1, batch_shape, shape[d], strides[d])
            for d, index in zip(numbers.start_index_map, indices, strict=True)
        ],
        *[Component(None, axis - (axis > at), batch_shape, shape[d], strides[d]) for d, axis in batching],
    ]
    moving = [component for component in components if component.extent != 1]
    return moving if len(moving) <= _MOST_COMPONENTS else None
