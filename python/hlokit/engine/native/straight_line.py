"""Straight-line code: consecutive steps on small tensors as one native program.

A NumPy kernel on a few numbers takes half a microsecond, nearly all of it call overhead. So when a block runs
again, `straight_line_code` looks for consecutive steps that can be lowered, and replaces them by one step of
the plan. Calls, small loops and branches are inlined. Values that only these steps use never become
arrays.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.contract.run_context import current_work
from hlokit.engine.contract.switches import is_on
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.native.assembly import Operand, Result, assemble
from hlokit.engine.native.costs import Runs, StepCosts
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.blocks import BlockLowering, Forms
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.control_flow import Pausing
from hlokit.engine.native.program import Assembled, NativeProgram
from hlokit.engine.plan.plan import Plan, Step, combined_step, last_of, with_steps
from hlokit.errors import HlokitError


def with_straight_line_code(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Plan:
    """The plan with one step for each run of steps that pays off as straight-line code."""
    return last_of(straight_line_code(plan, thresholds))


def straight_line_code(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Generator[Plan, None, Plan]:
    """As `with_straight_line_code`, but in parts: each is what the run may still compile.

    Yields the plan after each part but the last, and returns the plan after the last part.
    """
    if not (is_on("native") and is_on("straight-line")):
        return plan
    steps: list[Step] = []
    code: list[tuple[int, int, tuple[int, ...], tuple[int, ...], Assembled]] = []  # a `StoredCode`
    done = 0
    for part in _StraightLineFinder(plan, thresholds).find():
        work = current_work()  # perhaps of another run than the previous part
        if isinstance(part, int):
            work.left -= part
        else:
            start, stop, step, program = part
            steps += plan.steps[done:start]
            steps.append(step)
            done = stop
            code.append((start, stop, step.operands, step.results, program))
        if work.left <= 0 and done < len(plan.steps):
            # Records have positions of steps of this plan. If an error ends the work, the next starts there.
            yield with_steps(plan, [*steps, *plan.steps[done:]])._replace(stored=None) if done else plan
    if plan.stored is not None:
        from hlokit.engine.native.stored_code import store_code  # few processes have a folder

        store_code(plan, code)
    return with_steps(plan, [*steps, *plan.steps[done:]]) if done else plan


# The start and the end of a run of steps, the step that replaces the run, and its program.
_Replacement = tuple[int, int, Step, Assembled]


class _Run(NamedTuple):
    """Consecutive steps of a plan: the slots that they read, and those that they write for later steps."""

    start: int
    stop: int
    operands: tuple[int, ...]
    results: tuple[int, ...]


# What the code of a run depends on.
_Structure = tuple[tuple[object, ...], ...]


class _Code(NamedTuple):
    """The code of the first `steps` steps of a run, of `size` instructions; None if none pays off."""

    steps: int
    size: int
    kernel: Kernel | None = None
    program: Assembled | None = None


class _StraightLineFinder:
    """Finds the runs of steps of a plan whose kernels take longer than straight-line code."""

    def __init__(self, plan: Plan, thresholds: Thresholds) -> None:
        self._plan = plan
        self._thresholds = thresholds
        self._costs = StepCosts(thresholds)
        self._constants = dict(plan.constants)
        self._runs = Runs(plan)
        self._forms: Forms = {}
        self._codes: dict[_Structure, _Code] = {}

    def find(self) -> Iterator[_Replacement | int]:
        """The runs that pay off; in between, units of work."""
        steps = self._plan.steps
        costs = [self._costs.of(step) for step in steps]
        most_steps = self._thresholds.straight_line_steps
        start = 0
        while start < len(steps):
            stop = start
            while stop < len(steps) and costs[stop] >= 0 and stop - start < most_steps:
                stop += 1
            stop = yield from self._run(start, stop, costs)
            start = max(stop, start + 1)

    def _run(self, start: int, stop: int, costs: Sequence[float]) -> Generator[_Replacement | int, None, int]:
        """The end of a run that begins at `start`. Yields the step that replaces the run, if that pays off;
        units of work, between the halves of the work as well."""
        run = self._from(start, stop)
        if not self._pays_off(run, costs):
            return stop
        structure = self._structure(run)
        shared = self._codes.get(structure) if structure else None
        code = shared or (yield from self._compiled(run, costs))
        if code.steps < stop - start:
            run = self._from(start, start + code.steps)
        if code.kernel is not None and code.program is not None:
            last = self._plan.steps[run.stop - 1]
            step = combined_step(self._plan, last, code.kernel, run.operands, run.results)
            yield start, run.stop, step, code.program
            if shared is None:
                yield code.size
        if structure:
            self._codes[structure] = code
        return run.stop

    def _from(self, start: int, stop: int) -> _Run:
        return _Run(start, stop, *self._runs.operands_and_results(start, stop))

    def _structure(self, run: _Run) -> _Structure:
        """Equal for runs that need the same code, such as the layers of a network; empty if a step has
        regions, which may read slots as well."""
        names: dict[int, object] = {slot: number for number, slot in enumerate(run.operands)}
        numbers = itertools.count(len(names))
        parts: list[tuple[object, ...]] = []
        for step in self._plan.steps[run.start : run.stop]:
            if step.kernel.regions:
                return ()
            for slot in step.operands:
                if slot not in names:
                    names[slot] = self._name_of_constant(slot)
            # Planners share kernels and types, and the plan keeps them alive.
            ids = id(step.kernel), id(step.operand_types), id(step.result_types)
            parts.append((step.name, *ids, *[names[slot] for slot in step.operands]))
            names.update(zip(step.results, numbers, strict=False))
        return (*parts, tuple([names[slot] for slot in run.results]))

    def _name_of_constant(self, slot: int) -> object:
        """Equal for small constants with the same bits, such as those of functions that are called often."""
        value = self._constants[slot]
        is_small = value.size <= self._thresholds.folded_elements
        return (value.dtype, value.shape, value.tobytes()) if is_small else ~slot

    def _compiled(self, run: _Run, costs: Sequence[float]) -> Generator[int, None, _Code]:
        """The code of a run. Yields units of work."""
        builder = _StraightLineBuilder(
            self._plan, self._constants, run.operands, self._thresholds, self._forms
        )
        yield from builder.add(self._plan.steps[run.start : run.stop])
        none = _Code(builder.count, builder.size)
        if run.start + builder.count < run.stop:
            run = self._from(run.start, run.start + builder.count)
            if not self._pays_off(run, costs):
                return none
        try:
            program = builder.program(run.operands, run.results)
            span = run.start, run.stop
            strict = partial(strict_program, self._plan, span, run.operands, run.results, self._thresholds)
            return none._replace(kernel=Kernel(NativeProgram(program, (), strict).run), program=program)
        except NotLowerable:
            return none

    def _pays_off(self, run: _Run, costs: Sequence[float]) -> bool:
        cost = sum(costs[run.start : run.stop])
        if cost <= self._thresholds.straight_line_cost:
            return False
        is_one_step = run.stop - run.start == 1
        if is_one_step and self._plan.steps[run.start].kernel.regions:  # it already is a program of its own
            return False
        values = len(run.operands) + len(run.results)
        return bool(run.results) and cost > self._costs.of_straight_line(values)


class _StraightLineBuilder:
    """Lowers consecutive steps of a plan into one program.

    Args:
      operands: the slots that the steps read.
      forms: those of the steps that other runs of the plan have lowered.

    Attributes:
      count: the number of lowered steps.
    """

    def __init__(
        self,
        plan: Plan,
        constants: dict[int, Value],
        operands: Sequence[int],
        thresholds: Thresholds,
        forms: Forms | None = None,
    ) -> None:
        self._plan, self._constants, self._thresholds = plan, constants, thresholds
        self._lowering = BlockLowering(thresholds, forms=forms)
        self._views: dict[int, View] = {}
        self._operands: dict[int, Operand] = {}
        self.count = 0
        for slot in operands:
            type_ = tensor_type(plan.slot_types[slot])
            self._views[slot] = view = self._lowering.operand(type_)
            self._operands[slot] = Operand(view.register, type_)

    @property
    def size(self) -> int:
        """The number of instructions."""
        return len(self._lowering.instructions)

    def add(self, steps: Sequence[Step]) -> Pausing[None]:
        """Lower steps up to the first without a lowering, or until there are enough instructions."""
        lowering = self._lowering
        for step in steps:
            mark = lowering.mark()
            try:
                if not lowering.lower_at_once(self._plan, step, self._views, self._constants):
                    yield from lowering.step(self._plan, step, self._views, self._constants)
            except (NotLowerable, HlokitError):  # an error of a function that is not called
                lowering.undo(mark)
                break
            self.count += 1
            yield from lowering.pauses()
            if len(lowering.instructions) >= self._thresholds.straight_line_steps:
                break
        yield from lowering.pauses(0)

    def program(self, operands: Sequence[int], results: Sequence[int], *, is_lazy: bool = True) -> Assembled:
        """The program that evaluates the steps that have been added, and returns these slots.

        Args:
          is_lazy: a program with loops or branches makes NaNs canonical at the end.
        """
        has_jumps = any(instruction.is_jump for instruction in self._lowering.instructions)
        return assemble(
            self._lowering,
            [self._operands[slot] for slot in operands],
            [Result(self._views[slot], tensor_type(self._plan.slot_types[slot])) for slot in results],
            self._thresholds,
            is_lazy=is_lazy and has_jumps,
        )


def strict_program(
    plan: Plan, span: tuple[int, int], operands: Sequence[int], results: Sequence[int], thresholds: Thresholds
) -> NativeProgram:
    """The program of the steps of a span that takes NaNs with any bits; see `NativeProgram`."""
    builder = _StraightLineBuilder(plan, dict(plan.constants), operands, thresholds)
    last_of(builder.add(plan.steps[slice(*span)]))
    return NativeProgram(builder.program(operands, results, is_lazy=False))
