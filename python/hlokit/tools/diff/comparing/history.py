"""The steps that computed the operands of a step, through calls and branches, and what they have read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of

# Blocks that get other values than the operands: of the iteration before, or pieces.
_WITH_OTHER_VALUES = ("stablehlo.while", "sdy.manual_computation")


class Call(NamedTuple):
    """The step that evaluates a block, and the run of the block that has the step."""

    run: BlockRun
    step: Step


class Slot(NamedTuple):
    """A slot of a run of a block."""

    run: BlockRun
    number: int

    @property
    def producer(self) -> Step | None:
        """The step that writes the slot; None for an argument."""
        return self.run.producers.get(self.number)


@dataclass(slots=True, eq=False)
class BlockRun:
    """The latest run of a block, as far as it has come.

    Attributes:
      call: None for the block of the entry function.
      step: the latest step.
      begun: for each step, by identity, the number of steps that began before it.
      values: the arguments, the values that steps have read, and results, by slot.
      inner: the latest runs of blocks that hand on their results to a step, by the identity of the step.
      producers: the step that writes a slot.
    """

    plan: Plan
    call: Call | None
    step: Step
    begun: dict[int, int] = field(default_factory=dict[int, int])
    values: dict[int, Value] = field(default_factory=dict[int, Value])
    inner: dict[int, BlockRun] = field(default_factory=dict[int, "BlockRun"])
    producers: dict[int, Step] = field(init=False)

    def __post_init__(self) -> None:
        self.producers = {slot: step for step in self.plan.steps for slot in step.results}

    def origin(self, number: int) -> Slot:
        """The slot from which blocks hand on the value of a slot."""
        slot = Slot(self, number)
        while (source := slot.run._source(slot.number)) is not None:
            slot = source
        return slot

    def _source(self, number: int) -> Slot | None:
        """The slot with the same value outside of this block, or inside a block that a step evaluates."""
        producer = self.producers.get(number)
        if producer is None:
            if self.call is None or number >= self.plan.argument_count or not _hands_on(self.call.step):
                return None
            operands = self.call.step.operands
            outer = operands[
                number + len(operands) - self.plan.argument_count
            ]  # the first one chooses a branch
            return Slot(self.call.run, outer)
        inner = self.inner.get(id(producer))
        if inner is None:
            return None
        return Slot(inner, inner.plan.outputs[producer.results.index(number)])


class History:
    """The runs of blocks that are under way, from the outermost inwards."""

    def __init__(self) -> None:
        self._runs: list[BlockRun] = []
        self._arguments: Sequence[Value] = ()
        self._begun = 0

    def begin(self, arguments: Sequence[Value]) -> None:
        """A block begins, whose first step begins next."""
        self._arguments = arguments

    def read(self, depth: int, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        """A step begins, in a block inside as many others."""
        if step is plan.steps[0]:
            call = Call(self._runs[depth - 1], self._runs[depth - 1].step) if depth else None
            run = BlockRun(plan, call, step, values=dict(enumerate(self._arguments)))
            if call is not None and _hands_on(call.step):
                call.run.inner[id(call.step)] = run
            self._runs[depth:] = [run]
        del self._runs[depth + 1 :]
        run = self._runs[depth]
        run.step = step
        run.begun[id(step)] = self._begun
        self._begun += 1
        run.values.update(zip(step.operands, operands, strict=True))

    def write(self, depth: int, step: Step, results: Sequence[Value]) -> None:
        """A step of the block inside as many others ends."""
        self._runs[depth].values.update(zip(step.results, results, strict=True))

    def run_at(self, depth: int) -> BlockRun:
        """The run of the block inside as many others."""
        return self._runs[depth]


def _hands_on(step: Step) -> bool:
    """Whether the results are those of a block: of a called function, or of the branch that ran."""
    return traits_of(step.name).control and step.name not in _WITH_OTHER_VALUES
