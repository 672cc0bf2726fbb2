"""One comparison: its state, the comparison of results, and the parts of the report."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hlokit.engine.contract.registry import Value
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_types, flat_values
from hlokit.tools.diff.comparing.findings import Finding, Progress
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Comparison, Verdict, is_off
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.diff.instrumented.continuing import Following
from hlokit.tools.diff.report import DiffReport, Mode, first_of
from hlokit.tools.diff.rounding_effects import RoundingEffects
from hlokit.values.types import TensorType


@dataclass(slots=True)
class Work:
    """One comparison: runs the modes, and collects the parts of the report.

    Attributes:
      program, values, signature: the function that is evaluated, and its arguments.
      name: name of the program in the report.
      modes, seconds: the modes that ran, and their time.
      notes: notes of the report.
      mine, theirs: hlokit's results, and the other side's.
      runs_nothing: whether the other side runs no program at all, or hlokit does not run this one.
      changes: as in `DiffReport`.
      trip_counts: the numbers of iterations that runs with changed values take.
    """

    program: Program
    values: Sequence[Value]
    signature: Signature
    name: str
    progress: Progress
    modes: list[Mode] = field(default_factory=list[Mode])
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    notes: list[str] = field(default_factory=list[str])
    mine: Sequence[Value] = ()
    theirs: Sequence[Any] | None = None
    runs_nothing: bool = False
    changes: tuple[str, ...] = ()
    trip_counts: TripCounts = field(init=False)

    def __post_init__(self) -> None:
        self.trip_counts = TripCounts(self.program, self.values, self.signature.name)

    def report(
        self,
        side: str,
        results: Sequence[Comparison],
        findings: Sequence[Finding] = (),
        first: Finding | None = None,
        exact: int = 0,
        skipped: Mapping[str, int] | None = None,
    ) -> DiffReport:
        return DiffReport(
            self.name,
            side,
            tuple(self.modes),
            tuple(results),
            tuple(findings),
            first or first_of(findings),
            exact,
            dict(skipped or {}),
            tuple(self.notes),
            {name: round(value, 3) for name, value in self.seconds.items()},
            self.changes,
        )

    def begin(self, mode: Mode) -> float:
        self.modes.append(mode)
        return time.perf_counter()

    def end(self, mode: Mode, start: float) -> None:
        self.seconds[mode] = time.perf_counter() - start

    def evaluated(self) -> list[Value]:
        """hlokit's own results.

        Raises:
          SideFailed: the run took longer than the time limit.
        """
        return flat_values(self.trip_counts.results(), self.signature.outputs)

    def compare_results(self, mine: Sequence[Value], theirs: Sequence[Any]) -> list[Comparison]:
        """Compare results, including items of tuples, given the effect of rounding on hlokit's own
        results."""
        if len(mine) != len(theirs):
            counts = f"{len(mine)} results", f"{len(theirs)}"
            return [
                Comparison("type", expected=counts[0], actual=counts[1], note="another number of results")
            ]
        outputs = self.signature.outputs
        effects = RoundingEffects(self.trip_counts.disturbed, outputs)
        return [
            effects.compare(n, mine[n], theirs[n], type_.element_type, self.mine[n])
            for n, type_ in enumerate(flat_types(outputs))
            if isinstance(type_, TensorType)
        ]

    def explained(
        self,
        results: list[Comparison],
        following: Following,
        theirs: Sequence[Any] | None,
        isolated: Sequence[Finding] = (),
    ) -> list[Comparison]:
        """The comparison of results if results differ and no operation does.

        If hlokit, continuing with the other side's values, obtains the other side's results, then accumulated
        rounding or values that the specification leaves open are the reason.
        """
        if first_of(following.findings) is not None or following.results is None or theirs is None:
            return results
        if not is_off(results):
            return results
        followed = flat_values(following.results, self.signature.outputs)
        again = self.compare_results(followed, theirs)
        if is_off(again):
            return results
        findings = (*following.findings, *isolated)
        left_open = next((finding for finding in findings if finding.comparison.verdict == "open"), None)
        verdict: Verdict = "within" if left_open is None else "open"
        note = "each operation is within its bound; rounding errors grow along the program"
        if left_open is not None:
            note = left_open.comparison.note
        return [
            replace(comparison, verdict=verdict, note=note) if comparison.verdict in DIFFERING else comparison
            for comparison in results
        ]
