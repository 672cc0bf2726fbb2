"""The pieces of a tensor on devices: cuts arguments into pieces, and joins results."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.tools.equal.rules.numbers import embedded
from hlokit.tools.shard.notation.meshes import Mesh
from hlokit.tools.shard.notation.specs import AxisRef, Sharding

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """The pieces of a tensor.

    A dimension is split into pieces of equal size; if the size is not divisible, the last pieces are padded,
    and the content of the padding is arbitrary.

    Attributes:
      shape: shape of the whole tensor.
      counts: pieces along each dimension.
      pieces: for the device with each id, the number of its piece along each dimension.
      terms: for the device with each id, the number of its term of the sum; () if values are whole.
    """

    shape: tuple[int, ...]
    counts: tuple[int, ...]
    pieces: tuple[tuple[int, ...], ...]
    terms: tuple[int, ...] = ()

    @property
    def piece_shape(self) -> tuple[int, ...]:
        return tuple(-(-size // count) for size, count in zip(self.shape, self.counts, strict=True))

    @property
    def is_padded(self) -> bool:
        return any(size % count for size, count in zip(self.shape, self.counts, strict=True))

    @property
    def is_replicated(self) -> bool:
        return max(self.counts, default=1) == 1 and not self.terms

    def elements(self, device: int) -> int:
        """The number of elements of the tensor in a device's piece, without padding."""
        return int(np.prod([stop - start for start, stop in self._range(device)], dtype=np.int64))

    def _range(self, device: int) -> list[tuple[int, int]]:
        return [
            (min(size, length * number), min(size, length * (number + 1)))
            for size, length, number in zip(self.shape, self.piece_shape, self.pieces[device], strict=True)
        ]

    def region(self, device: int) -> tuple[slice, ...]:
        """The part of the whole tensor that a device holds."""
        return tuple(slice(*limits) for limits in self._range(device))

    def cut(self, whole: Array) -> list[Array]:
        """The piece of each device. The padding has a value that makes any use of the padding visible in
        results."""
        return [self._piece(np.asarray(whole), device) for device in range(len(self.pieces))]

    def _piece(self, whole: Array, device: int) -> Array:
        piece = whole[self.region(device)]
        if piece.shape != self.piece_shape:
            padded = np.full(self.piece_shape, _poison(whole.dtype), whole.dtype)
            padded[tuple(slice(0, size) for size in piece.shape)] = piece
            piece = padded
        if self.terms and self.terms[device]:
            return np.zeros_like(piece)
        return np.ascontiguousarray(piece).reshape(self.piece_shape)

    def joined(self, pieces: Sequence[Array], add: Callable[[Array, Array], Array] = operator.add) -> Array:
        """The whole tensor. If several devices hold the same piece, the device with the lowest id counts."""
        first = np.asarray(pieces[0])
        whole = np.zeros(self.shape, first.dtype)
        seen: set[tuple[tuple[int, ...], int]] = set()
        for device, piece in enumerate(pieces):
            key = (self.pieces[device], self.terms[device] if self.terms else 0)
            if key in seen:
                continue
            seen.add(key)
            region = self.region(device)
            part = np.asarray(piece)[tuple(slice(0, at.stop - at.start) for at in region)]
            whole[region] = add(whole[region], part) if self.terms else part
        return whole

    def disagreement(self, pieces: Sequence[Array]) -> tuple[int, int] | None:
        """Two devices that should hold the same values and do not; None if all agree."""
        holders: dict[tuple[tuple[int, ...], int], int] = {}
        for device in range(len(pieces)):
            key = (self.pieces[device], self.terms[device] if self.terms else 0)
            holder = holders.setdefault(key, device)
            if holder != device and not _same(
                self._unpadded(pieces[holder], holder), self._unpadded(pieces[device], device)
            ):
                return holder, device
        return None

    def _unpadded(self, piece: Array, device: int) -> Array:
        return np.asarray(piece)[tuple(slice(0, at.stop - at.start) for at in self.region(device))]


def _same(left: Array, right: Array) -> bool:
    return np.ascontiguousarray(left).tobytes() == np.ascontiguousarray(right).tobytes()


def _poison(dtype: np.dtype[Any]) -> Any:
    """A value that is visible in a result: NaN, or the largest integer."""
    if dtype.names is not None:  # of exact numbers
        return embedded(np.array(np.nan, dtype[0]), dtype)
    if dtype.kind in "fc":
        return np.nan
    if dtype.kind in "iu":
        return np.iinfo(dtype).max
    # Floats of ml_dtypes, and integers, which have no NaN.
    return np.array(1 if "int" in dtype.name else np.nan).astype(dtype)


def layout_of(sharding: Sharding, mesh: Mesh, shape: Sequence[int]) -> Layout:
    """The layout of a tensor with this shape."""
    counts = sharding.counts(mesh)
    numbers = [numbers_along(axes, mesh) for axes in sharding.dimensions]
    order = np.argsort(np.array(mesh.devices))
    pieces = tuple(tuple(int(number[position]) for number in numbers) for position in order)
    terms = numbers_along(sharding.unreduced, mesh)
    return Layout(
        tuple(shape),
        counts,
        pieces,
        tuple(int(terms[position]) for position in order) if sharding.unreduced else (),
    )


def numbers_along(axes: Sequence[AxisRef], mesh: Mesh) -> npt.NDArray[np.int64]:
    """For each device, in the order of coordinates, its number along some axes."""
    numbers = np.zeros(mesh.count, np.int64)
    for axis in axes:
        count = axis.count(mesh)
        rest = mesh.size(axis.name) // (axis.before * count)
        numbers = numbers * count + mesh.coordinates(axis.name) // rest % count
    return numbers


@cache
def axes_along(groups: tuple[tuple[int, ...], ...], mesh: Mesh) -> tuple[str, ...]:
    """The axes along which the devices of each group lie; () if no whole axes have these groups."""
    wanted = {frozenset(group) for group in groups}
    names = [name for name, size in mesh.axes if size > 1]
    for length in range(1, len(names) + 1):
        for chosen in combinations(names, length):
            if _groups_along(chosen, mesh) == wanted:
                return chosen
    return ()


def _groups_along(chosen: Sequence[str], mesh: Mesh) -> set[frozenset[int]]:
    rest = [AxisRef(name) for name, _ in mesh.axes if name not in chosen]
    groups: dict[int, set[int]] = {}
    for number, device in zip(numbers_along(rest, mesh), mesh.devices, strict=True):
        groups.setdefault(int(number), set()).add(device)
    return {frozenset(group) for group in groups.values()}


def spec_text(layout: Layout, mesh: Mesh) -> str:
    """A layout as `PartitionSpec` prints it; its counts if no parts of the axes express it."""
    whole = [AxisRef(name) for name, size in mesh.axes if size > 1]
    dimensions: list[tuple[AxisRef, ...]] = []
    for dimension, count in enumerate(layout.counts):
        own = [piece[dimension] for piece in layout.pieces]
        fitting = _fitting(own, count, whole, mesh) or _fitting(own, count, _parts(mesh), mesh)
        if fitting is None:
            return f"pieces {'x'.join(map(str, layout.counts))}"
        dimensions.append(fitting)
    unsummed = Sharding(tuple(dimensions))
    if layout.terms:
        used = {axis for axes in dimensions for axis in axes}
        for length in range(1, len(whole) + 1):
            for chosen in permutations([axis for axis in whole if axis not in used], length):
                summed = Sharding(tuple(dimensions), (), chosen)
                if layout_of(summed, mesh, layout.shape) == layout:
                    return str(summed)
    return str(unsummed) if layout_of(unsummed, mesh, layout.shape).pieces == layout.pieces else "?"


def _parts(mesh: Mesh) -> list[AxisRef]:
    """The parts of axes whose sizes divide those of the axes, and whole axes."""
    parts: list[AxisRef] = []
    for name, size in mesh.axes:
        divisors = [divisor for divisor in range(1, size + 1) if size % divisor == 0]
        for before in divisors:
            parts += [
                AxisRef(name, before, count) if count < size else AxisRef(name)
                for count in divisors
                if count > 1 and size // before % count == 0
            ]
    return parts


def _fitting(
    own: Sequence[int], count: int, axes: Sequence[AxisRef], mesh: Mesh
) -> tuple[AxisRef, ...] | None:
    """The axes, as few as possible, along which devices have these numbers of pieces."""
    for length in range(len(mesh.axes) + 1):
        for chosen in permutations(axes, length):
            if prod(axis.count(mesh) for axis in chosen) == count:
                layout = layout_of(Sharding((chosen,)), mesh, (count,))
                if [piece[0] for piece in layout.pieces] == own:
                    return chosen
    return None
