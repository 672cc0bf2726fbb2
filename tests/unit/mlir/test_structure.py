"""The native reader and the bindings describe blocks in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hlokit import _bytecode
from hlokit.errors import HlokitError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.structure import LooseRegion, Operations, captured_values, read_structure
from hlokit.mlir.text.split import split_input

PROGRAMS = Path(__file__).parents[2] / "interpret"


def modules() -> Iterator[tuple[str, ir.Module]]:
    context = make_context()
    for path in sorted(PROGRAMS.rglob("*.mlir")):
        for text in split_input(path.read_text()):
            try:
                yield path.name, parse_text(context, text)
            except HlokitError:
                continue


def compare(
    module: ir.Module,
    native: _bytecode.Region,
    region: ir.Region,
    captured: Sequence[ir.Value],
    kinds: dict[int, str],
) -> int:
    """Assert that both agree on a region and everything inside; returns the number of blocks."""
    loose = LooseRegion(region, captured)
    assert native.block_count == loose.block_count
    if native.block_count != 1:
        with pytest.raises(ValueError, match="one block"):
            native.read()
        return 0
    assert native.capture_count == loose.capture_count
    block, expected = native.read(), loose.read()
    assert (block.operands, block.results) == (expected.operands, expected.results)
    assert (block.outputs, block.terminator) == (expected.outputs, expected.terminator)
    assert block.slot_count == expected.slot_count
    assert len(block.kinds) == len(expected.operands)
    assert dict(block.firsts) == {kind: block.kinds.index(kind) for kind in dict.fromkeys(block.kinds)}
    assert set(block.regions) == set(expected.regions)
    count = 1
    operations = Operations(module, region.blocks[0])
    for position, kind in enumerate(block.kinds):
        operation = operations[position]
        if not len(operation.regions):
            assert kinds.setdefault(kind, said_of(operation)) == said_of(operation)
            continue
        assert kind not in kinds
        kinds[kind] = "regions"
        inner = captured_values(operation.regions)
        for one, other in zip(block.regions[position], operation.regions, strict=True):
            count += compare(module, one, other, inner, kinds)
    return count


def said_of(operation: ir.Operation) -> str:
    """The common properties of operations of one kind."""
    text = str(operation.get_asm(print_generic_op_form=True, use_local_scope=True))
    return re.sub(r"%[\w#:]+", "%", text)


@pytest.mark.deep
def test_blocks_of_all_programs() -> None:
    blocks = 0
    for name, module in modules():
        found = read_structure(module).regions()
        operations = list(module.body.operations)
        assert len(found) == len(operations), name
        kinds: dict[int, str] = {}
        for regions, view in zip(found, operations, strict=True):
            for native, region in zip(regions, view.operation.regions, strict=True):
                blocks += compare(module, native, region, (), kinds)
        # A kind for all that are alike: as many as there are things to say, but for regions.
        said = [text for text in kinds.values() if text != "regions"]
        assert len(said) == len(set(said)), name
    assert blocks > 1000
