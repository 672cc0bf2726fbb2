"""Compares two programs that should be equivalent: before and after a pass, or of two compilers.

Operations are aligned, and values are identified by their contents. The result is the first value of the
first program that the second program never computes although it computes all operands, and on which a
differing result depends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.programs.program import Program
from hlokit.tools.diff.comparing.bounds import Evaluated, allowance
from hlokit.tools.diff.comparing.findings import Finding, finding
from hlokit.tools.diff.comparing.verdicts import Comparison, compare
from hlokit.tools.diff.equivalence.alignment import align, moved, sure_pairs
from hlokit.tools.diff.equivalence.causes import causes, constants_behind, described_change, noted
from hlokit.tools.diff.flow.dataflow import Dataflow
from hlokit.tools.diff.flow.digests import Digests, Entry, constants_of, digest_of
from hlokit.tools.diff.flow.following import follow
from hlokit.tools.recording.places import Operations, Place, Tracker
from hlokit.values.types import TensorType

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


def compare_programs(
    one: Program, other: Program, values: Sequence[Value], function: str, other_function: str
) -> ProgramsCompared:
    """Run two programs on the same arguments, and find the first value that only one of them computes."""
    ours, theirs = Operations(one.module, one.filename), Operations(other.module, other.filename)
    mine, others = Digests(ours), Digests(theirs)
    results = [mine.digest(value) for value in follow(one, values, function, mine)]
    its_results = [others.digest(value) for value in follow(other, values, other_function, others)]
    pairs = align(ours, theirs)
    computed_there = {*others.digests, *map(digest_of, values), *constants_of(theirs.all)}
    at_place = {(entry.place, entry.result): entry for entry in others.entries}
    sure = sure_pairs(ours, theirs, pairs)
    missing = list(_missing(mine.entries, at_place, pairs, computed_there, sure))
    differing = {result for result, its in zip(results, its_results, strict=False) if result != its}
    if differing:
        harmful = list(_harmful(missing, differing, Dataflow(ours, function).deciding()))
    else:  # between programs of the same structure, also a difference that no result shows is a difference
        harmful = missing if len(sure) == len(ours.all) == len(theirs.all) else []
    # First the values whose operands the second program computes: other values may follow from these.
    roots = [
        missed for missed in harmful if all(operand in computed_there for operand in missed.entry.operands)
    ]
    is_root = {(missed.entry.place, missed.entry.result) for missed in roots}
    examined = sorted(
        {
            (missed.entry.place, missed.entry.result): missed
            for missed in (*(roots or harmful)[:_MOST_EXAMINED], *missing[:_MOST_EXAMINED])
        }.values(),
        key=lambda missed: (missed.entry.order, missed.entry.result),
    )
    left = _ValuesAt(ours, [missed.entry.place for missed in examined])
    right = _ValuesAt(theirs, [missed.there for missed in examined if missed.there is not None])
    follow(one, values, function, left)
    follow(other, values, other_function, right)
    harms = {(missed.entry.place, missed.entry.result) for missed in harmful}
    findings: list[Finding] = []
    first: Finding | None = None
    for missed in examined:
        key = (missed.entry.place, missed.entry.result)
        judged = _judged(
            missed if key in harms else _Missing(missed.entry, None), left, right, key in is_root
        )
        if judged is None:
            continue
        behind = (
            list(causes(judged, missed.entry.place, missed.there, ours, theirs)) if key in is_root else []
        )
        fresh = [cause for cause in behind if all(old.number != cause.number for old in findings)]
        findings += [*fresh, judged]
        if first is None and key in (is_root or harms):
            first = (fresh or [judged])[0]
    if not roots and first is not None:
        # The cause is not an evaluated operation, but for instance a constant that is an argument of a call.
        changed = next(constants_behind(first, ours, theirs, pairs), None)
        if changed is not None:
            findings.insert(0, changed)
            first = changed
    alike = len(pairs) / max(1, len(ours.all))
    return ProgramsCompared(findings, first, len(missing), len(mine.entries) - len(missing), alike)


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


def _judged(missing: _Missing, left: _ValuesAt, right: _ValuesAt, is_root: bool) -> Finding | None:
    entry, there = missing.entry, missing.there
    kept = left.evaluations.get(entry.place)
    if kept is None:
        return None
    step, operands, results = kept
    type_ = step.result_types[entry.result]
    if not isinstance(type_, TensorType):
        return None
    typed_operands = list(zip(operands, step.operand_types, strict=False))
    other = None if there is None else right.evaluations.get(there)
    if other is None:
        comparison = Comparison("missing", note="the other program never computes it")
    else:
        evaluated = Evaluated(operation_of(step), step.kernel.function, operands, results)
        comparison = compare(
            results[entry.result],
            other[2][entry.result],
            type_.element_type,
            lambda: allowance(evaluated, entry.result, type_, in_context=True),
        )
        note = described_change(operation_of(step), operation_of(other[0])) if is_root else ""
        if note:
            comparison = noted(comparison, note)
    return finding(
        left.operations,
        entry.place,
        entry.order,
        entry.result,
        str(type_),
        comparison,
        typed_operands,
        None if is_root else comparison.relative,
        there,
    )
