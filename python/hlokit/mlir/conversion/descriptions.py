"""Descriptions of operations as text, so that equal text means an equal function of the operands."""

from __future__ import annotations

from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.operations.lookup import traits_of


def description(operation: ir.Operation) -> str:
    """Name, attributes, types and regions of an operation, without names of values, locations, and attributes
    that a dialect has added. Values from outside are numbered in order of use."""
    return "\n".join(_lines(operation, {}))


def _lines(operation: ir.Operation, names: dict[ir.Value, str]) -> list[str]:
    operands = [names.setdefault(operand, f"outside {len(names)}") for operand in operation.operands]
    attributes = [f"{name}={text}" for name, text in _texts(operation).items() if "." not in name]
    types = [str(value.type) for values in (operation.operands, operation.results) for value in values]
    lines = [" ".join([operation.name, *operands, *sorted(attributes), *types])]
    for region in operation.regions:
        for block in region.blocks:
            names.update({argument: f"{len(names) + n}" for n, argument in enumerate(block.arguments)})
            lines.append("block " + " ".join([str(argument.type) for argument in block.arguments]))
            for view in block.operations:
                lines += _lines(view.operation, names)
        lines.append("end")
    names.update({result: f"{len(names) + n}" for n, result in enumerate(operation.results)})
    return lines


def _texts(operation: ir.Operation) -> dict[str, str]:
    """Attributes as text; complex constants, for which the bindings have no class, as bytes."""
    texts = {name: str(attribute) for name, attribute in attributes_of(operation).items()}
    if traits_of(operation.name).constant and "value" not in texts:
        texts["value"] = read_elements(operation, "value").tobytes().hex()
    return texts
