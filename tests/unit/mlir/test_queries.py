"""Queries on modules: the functions that an operation calls, and searches within operations."""

from __future__ import annotations

from typing import Any

from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.queries.module import any_within, called_functions, functions

PROGRAM = """
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @direct(%x) : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.composite "any.name" %0 {decomposition = @body} : (tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.custom_call"(%1) {call_target_name = "any", called_computations = [@one, @other]}
    : (tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
func.func private @direct(%x: tensor<f32>) -> tensor<f32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = "stablehlo.if"(%true) ({
    %1 = func.call @nested(%x) : (tensor<f32>) -> tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }, {
    stablehlo.return %x : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @nested(%x: tensor<f32>) -> tensor<f32> {
  %0 = func.call @direct(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @body(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
func.func private @one(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
func.func private @other(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }
func.func private @uncalled(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.cosine %x : tensor<f32>
  return %0 : tensor<f32>
}
"""


def test_called_functions_include_those_of_regions_and_recursive_calls() -> None:
    module = parse_text(make_context(), PROGRAM)
    found = functions(module)
    called = called_functions(found["main"])
    assert list(called) == ["direct", "nested", "body", "one", "other"]
    assert all(called[name] == found[name] for name in called)
    assert list(called_functions(found["nested"])) == ["direct", "nested"]
    assert called_functions(found["body"]) == {}


def test_long_chains_of_calls() -> None:
    chain = "\n".join(
        f"func.func private @f{n}() {{ call @f{n + 1}() : () -> () return }}" for n in range(400)
    )
    module = parse_text(make_context(), f"{chain} func.func private @f400()")
    assert list(called_functions(functions(module)["f0"])) == [f"f{n}" for n in range(1, 401)]


def test_any_within_visits_an_operation_and_its_regions_until_the_test_holds() -> None:
    module = parse_text(make_context(), PROGRAM)
    direct = functions(module)["direct"]
    assert any_within(direct, lambda operation: operation.name == "func.func")
    assert any_within(direct, lambda operation: operation.name == "func.call")
    assert not any_within(direct, lambda operation: operation.name == "stablehlo.cosine")
    visited: list[str] = []

    def is_constant(operation: ir.Operation) -> bool:
        visited.append(operation.name)
        return visited[-1] == "stablehlo.constant"

    assert any_within(module.operation, is_constant)
    assert visited[-1] == "stablehlo.constant"


def test_functions_of_a_module_whose_class_has_no_body() -> None:
    """Regression: make-test --per-operation reached a reduction before the class of modules was imported."""
    module: Any = parse_text(make_context(), "func.func @main() { return }", "-")
    assert list(functions(module.operation)) == ["main"]
