"""Copies of modules, and of operations with other operands."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.mlir.queries.structure import captured_values


def copy_module(module: ir.Module) -> ir.Module:
    """A copy of the module in the same context."""
    source = module.operation
    with source.context:
        result = ir.Module.create(source.location)
        for name in source.attributes.keys():  # noqa: SIM118 # iterating gives attributes in some versions
            try:
                result.operation.attributes[name] = source.attributes[name]
            except TypeError:  # the bindings have no class for complex elements
                buffer = io.BytesIO()
                source.write_bytecode(buffer)
                return ir.Module.parse(buffer.getvalue())
        for operation in module.body.operations:
            result.body.append(operation.operation.clone())
    return result


def append_copy(block: ir.Block, operation: ir.Operation, values: Sequence[ir.Value]) -> ir.Operation:
    """A copy of an operation at the end of a block.

    Args:
      values: replacements for the operands, followed by replacements for the `captured_values` of the
        regions.
    """
    captured = captured_values(operation.regions)
    copied = operation.clone(ip=False).operation
    block.append(copied)
    count = len(operation.operands)
    for position, value in enumerate(values[:count]):
        copied.operands[position] = value
    if captured:
        use_instead(copied, dict(zip(captured, values[count:], strict=True)), only_inside=True)
    return copied


def use_instead(
    operation: ir.Operation, values: Mapping[ir.Value, ir.Value], *, only_inside: bool = False
) -> None:
    """Replace the values that an operation and its nested operations use.

    Args:
      only_inside: do not replace operands of the operation itself.
    """

    def visit(inner: ir.Operation) -> None:
        if only_inside and inner == operation:
            return
        for position, operand in enumerate(list(inner.operands)):
            new = values.get(operand)
            if new is not None:
                inner.operands[position] = new

    walk(operation, visit)
