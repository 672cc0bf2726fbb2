"""Strides of random arrays."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hlokit.engine.native.ir.parameters import Move, MoveAxis, numbers_of


def dot(places: Sequence[int], strides: Sequence[int]) -> int:
    """The distance of an element from the first one."""
    return sum(place * stride for place, stride in zip(places, strides, strict=True))


def dense(sizes: Sequence[int], random: Random) -> list[int]:
    """The strides of an array whose dimensions are in any order."""
    order = random.sample(range(len(sizes)), len(sizes)) if random.random() < 0.5 else range(len(sizes))
    strides = [0] * len(sizes)
    step = 1
    for dimension in reversed(order):
        strides[dimension] = step
        step *= sizes[dimension]
    return strides


def extent(sizes: Sequence[int], strides: Sequence[int]) -> tuple[int, int]:
    """The offset, and the number of elements, of an array with these strides."""
    reaches = [(size - 1) * stride for size, stride in zip(sizes, strides, strict=True)]
    least = -sum(min(reach, 0) for reach in reaches)
    return least, least + sum(max(reach, 0) for reach in reaches) + 1


def whole(count: int) -> list[int]:
    """The numbers of a move of all elements."""
    return numbers_of(Move(0, 0, [MoveAxis(count, 1, 1)]))
