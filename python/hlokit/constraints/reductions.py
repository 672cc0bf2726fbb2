"""Strict checks of reduce, reduce_window and select_and_scatter.

The bindings treat an empty array as an absent one.
"""

from __future__ import annotations

from hlokit.constraints.checks import Check, Checks
from hlokit.constraints.reading import (
    different_element_type,
    operand_types,
    padding_of,
    region_types,
    result_types,
    size_of,
)
from hlokit.constraints.reducers import different_element_types, reducer, returned_types
from hlokit.mlir.provider.bindings import ir


def _counts(op: ir.Operation) -> str | None:
    # If the number of operands is odd, the bindings ignore the last.
    count = len(operand_types(op))
    if count and not count % 2:
        return None
    return f"as many init_values as inputs must be given, at least one, got {count} operands"


def _init_types(op: ir.Operation) -> str | None:
    return different_element_types(op, "init_values", len(result_types(op)), "inputs")


def _like_operand(name: str, index: int) -> Check:
    def check(op: ir.Operation) -> str | None:
        types = operand_types(op)
        return different_element_type(name, types[index], "operand", types[0])

    return check


def _select(op: ir.Operation) -> str | None:
    must = operand_types(op)[0].element_type
    got = [type_.element_type for type_ in region_types(op, 0)[0]]
    if got == [must, must]:
        return None
    return f"select must take {must} and {must}, got {' and '.join(map(str, got))}"


def _dimensions(op: ir.Operation) -> int:
    return operand_types(op)[0].rank


CHECKS: Checks = {
    "reduce": {"C2": _init_types, "C3": _counts, "C6": reducer("body", 0), "C8": returned_types("body", 0)},
    "reduce_window": {
        "C1": _counts,
        "C3": _init_types,
        "C6": size_of("window_strides", _dimensions),
        "C8": size_of("base_dilations", _dimensions),
        "C10": size_of("window_dilations", _dimensions),
        "C12": padding_of(_dimensions),
        "C13": reducer("body", 0),
        "C16": returned_types("body", 0),
    },
    "select_and_scatter": {
        "C1": _like_operand("source", 1),
        "C3": _like_operand("init_value", 2),
        "C6": size_of("window_strides", _dimensions),
        "C8": padding_of(_dimensions),
        "C9": _select,
        "C10": reducer("scatter", 1),
        "C12": returned_types("scatter", 1),
    },
}
