"""Runs of a program for several processes, with a follower for each process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hlokit.engine.contract import run_context
from hlokit.engine.contract.process import ProcessRun
from hlokit.engine.contract.registry import Value
from hlokit.engine.grid.threads import current_process, run_processes
from hlokit.engine.plan.plan import Plan, Step
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.following import Follower, Unwatched, following_planner
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.diff.flow.trip_counts import Counting, Recorded

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# Makes the follower of the process with a number.
MakeFollower = Callable[[int], Follower]


class GridRuns:
    """Runs of a function in all processes, whose loops take as many iterations as in an unchanged run.

    Args:
      rows: the arguments of each process.
    """

    def __init__(self, program: Program, rows: Sequence[Sequence[Value]], function: str) -> None:
        self._program = program
        self._rows = rows
        self._function = function
        self._recorded: list[dict[ir.Operation, list[int]]] = []

    def follow(self, make_follower: MakeFollower) -> list[tuple[Value, ...]]:
        """The results of each process, with a follower for each.

        Raises:
          RanOutOfTime: the run took longer than the time limit.
        """
        if not self._recorded:
            recorded: list[dict[ir.Operation, list[int]]] = [{} for _ in self._rows]
            self._run([Counting(Unwatched(), Recorded(counts, is_recording=True)) for counts in recorded])
            self._recorded = recorded
        return self._run(
            [
                Counting(make_follower(number), Recorded(counts))
                for number, counts in enumerate(self._recorded)
            ]
        )

    def _run(self, followers: Sequence[Counting]) -> list[tuple[Value, ...]]:
        replicas, partitions = self._program.grid
        follower = _OfProcesses(partitions, followers)
        planner = following_planner(self._program, follower, follower.run)
        try:
            block = planner.function(self._function)
            runs = [ProcessRun(block, row, ()) for row in self._rows]
            with run_context.use(run_context.RunContext(write=lambda _: None)):
                evaluated = limited(lambda: run_processes(replicas, partitions, runs))
            return [(value,) for value in evaluated] if len(block.plan.outputs) == 1 else evaluated
        finally:
            planner.forget()


class _OfProcesses:
    """A follower that asks the follower of the process that runs the step."""

    def __init__(self, partitions: int, followers: Sequence[Counting]) -> None:
        self._partitions = partitions
        self._followers = followers

    @property
    def _own(self) -> Counting:
        process = current_process().id
        return self._followers[process.replica * self._partitions + process.partition]

    def run(self, plan: Plan, follower: Follower, *arguments: Value) -> Any:
        """Evaluate a plan in this process."""
        return self._own.run(plan, follower, *arguments)

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        self._own.before(plan, step, operands)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        return self._own.after(plan, step, operands, results)

    def failed(self, plan: Plan, step: Step) -> None:
        self._own.failed(plan, step)
