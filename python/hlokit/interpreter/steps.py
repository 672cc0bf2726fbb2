"""A planned block: steps over slots, free of MLIR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hlokit.interpreter.registry import Kernel, Value
from hlokit.values.types import ValueType


class Step(NamedTuple):
    """One operation of a block. There are thousands: a named tuple is made in half the time of a dataclass.

    Attributes:
      name: of the operation.
      kernel: evaluates it.
      operands: slots that it reads.
      results: slots that it writes.
      operand_types, result_types: for observers and error messages.
      location: gives the source location, spelled as MLIR does.
    """

    name: str
    kernel: Kernel
    operands: tuple[int, ...]
    results: tuple[int, ...]
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    location: Callable[[], str]


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
    live = set(kept)
    found: list[tuple[int, ...]] = []
    for step in reversed(steps):
        dead = tuple([slot for slot in (*step.operands, *step.results) if slot not in live])
        live.update(dead)
        found.append(dead)
    found.reverse()
    return tuple(found)
