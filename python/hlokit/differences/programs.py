"""Compares two programs that should be equivalent: before and after a pass, or of two compilers.

Operations are aligned, and values are identified by their contents. The result is the first value of the
first program that the second program never computes, although it computes all of its operands.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false
# (the bindings are partly untyped)

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hlokit.contract.registry import Value
from hlokit.differences.alignment import align, moved
from hlokit.differences.bounds import Evaluated, allowance
from hlokit.differences.findings import Finding, finding
from hlokit.differences.following import follow
from hlokit.differences.verdicts import EXACT, Comparison, compare
from hlokit.interpreter.planner import operation_of
from hlokit.mlir.bindings import ir
from hlokit.mlir.constants import read_elements
from hlokit.mlir.module import attributes_of
from hlokit.plan.plan import Plan, Step
from hlokit.program import Program
from hlokit.recording.places import CONTROL_FLOW, Operations, Place, Tracker, defining_operation
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType

_CONSTANT = "stablehlo.constant"
# The part of operations that must be aligned for the programs to have the same structure.
_ALIKE = 0.8
# Values of the first program that are compared with the values in their places in the second.
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class _Entry:
    """A value of a run: its place, and digests of the value and of its operands."""

    order: int
    place: Place
    result: int
    digest: bytes
    operands: tuple[bytes, ...]


class _Digests(Tracker):
    """An observer that stores digests of all values."""

    def __init__(self, operations: Operations) -> None:
        super().__init__(operations)
        self.entries: list[_Entry] = []
        self.known: set[bytes] = set()
        self._recent: dict[int, tuple[Any, bytes]] = {}
        self._order = 0

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        place, lifted = self.leave()
        if step.name in CONTROL_FLOW:
            return
        order = self._order
        self._order += 1
        given = tuple([self.digest(value) for value in operands])
        for index, value in enumerate(results):
            digest = self.digest(value)
            self.known.add(digest)
            if not lifted:
                self.entries.append(_Entry(order, place, index, digest, given))

    def digest(self, value: Value) -> bytes:
        """A digest that identifies a value; the digests of the latest values are cached."""
        found = self._recent.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        made = digest_of(value)
        if len(self._recent) > 512:
            self._recent.clear()
        self._recent[id(value)] = (value, made)
        return made


def digest_of(value: Value) -> bytes:
    """Of shape, element type and bits."""
    if not isinstance(value, np.ndarray | np.generic):
        return repr(value).encode()
    array = np.asarray(value)
    name = f"{array.dtype.name}{array.shape}".encode()
    return hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16, key=name[:64]).digest()


class _Kept(Tracker):
    """An observer that stores operands and results at some places."""

    def __init__(self, operations: Operations, places: Iterable[Place]) -> None:
        super().__init__(operations)
        self.found: dict[Place, tuple[Step, Sequence[Value], Sequence[Value]]] = {}
        self._places = frozenset(places)

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        place, lifted = self.leave()
        if not lifted and place in self._places:
            self.found[place] = (step, list(operands), list(results))


@dataclass(frozen=True, slots=True)
class ProgramsCompared:
    """The result of comparing two programs.

    Attributes:
      findings: values of the first program that differ in the second, in the order of the run.
      first: the finding that causes the others; None if there is none.
      missing: the number of values of the first program that the second never computes.
      exact: the number of values that it computes.
      alike: the part of the operations that the second program has, too.
    """

    findings: list[Finding]
    first: Finding | None
    missing: int
    exact: int
    alike: float


def compare_programs(
    one: Program, other: Program, values: Sequence[Value], function: str, other_function: str
) -> ProgramsCompared:
    """Run two programs on the same arguments, and find the first value that only one of them computes."""
    ours, theirs = Operations(one.module, one.filename), Operations(other.module, other.filename)
    mine, others = _Digests(ours), _Digests(theirs)
    follow(one, values, function, mine)
    follow(other, values, other_function, others)
    pairs = align(ours.all, theirs.all)
    alike = len(pairs) / max(1, len(ours.all))
    known = {*others.known, *map(digest_of, values), *_constants(theirs.all)}
    at_place = {(entry.place, entry.result): entry for entry in others.entries}
    missing = list(_missing(mine.entries, at_place, pairs, known, alike >= _ALIKE))
    # First those for which the second program has all operands: the others may follow from these.
    roots = [entry for entry, _ in missing if all(operand in known for operand in entry.operands)]
    chosen = (roots or [entry for entry, _ in missing])[:_LOOKED_AT]
    places = {entry.place: place for entry, place in missing}
    looked = sorted(
        {*chosen, *[entry for entry, _ in missing[:_LOOKED_AT]]}, key=lambda e: (e.order, e.result)
    )
    left, right = (
        _Kept(ours, [entry.place for entry in looked]),
        _Kept(theirs, [place for entry in looked if (place := places[entry.place]) is not None]),
    )
    follow(one, values, function, left)
    follow(other, values, other_function, right)
    root_places = {(entry.place, entry.result) for entry in roots}
    findings: list[Finding] = []
    first: Finding | None = None
    for entry in looked:
        is_root = (entry.place, entry.result) in root_places
        found = _judged(entry, places[entry.place], left, right, is_root)
        if found is None:
            continue
        causes = list(_causes(found, entry, places[entry.place], ours, theirs)) if is_root else []
        fresh = [cause for cause in causes if all(each.number != cause.number for each in findings)]
        findings += [*fresh, found]
        if first is None and (is_root or not roots):
            first = (fresh or [found])[0]
    if not roots and first is not None:
        # The cause is not an evaluated operation, but for instance a constant that is an argument of a call.
        changed = next(_constants_behind(first, ours, theirs, pairs), None)
        if changed is not None:
            findings.insert(0, changed)
            first = changed
    return ProgramsCompared(findings, first, len(missing), len(mine.entries) - len(missing), alike)


def known_values(
    program: Program, values: Sequence[Value], function: str
) -> tuple[set[bytes], Sequence[Value]]:
    """Digests of the arguments, constants and values of a run, and its results."""
    operations = Operations(program.module, program.filename)
    digests = _Digests(operations)
    results = follow(program, values, function, digests)
    return {*digests.known, *map(digest_of, values), *_constants(operations.all)}, results


def _missing(
    entries: Sequence[_Entry],
    at_place: dict[tuple[Place, int], _Entry],
    pairs: dict[int, int],
    known: set[bytes],
    by_place: bool,
) -> Iterator[tuple[_Entry, Place | None]]:
    """Values that the other program does not compute, and the places where it should."""
    for entry in entries:
        place = moved(entry.place, pairs)
        there = None if place is None else at_place.get((place, entry.result))
        if there is not None and there.digest == entry.digest:
            continue
        if entry.digest in known and (there is None or not by_place):
            continue
        yield entry, None if there is None else there.place


def _constants(operations: Iterable[ir.Operation]) -> Iterator[bytes]:
    for operation in operations:
        if operation.name == _CONSTANT and (value := _constant(operation)) is not None:
            yield digest_of(value)


def _constant(operation: ir.Operation) -> Any | None:
    try:
        return read_elements(operation, "value")
    except Exception:  # constants of types that have no arrays are not compared
        return None


def _judged(entry: _Entry, there: Place | None, left: _Kept, right: _Kept, is_root: bool) -> Finding | None:
    kept = left.found.get(entry.place)
    if kept is None:
        return None
    step, operands, results = kept
    type_ = step.result_types[entry.result]
    if not isinstance(type_, TensorType):
        return None
    given = list(zip(operands, step.operand_types, strict=False))
    other = None if there is None else right.found.get(there)
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
        note = _what_is_other(operation_of(step), operation_of(other[0])) if is_root else ""
        if note:
            comparison = _noted(comparison, note)
    return finding(
        left.operations,
        entry.place,
        entry.order,
        entry.result,
        str(type_),
        comparison,
        given,
        None if is_root else comparison,
        there,
    )


def _noted(comparison: Comparison, note: str) -> Comparison:
    return replace(comparison, note="; ".join(filter(None, (comparison.note, note))))


def _what_is_other(one: ir.Operation, other: ir.Operation) -> str:
    """The difference between two operations, in words."""
    if one.name != other.name:
        return f"{other.name} in the other program"
    mine, theirs = attributes_of(one), attributes_of(other)
    changed = [name for name in sorted({*mine, *theirs}) if str(mine.get(name)) != str(theirs.get(name))]
    if changed:
        name = changed[0]
        return f"attribute {name}: {_short(mine.get(name))} and {_short(theirs.get(name))}"
    if [_source_of(value) for value in one.operands] != [_source_of(value) for value in other.operands]:
        return "operands come from elsewhere in the other program"
    if len(one.regions) and str(one) != str(other):
        return "the regions differ"
    return ""


def _short(attribute: Any) -> str:
    text = str(attribute)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _source_of(value: ir.Value) -> tuple[Any, ...]:
    operation = defining_operation(value)
    if operation is None:
        return ("argument", ir.BlockArgument(value).arg_number)
    return (operation.name, ir.OpResult(value).result_number, _position(operation))


def _position(operation: ir.Operation) -> int:
    """The number of operations before this one in its block."""
    block = operation.block
    for position, view in enumerate(block.operations):
        if view.operation == operation:
            return position
    return -1


def _causes(
    found: Finding, entry: _Entry, there: Place | None, ours: Operations, theirs: Operations
) -> Iterator[Finding]:
    """The causes, other than its operation, of a value that only one program computes."""
    if there is None:
        return
    yield from _changed_operands(found, entry.place, there, ours, theirs)
    one, other = ours.all[entry.place[-1]], theirs.all[there[-1]]
    if len(one.regions) and one.name == other.name:
        yield from _inside(found, entry.place, there, one, other, ours, theirs)


def _changed_operands(
    found: Finding, place: Place, there: Place, ours: Operations, theirs: Operations
) -> Iterator[Finding]:
    """Operands of an operation that are other constants in the other program."""
    one, other = ours.all[place[-1]], theirs.all[there[-1]]
    for mine, its in zip(one.operands, other.operands, strict=False):
        source, its_source = defining_operation(mine), defining_operation(its)
        if source is not None and its_source is not None and source.name == its_source.name == _CONSTANT:
            yield from _changed_constant(found, place[:-1], there[:-1], source, its_source, ours, theirs)


def _constants_behind(
    found: Finding, ours: Operations, theirs: Operations, pairs: dict[int, int]
) -> Iterator[Finding]:
    """Constants that differ in the second program: first operands of an operation, then all."""
    if found.there is not None:
        yield from _changed_operands(found, found.place, found.there, ours, theirs)
    yield from _other_constants(found, ours, theirs, pairs)


def _other_constants(
    found: Finding, ours: Operations, theirs: Operations, pairs: dict[int, int]
) -> Iterator[Finding]:
    """Constants of the first program that differ in the second."""
    for number, operation in enumerate(ours.all):
        there = pairs.get(number)
        if operation.name == _CONSTANT and there is not None:
            yield from _changed_constant(found, (), (), operation, theirs.all[there], ours, theirs)


def _changed_constant(
    found: Finding,
    around: Place,
    around_there: Place,
    one: ir.Operation,
    other: ir.Operation,
    ours: Operations,
    theirs: Operations,
) -> Iterator[Finding]:
    a, b = _constant(one), _constant(other)
    if a is None or b is None or digest_of(a) == digest_of(b):
        return
    type_ = element_type_of(np.asarray(a).dtype)
    comparison = _noted(compare(a, b, type_, lambda: EXACT), "another constant in the other program")
    place, there = (*around, ours.number_within(one)), (*around_there, theirs.number_within(other))
    yield finding(ours, place, found.order, 0, str(one.results[0].type), comparison, there=there)


def _inside(
    found: Finding,
    place: Place,
    there: Place,
    one: ir.Operation,
    other: ir.Operation,
    ours: Operations,
    theirs: Operations,
) -> Iterator[Finding]:
    """The first operation in the regions of an operation that differs in the other program."""
    mine, its = list(_within(one)), list(_within(other))
    if len(mine) != len(its):
        return
    around, around_there = (*place, 0), (*there, 0)
    for a, b in zip(mine, its, strict=True):
        if a.name == b.name == _CONSTANT:
            yield from _changed_constant(found, around, around_there, a, b, ours, theirs)
            continue
        note = _what_is_other(a, b)
        if note and a.name not in CONTROL_FLOW:
            type_ = str(a.results[0].type) if len(a.results) else ""
            yield finding(
                ours,
                (*around, ours.number_within(a)),
                found.order,
                0,
                type_,
                _noted(found.comparison, note),
                there=(*around_there, theirs.number_within(b)),
            )
            return


def _within(operation: ir.Operation) -> Iterator[ir.Operation]:
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                yield from _within(view.operation)
                yield view.operation
