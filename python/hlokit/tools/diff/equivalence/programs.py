"""Compares two programs that should be equivalent: before and after a pass, or of two compilers.

If both have the same operations in the same order, apart from some changes, the change that alone changes the
results is at fault. Otherwise operations are aligned, and values are identified by their contents: at fault
is the first value of the first program that the second program never computes although it computes all
operands, and on which a differing result depends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.findings import Finding, ResultAt, finding
from hlokit.tools.diff.comparing.verdicts import DIFFERING, Comparison, compare
from hlokit.tools.diff.equivalence.alignment import align, moved, sure_pairs
from hlokit.tools.diff.equivalence.causes import (
    causes,
    change_found,
    constants_behind,
    described_change,
    noted,
)
from hlokit.tools.diff.equivalence.structure import Change, Structure
from hlokit.tools.diff.equivalence.trials import decisive
from hlokit.tools.diff.flow.dataflow import Dataflow
from hlokit.tools.diff.flow.digests import Digests, Entry, constants_of, digest_of
from hlokit.tools.diff.flow.first_iterations import FirstIterations
from hlokit.tools.diff.flow.following import FollowedRuns
from hlokit.tools.diff.flow.time_limits import limited
from hlokit.tools.recording.places import Operations, Place, Tracker
from hlokit.values.types import TensorType

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# At most this many values of the first program are compared with their counterparts in the second program.
_MOST_EXAMINED = 200


class _ValuesAt(Tracker):
    """An observer that stores operands and results at some places."""

    def __init__(self, operations: Operations, places: Iterable[Place]) -> None:
        super().__init__(operations)
        self.evaluations: dict[Place, tuple[Step, Sequence[Value], Sequence[Value]]] = {}
        self._places = frozenset(places)

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        place, lifted = self.leave()
        if not lifted and place in self._places:
            self.evaluations[place] = (step, list(operands), list(results))


@dataclass(frozen=True, slots=True)
class ProgramsCompared:
    """The result of comparing two programs.

    Attributes:
      findings: values of the first program that differ in the second, in the order of the run.
      first: the finding that causes the others; None if there is none.
      missing: the number of values of the first program that the second never computes.
      exact: the number of values that the second program computes.
      alike: the share of the operations that the second program contains as well.
    """

    findings: list[Finding]
    first: Finding | None
    missing: int
    exact: int
    alike: float


@dataclass(frozen=True, slots=True)
class _Missing:
    """A value that the second program does not compute, and the place where it should be computed."""

    entry: Entry
    there: Place | None


@dataclass(frozen=True, slots=True)
class Question:
    """What is known of two programs before their values are compared.

    Attributes:
      values: the arguments of both.
      function, other_function: the names of the functions.
      structure: their common structure.
      is_off: whether the results differ by more than is allowed.
      differs: whether results, of the second program or of others, differ from the first program's by more
        than is allowed.
      most_iterations: the number of iterations of each loop whose values are compared, if the programs have
        the same structure; None for all.
    """

    values: Sequence[Value]
    function: str
    other_function: str
    structure: Structure
    is_off: bool
    differs: Callable[[Sequence[Value]], bool]
    most_iterations: int | None = None


def compare_programs(one: Program, other: Program, question: Question) -> ProgramsCompared:
    """Run two programs on the same arguments, and find the first value that only one of them computes.

    If the programs have the same structure, apart from some changes, a change causes the difference.
    """
    structure, values, function = question.structure, question.values, question.function
    ours, theirs = structure.ours, structure.theirs
    mine, others = Digests(ours), Digests(theirs)
    most = question.most_iterations if structure.is_same else None
    runs = FirstIterations(FollowedRuns(one, values, function), most)
    other_runs = FirstIterations(FollowedRuns(other, values, question.other_function), most)
    results = [mine.digest(value) for value in runs.follow(mine)]
    its_results = [others.digest(value) for value in other_runs.follow(others)]
    pairs = structure.pairs if structure.is_same else align(ours, theirs)
    sure = frozenset(pairs) if structure.is_same else sure_pairs(ours, theirs, pairs)
    computed_there = {*others.digests, *map(digest_of, values), *constants_of(theirs.all)}
    at_place = {(entry.place, entry.result): entry for entry in others.entries}
    missing = list(_missing(mine.entries, at_place, pairs, computed_there, sure))
    differing = {result for result, its in zip(results, its_results, strict=False) if result != its}
    if differing and most is None:
        harmful = list(_harmful(missing, differing, Dataflow(ours, function).deciding()))
    else:
        # Between programs of the same structure, also a difference that no result shows is a difference; of a
        # long run, what leads from a value to the results was not compared.
        harmful = missing if structure.is_same else []
    culprits: list[Change] = []
    if structure.is_explained and question.is_off:
        culprits = list(structure.changes)
    elif structure.is_same and (question.is_off or (harmful and len(structure.changes) == 1)):
        culprits = decisive(
            one,
            theirs,
            structure.changes,
            lambda changed: limited(lambda: changed.runs.evaluate(values, function)),
            question.differs,
        )
    # First the values whose operands the second program computes: other values may follow from these.
    roots = [
        missed for missed in harmful if all(operand in computed_there for operand in missed.entry.operands)
    ]
    if culprits:
        sites = {_site(ours, change.number) for change in culprits}
        roots = [missed for missed in missing if missed.entry.place[-1] in sites]
    examined = _examined(roots or harmful, missing)
    left = _ValuesAt(ours, [missed.entry.place for missed in examined])
    right = _ValuesAt(theirs, [missed.there for missed in examined if missed.there is not None])
    runs.follow(left)
    other_runs.follow(right)
    judge = _Judge(left, right, {(missed.entry.place, missed.entry.result) for missed in harmful})
    if culprits:
        findings = list(_of_changes(culprits, examined, judge))
        first = findings[0]
    else:
        findings, first = _of_values(examined, roots, judge)
        if not roots and first is not None:
            # The cause is not an evaluated operation, for instance a constant that is an argument of a call.
            changed = next(constants_behind(first, ours, theirs, pairs), None)
            if changed is not None:
                findings.insert(0, changed)
                first = changed
    alike = len(pairs) / max(1, len(ours.all))
    is_told = structure.is_explained and not question.is_off  # where the programs differ, without an effect
    return ProgramsCompared(
        findings,
        None if is_told else first,
        len(missing),
        len(mine.entries) - len(missing),
        alike,
    )


def _examined(harmful: Sequence[_Missing], missing: Sequence[_Missing]) -> list[_Missing]:
    """The first harmful values, and the first missing ones, in the order of the run."""
    chosen = {
        (missed.entry.place, missed.entry.result): missed
        for missed in (*harmful[:_MOST_EXAMINED], *missing[:_MOST_EXAMINED])
    }
    return sorted(chosen.values(), key=lambda missed: (missed.entry.order, missed.entry.result))


def _of_values(
    examined: Sequence[_Missing], roots: Sequence[_Missing], judge: _Judge
) -> tuple[list[Finding], Finding | None]:
    """The findings from the values alone, and the first one that causes others."""
    are_roots = {(missed.entry.place, missed.entry.result) for missed in roots}
    ours, theirs = judge.left.operations, judge.right.operations
    findings: list[Finding] = []
    first: Finding | None = None
    for missed in examined:
        key = (missed.entry.place, missed.entry.result)
        judged = judge(missed, is_root=key in are_roots)
        if judged is None:
            continue
        behind = (
            list(causes(judged, missed.entry.place, missed.there, ours, theirs)) if key in are_roots else []
        )
        fresh = [cause for cause in behind if all(old.number != cause.number for old in findings)]
        findings += [*fresh, judged]
        if first is None and key in (are_roots or judge.harms):
            first = (fresh or [judged])[0]
    return findings, first


def _of_changes(culprits: Sequence[Change], examined: Sequence[_Missing], judge: _Judge) -> Iterator[Finding]:
    """A finding for each change that matters, where it first shows; then the values that follow."""
    ours = judge.left.operations
    sites = {_site(ours, change.number): change for change in reversed(culprits)}
    for change in culprits:
        site = _site(ours, change.number)
        shown = [missed for missed in examined if missed.entry.place[-1] == site]
        effect = next(filter(None, [judge(missed, is_root=True) for missed in shown]), None)
        yield change_found(change, effect, ours, judge.right.operations)
    for missed in examined:
        follows = None if missed.entry.place[-1] in sites else judge(missed, is_root=False)
        if follows is not None:
            yield follows


def _site(ours: Operations, number: int) -> int:
    """The operation whose results show a change: the outermost one with a region that is applied to
    elements, or the operation itself."""
    site = number
    operation: ir.Operation | None = ours.all[number]
    while operation is not None:
        if traits_of(operation.name).applies:
            site = ours.number_within(operation)
        operation = None if operation.parent is None else operation.parent.operation
    return site


def _missing(
    entries: Sequence[Entry],
    at_place: Mapping[tuple[Place, int], Entry],
    pairs: dict[int, int],
    computed_there: set[bytes],
    sure: frozenset[int],
) -> Iterator[_Missing]:
    """Values that the other program does not compute.

    A value that the other program computes elsewhere counts as missing if the operation that should compute
    the value is known for certain: another value may be the same by chance.
    """
    for entry in entries:
        place = moved(entry.place, pairs)
        there = None if place is None else at_place.get((place, entry.result))
        if there is not None and there.digest == entry.digest:
            continue
        is_sure = there is not None and all(number in sure for number in entry.place[::2])
        if entry.digest in computed_there and not is_sure:
            continue
        yield _Missing(entry, None if there is None else there.place)


def _harmful(
    missing: Sequence[_Missing], differing: set[bytes], deciding: frozenset[int]
) -> Iterator[_Missing]:
    """The missing values on which a differing result or a decision of control flow depends.

    Passes remove and rewrite values on purpose; such a value is no fault if no dependent value is missing as
    well.
    """
    by_digest: dict[bytes, list[_Missing]] = {}
    for missed in missing:
        by_digest.setdefault(missed.entry.digest, []).append(missed)
    reached: set[bytes] = set()
    waiting = [
        *differing,
        *[missed.entry.digest for missed in missing if missed.entry.place[-1] in deciding],
    ]
    while waiting:
        digest = waiting.pop()
        if digest in reached:
            continue
        reached.add(digest)
        for missed in by_digest.get(digest, ()):
            waiting += missed.entry.operands
    yield from [missed for missed in missing if missed.entry.digest in reached]


class _Judge(NamedTuple):
    """Compares values at places with their counterparts.

    Attributes:
      left, right: evaluations of both programs.
      harms: the places and results of the harmful values.
    """

    left: _ValuesAt
    right: _ValuesAt
    harms: set[tuple[Place, int]]

    def __call__(self, missing: _Missing, *, is_root: bool) -> Finding | None:
        """The finding about a missing value.

        Args:
          is_root: whether the operands are the same in both programs; otherwise the value follows from them.
        """
        entry = missing.entry
        there = missing.there if (entry.place, entry.result) in self.harms else None
        kept = self.left.evaluations.get(entry.place)
        if kept is None:
            return None
        step, operands, results = kept
        type_ = step.result_types[entry.result]
        if not isinstance(type_, TensorType):
            return None
        typed_operands = list(zip(operands, step.operand_types, strict=False))
        other = None if there is None else self.right.evaluations.get(there)
        if other is None:
            comparison = Comparison("missing", note="the other program never computes it")
        else:
            evaluated = Evaluated(operation_of(step), step.kernel.function, operands, results, other[2])
            comparison = compare(
                results[entry.result],
                other[2][entry.result],
                type_.element_type,
                lambda: allowance(evaluated, entry.result, type_, in_context=True),
            )
            if not is_root and comparison.verdict in DIFFERING:
                comparison = replace(comparison, verdict="follows")
            note = described_change(operation_of(step), operation_of(other[0])) if is_root else ""
            if note:
                comparison = noted(comparison, note)
        return finding(
            ResultAt(self.left.operations, entry.place, entry.order, entry.result, str(type_)),
            comparison,
            typed_operands,
            None if is_root else comparison.relative,
            there,
        )
