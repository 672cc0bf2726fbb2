"""Descriptions of operations as text, so that equal text means an equal function of the operands."""

from __future__ import annotations

from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of, called_functions
from hlokit.operations.lookup import traits_of

# What compilers note on custom calls.
_ANNOTATIONS = frozenset({"mhlo.sharding", "sdy.sharding", "sdy.sharding_rule", "mhlo.frontend_attributes"})


def description(operation: ir.Operation) -> str:
    """Name, attributes, types and regions of an operation, and the functions that it calls, without names of
    values, locations, and annotations. Values from outside are numbered in order of use."""
    functions = called_functions(operation).values()
    return "\n".join([line for called in (operation, *functions) for line in _lines(called, {})])


def is_meant(attribute: str, operation: str) -> bool:
    """Whether an attribute says what an operation computes: its own, and those of dialects on custom calls,
    unless they are annotations."""
    return "." not in attribute or (traits_of(operation).foreign and attribute not in _ANNOTATIONS)


def _lines(operation: ir.Operation, names: dict[ir.Value, str]) -> list[str]:
    operands = [names.setdefault(operand, f"outside {len(names)}") for operand in operation.operands]
    attributes = [f"{name}={text}" for name, text in _texts(operation).items()]
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
    """Attributes as text; constants as bytes: the text of some is a name, and complex ones have none."""
    attributes = attributes_of(operation).items()
    texts = {name: str(attribute) for name, attribute in attributes if is_meant(name, operation.name)}
    if traits_of(operation.name).constant:
        texts["value"] = read_elements(operation, "value").tobytes().hex()
    return texts
