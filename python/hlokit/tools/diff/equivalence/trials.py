"""Trials: the first program with single changes of the second one, to find the changes that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.programs.program import Program
from hlokit.tools.diff.equivalence.structure import ADDED, Change, set_callee
from hlokit.tools.diff.flow.time_limits import RanOutOfTime
from hlokit.tools.diff.flow.value_sources import value_at
from hlokit.tools.recording.places import Operations

Results = TypeVar("Results")

# The number of changes that are tried.
MOST_TRIED = 48


def decisive(
    program: Program,
    other: Operations,
    changes: Sequence[Change],
    run: Callable[[Program], Results],
    differs: Callable[[Results], bool],
) -> list[Change]:
    """The changes that alone change the results of the first program.

    Args:
      other: operations of the second program.
      run: returns the results of a program.
      differs: whether results differ from those of the first program.
    """
    if len(changes) == 1:
        return list(changes)
    matter: list[Change] = []
    for change in changes[:MOST_TRIED]:
        changed = with_change(program, other, change)
        if changed is None:
            continue
        try:
            if differs(run(changed)):
                matter.append(change)
        except (RanOutOfTime, HlokitError):
            matter.append(change)  # the program with this change alone does not end, or fails
    return matter


def with_change(program: Program, other: Operations, change: Change) -> Program | None:
    """The first program with one change of the second one; None if it is no program."""
    module = changed_module(program.module, other, change)
    try:
        return None if module is None else Program(module, program.filename)
    except (ir.MLIRError, HlokitError):
        return None


def changed_module(module: ir.Module, other: Operations, change: Change) -> Any | None:
    """A module with one change of the second one; None if it does not verify."""
    if ADDED in [source for _, source in change.operands]:
        return None  # one more operation
    counterpart = other.all[change.there] if change.there >= 0 else None
    if counterpart is not None and counterpart.name == "func.func":
        return None  # one operation less
    changed: Any = module.operation.clone(ip=False)
    with module.context, ir.Location.unknown():
        operations = Operations(changed)
        operation = operations.all[change.number]
        for position, source in change.operands:
            operation.operands[position] = value_at(operations.all, source)
        if change.callee:
            set_callee(operation, change.callee)
        if counterpart is not None and operation.name != counterpart.name:
            operation = _renamed(operation, counterpart)
        elif counterpart is not None:
            _take_attributes(operation, counterpart)
    try:
        return changed if changed.operation.verify() else None
    except ir.MLIRError:
        return None


def _renamed(operation: ir.Operation, counterpart: ir.Operation) -> ir.Operation:
    renamed = ir.Operation.create(
        counterpart.name,
        results=[result.type for result in operation.results],
        operands=list(operation.operands),
        attributes=_attributes_here(counterpart),
        ip=ir.InsertionPoint(operation),
    )
    for result, replacement in zip(operation.results, renamed.results, strict=True):
        result.replace_all_uses_with(replacement)
    operation.erase()
    return renamed


def _take_attributes(operation: ir.Operation, counterpart: ir.Operation) -> None:
    attributes = _attributes_here(counterpart)
    for name in attributes_of(operation).keys() - attributes.keys():
        del operation.attributes[name]
    for name, attribute in attributes.items():
        operation.attributes[name] = attribute


def _attributes_here(counterpart: ir.Operation) -> dict[str, ir.Attribute]:
    """Attributes of an operation of another context."""
    return {
        name: ir.Attribute.parse(str(attribute)) for name, attribute in attributes_of(counterpart).items()
    }
