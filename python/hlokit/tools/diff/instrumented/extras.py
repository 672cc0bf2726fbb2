"""Values that an instrumented program returns besides its results, and their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.tools.recording.places import Place

# Codes instead of a result's number: the number of iterations of a loop; the elements to which a region was
# applied; the number of the taken branch; the first argument of an applied region, whose other arguments have
# the numbers below.
ITERATIONS = -1
APPLIED = -2
TAKEN = -3
FIRST_ARGUMENT = -4
# Rows for iterations of a loop; if there are more iterations, the last row has the last iteration.
MOST_ITERATIONS = 64


@dataclass(frozen=True, slots=True)
class Extra:
    """A value that an instrumented program returns.

    Attributes:
      path: numbers of the enclosing operations, from the outermost inwards, then of the operation itself.
      rows: for each enclosing loop: its position in `path`, and the number of rows.
      result: the number of the operation's result, from 0; or a negative code: `ITERATIONS`, `APPLIED`,
        `TAKEN`, or `FIRST_ARGUMENT` - n for argument n of the region.
    """

    path: tuple[int, ...]
    rows: tuple[tuple[int, int], ...]
    result: int


@dataclass(frozen=True, slots=True)
class Held:
    """An extra value, and the value of the program that holds it."""

    extra: Extra
    value: ir.Value


class Values:
    """The values that an instrumented program returned on a side.

    Args:
      predicates: for each loop, by its number, the operation in its condition that computes the predicate.
        The predicate is false when the loop ends, although no iteration returns this value.
    """

    def __init__(
        self,
        extras: Sequence[Extra],
        arrays: Sequence[Any],
        predicates: Mapping[int, int] | None = None,
    ) -> None:
        self._predicates = predicates or {}
        self._entries = {
            (extra.path, extra.result): (extra, array) for extra, array in zip(extras, arrays, strict=True)
        }
        self._numbers = frozenset([extra.path[-1] for extra in extras])

    def get(self, place: Place, result: int) -> Any | None:
        """The value of a result at a place; None if it is unknown."""
        if place[-1] not in self._numbers:
            return None
        entry = self._entries.get((place[::2], result))
        if entry is None:
            return None
        if len(place) > 2 and self._predicates.get(place[-3]) == place[-1]:
            count = self.get(place[:-2], ITERATIONS)
            if count is not None and place[-2] == int(count):
                return np.zeros((), np.bool_)
        extra, array = entry
        iterations = place[1::2]
        index: list[int] = []
        for position, (depth, rows) in enumerate(extra.rows):
            iteration = iterations[depth]
            if iteration >= rows or not self._is_stored(place, depth, iteration, array.shape[position]):
                return None
            index.append(iteration)
        return array[tuple(index)] if index else array

    def _is_stored(self, place: Place, depth: int, iteration: int, rows: int) -> bool:
        """Whether an iteration of an enclosing loop has its own row.

        The last evaluation of a condition has no row, and neither have iterations that the loop does not
        reach on that side. If there are more iterations than rows, the last row has the last iteration.
        """
        iterations = self.get(place[: 2 * depth + 1], ITERATIONS)
        if iterations is None:
            return True
        count = int(iterations)
        return iteration < count and (count <= rows or iteration < rows - 1)


def deeper(held: Held, number: int) -> Extra:
    """An extra value for the caller: the path begins with the operation of this number."""
    rows = tuple([(depth + 1, size) for depth, size in held.extra.rows])
    return Extra((number, *held.extra.path), rows, held.extra.result)
