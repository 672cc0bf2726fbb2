"""The reader of structure: under sanitizers on mutants of real bytecode, and the parts of a file that it
keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hlokit import _bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from tests.unit.lib.building import FUZZERS, build, needs_compiler, rounds, run
from tests.unit.lib.fuzzers.campaign import STRUCTURE
from tests.unit.lib.readers.samples import SAMPLE, to_bytecode
from tests.unit.lib.readers.test_operations import BLOCKS, NESTED

SOURCES = [*STRUCTURE, *(FUZZERS / name for name in ("fuzz_structure.cpp", "mutate.cpp"))]


@needs_compiler
@pytest.mark.deep
def test_mutants_do_no_harm(tmp_path: Path) -> None:
    program = build(SOURCES, tmp_path / "mutate", ["-O1"])
    inputs = [tmp_path / f"{number}.mlirbc" for number in range(3)]
    for path, text in zip(inputs, (SAMPLE, NESTED, BLOCKS), strict=True):
        path.write_bytes(to_bytecode(text))
    run(program, rounds(20_000), "1", *inputs)


def reader_of(text: str) -> _bytecode.StructureReader:
    reader = _bytecode.StructureReader()
    reader.write(to_bytecode(text))
    return reader


def test_alike_are_operations_of_equal_name_types_and_attributes() -> None:
    ((region,),) = reader_of("""
      func.func @main(%x: tensor<2x2xf32>, %y: tensor<4xi32>) {
        %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
        %1 = stablehlo.transpose %0, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
        %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
        %3 = stablehlo.add %2, %0 : tensor<2x2xf32>
        %4 = stablehlo.add %y, %y : tensor<4xi32>
        %5 = stablehlo.add %3, %x : tensor<2x2xf32>
        %6 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
        %7 = stablehlo.constant dense<2.0> : tensor<2x2xf32>
        %8 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
        return
      }""").regions()
    block = region.read()
    a, b, c, d, e, f, g, h, i = block.kinds
    assert (a, d, g) == (c, f, i)
    assert len({a, b, d, e, g, h}) == 6
    assert block.firsts == [(a, 0), (b, 1), (d, 3), (e, 4), (g, 6), (h, 7)]
    assert block.terminator == "func.return"


def test_captured_values_are_operands_and_slots() -> None:
    _, (main,) = reader_of(NESTED).regions()
    block = main.read()
    # The operands of `while` are its two initial values, then the captured values: %a in cond, %b in do.
    assert block.operands == [(0, 0, 0, 1)]
    assert block.results == [(2, 3)]
    assert block.outputs == (3, 2)
    condition, body = block.regions[0]
    assert condition.capture_count == body.capture_count == 2
    compare = condition.read()
    assert compare.operands == [(0, 2)]
    reduce = body.read()
    assert reduce.operands == [(3, 1)]
    assert reduce.slot_count == 5
    assert reduce.outputs == (4, 0)


def test_a_region_of_several_blocks_is_not_read() -> None:
    ((region,),) = reader_of(BLOCKS).regions()
    assert region.block_count == 3
    with pytest.raises(ValueError, match="one block"):
        region.read()


def test_large_constants_are_not_kept() -> None:
    with make_context(), ir.Location.unknown():
        module = ir.Module.parse(
            "func.func @main() { %0 = stablehlo.constant dense<0.0> : tensor<1000000xf32> return }"
        )
        constant = module.body.operations[0].regions[0].blocks[0].operations[0]
        values: Any = np.arange(1_000_000, dtype=np.float32)
        constant.attributes["value"] = ir.DenseElementsAttr.get(values)
        reader, sizes = _bytecode.StructureReader(), []

        class Pieces:
            def write(self, piece: bytes) -> int:
                sizes.append(len(piece))
                return reader.write(piece)

        module.operation.write_bytecode(Pieces())
    assert max(sizes) == 4_000_000
    assert reader.size < 1000
    ((region,),) = reader.regions()
    assert len(region.read().kinds) == 1


@pytest.mark.parametrize("data", [b"", b"ML\xefR", b"no bytecode at all", to_bytecode(NESTED)[:-40]])
def test_files_that_are_no_bytecode_are_rejected(data: bytes) -> None:
    reader = _bytecode.StructureReader()
    reader.write(data)
    with pytest.raises(_bytecode.BytecodeError):
        reader.regions()


def test_last_uses() -> None:
    operands = [(0, 1), (2, 2), (3,), ()]
    results = [(2,), (3, 4), (5,), (6,)]
    assert _bytecode.last_uses(operands, results, [1, 5]) == [(0,), (2, 4), (3,), (6,)]
    with pytest.raises(ValueError, match="same steps"):
        _bytecode.last_uses(operands, [], [])
    with pytest.raises(TypeError):
        _bytecode.last_uses([("x",)], [()], [])  # pyright: ignore[reportArgumentType] # what no caller may pass
    with pytest.raises(IndexError):
        _bytecode.last_uses([(1 << 40,)], [()], [])
