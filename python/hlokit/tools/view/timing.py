"""Where the time of unobserved runs goes: the fastest of several runs, by the steps that such runs have.

An unobserved run fuses operations, compiles straight-line code and loops. A step of it may stand for many
operations: `TimedStep.members` lists them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import StepNumbers
from hlokit.engine.plan.executors import Observer
from hlokit.engine.plan.plan import Plan, Step
from hlokit.tools.tracing.listings import ProgramListing

T = TypeVar("T")
# Runs end after this many, or when enough time has passed. The third run begins to compile code.
_MOST_RUNS = 20
_FEWEST_RUNS = 4
_ENOUGH_SECONDS = 1.0
# No further run begins after these seconds.
_MOST_SECONDS = 10.0


class TimedRuns(Protocol):
    """The part of `Runs` that times need."""

    def evaluate(self, values: Sequence[Value], function: str) -> Sequence[Value]: ...
    def timed(
        self, function: str, observer: Observer, planned: Callable[[Plan], Plan]
    ) -> Callable[[Sequence[Value]], object]: ...


@dataclass(frozen=True, slots=True)
class TimedStep:
    """One step of a run, over all its evaluations.

    Attributes:
      number: the operation in the listing; of a fused step, the last of its operations.
      members: the operations that the step evaluates, if it is more than one.
      is_native: the regions of the operation run as one native program.
      wall, cpu: seconds without nested steps, by the clock and of all threads of the process.
      whole: seconds by the clock with nested steps.
      evaluations: how often the step ran.
    """

    number: int
    members: tuple[int, ...]
    is_native: bool
    wall: float
    cpu: float
    whole: float
    evaluations: int


@dataclass(frozen=True, slots=True)
class Times:
    """The fastest of several timed runs.

    Attributes:
      wall, cpu: seconds of this run, by the clock and of all threads: those of its steps, and between them.
      plain, plain_cpu: seconds of the fastest run without timers.
      runs: the number of timed runs.
      results: what the function returned.
    """

    steps: tuple[TimedStep, ...]
    wall: float
    cpu: float
    plain: float
    plain_cpu: float
    runs: int
    results: Sequence[Value]


def times_of(listing: ProgramListing, runs: TimedRuns, function: str, values: Sequence[Value]) -> Times:
    """Run a function several times with and without timers.

    Raises:
      HlokitError: the program fails.
    """
    timer = _Timer()
    timed = runs.timed(function, timer, timer.planned)
    began = time.perf_counter()
    plain, best = _Clock(), _Clock()
    fastest: dict[int, _Total] = {}
    count = 0
    while True:
        results = plain.run(lambda: runs.evaluate(values, function))
        timer.totals, before = {}, best.wall
        best.run(lambda: timed(values))
        if best.wall < before:
            fastest = timer.totals
        count += 1
        seconds = time.perf_counter() - began
        is_enough = seconds > _MOST_SECONDS or (seconds > _ENOUGH_SECONDS and count >= _FEWEST_RUNS)
        if is_enough or count == _MOST_RUNS:
            break
    numbers = StepNumbers(listing.number)
    steps = tuple(timer.described(total, numbers) for total in fastest.values())
    return Times(steps, best.wall, best.cpu, plain.wall, plain.cpu, count, results)


@dataclass(slots=True)
class _Clock:
    """The seconds of the fastest run."""

    wall: float = float("inf")
    cpu: float = 0.0

    def run(self, function: Callable[[], T]) -> T:
        cpu, wall = time.process_time(), time.perf_counter()
        results = function()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if wall < self.wall:
            self.wall, self.cpu = wall, cpu
        return results


@dataclass(slots=True)
class _Total:
    step: Step
    wall: float = 0.0
    cpu: float = 0.0
    whole: float = 0.0
    evaluations: int = 0
    nested: int = 0


@dataclass(slots=True)
class _Frame:
    """A step that runs, and the seconds of the steps within it."""

    cpu: float
    wall: float
    inner_wall: float = 0.0
    inner_cpu: float = 0.0
    nested: int = 0


@dataclass(slots=True)
class _Timer:
    """An observer that adds up the time of each step."""

    totals: dict[int, _Total] = field(default_factory=dict[int, _Total])
    _frames: list[_Frame] = field(default_factory=list[_Frame])
    # The plans before rewrites, by the identity of the operations of their block.
    _plans: dict[int, Plan] = field(default_factory=dict[int, Plan])
    _writers_of: dict[int, dict[int, Step]] = field(default_factory=dict[int, dict[int, Step]])

    def planned(self, plan: Plan) -> Plan:
        if plan.steps:
            self._plans.setdefault(id(plan.steps[0].origin), plan)
        return plan

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        del plan, step, operands
        self._frames.append(_Frame(time.process_time(), time.perf_counter()))

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan, operands, results
        wall, cpu = time.perf_counter(), time.process_time()
        frame = self._frames.pop()
        wall, cpu = wall - frame.wall, cpu - frame.cpu
        total = self.totals.get(id(step))
        if total is None:
            total = self.totals[id(step)] = _Total(step)
        total.wall += wall - frame.inner_wall
        total.cpu += cpu - frame.inner_cpu
        total.whole += wall
        total.evaluations += 1
        total.nested += frame.nested
        if self._frames:
            outer = self._frames[-1]
            outer.inner_wall += wall
            outer.inner_cpu += cpu
            outer.nested += 1

    def failed(self, plan: Plan, step: Step) -> None:
        del plan, step
        self._frames.pop()

    def _writers(self, step: Step) -> Mapping[int, Step]:
        """The steps that write the slots of the plan of a step, before rewrites."""
        key = id(step.origin)
        if key not in self._writers_of:
            steps = self._plans[key].steps if key in self._plans else ()
            self._writers_of[key] = {slot: writer for writer in steps for slot in writer.results}
        return self._writers_of[key]

    def described(self, total: _Total, numbers: StepNumbers) -> TimedStep:
        step = total.step
        members = _members(self._writers(step), step)
        return TimedStep(
            numbers.number(step),
            tuple(dict.fromkeys(map(numbers.number, members))) if len(members) > 1 else (),
            bool(step.kernel.regions) and not total.nested,
            max(0.0, total.wall),
            max(0.0, total.cpu),
            total.whole,
            total.evaluations,
        )


def _members(writers: Mapping[int, Step], step: Step) -> list[Step]:
    """The steps that a step of a rewritten plan evaluates: those between its operands and its results.

    Args:
      writers: the steps before rewrites, by the slots that they write.
    """
    waiting, seen = list(step.results), set(step.operands)
    members: dict[int, Step] = {}
    while waiting:
        slot = waiting.pop()
        writer = writers.get(slot)
        if slot in seen or writer is None:
            continue
        seen.add(slot)
        members[writer.position] = writer
        waiting += writer.operands
    return [members[position] for position in sorted(members)] or [step]
