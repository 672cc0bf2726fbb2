"""A table of value numbers: the same operation on operands of the same numbers is the same value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Numbers:
    """Numbers of values, which stand for themselves in any module of a compilation.

    Attributes:
      elements: the numbers of the elements of tuples.
    """

    def __init__(self) -> None:
        self.elements: dict[int, tuple[int, ...]] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._types: list[bytes] = []
        # The states of loops that a value depends on, as sets of bits, and how many states there are.
        self._states: list[int] = []
        self._count = 0

    def number(self, key: tuple[object, ...], operands: Sequence[int] = (), type_: bytes = b"") -> int:
        """The number of a value.

        Args:
          key: what computes the value, with all that its type depends on apart from operands.
          type_: its type without layouts.
        """
        whole = (*key, *operands)
        number = self._numbers.get(whole)
        if number is None:
            number = self._numbers[whole] = len(self._types)
            self._types.append(type_)
            self._states.append(self.states(operands))
        return number

    def tuple_of(self, elements: Sequence[int]) -> int:
        """The number of a tuple."""
        number = self.number(("tuple",), elements)
        self.elements[number] = tuple(elements)
        return number

    def element_of(self, number: int, index: int, type_: bytes) -> int:
        """The number of an element of a tuple."""
        elements = self.elements.get(number)
        return self.number(("element", index), (number,), type_) if elements is None else elements[index]

    def state(self, depth: int, initial: int, occurrence: int) -> int:
        """The number of a part of a loop's state, in each iteration.

        Args:
          depth: how many loops are around this one.
          initial: the number of its first value.
          occurrence: how many parts of this state before have the same first value.
        """
        number = self.number(("state", depth, occurrence), (initial,), self._types[initial])
        if self._states[number] == self._states[initial]:
            self._states[number] |= 1 << self._count
            self._count += 1
        return number

    def bound(self, key: tuple[object, ...], operands: Sequence[int], states: int, type_: bytes) -> int:
        """The number of a value that depends on the states of a loop only inside of the loop."""
        number = self.number(key, operands, type_)
        self._states[number] &= ~states
        return number

    def states(self, numbers: Iterable[int]) -> int:
        """The states of loops that values depend on."""
        states = 0
        for number in numbers:
            states |= self._states[number]
        return states

    def type_of(self, number: int) -> bytes:
        """The type of a value without layouts; b"" of a tuple of numbers."""
        return self._types[number]
