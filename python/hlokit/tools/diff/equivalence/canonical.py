"""The one change between two programs after both went through the same passes.

A compiler folds constants and simplifies operations, so that two programs of which one was compiled have few
operations in common. The same passes on both leave the change alone.
"""

from __future__ import annotations

import re
from typing import Any

from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.passes.pipeline import parse_pipeline, run_pipeline
from hlokit.tools.diff.equivalence.single_change import with_single_change
from hlokit.tools.diff.equivalence.structure import Change, Structure, compare_structure
from hlokit.tools.recording.places import Operations

# A change of a call shows in functions that are not inlined, and folding goes further in those that are.
_PASSES = ("canonicalize,cse,symbol-dce", "inline,canonicalize,cse,symbol-dce")
# Larger programs are not compared in this way, which takes as long as a compiler takes.
_MOST_OPERATIONS = 20_000
# Locations carry the numbers of operations through passes.
_NUMBER = re.compile(r'"hlokit:(\d+)"')


def with_canonical_change(structure: Structure, function: str, other_function: str) -> Structure:
    """A structure with the one change between canonical forms; the same structure if there is none."""
    if max(len(structure.ours.all), len(structure.theirs.all)) > _MOST_OPERATIONS:
        return structure
    for passes in _PASSES:
        change = _change(structure, passes, function, other_function)
        if change is not None:
            return structure._replace(changes=(change,), is_explained=True)
    return structure


def _change(structure: Structure, passes: str, function: str, other_function: str) -> Change | None:
    """The one change after passes, as a change of the first program."""
    mine, its = _canonical(structure.ours, passes), _canonical(structure.theirs, passes)
    if mine is None or its is None:
        return None
    forms = compare_structure(mine[0], its[0], function, other_function)
    if not forms.is_same or len(forms.changes) > 1:
        forms = with_single_change(forms, function, other_function)
    if len(forms.changes) != 1 or not (forms.is_same or forms.is_explained):
        return None
    (change,) = forms.changes
    number = mine[1][change.number]
    if number is None:
        return None
    return Change(number, -1, change.note, (), change.is_wiring, change.here_reads, change.there_reads)


def _canonical(operations: Operations, passes: str) -> tuple[Operations, list[int | None]] | None:
    """The canonical form of a module, and its operations' numbers in the module; None if passes fail."""
    module: Any = operations.module.operation.clone(ip=False)
    with module.context, ir.Location.unknown():
        for number, operation in enumerate(_operations(module)):
            operation.location = ir.Location.name(f"hlokit:{number}")
        try:
            run_pipeline(module, parse_pipeline(f"builtin.module({passes})"), verify_each=False)
        except HlokitError:
            return None
        numbers: list[int | None] = []
        for operation in _operations(module):
            match = _NUMBER.search(str(operation.location))
            numbers.append(int(match[1]) if match else None)
            if match:
                operation.location = operations.all[int(match[1])].location
    return Operations(module, operations.filename), numbers


def _operations(module: Any) -> list[Any]:
    operations: list[Any] = []
    walk(module, operations.append)
    return operations
