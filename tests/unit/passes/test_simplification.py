"""The simplification pass as a whole: it ends, soon, and leaves nothing to simplify."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from hlokit.errors import ArgumentError, PassError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.passes.framework.registry import Options
from hlokit.passes.framework.rewriting import Rewriter, apply_patterns
from hlokit.passes.simplification import PASS, simplification_patterns
from tests.generate.profiles import builder
from tests.generate.simplifiable import SIMPLIFIABLE
from tests.unit.passes.simplified import CONTEXT, OPTIONS, simplified


def names(module: ir.Module) -> list[str]:
    found: list[str] = []
    walk(module.operation, lambda operation: found.append(operation.name))
    return found


def test_patterns_are_of_operations_that_there_are() -> None:
    entries = simplification_patterns(OPTIONS)
    assert len(entries) > 200
    for name, _, benefit in entries:
        assert CONTEXT.is_registered_operation(name), name
        assert benefit in (1, 2)


def test_the_limit_must_be_a_number() -> None:
    with pytest.raises(ArgumentError, match="fold-op-element-limit must be an integer, got 'few'"):
        simplification_patterns(Options({"fold-op-element-limit": "few"}))


def test_nothing_is_left_to_simplify() -> None:
    for seed in range(40):
        b = builder(seed, "passes")
        for _ in range(12):
            b.random.choice(SIMPLIFIABLE)(b)
        b.index(1)
        once = simplified(b.program().text)
        assert simplified(once) == once


@pytest.mark.deep
def test_five_thousand_operations_take_seconds() -> None:
    b = builder(3, "passes")
    while len(b.lines) < 5000:
        b.random.choice(SIMPLIFIABLE)(b)
    module = parse_text(CONTEXT, b.program().text)
    before = len(names(module))
    start = time.process_time()
    for view in module.body.operations:
        PASS.run(view.operation, OPTIONS)
    # About one second alone.
    assert time.process_time() - start < 10
    assert len(names(module)) < before * 0.75


@pytest.mark.parametrize(
    "line",
    [
        "stablehlo.negate {} : tensor<2x2xf32>",
        "stablehlo.transpose {}, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>",
        "stablehlo.slice {} [0:2, 0:2] : (tensor<2x2xf32>) -> tensor<2x2xf32>",
        "stablehlo.maximum {}, {} : tensor<2x2xf32>",
    ],
)
def test_long_chains_vanish(line: str) -> None:
    values = ["%x", *(f"%v{i}" for i in range(1000))]
    lines = [f"{new} = {line.replace('{}', old)}" for old, new in pairwise(values)]
    type_, body = "tensor<2x2xf32>", "\n".join(lines)
    text = f"func.func @f(%x: {type_}) -> {type_} {{\n{body}\nreturn {values[-1]} : {type_}\n}}"
    assert "stablehlo." not in simplified(text)


def test_patterns_that_undo_each_other_are_an_error() -> None:
    def swap(operation: ir.Operation, rewriter: Rewriter) -> bool:
        lhs, rhs = operation.operands
        new = ir.Operation.create(operation.name, [operation.results[0].type], [rhs, lhs])
        rewriter.replace(operation, new.results)
        return True

    text = """func.func @f(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.add %x, %y : tensor<f32>
      return %0 : tensor<f32>
    }"""
    module = parse_text(CONTEXT, text)
    with pytest.raises(PassError, match="still changes after 200 rounds of rewriting"):
        apply_patterns(module.body.operations[0].operation, [("stablehlo.add", swap, 1)])


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_constants_of_complex_extrema_stay_on_the_left(name: str) -> None:
    """They commute here. XLA gives rhs of numbers that compare equal: here the one with -0."""
    module = f"""func.func @main(%x: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {{
      %c = stablehlo.constant dense<(0.0, 0.0)> : tensor<1xcomplex<f32>>
      %r = stablehlo.{name} %c, %x : tensor<1xcomplex<f32>>
      return %r : tensor<1xcomplex<f32>>
    }}"""
    assert f"stablehlo.{name} %cst, %arg0" in simplified(module)


def test_constants_that_cannot_be_read_stay() -> None:
    text = """func.func @f(%p: tensor<2xi1>) -> tensor<2xf32> {
      %c = stablehlo.constant dense_resource<absent> : tensor<2xf32>
      %d = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %q = stablehlo.constant dense<[true, false]> : tensor<2xi1>
      %0 = stablehlo.select %q, %c, %d : tensor<2xi1>, tensor<2xf32>
      %1 = stablehlo.add %0, %c : tensor<2xf32>
      return %1 : tensor<2xf32>
    }"""
    after = simplified(text)
    assert "stablehlo.select" in after
    assert "stablehlo.add" in after


def test_operations_of_unknown_dialects_stay() -> None:
    with CONTEXT, ir.Location.unknown():
        module = ir.Module.parse(
            """func.func @f(%x: tensor<0xf32>) -> tensor<0xf32> {
              %0 = "other.op"(%x) {note = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>} : (tensor<0xf32>) -> tensor<0xf32>
              %1 = stablehlo.convert %0 {note = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>} : tensor<0xf32>
              return %1 : tensor<0xf32>
            }"""
        )
    PASS.run(module.body.operations[0].operation, OPTIONS)
    assert '"other.op"(%arg0)' in str(module)


def test_identity_of_an_operation_does_not_move() -> None:
    text = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.sine %x {mhlo.frontend_attributes = {xla_metadata_payload = "sine"}} : tensor<4xf32>
      %1 = stablehlo.convert %0 {mhlo.frontend_attributes = {more = "1", xla_metadata_payload = "convert"}} : tensor<4xf32>
      return %1 : tensor<4xf32>
    }"""
    assert 'mhlo.frontend_attributes = {more = "1", xla_metadata_payload = "sine"}' in simplified(text)
