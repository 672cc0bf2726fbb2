"""Index vectors of gather and scatter: the start index of each slice."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.target import TYPES
from hlokit.kernels.shapes.specialization import Shape
from hlokit.values.element_types import ElementType, Kind

Indices = npt.NDArray[np.intp]

_LARGEST = np.iinfo(np.intp).max


class IndexVectors(NamedTuple):
    """The layout of index vectors in a tensor of integers, which may be a tuple of its components.

    Attributes:
      shape: the shape of the tensor.
      index_vector_dim: the dimension of the components of a vector; the rank of the tensor if vectors are
        single integers.
      element_type: the element type of the tensor.
    """

    shape: Shape
    index_vector_dim: int
    element_type: ElementType

    @property
    def batch_shape(self) -> Shape:
        """The tensor's shape without index_vector_dim: one vector per element."""
        return self.shape[: self.index_vector_dim] + self.shape[self.index_vector_dim + 1 :]

    def batch_axis(self, dimension: int) -> int:
        """The axis of `batch_shape` for a dimension of the tensor."""
        return dimension - (dimension > self.index_vector_dim)

    def components(self, indices: Value) -> Indices:
        """The vectors as an array [component, *batch_shape]; indices beyond i64 become the largest i64."""
        array: npt.NDArray[Any] = self.joined(indices)
        if self.element_type.kind is Kind.UNSIGNED and self.element_type.width == 64:
            array = np.minimum(array, np.uint64(_LARGEST))
        positions = array.astype(np.intp, copy=False)
        if self.index_vector_dim == len(self.shape):
            return positions[np.newaxis]
        batch_axes = [axis for axis in range(len(self.shape)) if axis != self.index_vector_dim]
        return positions.transpose((self.index_vector_dim, *batch_axes))

    @property
    def raw_type(self) -> str:
        """The element type of `raw_components`: that of the indices if compiled code has it."""
        return self.element_type.name if self.element_type.name in TYPES else "i64"

    def raw_components(self, indices: Value) -> Any:
        """The vectors as an array [component, vector] of `raw_type`, or a tuple of its rows."""
        if isinstance(indices, tuple):
            components = cast("tuple[Value, ...]", indices)
            return tuple([self._raw(component).reshape(-1) for component in components])
        array = self._raw(indices)
        if self.index_vector_dim == len(self.shape):
            return array.reshape(1, -1)
        is_last = self.index_vector_dim == len(self.shape) - 1
        if is_last and array.size and array.flags.c_contiguous:
            return array.reshape(-1, self.shape[-1]).T
        return np.moveaxis(array, self.index_vector_dim, 0).reshape(self.shape[self.index_vector_dim], -1)

    def joined(self, indices: Value) -> npt.NDArray[Any]:
        """The tensor."""
        if isinstance(indices, tuple):
            components = cast("tuple[Value, ...]", indices)
            return np.concatenate(components, self.index_vector_dim)
        return np.asarray(indices)

    def _raw(self, indices: Value) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.asarray(indices)
        return array if self.element_type.name in TYPES else array.astype(np.int64)
