"""Runs of a program for several processes, with a follower for each process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hlokit.engine.contract import run_context
from hlokit.engine.contract.process import ProcessRun
from hlokit.engine.contract.registry import Value
from hlokit.engine.grid.threads import current_process, run_processes
from hlokit.engine.plan.plan import Plan
from hlokit.programs.program import Program
from hlokit.tools.diff.flow.disturbances import Disturbance
from hlokit.tools.diff.flow.disturbed import Disturbed
from hlokit.tools.diff.flow.following import Follower, Unwatched, following_planner
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.diff.flow.trip_counts import Counting, Recorded
from hlokit.tools.recording.places import Operations

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
        self._planner = following_planner(program, self._evaluated)
        self._recorded: list[dict[ir.Operation, list[int]]] = []
        self._followers: Sequence[Counting] = ()  # of the processes of the run

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

    def disturbed(self, seed: int, units: float = 1.0) -> list[tuple[Value, ...]]:
        """The results of each process, with disturbed values (`Disturbance`), in the same iterations."""
        operations, count = Operations.of_program(self._program), len(self._rows)
        return self.follow(lambda number: Disturbed(Disturbance(operations, count * seed + number, units)))

    def _run(self, followers: Sequence[Counting]) -> list[tuple[Value, ...]]:
        self._followers = followers
        block = self._planner.function(self._function)
        runs = [ProcessRun(block, row, ()) for row in self._rows]
        with run_context.use(run_context.RunContext(write=lambda _: None)):
            evaluated = limited(lambda: run_processes(*self._program.grid, runs))
        return [(value,) for value in evaluated] if len(block.plan.outputs) == 1 else evaluated

    def _evaluated(self, plan: Plan, *arguments: Value) -> Any:
        """Evaluate a plan with the follower of the process that this thread runs."""
        process, (_, partitions) = current_process().id, self._program.grid
        own = self._followers[process.replica * partitions + process.partition]
        return own.run(plan, own, *arguments)
