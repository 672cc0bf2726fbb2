"""The causes of a value that only one of two programs computes: changed operations, operands, constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.tools.diff.comparing.findings import Finding, ResultAt, finding
from hlokit.tools.diff.comparing.verdicts import DIFFERING, EXACT, Comparison, compare
from hlokit.tools.diff.equivalence.structure import Change
from hlokit.tools.diff.flow.digests import CONSTANT, constant_of, digest_of
from hlokit.tools.recording.places import CONTROL_FLOW, Operations, Place, defining_operation
from hlokit.values.element_types import element_type_of


def noted(comparison: Comparison, note: str) -> Comparison:
    """A comparison with a further note."""
    return replace(comparison, note="; ".join(filter(None, (comparison.note, note))))


def change_found(change: Change, effect: Finding | None, ours: Operations, theirs: Operations) -> Finding:
    """The finding about a change.

    Args:
      effect: the first difference at the operation, or at the operation whose region has it; None if it is a
        constant, or hands on values.
    """
    if effect is not None and effect.number == change.number and effect.comparison.verdict in DIFFERING:
        return replace(effect, comparison=replace(effect.comparison, note=change.note))
    operation = ours.all[change.number]
    is_inside = effect is not None and effect.number != change.number
    around: Place = ()
    around_there: Place = ()
    if effect is not None and is_inside:
        around, around_there = (*effect.place, 0), (*(effect.there or effect.place), 0)
    if operation.name == CONSTANT and change.there >= 0:
        comparison = _of_constants(operation, theirs.all[change.there])
    elif effect is not None and effect.comparison.verdict in DIFFERING:
        comparison = replace(effect.comparison, note=change.note)
    else:
        verdict = "wiring" if change.is_wiring else "beyond"
        here_reads, there_reads = change.here_reads, change.there_reads
        comparison = Comparison(verdict, expected=here_reads, actual=there_reads, note=change.note)
    types = [str(result.type) for result in operation.results]
    order, type_ = 0 if effect is None else effect.order, types[0] if len(types) == 1 else ""
    return finding(
        ResultAt(ours, (*around, change.number), order, 0, type_),
        comparison,
        there=(*around_there, change.there) if change.there >= 0 else None,
    )


def described_change(one: ir.Operation, other: ir.Operation) -> str:
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


class _Sides(NamedTuple):
    """The operations of both programs."""

    ours: Operations
    theirs: Operations


def causes(
    effect: Finding, place: Place, there: Place | None, ours: Operations, theirs: Operations
) -> Iterator[Finding]:
    """The causes, other than its operation, of a value that only one program computes."""
    if there is None:
        return
    yield from _changed_operands(effect, place, there, ours, theirs)
    one, other = ours.all[place[-1]], theirs.all[there[-1]]
    if len(one.regions) and one.name == other.name:
        yield from _inside(effect, place, there, one, other, _Sides(ours, theirs))


def _changed_operands(
    effect: Finding, place: Place, there: Place, ours: Operations, theirs: Operations
) -> Iterator[Finding]:
    """Operands of an operation that are other constants in the other program."""
    one, other = ours.all[place[-1]], theirs.all[there[-1]]
    for mine, its in zip(one.operands, other.operands, strict=False):
        source, its_source = defining_operation(mine), defining_operation(its)
        if source is not None and its_source is not None and source.name == its_source.name == CONSTANT:
            sides = _Sides(ours, theirs)
            yield from _changed_constant(effect, place[:-1], there[:-1], source, its_source, sides)


def constants_behind(
    effect: Finding, ours: Operations, theirs: Operations, pairs: dict[int, int]
) -> Iterator[Finding]:
    """Constants that differ in the second program: first operands of an operation, then all."""
    if effect.there is not None:
        yield from _changed_operands(effect, effect.place, effect.there, ours, theirs)
    yield from _other_constants(effect, ours, theirs, pairs)


def _other_constants(
    effect: Finding, ours: Operations, theirs: Operations, pairs: dict[int, int]
) -> Iterator[Finding]:
    """Constants of the first program that differ in the second."""
    for number, operation in enumerate(ours.all):
        there = pairs.get(number)
        if operation.name == CONSTANT and there is not None:
            sides = _Sides(ours, theirs)
            yield from _changed_constant(effect, (), (), operation, theirs.all[there], sides)


def _changed_constant(
    effect: Finding,
    around: Place,
    around_there: Place,
    one: ir.Operation,
    other: ir.Operation,
    sides: _Sides,
) -> Iterator[Finding]:
    comparison = _of_constants(one, other)
    if comparison.verdict == "exact":
        return
    place, there = (
        (*around, sides.ours.number_within(one)),
        (*around_there, sides.theirs.number_within(other)),
    )
    yield finding(
        ResultAt(sides.ours, place, effect.order, 0, str(one.results[0].type)), comparison, there=there
    )


def _of_constants(one: ir.Operation, other: ir.Operation) -> Comparison:
    a, b = constant_of(one), constant_of(other)
    if a is None or b is None or digest_of(a) == digest_of(b):
        return Comparison("exact")
    comparison = compare(a, b, element_type_of(np.asarray(a).dtype), lambda: EXACT)
    return noted(comparison, "another constant in the other program")


def _inside(
    effect: Finding,
    place: Place,
    there: Place,
    one: ir.Operation,
    other: ir.Operation,
    sides: _Sides,
) -> Iterator[Finding]:
    """The first operation in the regions of an operation that differs in the other program."""
    mine, its = list(_within(one)), list(_within(other))
    if len(mine) != len(its):
        return
    around, around_there = (*place, 0), (*there, 0)
    for a, b in zip(mine, its, strict=True):
        if a.name == b.name == CONSTANT:
            yield from _changed_constant(effect, around, around_there, a, b, sides)
            continue
        note = described_change(a, b)
        if note and a.name not in CONTROL_FLOW:
            type_ = str(a.results[0].type) if len(a.results) else ""
            yield finding(
                ResultAt(sides.ours, (*around, sides.ours.number_within(a)), effect.order, 0, type_),
                noted(effect.comparison, note),
                there=(*around_there, sides.theirs.number_within(b)),
            )
            return


def _within(operation: ir.Operation) -> Iterator[ir.Operation]:
    for region in operation.regions:
        for block in region.blocks:
            for view in block.operations:
                yield from _within(view.operation)
                yield view.operation
