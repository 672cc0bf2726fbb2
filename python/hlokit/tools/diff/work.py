"""One comparison: which modes run, in which order, and the conclusions from their findings."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.queries.module import walk
from hlokit.operations.lookup import traits_of
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.program import Program
from hlokit.tools.backends.names import failure_of_any
from hlokit.tools.backends.side import Side, SideFailed, flat_types, flat_values
from hlokit.tools.diff.comparing import verdicts
from hlokit.tools.diff.comparing.findings import Finding, Progress
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Allowance, Comparison, Verdict, is_off
from hlokit.tools.diff.equivalence.programs import compare_programs
from hlokit.tools.diff.flow.following import Own, disturbed_runs, follow, spread
from hlokit.tools.diff.instrumented.values import MOST_WATCHED, SLACK, Following, compare_values
from hlokit.tools.diff.isolation.isolated import Sampler
from hlokit.tools.diff.report import DiffReport, Mode, first_of
from hlokit.tools.recording.places import Operations
from hlokit.tools.recording.recorder import fingerprint
from hlokit.tools.recording.recording import Recording
from hlokit.values.types import TensorType

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
class Work:
    """One comparison: runs the modes, and collects the parts of the report.

    Attributes:
      program, values, signature: the function that is evaluated, and its arguments.
      name: name of the program in the report.
      modes, seconds: the modes that ran, and their time.
      notes: notes of the report.
      mine, theirs: hlokit's results, and the other side's.
      runs_nothing: whether the other side has been found to run no program at all.
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
        )

    def begin(self, mode: Mode) -> float:
        self.modes.append(mode)
        return time.perf_counter()

    def end(self, mode: Mode, start: float) -> None:
        self.seconds[mode] = time.perf_counter() - start

    # Against a side -------------------------------------------------------------------------------

    def against_side(self, side: Side, mode: Mode) -> DiffReport:
        results: list[Comparison] = []
        if mode in ("auto", "whole"):
            results = self.whole(side)
            if mode == "whole" or verdicts.all_exact(results) or self.runs_nothing:
                return self.report(side.name, results)
        operations = Operations(self.program.module, self.program.filename)
        outcome = self.search(side, operations, mode, is_off(results))
        if outcome.following is not None:
            explained = self.explained(results, outcome.following, self.theirs, outcome.findings)
            if explained != results:
                outcome = _SearchResult.of_values(outcome.following)
            elif first_of(outcome.findings) is None and is_off(results):
                self.notes.append(
                    "each operation is right in isolation, and in the program if its value is a result: the "
                    "difference comes from the compilation of the whole program on the other side"
                )
            results = explained
        findings = outcome.findings
        first = first_of(findings)
        if first is not None and traits_of(first.op).applies:
            inner = self.inside(side, operations, first)
            findings = sorted([*findings, *inner], key=lambda finding: (finding.order, finding is first))
            first = first_of(inner) or first
        if not is_off(results) and mode == "auto" and first is None:
            results = [_noted(comparison, "each operation is within its bound") for comparison in results]
        return self.report(side.name, results, findings, first, outcome.exact, outcome.skipped)

    def search(self, side: Side, operations: Operations, mode: Mode, is_thorough: bool) -> _SearchResult:
        """Compare isolated operations, all values, or both in the order that takes less time.

        Args:
          is_thorough: whether results differ by more than is allowed: then the search must find the reason.
        """
        if mode == "values":
            following = self.all_values(side, operations, is_thorough=True)
            return _SearchResult([], 0, {}, None) if following is None else _SearchResult.of_values(following)
        sampler = self.observed(side, operations)
        # Compiling one program takes less time than compiling each of its operations.
        is_costly = sampler.kinds > max(_FEW_KINDS, len(operations.all) // _OF_ONE_KIND)
        watched = max(_FEW_WATCHED, len(operations.all) // _PARTS)
        if mode == "auto" and is_costly and self.theirs is not None:
            following = self.all_values(side, operations, watched, is_thorough=is_thorough)
            if following is not None:
                if following.unwatched and first_of(following.findings) is None:
                    sampler.only(frozenset(following.unwatched))
                    self.isolated(sampler)
                findings = sorted([*following.findings, *sampler.findings], key=lambda finding: finding.order)
                return _SearchResult(findings, following.exact + sampler.exact, sampler.skipped, following)
        self.isolated(sampler)
        following = None
        if mode == "auto" and first_of(sampler.findings) is None:
            # Each value in a loop is an array of rows, which takes long to compile, too.
            most = watched if sampler.in_loops > _FEW_WATCHED else MOST_WATCHED
            following = self.all_values(side, operations, most, is_thorough=is_thorough)
            if following is not None and first_of(following.findings) is not None:
                return _SearchResult.of_values(following)
        return _SearchResult(sampler.findings, sampler.exact, sampler.skipped, following)

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

    def inside(self, side: Side, operations: Operations, fault: Finding) -> list[Finding]:
        """The operations in the regions of the operation at fault that are also wrong in isolation."""
        numbers: set[int] = set()
        walk(operations.all[fault.number], lambda inner: numbers.add(operations.number_within(inner)))
        numbers.discard(fault.number)
        sampler = Sampler(operations, side, frozenset(numbers), self.progress, shares=False)
        self.program.runs.evaluate(self.values, self.signature.name, observer=sampler)
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
        self.mine = self.evaluated()
        try:
            module = write_bytecode(self.program.module)
            theirs = side.run(module, [np.asarray(value) for value in self.values], self.signature.name)
        except SideFailed as failure:
            results = [self.failed(side, failure)]
        else:
            self.theirs = theirs
            results = self.compare_results(self.mine, theirs)
        self.progress("results", 1, 1)
        self.end("whole", start)
        return results

    def failed(self, side: Side, failure: SideFailed) -> Comparison:
        """The failure of a side to run the program. The failure of a side that runs no program at all is no
        verdict on this program."""
        again = failure_of_any(side) if failure.kind in ("error", "crash") else None
        if again is None:
            return Comparison(failure.kind, note=failure.reason)
        self.runs_nothing = True
        return Comparison("unsupported", note=f"it runs no program at all: {again.reason}")

    def evaluated(self) -> list[Value]:
        """hlokit's own results."""
        results = self.program.runs.evaluate(self.values, self.signature.name)
        return flat_values(results, self.signature.outputs)

    def compare_results(self, mine: Sequence[Value], theirs: Sequence[Any]) -> list[Comparison]:
        """Compare results, including items of tuples, given the effect of rounding on hlokit's own
        results."""
        if len(mine) != len(theirs):
            counts = f"{len(mine)} results", f"{len(theirs)}"
            return [
                Comparison("type", expected=counts[0], actual=counts[1], note="another number of results")
            ]
        outputs = self.signature.outputs
        runs = disturbed_runs(self.program, self.values, self.signature.name)
        disturbed: list[list[Value]] = []

        def allow(index: int, count: int) -> Allowance:
            while len(disturbed) < count and (run := next(runs, None)) is not None:
                disturbed.append(flat_values(run, outputs))
            error = SLACK * spread(self.mine[index], [run[index] for run in disturbed[:count]])
            return Allowance(error, f"{SLACK:g} times the effect of 1 ULP of each operation")

        def judged(index: int, type_: TensorType) -> Comparison:
            """Runs the second disturbed run only if the first one does not explain the difference."""
            value, other, element_type = mine[index], theirs[index], type_.element_type
            comparison = verdicts.compare(value, other, element_type, lambda: allow(index, 1))
            if comparison.verdict in DIFFERING:
                comparison = verdicts.compare(value, other, element_type, lambda: allow(index, 2))
            return comparison

        types = flat_types(outputs)
        return [judged(index, type_) for index, type_ in enumerate(types) if isinstance(type_, TensorType)]

    def observed(self, side: Side, operations: Operations) -> Sampler:
        """hlokit's evaluations of each operation, to be compared in isolation."""
        start = time.perf_counter()
        sampler = Sampler(operations, side, progress=self.progress)
        self.program.runs.evaluate(self.values, self.signature.name, observer=sampler)
        self.seconds["isolated"] = time.perf_counter() - start
        return sampler

    def isolated(self, sampler: Sampler) -> None:
        """Compare each operation in isolation."""
        before = self.seconds["isolated"]
        start = self.begin("isolated")
        sampler.finish()
        self.seconds["isolated"] = before + time.perf_counter() - start

    def all_values(
        self, side: Side, operations: Operations, most: int = MOST_WATCHED, *, is_thorough: bool
    ) -> Following | None:
        """Compare all values, `most` at a time; None if the other side does not run the instrumented
        program."""
        start = self.begin("values")
        try:
            following = compare_values(
                self.program,
                self.values,
                self.signature.name,
                side,
                operations,
                self.progress,
                most,
                is_thorough=is_thorough,
            )
            if following.reason:
                self.notes.append(f"values were compared {following.reason}")
            if following.unrequested and first_of(following.findings) is None:
                self.notes.append(
                    f"the other side did not return the values of {len(following.unrequested)} operations, "
                    "because such a program takes long to compile; the values after these operations follow "
                    "from the values before"
                )
            return following
        except SideFailed as failure:
            self.notes.append(
                f"the other side does not run the program that returns intermediate values: {failure}"
            )
            return None
        finally:
            self.end("values", start)

    # Against other runs ---------------------------------------------------------------------------

    def against_program(self, other: Program) -> DiffReport:
        """Compare with another program, on the same arguments."""
        theirs = other.signature(None if self.signature.name not in other.functions else self.signature.name)
        if tuple(map(str, theirs.inputs)) != tuple(map(str, self.signature.inputs)):
            raise ArgumentError(
                f"the programs must take the same arguments, got {self.signature} and {theirs}"
            )
        start = self.begin("programs")
        self.mine = self.evaluated()
        its = flat_values(other.runs.evaluate(self.values, theirs.name), theirs.outputs)
        results = self.compare_results(self.mine, its)
        name = os.path.basename(other.filename) if other.filename != "-" else "the other program"
        compared = compare_programs(self.program, other, self.values, self.signature.name, theirs.name)
        self.end("programs", start)
        if compared.missing:
            self.notes.append(
                f"{name} has {compared.alike:.0%} of the operations, and does not compute "
                f"{compared.missing} of {compared.missing + compared.exact} values"
            )
        return self.report(name, results, compared.findings, compared.first, compared.exact)

    def against_recording(self, other: Recording) -> DiffReport:
        """Compare with a recorded run."""
        if other.header.get("fingerprint") != fingerprint(self.program):
            raise ArgumentError(
                f"'{other.directory}' is a run of another program ({other.header.get('file')}); to compare "
                f"programs, give the recorded run first: hlokit diff {other.directory} --against=FILE"
            )
        if other.function != self.signature.name:
            raise ArgumentError(
                f"'{other.directory}' is a run of @{other.function}, not of @{self.signature.name}"
            )
        recorded = other.arguments
        for number, (mine, theirs) in enumerate(zip(self.values, recorded, strict=False)):
            if not np.array_equal(np.asarray(mine), theirs, equal_nan=theirs.dtype.kind in "fc"):
                raise ArgumentError(f"'{other.directory}' is a run with another argument {number}")
        start = self.begin("recording")
        operations = Operations(self.program.module, self.program.filename)
        own = Own(operations, None)
        self.mine = flat_values(
            follow(self.program, self.values, self.signature.name, own), self.signature.outputs
        )
        theirs = other.results
        results = self.compare_results(self.mine, theirs) if theirs else []
        following = Following(operations, other, own)
        following.results = follow(self.program, self.values, self.signature.name, following)
        results = self.explained(results, following, theirs)
        if other.status != "finished":
            self.notes.append(f"the recorded run did not finish: {other.status or 'it was cut off'}")
        if following.missing:
            count = following.missing.total()
            self.notes.append(f"the recording has no values, or only summaries, of {count} operations")
        self.end("recording", start)
        return self.report(other.directory, results, following.findings, None, following.exact)


def _noted(comparison: Comparison, note: str) -> Comparison:
    return comparison if comparison.note else replace(comparison, note=note)
