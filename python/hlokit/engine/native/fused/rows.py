"""The rows of a fused computation: the elements that are reduced together."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Container
from math import prod
from typing import NamedTuple

from hlokit.engine.native.ir.views import Ints, View, dense_strides

# What lib/vm/fused/schedule.h allows of rows that are not contiguous.
_MOST_INNER, _MOST_RUN = 4096, 64
# More than so many rows have to have many elements.
_FEW_INNER, _MANY_COLUMNS = 1024, 256


class Rows(NamedTuple):
    """The elements [outer, repeats, inner, run] of a computation, of which the first and the third dimension
    tell the row. Rows are contiguous if `inner` is 1; then `repeats` is 1, too.
    """

    outer: int
    repeats: int
    inner: int
    run: int

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return self.outer * self.inner

    @property
    def columns(self) -> int:
        """The number of elements of a row."""
        return self.repeats * self.run

    @property
    def are_many(self) -> bool:
        """Whether the sums of rows that are not contiguous fit the second cache no longer."""
        return self.inner > _FEW_INNER

    def strides(self, shape: Ints) -> Ints | None:
        """The strides, in rows, of a value for each row that is repeated to all elements, in a shape.

        None if dimensions of the shape belong to several dimensions of the rows.
        """
        strides: list[int] = []
        rest = list(shape)
        for size, stride in ((self.outer, self.inner), (self.repeats, 0), (self.inner, 1), (self.run, 0)):
            dims: list[int] = []
            while rest and prod(dims) * rest[0] <= size and prod(dims) < size:
                dims.append(rest.pop(0))
            if prod(dims) != size:
                return None
            strides += [step * stride for step in dense_strides(tuple(dims))]
        return (*strides, *[0] * len(rest)) if prod(rest) == 1 else None

    def values_of(self, view: View) -> View | None:
        """The values of a view that repeats one for each row; None if it does not."""
        strides = self.strides(view.shape)
        if strides is None or view.offset:
            return None
        kept: list[int] = []
        for size, step, stride in zip(view.shape, view.strides, strides, strict=True):
            if size != 1 and step != stride:
                return None
            if size != 1 and stride:
                kept.append(size)
        return View(view.register, 0, tuple(kept), dense_strides(tuple(kept)))


def rows_of(shape: Ints, axes: Container[int]) -> Rows | None:
    """The rows that a reduction of these axes of a shape reduces; None if a computation cannot have them."""
    groups: list[int] = [1]  # the sizes of dimensions that are kept, reduced, kept and so on
    for axis, size in enumerate(shape):
        if size != 1:
            if (axis in axes) != (len(groups) % 2 == 0):
                groups.append(1)
            groups[-1] *= size
    if len(groups) == 2:
        return Rows(groups[0], 1, 1, groups[1])
    if len(groups) not in (3, 4):
        return None
    outer, repeats, inner, run = (*groups, 1)[:4]
    rows = Rows(outer, repeats, inner, run)
    if run > _MOST_RUN or _MOST_RUN % run or inner > _MOST_INNER:
        return None
    return None if rows.are_many and rows.columns < _MANY_COLUMNS else rows
