"""Plans: a block as steps over numbered slots, without MLIR."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NamedTuple, Protocol, TypeVar, cast

from hlokit import _bytecode
from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.contract.stored import StoredBlock
from hlokit.values.types import TensorType, ValueType

T = TypeVar("T")


class Origin(Protocol):
    """The operations of a block, from which its steps are made."""

    def location(self, position: int) -> str:
        """The source location of the operation at a position of the block, in MLIR's spelling."""
        ...


class Step(NamedTuple):
    """One operation of a block.

    Attributes:
      name: the name of the operation.
      kernel: evaluates the operation.
      operands: the slots that the step reads.
      results: the slots that the step writes.
      operand_types, result_types: the types, for rewrites, observers and error messages.
      origin, position: the operations of the block, and the position of this operation.
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


class Plan(NamedTuple):
    """All data that an executor requires to evaluate a block.

    Slots are numbered: arguments first, then results in program order.

    Attributes:
      constants: slots with known values, and the values.
      frees: the slots that no later step reads, for each step.
      outputs: slots that the terminator returns.
      slot_types: the types of all slots.
      receivers: for a region of control flow, the types of those that receive the outputs, if an output may
        have another shape at run time.
      stored: what earlier processes have compiled of the block; None if nothing is stored.
      is_compiled: the steps contain the straight-line code of an earlier process.
    """

    function_name: str
    argument_count: int
    slot_count: int
    constants: tuple[tuple[int, Value], ...]
    steps: tuple[Step, ...]
    frees: tuple[tuple[int, ...], ...]
    outputs: tuple[int, ...]
    slot_types: tuple[ValueType, ...]
    receivers: tuple[tuple[ValueType, ...], ...] = ()
    stored: StoredBlock | None = None
    is_compiled: bool = False


def with_receivers(plan: Plan, receivers: tuple[tuple[ValueType, ...], ...]) -> Plan:
    """The plan of a region whose outputs become values of these types."""
    if not receivers:
        return plan
    types = tuple([plan.slot_types[slot] for slot in plan.outputs])
    if all(not isinstance(type_, TensorType) or type_.is_static for type_ in types):
        return plan
    return plan._replace(receivers=tuple([other for other in receivers if other != types]))


def frees(steps: Sequence[Step], kept: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """For each step, the slots that no later step reads, except the kept slots."""
    return tuple(
        _bytecode.last_uses([step.operands for step in steps], [step.results for step in steps], kept)
    )


def with_steps(plan: Plan, steps: Sequence[Step]) -> Plan:
    """The plan with other steps, which write the same outputs."""
    kept = {*plan.outputs, *(slot for slot, _ in plan.constants)}
    return plan._replace(steps=tuple(steps), frees=frees(steps, kept))


def needed_steps(plan: Plan, slots: Iterable[int]) -> list[Step]:
    """The steps on which these slots depend, in order."""
    needed, steps = set(slots), list[Step]()
    for step in reversed(plan.steps):
        if not needed.isdisjoint(step.results):
            needed.update(step.operands)
            steps.append(step)
    return steps[::-1]


def combined_step(
    plan: Plan, last: Step, kernel: Kernel, operands: tuple[int, ...], results: tuple[int, ...]
) -> Step:
    """A step that replaces several steps; it has the name and location of the last of these steps."""
    return last._replace(
        kernel=kernel,
        operands=operands,
        results=results,
        operand_types=tuple([plan.slot_types[slot] for slot in operands]),
        result_types=tuple([plan.slot_types[slot] for slot in results]),
    )


# Yields the plan after each part but the last, and returns the plan after the last part.
GradualRewrite = Callable[[Plan], Generator[Plan, None, Plan]]


def last_of(parts: Generator[object, None, T]) -> T:
    """What work that pauses returns in the end: for a gradual rewrite, the plan after all parts."""
    while True:
        try:
            next(parts)
        except StopIteration as end:
            return cast("T", end.value)
