"""Straight-line code: consecutive steps on small tensors as one native program.

A NumPy kernel on a few numbers takes half a microsecond, nearly all of it call overhead. So when a block runs
again, `straight_line_code` looks for consecutive steps that can be lowered, and replaces them by one step of
the plan. Calls, small loops and branches are inlined. Values that only these steps use never become
arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial

from hlokit.contract.registry import Kernel, Value
from hlokit.contract.switches import is_on
from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.errors import HlokitError
from hlokit.native.costs import StepCosts, last_uses, operands_and_results
from hlokit.native.ir.target import NotLowerable
from hlokit.native.ir.views import View
from hlokit.native.lowerings.blocks import BlockLowering
from hlokit.native.lowerings.builder import tensor_type
from hlokit.native.lowerings.control_flow import Pausing
from hlokit.native.program import NativeProgram, Operand, Result
from hlokit.plan.plan import Plan, Step, combined_step, last_of, with_steps

# The most parts in which a plan is compiled: one in each run, so that no run takes much longer than the
# first.
_PARTS = 8
# Compilation can pause after either half: lowering, and register allocation with encoding. Lowering of long
# functions pauses as well.
_HALVES = 2


def with_straight_line_code(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Plan:
    """The plan with one step for each run of steps that pays off as straight-line code."""
    return last_of(straight_line_code(plan, thresholds))


def straight_line_code(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Generator[Plan, None, Plan]:
    """As `with_straight_line_code`, but in parts: each takes about as long as to lower
    `straight_line_steps` steps.

    Yields the plan after each part but the last, and returns the plan after the last part.
    """
    if not (is_on("native") and is_on("straight-line")):
        return plan
    part = max(thresholds.straight_line_steps, _HALVES * len(plan.steps) // _PARTS)
    steps: list[Step] = []
    done = halves = 0
    for found in _StraightLineFinder(plan, thresholds).find():
        if isinstance(found, int):
            halves += found
        else:
            start, stop, step = found
            steps += plan.steps[done:start]
            steps.append(step)
            done = stop
            halves += stop - start
        if halves >= part and done < len(plan.steps):
            yield with_steps(plan, [*steps, *plan.steps[done:]]) if done else plan
            halves = 0
    return with_steps(plan, [*steps, *plan.steps[done:]]) if done else plan


class _StraightLineFinder:
    """Finds the runs of steps of a plan whose kernels take longer than straight-line code."""

    def __init__(self, plan: Plan, thresholds: Thresholds) -> None:
        self._plan = plan
        self._thresholds = thresholds
        self._costs = StepCosts(thresholds)
        self._constants = dict(plan.constants)

    def find(self) -> Iterator[tuple[int, int, Step] | int]:
        """The starts and ends of the runs, and the steps that replace them; before each of them, the number
        of steps that have been lowered for it."""
        steps = self._plan.steps
        costs = [self._costs.of(step) for step in steps]
        last_use = last_uses(self._plan)
        most_steps = self._thresholds.straight_line_steps
        start = 0
        while start < len(steps):
            stop = start
            while stop < len(steps) and costs[stop] >= 0 and stop - start < most_steps:
                stop += 1
            stop, step = yield from self._run(start, stop, costs, last_use)
            if step is not None:
                yield start, stop, step
            start = max(stop, start + 1)

    def _run(
        self, start: int, stop: int, costs: Sequence[float], last_use: dict[int, int]
    ) -> Generator[int, None, tuple[int, Step | None]]:
        """The end of a run that begins at `start`, and the step that replaces it if that pays off.

        Yields the number of lowered steps before the second half of the work.
        """
        cost = sum(costs[start:stop])
        if cost <= self._thresholds.straight_line_cost:
            return stop, None
        steps = self._plan.steps[start:stop]
        operands, results = operands_and_results(steps, self._constants, last_use, stop)
        if not results or cost <= self._costs.of_straight_line(len(operands) + len(results)):
            return stop, None
        if stop - start == 1 and steps[0].kernel.regions:  # it already is a program of its own
            return stop, None
        builder = _StraightLineBuilder(self._plan, self._constants, operands, self._thresholds)
        done = yield from self._added(builder, steps)
        if done < len(steps):  # try again with the steps before the step without a lowering
            return (yield from self._run(start, start + done, costs, last_use)) if done else (start + 1, None)
        yield done
        try:
            kernel = Kernel(builder.program(steps, results).run)
        except NotLowerable:
            return stop, None
        return stop, combined_step(self._plan, steps[-1], kernel, operands, results)

    def _added(self, builder: _StraightLineBuilder, steps: Sequence[Step]) -> Generator[int, None, int]:
        """As `builder.add`; yields the number of instructions that were lowered before a pause."""
        adding = builder.add(steps)
        while True:
            try:
                next(adding)
            except StopIteration as end:
                return end.value
            yield self._thresholds.lowered_part


class _StraightLineBuilder:
    """Lowers consecutive steps of a plan into one program."""

    def __init__(
        self, plan: Plan, constants: dict[int, Value], operands: Sequence[int], thresholds: Thresholds
    ) -> None:
        self._plan, self._constants, self._thresholds = plan, constants, thresholds
        self._slots = operands
        self._lowering = BlockLowering(thresholds)
        self._views: dict[int, View] = {}
        self._operands: list[Operand] = []
        for slot in operands:
            type_ = tensor_type(plan.slot_types[slot])
            self._views[slot] = view = self._lowering.operand(type_)
            self._operands.append(Operand(view.register, type_))

    def add(self, steps: Sequence[Step]) -> Pausing[int]:
        """Lower steps up to the first without a lowering; returns the number of lowered steps."""
        for index, step in enumerate(steps):
            try:
                yield from self._lowering.step(self._plan, step, self._views, self._constants)
            except (NotLowerable, HlokitError):  # an error of a function that is not called
                return index
        return len(steps)

    def program(self, steps: Sequence[Step], results: Sequence[int]) -> NativeProgram:
        """The program that evaluates these steps, which have been added, and returns these slots.

        A program with loops or branches is lazy: it makes NaNs canonical at the end.
        """
        has_jumps = any(each.is_jump for each in self._lowering.instructions)
        return self._program(results, partial(self._strict, steps, results) if has_jumps else None)

    def _program(
        self, results: Sequence[int], make_strict: Callable[[], NativeProgram] | None = None
    ) -> NativeProgram:
        returned = [Result(self._views[slot], tensor_type(self._plan.slot_types[slot])) for slot in results]
        return NativeProgram(self._lowering, self._operands, returned, self._thresholds, make_strict)

    def _strict(self, steps: Sequence[Step], results: Sequence[int]) -> NativeProgram:
        builder = _StraightLineBuilder(self._plan, self._constants, self._slots, self._thresholds)
        last_of(builder.add(steps))
        return builder._program(results)
