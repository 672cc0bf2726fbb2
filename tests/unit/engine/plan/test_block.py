"""Properties of blocks, by which reductions, sort and scatter choose the evaluation of a region."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract import registry, run_context
from hlokit.engine.contract.registry import Operation
from hlokit.engine.interpreter.tiers import unobserved
from hlokit.engine.plan.block import Block, Tier, Tiers
from hlokit.engine.plan.executors import BlockFunction
from hlokit.engine.plan.plan import Plan
from tests.unit.engine.plan.plans import block_of, region


@pytest.fixture
def body(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that gives the block of the first reduce's body."""
    bind = registry.find("stablehlo.reduce")
    assert bind is not None
    bodies: list[Block] = []

    def spy(operation: Operation) -> Any:
        bodies.append(operation.regions[0])
        return bind(operation)

    monkeypatch.setitem(registry._BIND_FUNCTIONS, "stablehlo.reduce", spy)

    def body_of(text: str) -> Block:
        _ = block_of(text).plan
        return bodies.pop()

    return body_of


def test_one_operation_on_both_arguments(body: Any) -> None:
    block = body(region("%0 = stablehlo.add %a, %b : tensor<i32>\n stablehlo.return %0 : tensor<i32>"))
    assert (block.binary, block.ufunc, block.is_pointwise) == ("stablehlo.add", np.add, True)
    assert block.returned_argument is None
    assert [str(type_) for type_ in block.output_types] == ["tensor<i32>"]
    swapped = body(region("%0 = stablehlo.add %b, %a : tensor<i32>\n stablehlo.return %0 : tensor<i32>"))
    assert (swapped.binary, swapped.ufunc) == ("stablehlo.add", np.add)


def test_order_matters_where_the_operation_does_not_commute(body: Any) -> None:
    block = body(region("%0 = stablehlo.subtract %a, %b : tensor<i32>\n stablehlo.return %0 : tensor<i32>"))
    assert block.ufunc is np.subtract
    swapped = body(region("%0 = stablehlo.subtract %b, %a : tensor<i32>\n stablehlo.return %0 : tensor<i32>"))
    assert swapped.ufunc is None


@pytest.mark.parametrize(
    "text",
    [
        "%0 = stablehlo.add %a, %a : tensor<i32>\n stablehlo.return %0 : tensor<i32>",
        "%0 = stablehlo.add %a, %y : tensor<i32>\n stablehlo.return %0 : tensor<i32>",
        "%0 = stablehlo.add %a, %b : tensor<i32>\n stablehlo.return %a : tensor<i32>",
        "%0 = stablehlo.add %a, %b : tensor<i32>\n %1 = stablehlo.negate %0 : tensor<i32>\n stablehlo.return %1 : tensor<i32>",
        "%0 = stablehlo.negate %a : tensor<i32>\n stablehlo.return %0 : tensor<i32>",
    ],
)
def test_other_pointwise_bodies(body: Any, text: str) -> None:
    block = body(region(text))
    assert (block.binary, block.ufunc, block.is_pointwise) == (None, None, True)


def test_returned_arguments(body: Any) -> None:
    assert body(region("stablehlo.return %a : tensor<i32>")).returned_argument == 0
    assert body(region("stablehlo.return %b : tensor<i32>")).returned_argument == 1
    assert body(region("stablehlo.return %y : tensor<i32>")).returned_argument is None


def test_operations_on_other_shapes_are_not_pointwise(body: Any) -> None:
    text = """
      %0 = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
      %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>"""
    assert not body(region(text)).is_pointwise


def test_captured_values_of_other_shapes_are_not_pointwise(body: Any) -> None:
    text = """
      %c = stablehlo.constant dense<0> : tensor<i64>
      %0 = stablehlo.dynamic_slice %x, %c, sizes = [1] : (tensor<4xi32>, tensor<i64>) -> tensor<1xi32>
      %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>"""
    assert not body(region(text)).is_pointwise


def test_calls_are_as_pointwise_as_their_functions(body: Any) -> None:
    def calling(function: str) -> str:
        text = region(
            "%0 = func.call @f(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n stablehlo.return %0 : tensor<i32>"
        )
        return f"{text}\n func.func @f(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {{ {function} }}"

    assert body(calling("%0 = stablehlo.add %a, %b : tensor<i32> return %0 : tensor<i32>")).is_pointwise
    assert not body(calling("%0 = math.absi %a : tensor<i32> return %0 : tensor<i32>")).is_pointwise
    recursive = (
        "%0 = func.call @f(%b, %a) : (tensor<i32>, tensor<i32>) -> tensor<i32> return %0 : tensor<i32>"
    )
    assert not body(calling(recursive)).is_pointwise


def test_a_function_that_calls_itself_without_end() -> None:
    text = "func.func @main(%x: tensor<i32>) -> tensor<i32> { %0 = func.call @main(%x) : (tensor<i32>) -> tensor<i32> return %0 : tensor<i32> }"
    with pytest.raises(hlokit.EvaluationError, match="functions call each other without end"):
        hlokit.load(text)(1)


def test_a_block_is_compiled_once_when_it_runs_again() -> None:
    block = block_of(
        "func.func @main(%x: tensor<i32>) -> tensor<i32> { %0 = stablehlo.add %x, %x : tensor<i32> return %0 : tensor<i32> }"
    )
    prepared: list[str] = []

    def counting(name: str, tier: Tier) -> Tier:
        def executor(plan: Plan) -> BlockFunction:
            prepared.append(name)
            return tier.executor(plan)

        return tier._replace(executor=executor)

    block.tiers = Tiers(
        *(
            counting(name, getattr(unobserved(), name))
            for name in ("first", "later", "vectorized", "in_place")
        )
    )
    # A context of its own: what earlier tests of the process compiled outside of runs counts in the common one.
    with run_context.use(run_context.RunContext()):
        for _ in range(4):
            assert block(np.int32(2)) == 4
    assert prepared == ["first", "later"]
    assert block.compiled() is block.compiled()
    assert block.compiled().__code__.co_filename == "<hlokit: block of @main>"
