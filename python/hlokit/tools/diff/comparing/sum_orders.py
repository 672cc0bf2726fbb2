"""Sums of the same terms in other orders, as vectors, blocks and trees of other implementations add them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.tools.diff.comparing.multiply_adds import multiply_add

Array = npt.NDArray[Any]

_LANES = (4, 8, 16, 32, 2)
_BLOCKS = (8, 16, 32, 64, 128, 256, 512, 1024)
# Trees and fused sums of more terms are not tried: they take a step for each term.
_MOST_STEPS = 1 << 13


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of some sums: arrays whose first axis is the sum, and whose second one is the term.

    Attributes:
      factors: an array of terms, or two arrays whose products are the terms.
    """

    factors: tuple[Array, ...]

    @property
    def count(self) -> int:
        """The number of terms of a sum."""
        return self.factors[0].shape[1]

    @property
    def is_fused(self) -> bool:
        """Whether terms are products that are not rounded by themselves."""
        return len(self.factors) == 2

    def changed(self, change: Callable[[Array], Array]) -> Terms:
        """Terms with other arrays."""
        return Terms(tuple(map(change, self.factors)))

    def rounded(self) -> Terms:
        """Terms that are rounded before they are added."""
        return Terms((self.factors[0] * self.factors[1],)) if self.is_fused else self

    def total(self, start: Array | None = None) -> Array:
        """The sums, one term after the other, perhaps from other sums on."""
        if not self.is_fused:
            (terms,) = self.factors
            return _in_turn(terms if start is None else np.concatenate([start[:, None], terms], 1))
        left, right = self.factors
        total = left[:, 0] * right[:, 0] if start is None else multiply_add(left[:, 0], right[:, 0], start)
        for position in range(1, self.count):
            total = multiply_add(left[:, position], right[:, position], total)
        return total


def sums_in_orders(terms: Terms) -> Iterator[tuple[str, Array]]:
    """The sums of terms in many orders, with the order in words."""
    if terms.is_fused and terms.count > _MOST_STEPS:
        return
    yield "one after the other", terms.total()
    yield "from the last to the first", terms.changed(lambda factor: factor[:, ::-1]).total()
    if not terms.is_fused:
        yield from _pairwise(*terms.factors)
    for lanes in _LANES:
        if lanes < terms.count:
            yield from _in_lanes(terms, lanes)
    for length in _BLOCKS:
        if length < terms.count:
            blocks = terms.changed(lambda factor, length=length: _cut(factor, length).swapaxes(1, 2))
            yield f"in blocks of {length}", _in_turn(blocks.total())


def _pairwise(terms: Array) -> Iterator[tuple[str, Array]]:
    if terms.shape[1] > _MOST_STEPS:
        return
    yield "pairwise, by halves", _by_halves(terms)
    yield "pairwise, by neighbours", _by_neighbours(terms)
    yield "pairwise, the second half to the first", _folded(terms)
    yield "pairwise, as NumPy does", np.add.reduce(np.ascontiguousarray(terms), axis=1)


def _in_lanes(terms: Terms, lanes: int) -> Iterator[tuple[str, Array]]:
    """Vectors of terms are added, and then their elements; the last terms fill a vector or not."""
    for end in dict.fromkeys([terms.count, terms.count // lanes * lanes]):
        vectors = terms.changed(lambda factor, end=end: _cut(factor[:, :end], lanes)).total()
        for words, total in (
            ("one after the other", _in_turn(vectors)),
            ("by neighbours", _by_neighbours(vectors)),
            ("by halves", _folded(vectors)),
        ):
            how = f"in {lanes} lanes, which are added {words}"
            if end == terms.count:
                yield how, total
            else:
                yield (
                    f"{how}, and then the rest",
                    terms.changed(lambda factor, end=end: factor[:, end:]).total(total),
                )


def _cut(factor: Array, length: int) -> Array:
    """Rows in pieces of a length, the last one with zeros."""
    padded = np.pad(factor, ((0, 0), (0, -factor.shape[1] % length)))
    return padded.reshape(len(factor), -1, length)


def _in_turn(terms: Array) -> Array:
    return np.add.accumulate(terms, axis=1)[:, -1]


def _by_halves(terms: Array) -> Array:
    count = terms.shape[1]
    if count == 1:
        return terms[:, 0]
    return _by_halves(terms[:, : count // 2]) + _by_halves(terms[:, count // 2 :])


def _by_neighbours(terms: Array) -> Array:
    while terms.shape[1] > 1:
        even = terms.shape[1] // 2 * 2
        pairs = terms[:, 0:even:2] + terms[:, 1:even:2]
        terms = np.concatenate([pairs, terms[:, even:]], 1)
    return terms[:, 0]


def _folded(terms: Array) -> Array:
    while (count := terms.shape[1]) > 1:
        half = -(-count // 2)
        pairs = terms[:, : count - half] + terms[:, half:]
        terms = np.concatenate([pairs, terms[:, count - half : half]], 1)
    return terms[:, 0]
