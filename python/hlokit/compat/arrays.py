"""Arrays that artifacts do not keep: VHLO writes every array as a tensor.

Arrays that StableHLO itself defines become arrays again when an artifact is read. All others, of custom calls
and of other dialects, stay tensors.
"""

from __future__ import annotations

from hlokit.compat.upgrade import ARRAYS
from hlokit.errors import Diagnostic
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.diagnostics import diagnostic
from hlokit.mlir.queries.module import attributes_of, location_of, walk


def arrays_that_become_tensors(module: ir.Module, filename: str) -> list[Diagnostic]:
    """A note for each operation with such arrays."""
    notes: list[Diagnostic] = []

    def visit(operation: ir.Operation) -> None:
        names = [
            name
            for name, value in attributes_of(operation).items()
            if ARRAYS.fullmatch(name) is None and _has_array(value)
        ]
        if names:
            message = f"{operation.name}: arrays become tensors in artifacts: {', '.join(names)}"
            notes.append(diagnostic("note", message, location_of(operation, filename), filename))

    walk(module.operation, visit)
    return notes


def _has_array(attribute: ir.Attribute) -> bool:
    if isinstance(attribute, ir.DictAttr):
        return any(_has_array(attribute[index].attr) for index in range(len(attribute)))
    if isinstance(attribute, ir.ArrayAttr):
        return any(map(_has_array, attribute))
    is_long = isinstance(attribute, ir.DenseElementsAttr | ir.StringAttr)  # other attributes are short
    return not is_long and str(attribute).startswith("array<")
