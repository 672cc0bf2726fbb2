"""Strided views of virtual registers: slices, transposes, reversals and broadcasts that copy nothing."""

from __future__ import annotations

from functools import cache
from math import prod
from typing import NamedTuple

Ints = tuple[int, ...]


class View(NamedTuple):
    """Elements of a virtual register, which holds a scalar or an array in row-major order.

    Attributes:
      register: the number of the register.
      offset, strides: the index of the first element and the strides, in elements.
    """

    register: int
    offset: int
    shape: Ints
    strides: Ints

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_dense(self) -> bool:
        """Whether the elements are in row-major order without gaps."""
        expected = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides), strict=True):
            if size != 1 and stride != expected:
                return False
            expected *= size
        return True

    @property
    def is_splat(self) -> bool:
        """Whether all elements are the same element of the register."""
        return not any([size != 1 for size, stride in zip(self.shape, self.strides, strict=True) if stride])

    def sliced(self, starts: Ints, strides: Ints, shape: Ints) -> View:
        """spec "slice": every `strides`-th element from `starts` on."""
        offset = sum(start * stride for start, stride in zip(starts, self.strides, strict=True))
        steps = tuple([step * stride for step, stride in zip(strides, self.strides, strict=True)])
        return View(self.register, self.offset + offset, shape, steps)

    def transposed(self, permutation: Ints) -> View:
        """spec "transpose": dimension d of the result is dimension permutation[d]."""
        shape = tuple([self.shape[d] for d in permutation])
        return View(self.register, self.offset, shape, tuple([self.strides[d] for d in permutation]))

    def reversed(self, dimensions: Ints) -> View:
        """spec "reverse" along dimensions."""
        ends = [(self.shape[d] - 1) * self.strides[d] for d in dimensions]
        strides = tuple([-s if d in dimensions else s for d, s in enumerate(self.strides)])
        return View(self.register, self.offset + sum(ends), self.shape, strides)

    def broadcast(self, dimensions: Ints, shape: Ints) -> View:
        """spec "broadcast_in_dim": dimension d becomes dimension dimensions[d] of the result."""
        strides = [0] * len(shape)
        for dimension, size, stride in zip(dimensions, self.shape, self.strides, strict=True):
            strides[dimension] = stride if size != 1 else 0
        return View(self.register, self.offset, shape, tuple(strides))

    def reshaped(self, shape: Ints) -> View | None:
        """spec "reshape"; None if no strides give the elements in this shape."""
        if self.is_splat:
            return View(self.register, self.offset, shape, (0,) * len(shape))
        if self.is_dense:
            return View(self.register, self.offset, shape, dense_strides(shape))
        old = [(size, stride) for size, stride in zip(self.shape, self.strides, strict=True) if size != 1]
        if [size for size, _ in old] != [size for size in shape if size != 1]:
            return None
        steps = iter(stride for _, stride in old)
        return View(self.register, self.offset, shape, tuple([0 if s == 1 else next(steps) for s in shape]))


def dense_view(register: int, shape: Ints) -> View:
    """All elements of a register, in order."""
    return View(register, 0, shape, dense_strides(shape))


def splat_view(register: int, shape: Ints) -> View:
    """The first element of a register, repeated."""
    return View(register, 0, shape, (0,) * len(shape))


@cache
def dense_strides(shape: Ints) -> Ints:
    """The strides of row-major order without gaps."""
    strides = [1] * len(shape)
    for d in range(len(shape) - 2, -1, -1):
        strides[d] = strides[d + 1] * shape[d + 1]
    return tuple(strides)
