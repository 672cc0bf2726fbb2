"""Comparisons with other runs: of another program, or recorded."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, EvaluationError
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import Comparison, is_off
from hlokit.tools.diff.equivalence.canonical import with_canonical_change
from hlokit.tools.diff.equivalence.causes import change_found
from hlokit.tools.diff.equivalence.programs import Question, compare_programs
from hlokit.tools.diff.equivalence.single_change import with_single_change
from hlokit.tools.diff.equivalence.structure import Structure, compare_structure
from hlokit.tools.diff.flow.first_iterations import first_iterations, note_of
from hlokit.tools.diff.flow.following import FollowedRuns, Own
from hlokit.tools.diff.flow.time_limits import (
    COMPARISON,
    LIMITS_OF_COMPARISON,
    SEARCH,
    RanOutOfTime,
    limited,
)
from hlokit.tools.diff.instrumented.continuing import Following
from hlokit.tools.diff.report import DiffReport, Mode
from hlokit.tools.diff.work import Work
from hlokit.tools.recording.places import Operations
from hlokit.tools.recording.recorder import fingerprint
from hlokit.tools.recording.recording import Recording


def against_program(work: Work, other: Program, mode: Mode = "auto") -> DiffReport:
    """Compare with another program, on the same arguments; results only in the mode `whole`."""
    theirs = other.signature(None if work.signature.name not in other.functions else work.signature.name)
    if tuple(map(str, theirs.inputs)) != tuple(map(str, work.signature.inputs)):
        raise ArgumentError(f"the programs must take the same arguments, got {work.signature} and {theirs}")
    name = os.path.basename(other.filename) if other.filename != "-" else "the other program"
    comparison = _Programs(work, other, theirs, name, "whole" if mode == "whole" else "programs")
    try:
        return limited(comparison.compare, COMPARISON, LIMITS_OF_COMPARISON)
    except RanOutOfTime as failure:
        return comparison.unfinished(failure)


class _Programs:
    """A comparison with another program, and what it knows so far."""

    def __init__(self, work: Work, other: Program, theirs: Signature, name: str, mode: Mode) -> None:
        self._work = work
        self._other = other
        self._theirs = theirs
        self._name = name
        self._mode: Mode = mode
        self._start = work.begin(mode)
        self._operations = Operations.of_program(work.program), Operations.of_program(other)
        self._structure: Structure | None = None
        self._results: list[Comparison] = []

    def compare(self) -> DiffReport:
        """The report; of results only in the mode `whole`.

        Raises:
          RanOutOfTime: a run took too long.
        """
        work, other, theirs, name = self._work, self._other, self._theirs, self._name
        structure = compare_structure(*self._operations, work.signature.name, theirs.name)
        if not structure.is_same or len(structure.changes) > 1:
            structure = with_single_change(structure, work.signature.name, theirs.name)
        if not structure.is_same and not structure.is_explained:
            structure = with_canonical_change(structure, work.signature.name, theirs.name)
        self._structure = structure
        work.changes = structure.told
        work.mine = work.evaluated()
        try:
            its = limited(lambda: other.runs.evaluate(work.values, theirs.name))
        except EvaluationError as error:
            reason = str(error).partition("\n")[0]
            return self._report([Comparison("error", note=f"the other program fails: {reason}")])
        results = self._results = work.compare_results(work.mine, flat_values(its, theirs.outputs))
        if self._mode == "whole":
            return self._report(results)
        question = _question(work, structure, theirs.name, results)
        compared = limited(lambda: compare_programs(work.program, other, question), SEARCH)
        if question.most_iterations is not None:
            work.notes.append(note_of(question.most_iterations))
        if compared.missing and not structure.is_same:
            work.notes.append(
                f"{name} has {compared.alike:.0%} of the operations, and does not compute "
                f"{compared.missing} of {compared.missing + compared.exact} values"
            )
        return self._report(results, compared.findings, compared.first, compared.exact)

    def unfinished(self, failure: RanOutOfTime) -> DiffReport:
        """The report on what is known."""
        work, structure, results = self._work, self._structure, self._results
        if not results:
            return self._report([Comparison("time-out", note=failure.reason)])
        work.notes.append(f"the values of operations could not be compared: {failure.reason}")
        causes: list[Finding] = []
        if is_off(results) and structure is not None and structure.is_same and len(structure.changes) == 1:
            causes.append(change_found(structure.changes[0], None, *self._operations))
        return self._report(results, causes)

    def _report(
        self,
        results: Sequence[Comparison],
        findings: Sequence[Finding] = (),
        first: Finding | None = None,
        exact: int = 0,
    ) -> DiffReport:
        self._work.end(self._mode, self._start)
        return self._work.report(self._name, results, findings, first, exact)


def _question(
    work: Work, structure: Structure, other_function: str, results: Sequence[Comparison]
) -> Question:
    """What is known of another program before its values are compared."""
    outputs = work.signature.outputs

    def differs(other: Sequence[Value]) -> bool:
        return is_off(work.compare_results(work.mine, flat_values(other, outputs)))

    function = work.signature.name
    most = first_iterations(work.trip_counts) if structure.is_same else None
    return Question(work.values, function, other_function, structure, is_off(results), differs, most)


def against_recording(work: Work, other: Recording) -> DiffReport:
    """Compare with a recorded run."""
    if other.header.get("fingerprint") != fingerprint(work.program):
        raise ArgumentError(
            f"'{other.directory}' is a run of another program ({other.header.get('file')}); to compare "
            f"programs, give the recorded run first: hlokit diff {other.directory} --against=FILE"
        )
    if other.function != work.signature.name:
        raise ArgumentError(
            f"'{other.directory}' is a run of @{other.function}, not of @{work.signature.name}"
        )
    recorded = other.arguments
    for number, (mine, theirs) in enumerate(zip(work.values, recorded, strict=False)):
        if not np.array_equal(np.asarray(mine), theirs, equal_nan=theirs.dtype.kind in "fc"):
            raise ArgumentError(f"'{other.directory}' is a run with another argument {number}")
    try:
        return limited(lambda: _recorded(work, other), COMPARISON, LIMITS_OF_COMPARISON)
    except RanOutOfTime as failure:
        return work.report(other.directory, [Comparison("time-out", note=failure.reason)])


def _recorded(work: Work, other: Recording) -> DiffReport:
    """The comparison with a recorded run on the same arguments."""
    start = work.begin("recording")
    operations = Operations.of_program(work.program)
    own = Own(operations, None)
    runs = FollowedRuns(work.program, work.values, work.signature.name)
    work.mine = flat_values(runs.follow(own), work.signature.outputs)
    theirs = other.results
    results = work.compare_results(work.mine, theirs) if theirs else []
    following = Following(operations, other, own)
    following.follow(runs)
    results = work.explained(results, following, theirs)
    if other.status != "finished":
        work.notes.append(f"the recorded run did not finish: {other.status or 'it was cut off'}")
    if following.missing:
        count = following.missing.total()
        work.notes.append(f"the recording has no values, or only summaries, of {count} operations")
    work.end("recording", start)
    return work.report(other.directory, results, following.findings, None, following.exact)
