"""Operations in bytecode: counts and the module's body, against the bindings."""

from __future__ import annotations

from collections import Counter

import pytest

from hlokit import _bytecode
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import walk
from tests.unit.lib.readers.samples import SAMPLE, VERSIONS, to_bytecode

# Regions with and without captured values, blocks with arguments, and custom use-list orders.
NESTED = """
module {
  func.func private @declared(tensor<i32>)
  func.func @main(%a: tensor<i32>, %b: tensor<4xi32>) -> (tensor<i32>, tensor<i32>) {
    %0:2 = stablehlo.while(%i = %a, %j = %a) : tensor<i32>, tensor<i32>
      cond {
        %p = stablehlo.compare LT, %i, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %s = "stablehlo.reduce"(%b, %j) ({
        ^bb0(%x: tensor<i32>, %y: tensor<i32>):
          %z = stablehlo.add %x, %y : tensor<i32>
          stablehlo.return %z : tensor<i32>
        }) {dimensions = array<i64: 0>} : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
        stablehlo.return %s, %i : tensor<i32>, tensor<i32>
      }
    return %0#1, %0#0 : tensor<i32>, tensor<i32>
  }
}
"""
BLOCKS = """
func.func @main(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^bb1(%x, %x : i32, i32), ^bb2
^bb1(%y: i32, %z: i32):
  %0 = arith.addi %z, %y : i32
  return %0 : i32
^bb2:
  return %x : i32
}
"""


def counts(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    with make_context():
        walk(ir.Module.parse(text).operation, lambda operation: found.update([operation.name]))
    return found


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("text", [SAMPLE, NESTED, BLOCKS], ids=["sample", "nested", "blocks"])
def test_counts(text: str, version: int) -> None:
    bytecode = _bytecode.Bytecode(to_bytecode(text, version))
    names = [f"{op.dialect}.{op.name}" for op in bytecode.op_names]
    operations = bytecode.operations()
    assert dict(zip(names, operations.counts, strict=True)) == counts(text)
    assert [names[operation.name] for operation in operations.body] == [
        name for name in ("func.func",) for _ in range(text.count("func.func"))
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_attributes_and_properties(version: int) -> None:
    (function,) = _bytecode.Bytecode(to_bytecode(SAMPLE, version)).operations().body
    assert (function.attributes is None) == (version >= 5)
    assert (function.properties_offset is None) == (version < 5)
    assert (function.properties_size > 0) == (version >= 5)


@pytest.mark.parametrize("version", VERSIONS)
def test_damage_is_refused_or_harmless(version: int) -> None:
    data = to_bytecode(NESTED, version)
    (section,) = (section for section in _bytecode.Bytecode(data).sections if section.name == "ir")
    refused = 0
    for offset in range(section.offset, section.offset + section.size):
        mutant = bytearray(data)
        mutant[offset] ^= 0x55
        try:
            _bytecode.Bytecode(bytes(mutant)).operations()
        except _bytecode.BytecodeError as error:
            assert error.offset <= len(mutant)
            refused += 1
    assert refused > section.size // 4


def test_offset_of_an_error() -> None:
    data = bytearray(to_bytecode(NESTED))
    (section,) = (section for section in _bytecode.Bytecode(bytes(data)).sections if section.name == "ir")
    data[section.offset] = 2 * 2 * 2 + 1
    with pytest.raises(_bytecode.BytecodeError, match="one operation must hold all others"):
        _bytecode.Bytecode(bytes(data)).operations()
