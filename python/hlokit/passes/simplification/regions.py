"""Moves blocks from an operation to its replacement.

The driver must be notified of every erased operation, so the rewriter erases operations. Moves require no
notification.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.support import Value, build, defining_op, is_used


def body(operation: ir.Operation, index: int = 0) -> ir.Block:
    """The only block of a region."""
    return operation.regions[index].blocks[0]


def terminator(block: ir.Block) -> ir.Operation:
    return block.operations[len(block.operations) - 1].operation


def is_inside(value: Value, block: ir.Block) -> bool:
    """Whether a value is a block argument or the result of an operation in the block."""
    owner = value.owner
    return (owner if isinstance(owner, ir.Block) else owner.operation.block) == block


def return_only(block: ir.Block, values: Sequence[Value], rewriter: Rewriter) -> None:
    """Make a block of pure operations return other values, and drop the operations that become unused."""
    old = terminator(block)
    with ir.InsertionPoint(old):
        build("stablehlo.return", [], values)
    rewriter.erase(old)
    for view in list(block.operations)[-2::-1]:
        if not any(map(is_used, view.operation.results)):
            rewriter.erase(view.operation)


def move_with_arguments(block: ir.Block, region: ir.Region, keep: Sequence[int]) -> None:
    """Move a block to a region and erase the block arguments that are not kept, which have no uses."""
    block.append_to(region)
    for index in reversed(range(len(block.arguments))):
        if index not in keep:
            block.erase_argument(index)


def arguments_behind(values: Iterable[Value], block: ir.Block) -> set[int]:
    """Indices of the block arguments on which the given values in the block depend."""
    indices: set[int] = set()
    seen: set[Value] = set()
    pending = [value for value in values if is_inside(value, block)]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        operation = defining_op(value)
        if operation is None:
            indices.add(ir.BlockArgument(value).arg_number)
        else:
            pending += [operand for operand in operands_within(operation) if is_inside(operand, block)]
    return indices


def operands_within(operation: ir.Operation) -> list[Value]:
    """The operands of an operation and of all operations nested in it."""
    if not len(operation.regions):
        return list(operation.operands)
    operands: list[Value] = []

    def visit(inner: ir.Operation) -> ir.WalkResult:
        operands.extend(inner.operation.operands)
        return ir.WalkResult.ADVANCE

    operation.walk(visit)
    return operands
