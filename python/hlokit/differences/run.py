"""`hlokit.diff`: compares a program with another side."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import numpy as np

from hlokit.arguments import Signature, as_values
from hlokit.backends.children import TIME_LIMIT
from hlokit.backends.names import NAMES, named_side
from hlokit.backends.side import Side, SideFailed
from hlokit.contract.registry import Value
from hlokit.contract.traits import has
from hlokit.differences.findings import Finding, Progress, silent
from hlokit.differences.following import disturbed_runs, follow
from hlokit.differences.isolated import Sampler
from hlokit.differences.programs import compare_programs
from hlokit.differences.report import DiffReport, Mode, first_of
from hlokit.differences.values import SLACK, Following, Own, compare_values, spread
from hlokit.differences.verdicts import DIFFERING, Allowance, Comparison, compare
from hlokit.errors import ArgumentError, did_you_mean
from hlokit.loading import load, load_path
from hlokit.mlir.module import walk
from hlokit.mlir.printing import write_bytecode
from hlokit.program import Program
from hlokit.recording.container import is_recording
from hlokit.recording.places import Operations
from hlokit.recording.recorder import fingerprint
from hlokit.recording.recording import Recording
from hlokit.values.types import TensorType

MODES: tuple[Mode, ...] = ("auto", "whole", "isolated", "values")
Other = Side | Program | Recording


def diff(
    program: Program | Recording | str | os.PathLike[str],
    *arguments: Any,
    against: Other | str | os.PathLike[str] = "xla",
    mode: Mode = "auto",
    function: str | None = None,
    time_limit: float = TIME_LIMIT,
    progress: Progress = silent,
) -> DiffReport:
    """Find the first operation of a program whose values differ on another side.

        print(hlokit.diff("model.mlirbc", x, against="xla"))

    Args:
      program: a `Program`, or the path of one; or a recorded run, which contains its arguments.
      arguments: as in `Program.__call__`.
      against: `xla`, `iree`, `iree:vmvx`, `eval-module`, `high`, `pjrt:LIBRARY` or `cmd:TEMPLATE`, or another
        program, or a recorded run of the same program, or their paths; or an object with the methods of
        `hlokit.backends.side.Side`.
      mode: `whole` compares results only; `isolated` every operation in isolation, on hlokit's operands;
        `values` all intermediate values; `auto` results first, then the modes that find the operation at
        fault.
      function: its name; the entry function by default.
      time_limit: seconds that the other side may take to compile and run one module.
      progress: called with the current step, its completed part, and its total.

    Returns:
      A report, which `print` shows; `report.first` is the first operation that differs, or None.

    Raises:
      ArgumentError: a side, a mode or the arguments do not fit; a recorded run belongs to another program.
      EvaluationError: the program traps in hlokit.
    """
    if mode not in MODES:
        raise ArgumentError(f"mode must be one of {', '.join(MODES)}, got {mode}")
    if not time_limit > 0:
        raise ArgumentError(f"time_limit must be positive, got {time_limit}")
    recording = _recording(program)
    if recording is not None:
        if arguments:
            raise ArgumentError("a recorded run contains its arguments, got others")
        subject, arguments = recording.program(), tuple(recording.arguments)
        function = function or recording.function
        name = os.path.basename(os.path.normpath(recording.directory))
    else:
        assert not isinstance(program, Recording)
        subject = program if isinstance(program, Program) else load(program)
        name = os.path.basename(subject.filename) if subject.filename != "-" else "the program"
    signature = subject.signature(function)
    if subject.grid != (1, 1):
        raise ArgumentError(
            "diff: the program is for several processes; only programs for one can be compared"
        )
    values = as_values(arguments, signature.inputs, signature.name)
    other = resolve(against, time_limit)
    work = _Work(subject, values, signature, name, progress)
    try:
        match other:
            case Program():
                return work.against_program(other)
            case Recording():
                return work.against_recording(other)
            case _:
                return work.against_side(other, mode)
    finally:
        if not isinstance(other, Program | Recording) and other is not against:
            other.close()


def resolve(against: Other | str | os.PathLike[str], time_limit: float = TIME_LIMIT) -> Other:
    """A side by its name, a program or a recorded run by its path.

    Raises:
      ArgumentError: the name is none of these, or does not exist.
    """
    if not isinstance(against, str | os.PathLike):
        return against
    name = os.fspath(against)
    side = named_side(name, time_limit) if isinstance(against, str) else None
    if side is not None:
        return side
    if is_recording(name):
        return Recording(name)
    if os.path.isfile(name):
        return load_path(name)
    raise ArgumentError(
        f"a side must be one of {', '.join(NAMES)}, or a file or a recorded run, got '{name}'"
        f"{did_you_mean(name, NAMES)}"
    )


def _recording(program: Any) -> Recording | None:
    if isinstance(program, Recording):
        return program
    if isinstance(program, str | os.PathLike) and is_recording(os.fspath(program)):
        return Recording(program)  # pyright: ignore[reportUnknownArgumentType] # a path
    return None


@dataclass(slots=True)
class _Work:
    """A comparison under way."""

    program: Program
    values: Sequence[Value]
    signature: Signature
    name: str
    progress: Progress
    modes: list[Mode] = field(default_factory=list[Mode])
    seconds: dict[str, float] = field(default_factory=dict[str, float])
    notes: list[str] = field(default_factory=list[str])

    def report(
        self,
        side: str,
        results: Sequence[Comparison],
        findings: Sequence[Finding] = (),
        first: Finding | None = None,
        exact: int = 0,
        skipped: int = 0,
    ) -> DiffReport:
        return DiffReport(
            self.name,
            side,
            tuple(self.modes),
            tuple(results),
            tuple(findings),
            first or first_of(findings),
            exact,
            skipped,
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
            if mode == "whole" or all(comparison.verdict == "exact" for comparison in results):
                return self.report(side.name, results)
        operations = Operations(self.program.module, self.program.filename)
        findings: list[Finding] = []
        exact = skipped = 0
        if mode in ("auto", "isolated"):
            sampler = self.isolated(side, operations)
            findings, exact, skipped = sampler.findings, sampler.exact, sampler.skipped
        is_off = any(comparison.verdict in DIFFERING for comparison in results)
        if mode == "values" or (mode == "auto" and first_of(findings) is None):
            following = self.all_values(side, operations)
            if following is not None and (mode == "values" or first_of(following.findings) is not None):
                findings, exact, skipped = following.findings, following.exact, following.missing
            elif following is not None and is_off:
                self.notes.append(
                    "each operation is right in isolation, and in the program if its value is a result: the "
                    "difference comes from the compilation of the whole program on the other side"
                )
        first = first_of(findings)
        if first is not None and has(first.op, "applies"):
            inner = self.inside(side, operations, first)
            findings = sorted([*findings, *inner], key=lambda found: (found.order, found is first))
            first = first_of(inner) or first
        if not is_off and mode == "auto" and first is None:
            results = [_explained(comparison) for comparison in results]
        return self.report(side.name, results, findings, first, exact, skipped)

    def inside(self, side: Side, operations: Operations, found: Finding) -> list[Finding]:
        """The operations in the regions of the operation at fault that are wrong in isolation, too."""
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
        mine = self.program.runs.evaluate(self.values, self.signature.name)
        try:
            module = write_bytecode(self.program.module)
            theirs = side.run(module, [np.asarray(value) for value in self.values], self.signature.name)
        except SideFailed as failure:
            found = [Comparison(failure.kind, note=failure.reason)]
        else:
            found = self.compare_results(mine, theirs)
        self.progress("results", 1, 1)
        self.end("whole", start)
        return found

    def compare_results(self, mine: Sequence[Value], theirs: Sequence[Any]) -> list[Comparison]:
        """Compare results with those of another run, given the effect of rounding on hlokit's."""
        if len(mine) != len(theirs):
            counts = f"{len(mine)} results", f"{len(theirs)}"
            return [
                Comparison("type", expected=counts[0], actual=counts[1], note="another number of results")
            ]
        runs = disturbed_runs(self.program, self.values, self.signature.name)
        disturbed: list[tuple[Value, ...]] = []

        def allow(index: int, count: int) -> Allowance:
            disturbed.extend(islice(runs, count - len(disturbed)) if count > len(disturbed) else ())
            error = SLACK * spread(mine[index], [run[index] for run in disturbed[:count]])
            return Allowance(error, f"{SLACK:g} times what 1 ULP of each operation makes")

        def judged(index: int, type_: TensorType) -> Comparison:
            """The second disturbed run follows only where the first one does not explain the difference."""
            value, other, element_type = mine[index], theirs[index], type_.element_type
            found = compare(value, other, element_type, lambda: allow(index, 1))
            if found.verdict in DIFFERING:
                found = compare(value, other, element_type, lambda: allow(index, 2))
            return found

        return [
            judged(index, type_)
            for index, type_ in enumerate(self.signature.outputs)
            if isinstance(type_, TensorType)
        ]

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
        mine = self.program.runs.evaluate(self.values, self.signature.name)
        results = self.compare_results(mine, other.runs.evaluate(self.values, theirs.name))
        name = os.path.basename(other.filename) if other.filename != "-" else "the other program"
        if all(comparison.verdict == "exact" for comparison in results):
            self.end("programs", start)
        found = compare_programs(self.program, other, self.values, self.signature.name, theirs.name)
        self.end("programs", start)
        if found.missing:
            self.notes.append(
                f"{name} has {found.alike:.0%} of the operations, and does not compute {found.missing} of "
                f"{found.missing + found.exact} values"
            )
        first = found.first if any(c.verdict != "exact" for c in results) or _differs(found.first) else None
        return self.report(name, results, found.findings, first, found.exact)

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
        mine = follow(self.program, self.values, self.signature.name, own)
        results = self.compare_results(mine, other.results) if other.results else []
        following = Following(operations, other, own)
        follow(self.program, self.values, self.signature.name, following)
        if other.status != "finished":
            self.notes.append(f"the recorded run did not finish: {other.status or 'it was cut off'}")
        if following.missing:
            self.notes.append(f"{following.missing} operations were not recorded, or only their summaries")
        self.end("recording", start)
        return self.report(other.directory, results, following.findings, None, following.exact)


def _differs(found: Finding | None) -> bool:
    return found is not None and found.comparison.verdict in DIFFERING


def _explained(comparison: Comparison) -> Comparison:
    return comparison if comparison.note else replace(comparison, note="each operation is within its bound")
