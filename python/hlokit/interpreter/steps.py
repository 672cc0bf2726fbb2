"""A planned block: steps over slots, free of MLIR."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from hlokit import _native
from hlokit.interpreter.registry import Kernel, Value
from hlokit.values.types import ValueType


class Origin(Protocol):
    """What steps were made of: the operations of a block."""

    def location(self, position: int) -> str:
        """Where the operation at a position of the block comes from, spelled as MLIR does."""
        ...


class Step(NamedTuple):
    """One operation of a block. There are thousands: a named tuple is made in half the time of a dataclass.

    Attributes:
      name: of the operation.
      kernel: evaluates it.
      operands: slots that it reads.
      results: slots that it writes.
      operand_types, result_types: for observers and error messages.
      origin, position: the operation that it was made of.
    """

    name: str
    kernel: Kernel
    operands: tuple[int, ...]
    results: tuple[int, ...]
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    origin: Origin
    position: int

    def location(self) -> str:
        """The source location, spelled as MLIR does."""
        return self.origin.location(self.position)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that is needed to evaluate a block.

    Slots are numbered: arguments first, then results in program order. `constants` are the slots whose
    value is known, `frees` for each step those that nothing reads after it, `outputs` those that the
    terminator returns.
    """

    function_name: str
    argument_count: int
    slot_count: int
    constants: tuple[tuple[int, Value], ...]
    steps: tuple[Step, ...]
    frees: tuple[tuple[int, ...], ...]
    outputs: tuple[int, ...]
    slot_types: tuple[ValueType, ...]


def frees(steps: Sequence[Step], kept: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """For each step the slots that nothing reads after it, but for those that are kept."""
    return tuple(_native.last_uses([step.operands for step in steps], [step.results for step in steps], kept))
