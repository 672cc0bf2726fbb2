"""Values of a module by their positions, and in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hlokit.mlir.provider.bindings import ir
from hlokit.tools.recording.places import Operations, defining_operation


class Source(NamedTuple):
    """A value of a module, by its position.

    Attributes:
      number: the number of the operation that has it as a result, or whose region has it as an argument.
      region: the region of an argument; None for a result.
      position: the number of the result or of the argument.
    """

    number: int
    region: int | None
    position: int


def source_of(operations: Operations, value: ir.Value) -> Source:
    """The position of a value."""
    operation = defining_operation(value)
    if operation is not None:
        return Source(operations.number_within(operation), None, ir.OpResult(value).result_number)
    argument = ir.BlockArgument(value)
    owner = argument.owner.owner.operation
    blocks = [region.blocks[0] if len(region.blocks) else None for region in owner.regions]
    return Source(operations.number_within(owner), blocks.index(argument.owner), argument.arg_number)


def described(operations: Operations, value: ir.Value) -> str:
    """A value in words: its operation and its line."""
    number, region, index = source_of(operations, value)
    operation = operations.all[number]
    if region is not None:
        if operation.name == "func.func":
            return f"argument {index} of @{operation.attributes['sym_name'].value}"
        return f"argument {index} of region {region} of {operation.name}"
    which = f"result {index} of " if len(operation.results) > 1 else ""
    return f"{which}{operation.name}{_line(operations, number)}"


def _line(operations: Operations, number: int) -> str:
    source = operations.source(number)
    return f" ({source})" if source else ""


def value_at(operations: Sequence[ir.Operation], source: Source) -> ir.Value:
    """The value at a position of a module, given the operations of the module by number."""
    operation = operations[source.number]
    if source.region is None:
        return operation.results[source.position]
    return operation.regions[source.region].blocks[0].arguments[source.position]
