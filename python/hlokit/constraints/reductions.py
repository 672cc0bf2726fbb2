"""Strict checks of reduce, reduce_window and select_and_scatter.

The bindings take an array that is given but empty for one that is not given.
"""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings' regions are partly untyped)

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reading import element, padding_of, rank, size_of
from hlokit.constraints.reducers import reducer, same_element_types
from hlokit.mlir.bindings import ir


def _counts(op: ir.Operation) -> str | None:
    # The bindings ignore the last of an odd number.
    count = len(op.operands)
    if count and not count % 2:
        return None
    return f"as many init_values as inputs must be given, at least one, got {count} operands"


def _init_types(op: ir.Operation) -> str | None:
    return same_element_types("init_values", len(op.results), "inputs", 0, 0)(op)


def _select(op: ir.Operation) -> str | None:
    must = element(op.operands[0])
    got = [element(argument) for argument in op.regions[0].blocks[0].arguments]
    if got == [must, must]:
        return None
    return f"select must take {must} and {must}, got {' and '.join(map(str, got))}"


def _dimensions(op: ir.Operation) -> int:
    return rank(op.operands[0])


CHECKS: Checks = {
    "reduce": {"C2": _init_types, "C3": _counts, "C6": reducer("body", 0)},
    "reduce_window": {
        "C1": _counts,
        "C3": _init_types,
        "C6": size_of("window_strides", _dimensions),
        "C8": size_of("base_dilations", _dimensions),
        "C10": size_of("window_dilations", _dimensions),
        "C12": padding_of(_dimensions),
        "C13": reducer("body", 0),
    },
    "select_and_scatter": {
        "C1": same_element_types("source", 1, "operand", 0, 1),
        "C3": same_element_types("init_value", 2, "operand", 0, 1),
        "C6": size_of("window_strides", _dimensions),
        "C8": padding_of(_dimensions),
        "C9": _select,
        "C10": reducer("scatter", 1),
    },
}
