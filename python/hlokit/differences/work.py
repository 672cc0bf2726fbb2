"""A comparison under way: which modes run, in which order, and what follows from their findings."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlokit.arguments import Signature
from hlokit.backends.side import Side, SideFailed, flat_types, flat_values
from hlokit.contract.registry import Value
from hlokit.contract.traits import has
from hlokit.differences.findings import Finding, Progress
from hlokit.differences.following import Own, disturbed_runs, follow, spread
from hlokit.differences.isolated import Sampler
from hlokit.differences.programs import compare_programs
from hlokit.differences.report import DiffReport, Mode, first_of
from hlokit.differences.values import SLACK, Following, compare_values
from hlokit.differences.verdicts import DIFFERING, Allowance, Comparison, Verdict, compare
from hlokit.errors import ArgumentError
from hlokit.loading import load
from hlokit.mlir.module import walk
from hlokit.mlir.printing import write_bytecode
from hlokit.program import Program
from hlokit.recording.places import Operations
from hlokit.recording.recorder import fingerprint
from hlokit.recording.recording import Recording
from hlokit.values.types import TensorType


@dataclass(slots=True)
class Work:
    """A comparison under way.

    Attributes:
      program, values, signature: the function that is evaluated, and its arguments.
      name: name of the program in the report.
      modes, seconds: the modes that ran, and their time.
      notes: notes of the report.
      mine, theirs: hlokit's results, and the other side's.
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
            if mode == "whole" or is_exact(results) or is_broken(results):
                return self.report(side.name, results)
        operations = Operations(self.program.module, self.program.filename)
        findings: list[Finding] = []
        exact, skipped = 0, Counter[str]()
        if mode in ("auto", "isolated"):
            sampler = self.isolated(side, operations)
            findings, exact, skipped = sampler.findings, sampler.exact, sampler.skipped
        if mode == "values" or (mode == "auto" and first_of(findings) is None):
            following = self.all_values(side, operations)
            if following is not None:
                explained = self.explained(results, following, self.theirs, findings)
                if mode == "values" or explained != results or first_of(following.findings) is not None:
                    findings, exact, skipped = following.findings, following.exact, following.missing
                elif any(comparison.verdict in DIFFERING for comparison in results):
                    self.notes.append(
                        "each operation is right in isolation, and in the program if its value is a result: "
                        "the difference comes from the compilation of the whole program on the other side"
                    )
                results = explained
        first = first_of(findings)
        if first is not None and has(first.op, "applies"):
            inner = self.inside(side, operations, first)
            findings = sorted([*findings, *inner], key=lambda found: (found.order, found is first))
            first = first_of(inner) or first
        is_off = any(comparison.verdict in DIFFERING for comparison in results)
        if not is_off and mode == "auto" and first is None:
            results = [_noted(comparison, "each operation is within its bound") for comparison in results]
        return self.report(side.name, results, findings, first, exact, skipped)

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
        if all(comparison.verdict not in DIFFERING for comparison in results):
            return results
        followed = flat_values(following.results, self.signature.outputs)
        again = self.compare_results(followed, theirs)
        if any(comparison.verdict in DIFFERING for comparison in again):
            return results
        findings = (*following.findings, *isolated)
        left_open = next((found for found in findings if found.comparison.verdict == "open"), None)
        verdict: Verdict = "within" if left_open is None else "open"
        note = "each operation is within its bound; roundings grow along the program"
        if left_open is not None:
            note = left_open.comparison.note
        return [
            replace(comparison, verdict=verdict, note=note) if comparison.verdict in DIFFERING else comparison
            for comparison in results
        ]

    def inside(self, side: Side, operations: Operations, found: Finding) -> list[Finding]:
        """The operations in the regions of the operation at fault that are also wrong in isolation."""
        numbers: set[int] = set()
        walk(operations.all[found.number], lambda inner: numbers.add(operations.number_within(inner)))
        numbers.discard(found.number)
        sampler = Sampler(operations, side, frozenset(numbers), self.progress, shares=False)
        self.program.runs.evaluate(self.values, self.signature.name, observer=sampler)
        sampler.finish()
        return [
            replace(inner, order=found.order)
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
            found = [_failed(side, failure)]
        else:
            self.theirs = theirs
            found = self.compare_results(self.mine, theirs)
        self.progress("results", 1, 1)
        self.end("whole", start)
        return found

    def evaluated(self) -> list[Value]:
        """hlokit's own results."""
        made = self.program.runs.evaluate(self.values, self.signature.name)
        return flat_values(made, self.signature.outputs)

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
            return Allowance(error, f"{SLACK:g} times what 1 ULP of each operation makes")

        def judged(index: int, type_: TensorType) -> Comparison:
            """The second disturbed run follows only where the first one does not explain the difference."""
            value, other, element_type = mine[index], theirs[index], type_.element_type
            found = compare(value, other, element_type, lambda: allow(index, 1))
            if found.verdict in DIFFERING:
                found = compare(value, other, element_type, lambda: allow(index, 2))
            return found

        types = flat_types(outputs)
        return [judged(index, type_) for index, type_ in enumerate(types) if isinstance(type_, TensorType)]

    def isolated(self, side: Side, operations: Operations) -> Sampler:
        """Compare each operation in isolation."""
        start = self.begin("isolated")
        sampler = Sampler(operations, side, progress=self.progress)
        self.program.runs.evaluate(self.values, self.signature.name, observer=sampler)
        sampler.finish()
        self.end("isolated", start)
        return sampler

    def all_values(self, side: Side, operations: Operations) -> Following | None:
        """Compare all values; None if the other side does not run the instrumented program."""
        start = self.begin("values")
        try:
            following = compare_values(
                self.program, self.values, self.signature.name, side, operations, self.progress
            )
            if following.reason:
                self.notes.append(f"values were compared {following.reason}")
            return following
        except SideFailed as failure:
            self.notes.append(f"with its intermediate values the program does not run there: {failure}")
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
        found = compare_programs(self.program, other, self.values, self.signature.name, theirs.name)
        self.end("programs", start)
        if found.missing:
            self.notes.append(
                f"{name} has {found.alike:.0%} of the operations, and does not compute {found.missing} of "
                f"{found.missing + found.exact} values"
            )
        return self.report(name, results, found.findings, found.first, found.exact)

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
        given = other.arguments
        for number, (mine, theirs) in enumerate(zip(self.values, given, strict=False)):
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
            self.notes.append(f"{count} operations were not recorded, or only their summaries")
        self.end("recording", start)
        return self.report(other.directory, results, following.findings, None, following.exact)


# A program that every side can run.
_PROBE = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x : tensor<f32>
  return %0 : tensor<f32>
}"""
_BROKEN = "it runs no program at all: "


def _failed(side: Side, failure: SideFailed) -> Comparison:
    """The failure of a side to run a program. A side that fails with every program says nothing about this
    program."""
    if failure.kind in ("error", "crash"):
        try:
            side.run(write_bytecode(load(_PROBE).module), [np.ones((), np.float32)], "main")
        except SideFailed as again:
            return Comparison("unsupported", note=f"{_BROKEN}{again.reason}")
    return Comparison(failure.kind, note=failure.reason)


def is_broken(results: Sequence[Comparison]) -> bool:
    """Whether the other side runs no program at all."""
    return any(comparison.note.startswith(_BROKEN) for comparison in results)


def is_exact(results: Sequence[Comparison]) -> bool:
    """Whether there are results, all the same."""
    return bool(results) and all(comparison.verdict == "exact" for comparison in results)


def _noted(comparison: Comparison, note: str) -> Comparison:
    return comparison if comparison.note else replace(comparison, note=note)
