"""The listing of a printed program agrees with the bindings."""

from __future__ import annotations

from pathlib import Path

import pytest

import hlokit
from hlokit.mlir.provider.bindings import ir

PROGRAMS = Path(__file__).parents[2] / "interpret"
FILES = ["while", "reduce", "case", "sort", "rng_bit_generator", "batch_norm_training", "reduce_window"]


def walk(module: ir.Module) -> list[ir.Operation]:
    found: list[ir.Operation] = []

    def visit(operation: ir.Operation) -> ir.WalkResult:
        found.append(operation)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return found


@pytest.mark.parametrize("name", [name for name in FILES if (PROGRAMS / f"{name}.mlir").exists()])
def test_operations_operands_and_results_are_those_of_the_bindings(name: str) -> None:
    text = (PROGRAMS / f"{name}.mlir").read_text().split("// -----")[0]
    program = hlokit.load(text)
    listing = program.listing
    operations = listing.operations()
    assert sorted(operations) == list(range(len(listing.ops)))
    for number, op in enumerate(listing.ops):
        operation = operations[number]
        assert op.name == operation.name
        assert len(op.results) == len(operation.results)
        assert len(op.operands) == len(operation.operands)
    hidden = [operation for operation in walk(program.module) if operation not in operations.values()]
    for operation in hidden:  # in the region that `applies` stands for
        assert listing.ops[listing.number(operation)].name == "stablehlo.reduce"


NESTED = """
func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
   cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.multiply %y, %y : tensor<2xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
  }
  return %r#1 : tensor<2xf32>
}
"""


def test_equal_names_in_sibling_regions_are_different_values() -> None:
    listing = hlokit.load(NESTED).listing
    compare, add = (
        next(op for op in listing.ops if op.name == f"stablehlo.{name}") for name in ("compare", "add")
    )
    assert compare.label == add.label == "%1"
    assert compare.results != add.results
    returned = [op for op in listing.ops if op.name == "stablehlo.return"]
    assert returned[0].operands == compare.results
    assert add.results[0] in returned[1].operands


def test_an_operation_spans_its_regions() -> None:
    listing = hlokit.load(NESTED).listing
    loop = next(number for number, op in enumerate(listing.ops) if op.name == "stablehlo.while")
    inside = [op.name for op in listing.ops if op.parent == loop]
    assert inside.count("stablehlo.return") == 2 and "stablehlo.multiply" in inside
    assert listing.lines[listing.ops[loop].end].strip() == "}"
    last = next(op for op in listing.ops if op.name == "func.return")
    assert [listing.values[value].name for value in last.operands] == ["%0#1"]
    assert listing.values[last.operands[0]].op == loop


def test_users_are_those_that_read_a_value() -> None:
    listing = hlokit.load(NESTED).listing
    one = next(op for op in listing.ops if op.label == "%c_0")
    assert [listing.ops[user].name for user in listing.users[one.results[0]]] == ["stablehlo.add"]


def test_text_within_strings_is_no_value() -> None:
    text = 'func.func @main(%x: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.negate %x {a = "%x loc(#loc1) {"} : tensor<f32> loc("a(b"("f.py":1:2))\n return %0 : tensor<f32>\n}'
    listing = hlokit.load(text).listing
    negate = next(op for op in listing.ops if op.name == "stablehlo.negate")
    assert len(negate.operands) == 1
    assert 'a = "%x loc(#loc1) {"' in listing.lines[negate.line]
    assert listing.source(negate).text == "f.py:1"
    assert listing.source(negate).name == "a(b"
