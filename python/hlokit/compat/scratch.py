"""Conversion of single operations in temporary modules: whether the conversion succeeds, and the oldest
version."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.compat.modules import run_passes
from hlokit.mlir.portable import Version
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.copies import append_copy
from hlokit.mlir.queries.module import attributes_of, walk
from hlokit.mlir.queries.structure import captured_values
from hlokit.operations.lookup import traits_of

Build = Callable[[ir.Block], None]


def operations_of(operation: ir.Operation) -> list[ir.Operation]:
    """The operations nested in an operation, then the operation itself."""
    operations: list[ir.Operation] = []
    walk(operation, operations.append)
    return operations


def children(operation: ir.Operation) -> list[ir.Operation]:
    """The operations directly in an operation's regions, without nested operations."""
    return [view.operation for region in operation.regions for block in region for view in block.operations]


def legalization(allow_other_dialects: bool) -> str:
    """The pass that converts a program to VHLO."""
    options = "{allow-other-dialects=true}" if allow_other_dialects else ""
    return f"stablehlo-legalize-to-vhlo{options}"


def converts_alone(operation: ir.Operation, allow_other_dialects: bool) -> bool:
    """Whether a function with only this operation, without its regions, converts to VHLO."""
    if operation.name == "builtin.module" or traits_of(operation.name).terminator:
        return True
    scratch = ir.Module.create()
    if operation.name == "func.func":
        clone = ir.Operation.create("func.func", attributes=attributes_of(operation), regions=1)
        clone.attributes["sym_visibility"] = ir.StringAttr.get("private")
        scratch.body.append(clone)
    else:
        types = [value.type for value in used(operation)]
        function = ir.Operation.create(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get("probe"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
            },
            regions=1,
        )
        block = ir.Block.create_at_start(function.regions[0], types)
        append_copy(block, operation, list(block.arguments))
        block.append(ir.Operation.create("func.return"))
        scratch.body.append(function)
    return run_passes(scratch.operation, legalization(allow_other_dialects))


def lowest(build: Build, versions: Sequence[Version]) -> Version | None:
    """The oldest of the ascending versions to which the module from `build` converts; None if it converts to
    no version."""
    if _converts(build, versions[0]):
        return versions[0]
    low, high = 1, len(versions)
    while low < high:
        middle = (low + high) // 2
        if _converts(build, versions[middle]):
            high = middle
        else:
            low = middle + 1
    return versions[low] if low < len(versions) else None


def _converts(build: Build, version: Version) -> bool:
    scratch = ir.Module.create()
    build(scratch.body)
    try:
        scratch.operation.verify()  # Passes may crash on invalid operations.
    except ir.MLIRError:
        return False
    return run_passes(scratch.operation, f"vhlo-to-version{{target={version}}}")


def source(block: ir.Block, types: Sequence[ir.Type]) -> ir.Operation:
    """An operation with results of these types. The operation is unregistered, so every pass ignores it."""
    operation = ir.Operation.create("hlokit.source", results=list(types))
    block.append(operation)
    return operation


def used(operation: ir.Operation) -> list[ir.Value]:
    """The outside values that an operation uses: its operands and the values that its regions capture."""
    return [*operation.operands, *captured_values(operation.regions)]
