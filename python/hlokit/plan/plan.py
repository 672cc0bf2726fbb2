"""Plans: a block as steps over numbered slots, without MLIR."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from hlokit import _bytecode
from hlokit.contract.registry import Kernel, Value
from hlokit.values.types import ValueType


class Origin(Protocol):
    """The operations of a block, which its steps come from."""

    def location(self, position: int) -> str:
        """The source location of the operation at a position of the block, in MLIR's spelling."""
        ...


class Step(NamedTuple):
    """One operation of a block: a named tuple, because making a dataclass takes twice as long.

    Attributes:
      name: of the operation.
      kernel: evaluates the operation.
      operands: slots that the step reads.
      results: slots that the step writes.
      operand_types, result_types: for rewrites, observers and error messages.
      origin, position: the operation.
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
        """The source location, in MLIR's spelling."""
        return self.origin.location(self.position)


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that an executor needs to evaluate a block.

    Slots are numbered: arguments first, then results in program order.

    Attributes:
      constants: slots with known values, and the values.
      frees: for each step the slots that no later step reads.
      outputs: slots that the terminator returns.
      slot_types: the types of all slots.
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
    """For each step the slots that no later step reads, except those that are kept."""
    return tuple(
        _bytecode.last_uses([step.operands for step in steps], [step.results for step in steps], kept)
    )


def with_steps(plan: Plan, steps: Sequence[Step]) -> Plan:
    """The plan with other steps, which write the same outputs."""
    kept = {*plan.outputs, *(slot for slot, _ in plan.constants)}
    return replace(plan, steps=tuple(steps), frees=frees(steps, kept))


def combined_step(
    plan: Plan, last: Step, kernel: Kernel, operands: tuple[int, ...], results: tuple[int, ...]
) -> Step:
    """A step that replaces several steps; it has the name and location of the last of them."""
    return last._replace(
        kernel=kernel,
        operands=operands,
        results=results,
        operand_types=tuple([plan.slot_types[slot] for slot in operands]),
        result_types=tuple([plan.slot_types[slot] for slot in results]),
    )
