"""One comparison: which modes run, in which order, and the conclusions from their findings."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.queries.module import any_within, walk
from hlokit.operations.lookup import traits_of
from hlokit.tools.backends.names import failure_of_any
from hlokit.tools.backends.repeating import RepeatingSide
from hlokit.tools.backends.side import Side, SideFailed
from hlokit.tools.diff.comparing import verdicts
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import DIFFERING, NOT_COMPARED, Comparison, is_off
from hlokit.tools.diff.flow.first_iterations import FirstIterations, first_iterations, note_of
from hlokit.tools.diff.flow.time_limits import (
    COMPARISON,
    LIMITS_OF_COMPARISON,
    SEARCH,
    RanOutOfTime,
    limited,
)
from hlokit.tools.diff.fused_run import with_fused_sums
from hlokit.tools.diff.instrumented.continuing import Following
from hlokit.tools.diff.instrumented.values import MOST_WATCHED, Search, compare_hidden, compare_values
from hlokit.tools.diff.isolation.isolated import Sampler
from hlokit.tools.diff.isolation.sources import compare_sources
from hlokit.tools.diff.report import DiffReport, Mode, first_of
from hlokit.tools.diff.work import Work
from hlokit.tools.recording.places import Operations

# Operations of at most _FEW_KINDS kinds are compiled one by one. Operations of more kinds are compiled one by
# one only if there are at least _OF_ONE_KIND operations of each kind on average.
_FEW_KINDS = 128
_OF_ONE_KIND = 8
# Otherwise the other side returns _FEW_WATCHED values at a time, or the values of one in _PARTS operations,
# if these are more.
_FEW_WATCHED = 256
_PARTS = 16


@dataclass(frozen=True, slots=True)
class _SearchResult:
    """The findings of a search.

    Attributes:
      findings, exact, skipped: as in `DiffReport`.
      following: the comparison of all values; None if there was none.
    """

    findings: list[Finding]
    exact: int
    skipped: Mapping[str, int]
    following: Following | None

    @classmethod
    def of_values(cls, following: Following) -> _SearchResult:
        return cls(following.findings, following.exact, following.missing, following)


@dataclass(slots=True)
class SideWork(Work):
    """A comparison with a side.

    Attributes:
      runs: runs that follow the iterations of each loop whose operations are compared; None for all.
      timed_out: whether the other side took too long for the program, and would for one with more results.
      results: the comparison of results, once it is known.
      sampler: what is known of isolated operations.
    """

    runs: FirstIterations | None = None
    timed_out: bool = False
    results: list[Comparison] = field(default_factory=list[Comparison])
    sampler: Sampler | None = None

    def compare(self, side: Side, mode: Mode) -> DiffReport:
        """Compare with a side; a run that fails is repeated once."""
        repeating = RepeatingSide(side)
        try:
            report = limited(lambda: self._compare(repeating, mode), COMPARISON, LIMITS_OF_COMPARISON)
        except RanOutOfTime as failure:
            report = self.unfinished(side, failure)
        if not repeating.passing:
            return report
        failure = repeating.passing[0]
        note = f"{side.name} is not repeatable: a run failed ({failure}), and succeeded when it was repeated"
        return replace(report, notes=(note, *report.notes))

    def _compare(self, side: Side, mode: Mode) -> DiffReport:
        if mode in ("auto", "whole"):
            self.results = self.whole(side)
            if mode == "whole" or verdicts.all_exact(self.results) or self.runs_nothing:
                return self.report(side.name, self.results)
        return limited(lambda: self.located(side, mode, self.results), SEARCH)

    def unfinished(self, side: Side, failure: RanOutOfTime) -> DiffReport:
        """The report on what is known."""
        self.notes.append(f"not all operations were compared: {failure.reason}")
        results = self.results or [Comparison("time-out", note=failure.reason)]
        if self.sampler is None:
            return self.report(side.name, results)
        findings = sorted(self.sampler.findings, key=lambda finding: (finding.order, finding.result))
        first = first_of(findings)
        report = self.report(side.name, results, findings, first, self.sampler.exact, self.sampler.skipped)
        return report if is_off(results) else _without_accusation(report)

    def located(self, side: Side, mode: Mode, results: list[Comparison]) -> DiffReport:
        """The report, with the operation at fault.

        Raises:
          RanOutOfTime: a run took too long.
        """
        operations = self.trip_counts.operations
        outcome = self.searched(side, operations, mode, results)
        # Of a long run, it continues with the other side's results of loops, which explain nothing.
        if outcome.following is not None and self.runs is None:
            explained = self.explained(results, outcome.following, self.theirs, outcome.findings)
            if explained != results:
                outcome = _SearchResult.of_values(outcome.following)
            elif first_of(outcome.findings) is None and is_off(results):
                outcome = self.hidden(side, operations) or outcome
                if first_of(outcome.findings) is None:
                    self.notes.append(
                        "each operation is right in isolation, and in the program if its value is a result: "
                        "the difference comes from the compilation of the whole program on the other side"
                    )
            results = explained
        findings = outcome.findings
        first = first_of(findings)
        if first is not None and traits_of(first.op).applies:
            inner = self.inside(side, operations, first)
            findings = sorted([*findings, *inner], key=lambda finding: (finding.order, finding is first))
            first = first_of(inner) or first
        if not is_off(results) and mode == "auto" and first is None:
            note = "each operation is within its bound"
            if self.runs is None:
                results = with_fused_sums(self, results)
            else:
                note = "each operation that was compared is within its bound"
            results = [_noted(comparison, note) for comparison in results]
        report = self.report(side.name, results, findings, first, outcome.exact, outcome.skipped)
        return _without_accusation(report) if results and not is_off(results) else report

    def hidden(self, side: Side, operations: Operations) -> _SearchResult | None:
        """The findings of a search for a fault that shows only if the value of one operation is no result."""
        try:
            hidden = compare_hidden(
                self.trip_counts,
                side,
                Search(self.progress),
                lambda theirs: is_off(self.compare_results(self.mine, theirs)),
            )
        except (RanOutOfTime, SideFailed):
            return None
        if hidden is None or (first := first_of(hidden.following.findings)) is None:
            return None
        name, where = operations.all[hidden.number].name, operations.source(hidden.number)
        self.notes.append(
            f"{first.op} is right if the value of {name}{f' at {where}' if where else ''} is a result, and "
            "wrong otherwise: the other side compiles both together"
        )
        return _SearchResult.of_values(hidden.following)

    def searched(
        self, side: Side, operations: Operations, mode: Mode, results: Sequence[Comparison]
    ) -> _SearchResult:
        """The findings of a search, of a long run in the first iterations of loops if these are enough."""
        is_compared = bool(results) and not any(result.verdict in NOT_COMPARED for result in results)
        if is_compared and mode == "auto" and (most := first_iterations(self.trip_counts)) is not None:
            self.runs = FirstIterations(self.trip_counts.runs, most)
            outcome = self.search(side, operations, mode, is_off(results))
            if not is_off(results) or first_of(outcome.findings) is not None:
                self.notes.append(note_of(most))
                return outcome
            self.runs = None
        return self.search(side, operations, mode, is_off(results))

    def search(self, side: Side, operations: Operations, mode: Mode, is_thorough: bool) -> _SearchResult:
        """Compare isolated operations, all values, or both in the order that takes less time.

        Args:
          is_thorough: whether results differ by more than is allowed: then the search must find the reason.
        """
        if mode == "values":
            following = self.all_values(side, is_thorough=True)
            return _SearchResult([], 0, {}, None) if following is None else _SearchResult.of_values(following)
        sampler = self.sampler = self.observed(side, operations)
        sampler.findings += compare_sources(operations, side)
        # Compiling one program takes less time than compiling each of its operations.
        is_costly = sampler.kinds > max(_FEW_KINDS, len(operations.all) // _OF_ONE_KIND)
        watched = max(_FEW_WATCHED, len(operations.all) // _PARTS)
        if mode == "auto" and is_costly and self.theirs is not None:
            following = self.all_values(side, watched, is_thorough=is_thorough)
            if following is not None:
                if following.unwatched and first_of(following.findings) is None:
                    sampler.only(frozenset(following.unwatched))
                    self.isolated(sampler)
                findings = sorted([*following.findings, *sampler.findings], key=lambda finding: finding.order)
                return _SearchResult(findings, following.exact + sampler.exact, sampler.skipped, following)
        self.isolated(sampler)
        following = None
        if mode == "auto" and first_of(sampler.findings) is None and not self.timed_out:
            # Each value in a loop is an array of rows, which takes long to compile, too.
            most = watched if sampler.in_loops > _FEW_WATCHED else MOST_WATCHED
            following = self.all_values(side, most, is_thorough=is_thorough)
            if following is not None and first_of(following.findings) is not None:
                return _SearchResult.of_values(following)
        return _SearchResult(sampler.findings, sampler.exact, sampler.skipped, following)

    def inside(self, side: Side, operations: Operations, fault: Finding) -> list[Finding]:
        """The operations in the regions of the operation at fault that are also wrong in isolation."""
        numbers: set[int] = set()
        walk(operations.all[fault.number], lambda inner: numbers.add(operations.number_within(inner)))
        numbers.discard(fault.number)
        sampler = Sampler(operations, side, frozenset(numbers), self.progress, shares=False)
        with suppress(RanOutOfTime):
            self.observe(sampler)
        sampler.finish()
        return [
            replace(inner, order=fault.order)
            for inner in sampler.findings
            if inner.comparison.verdict in DIFFERING
        ]

    def whole(self, side: Side) -> list[Comparison]:
        """Compare results only."""
        start = self.begin("whole")
        self.progress("results", 0, 1)
        try:
            self.mine = self.evaluated()
            module = write_bytecode(self.program.module)
            theirs = side.run(module, [np.asarray(value) for value in self.values], self.signature.name)
        except RanOutOfTime as failure:
            self.runs_nothing = True
            results = [Comparison("time-out", note=failure.reason)]
        except SideFailed as failure:
            self.timed_out = failure.kind == "time-out"
            results = [self.failed(side, failure)]
        else:
            self.theirs = theirs
            results = self.compare_results(self.mine, theirs)
            if is_off(results) and not self._is_repeatable(side, module, theirs):
                self.runs_nothing = True
                note = f"{side.name} is not repeatable: two runs of this program gave different results"
                results = [Comparison("error", note=note)]
        self.progress("results", 1, 1)
        self.end("whole", start)
        return results

    def _is_repeatable(self, side: Side, module: bytes, results: Sequence[Any]) -> bool:
        """Whether a second run has the same results, or the program is random by itself."""
        if any_within(self.program.module.operation, lambda operation: traits_of(operation.name).random):
            return True
        inputs = [np.asarray(value) for value in self.values]
        try:
            again = side.run(module, inputs, self.signature.name)
        except SideFailed:
            return True  # what comes next will fail as well
        return len(again) == len(results) and all(
            np.asarray(one).tobytes() == np.asarray(other).tobytes()
            for one, other in zip(results, again, strict=True)
        )

    def failed(self, side: Side, failure: SideFailed) -> Comparison:
        """The failure of a side to run the program. The failure of a side that runs no program at all is no
        verdict on this program."""
        again = failure_of_any(side) if failure.kind in ("error", "crash") else None
        if again is None:
            return Comparison(failure.kind, note=failure.reason)
        self.runs_nothing = True
        return Comparison("unsupported", note=f"it runs no program at all: {again.reason}")

    def observe(self, sampler: Sampler) -> None:
        """Let a sampler observe hlokit's run.

        Raises:
          SideFailed: the run took longer than the time limit.
        """
        (self.runs or self.trip_counts.runs).follow(sampler)

    def observed(self, side: Side, operations: Operations) -> Sampler:
        """hlokit's evaluations of each operation, to be compared in isolation."""
        start = time.perf_counter()
        sampler = Sampler(operations, side, progress=self.progress)
        try:
            self.observe(sampler)
        except RanOutOfTime as failure:
            self.notes.append(f"operations after the time limit were not compared: {failure.reason}")
        self.seconds["isolated"] = time.perf_counter() - start
        return sampler

    def isolated(self, sampler: Sampler) -> None:
        """Compare each operation in isolation."""
        before = self.seconds["isolated"]
        start = self.begin("isolated")
        sampler.finish()
        self.seconds["isolated"] = before + time.perf_counter() - start

    def all_values(self, side: Side, most: int = MOST_WATCHED, *, is_thorough: bool) -> Following | None:
        """Compare all values, `most` at a time; None if the other side does not run the instrumented
        program."""
        start = self.begin("values")
        try:
            search = Search(self.progress, most, is_thorough, self.runs)
            following = compare_values(self.trip_counts, side, search)
            if following.reason:
                self.notes.append(f"values were compared {following.reason}")
            if following.unrequested and first_of(following.findings) is None:
                self.notes.append(
                    f"the other side did not return the values of {len(following.unrequested)} operations, "
                    "because such a program takes long to compile; the values after these operations follow "
                    "from the values before"
                )
            return following
        except RanOutOfTime as failure:
            self.notes.append(f"intermediate values could not be compared: {failure.reason}")
            return None
        except SideFailed as failure:
            self.notes.append(
                f"the other side does not run the program that returns intermediate values: {failure}"
            )
            return None
        finally:
            self.end("values", start)


def _without_accusation(report: DiffReport) -> DiffReport:
    """A report that names no operation, because every result is within what is allowed: what differs by more
    than the bound of an operation is a note."""
    named = report.first
    verdicts_of_results = {result.verdict for result in report.results}
    if named is None or named.comparison.verdict in NOT_COMPARED or verdicts_of_results & NOT_COMPARED:
        return report
    where = f" at {named.source}" if named.source else ""
    note = f"{named.op}{where} differs by more than its bound, but no result by more than is allowed"
    return replace(report, first=None, notes=(note, *report.notes))


def _noted(comparison: Comparison, note: str) -> Comparison:
    return comparison if comparison.note else replace(comparison, note=note)
