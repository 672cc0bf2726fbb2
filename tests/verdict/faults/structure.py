"""The operations of a module, where they are, and the values that one of them may take instead of an operand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hlokit.mlir.provider.bindings import ir

REDUCERS = (
    "stablehlo.reduce",
    "stablehlo.reduce_window",
    "stablehlo.scatter",
    "stablehlo.select_and_scatter",
)
BRANCHES = ("stablehlo.case", "stablehlo.if")
RETURNS = ("func.return", "stablehlo.return")

_LINE = re.compile(r'^loc\("[^"]*":(\d+):')


def operations_of(root: Any) -> list[Any]:
    """The operations in the functions of a module, an operation before those in its regions."""
    return [operation for operation in _within(root) if operation.name != "func.func"]


def _within(root: Any) -> Iterator[Any]:
    for region in root.regions:
        for block in region.blocks:
            for view in block.operations:
                yield view.operation
                yield from _within(view.operation)


def line_of(operation: Any) -> int:
    """The line of an operation in the text that was parsed."""
    match = _LINE.match(str(operation.location))
    assert match is not None, operation.location
    return int(match[1])


def parent_of(operation: Any) -> Any:
    """The operation around an operation."""
    parent = operation.parent
    return getattr(parent, "operation", parent)


def region_of(operation: Any) -> tuple[str, int]:
    """The name of the operation around an operation, and the number of the region there."""
    parent = parent_of(operation)
    for number, region in enumerate(parent.regions):
        if any(block == operation.block for block in region.blocks):
            return parent.name, number
    raise AssertionError("an operation must be in a region of its parent")


def is_in_condition(operation: Any) -> bool:
    """Whether an operation decides about the next iteration of a loop."""
    return region_of(operation) == ("stablehlo.while", 0)


def is_in_reducer(operation: Any) -> bool:
    """Whether an operation is in a region that is applied to elements."""
    name, _ = region_of(operation)
    return name in REDUCERS or name in ("stablehlo.sort", "stablehlo.map")


def is_in_main(operation: Any) -> bool:
    """Whether an operation is in the body of @main, not in a region there."""
    parent = parent_of(operation)
    return parent.name == "func.func" and parent.attributes["sym_name"].value == "main"


def visible_values(operation: Any) -> list[Any]:
    """The values that an operation may use: of earlier operations of its block and of the blocks around it."""
    values: list[Any] = []
    inner = operation
    while inner.name != "func.func":
        block = inner.block
        values += block.arguments
        for view in block.operations:
            if view.operation == inner:
                break
            values += view.operation.results
        inner = parent_of(inner)
    return values


def constant_behind(value: Any) -> str | None:
    """The spelling of a constant that a value is; None for other values."""
    owner: Any = value.owner
    operation = getattr(owner, "operation", owner)
    if isinstance(operation, ir.Operation) and operation.name == "stablehlo.constant":
        return str(operation).partition(" = ")[2]  # the bindings have no attributes of complex numbers
    return None


def are_equal(one: Any, other: Any) -> bool:
    """Whether two values are the same, or the same constant."""
    constant = constant_behind(one)
    return one == other or (constant is not None and constant == constant_behind(other))
