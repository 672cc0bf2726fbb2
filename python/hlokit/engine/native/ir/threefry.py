"""Finds Threefry-2x32 in pointwise operations.

JAX computes random bits with some 80 additions, rotations and exclusive ors, mostly of a few words.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hlokit.engine.contract.generators import THREEFRY_ROTATIONS
from hlokit.engine.native.ir.definitions import Definitions

_WORD_BITS = 32
_GROUPS = 5


class Threefry(NamedTuple):
    """Registers: the counters, to which the key was added, the words of the key schedule, and the operands of
    the last addition to the low words."""

    low: int
    high: int
    key: tuple[int, int, int]
    last_low: tuple[int, int]


class ThreefryFinder:
    """Finds Threefry from the last addition to the high words backwards."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions, self._constants = definitions, definitions.constants

    def find(self, operands: Sequence[int]) -> Threefry | None:
        """What an addition of these operands completes; None if it does not."""
        total = self._without((operands, operands[::-1]), _GROUPS)
        return None if total is None else self._groups(total)

    def _groups(self, total: int) -> Threefry | None:
        """`total`: the high words without the last number."""
        key: dict[int, int] = {}
        last_low = -1
        state: tuple[int, int] | None = None  # after the rounds of the group
        for group in reversed(range(_GROUPS)):
            injected = self._injected(total, state)
            if injected is None:
                return None
            low, high, of_low, of_high = injected
            last_low = low if group == _GROUPS - 1 else last_low
            for word, register in (((group + 1) % 3, of_low), ((group + 2) % 3, of_high)):
                if register >= 0 and key.setdefault(word, register) != register:
                    return None
            state = self._before_rounds((low, high), THREEFRY_ROTATIONS[group % 2])
            if state is None:
                return None
            if group > 0:
                sum_ = self._without(self._sums(state[1]), group)
                if sum_ is None:
                    return None
                total = sum_
        assert state is not None, "there are rounds"
        return Threefry(*state, (key[0], key[1], key[2]), (last_low, key[2]))

    def _injected(self, total: int, after: tuple[int, int] | None) -> tuple[int, int, int, int] | None:
        """Low and high words before the key was added to them, and the words of the key that were added.

        Args:
          total: the high words after the addition.
          after: low words, and high words, after the addition; None for the last group, whose low words are
            unknown: the word of the key that was added to these is then -1.
        """
        for high, of_high in self._sums(total):
            pair = self._round(high)
            if pair is None:
                continue
            low = pair[0]
            if after is None:
                return low, high, -1, of_high
            for one, of_low in self._sums(after[0]):
                if one == low:
                    return low, high, of_low, of_high
        return None

    def _before_rounds(self, state: tuple[int, int], rotations: Sequence[int]) -> tuple[int, int] | None:
        """Low and high words before four rounds."""
        low, high = state
        for rotation in reversed(rotations):
            states = self._round(high, rotation)
            if states is None or states[0] != low:
                return None
            before = states[1]
            sums = [one for one, other in self._sums(low) if other == before]
            if not sums:
                return None
            low, high = sums[0], before
        return low, high

    def _round(self, high: int, rotation: int | None = None) -> tuple[int, int] | None:
        """The low words after a round, and the high words before it."""
        for low, rotated in self._definitions.orders(high, "xor"):
            operands = self._definitions.operands(rotated, "rotate")
            amounts = [int(self._constants.get(amount, 0)) for amount in operands[1:]]
            if sum(amounts) == _WORD_BITS and rotation in (None, amounts[0]):
                return low, operands[0]
        return None

    def _without(self, orders: Iterable[Sequence[int]], number: int) -> int | None:
        """The operand that is not the constant `number`."""
        return next((one for one, other in orders if self._constants.get(other) == number), None)

    def _sums(self, register: int) -> Iterable[Sequence[int]]:
        return self._definitions.orders(register, "add")
