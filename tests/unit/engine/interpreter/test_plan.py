"""Plans: slots, frees, captured values, and no operation is planned, or fails, before the run reaches it."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.stored import BlockPath
from hlokit.engine.interpreter import planner
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.locations import source_position
from tests.unit.engine.plan.plans import block_of, names, plan_of, step_named

CHAIN = """
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = stablehlo.add %x, %c : tensor<3xf32>
  %1 = stablehlo.multiply %0, %0 : tensor<3xf32>
  %unused = stablehlo.negate %0 : tensor<3xf32>
  %2 = stablehlo.subtract %1, %c : tensor<3xf32>
  return %2, %x : tensor<3xf32>, tensor<3xf32>
}
"""


def test_slots_are_arguments_then_results_in_program_order() -> None:
    plan = plan_of(CHAIN)
    assert plan.function_name == "main"
    assert plan.argument_count == 2
    # The slots after these contain values before their NaNs become canonical.
    assert plan.slot_count == 9
    assert [slot for slot, _ in plan.constants] == [2]
    assert [(step.operands, step.results) for step in plan.steps] == [
        ((0, 2), (8,)),
        ((8,), (3,)),
        ((3, 3), (4,)),
        ((3,), (5,)),
        ((4, 2), (7,)),
        ((7,), (6,)),
    ]
    assert plan.outputs == (6, 0)
    assert {str(type_) for type_ in plan.slot_types} == {"tensor<3xf32>"}
    assert all("loc(" in step.location() for step in plan.steps)


def test_frees_name_every_dead_value_once_after_its_last_use() -> None:
    plan = plan_of(CHAIN)
    # %y is never read, so nothing frees it; the constant, %x and the results stay.
    assert [set(frees) for frees in plan.frees] == [set(), {8}, set(), {3, 5}, {4}, {7}]
    assert all(len(frees) == len(set(frees)) for frees in plan.frees)


CAPTURES = """
func.func @main(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.add %y, %c : tensor<2xf32>
    %2 = "stablehlo.if"(%p) ({
      %3 = stablehlo.multiply %1, %x : tensor<2xf32>
      %4 = stablehlo.multiply %3, %y : tensor<2xf32>
      stablehlo.return %4 : tensor<2xf32>
    }, {
      stablehlo.return %y : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


def test_captured_values_are_operands_each_once_in_order_of_use() -> None:
    (step,) = plan_of(CAPTURES).steps
    # %p, then what the regions use: %y, %c, %p again within the inner `if`, %x. Slots: %p 0, %x 1, %y 2, %c 3.
    assert step.operands[0] == 0
    assert sorted(step.operands[1:]) == [0, 1, 2, 3]
    assert step.operands[1:3] == (2, 3)
    assert len(step.operand_types) == 1


def test_captured_values_reach_inner_regions() -> None:
    program = hlokit.load(CAPTURES)
    x, y = np.array([3, 4], np.float32), np.array([10, 20], np.float32)
    for _ in range(3):
        assert program(True, x, y).tolist() == [(10 + 1) * 3 * 10, (20 + 2) * 4 * 20]
        assert program(False, x, y).tolist() == [3, 4]


def test_unknown_operations_raise_when_they_are_reached() -> None:
    text = """
      func.func @main(%p: tensor<i1>, %x: tensor<2xi32>) -> tensor<2xi32> {
        %0 = "stablehlo.if"(%p) ({
          %1 = math.absi %x : tensor<2xi32>
          stablehlo.return %1 : tensor<2xi32>
        }, {
          stablehlo.return %x : tensor<2xi32>
        }) : (tensor<i1>) -> tensor<2xi32>
        return %0 : tensor<2xi32>
      }"""
    program = hlokit.load(text)
    assert program(False, [1, 2]).tolist() == [1, 2]
    for _ in range(2):
        with pytest.raises(hlokit.UnsupportedError, match=r"hlokit does not evaluate math\.absi"):
            program(True, [1, 2])
    assert program(False, [1, 2]).tolist() == [1, 2]


def test_a_block_is_planned_when_it_first_runs_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    planned: list[str] = []
    build = Planner._build

    def spy(self: Planner, operations: Any, region: Any, path: BlockPath, types: Any) -> Any:
        planned.append(path.function_name)
        return build(self, operations, region, path, types)

    monkeypatch.setattr(Planner, "_build", spy)
    text = """
      func.func @main(%p: tensor<i1>) -> tensor<i1> {
        %0 = "stablehlo.if"(%p) ({
          %1 = func.call @often(%p) : (tensor<i1>) -> tensor<i1>
          %2 = func.call @often(%1) : (tensor<i1>) -> tensor<i1>
          stablehlo.return %2 : tensor<i1>
        }, {
          %3 = func.call @never(%p) : (tensor<i1>) -> tensor<i1>
          stablehlo.return %3 : tensor<i1>
        }) : (tensor<i1>) -> tensor<i1>
        %4 = stablehlo.or %0, %p : tensor<i1>
        return %4 : tensor<i1>
      }
      func.func @often(%p: tensor<i1>) -> tensor<i1> {
        %0 = stablehlo.not %p : tensor<i1>
        return %0 : tensor<i1>
      }
      func.func @never(%p: tensor<i1>) -> tensor<i1> {
        return %p : tensor<i1>
      }"""
    program = hlokit.load(text)
    assert planned == []
    assert bool(program(True))
    assert planned == ["main", "main", "often"]
    for _ in range(3):
        assert bool(program(True))
    # Code for later runs contains both branches.
    assert planned == ["main", "main", "often", "main", "never"]


def test_a_called_function_of_several_blocks_raises_when_it_is_reached() -> None:
    text = """
      func.func @main(%p: tensor<i1>) -> tensor<i1> {
        %0 = "stablehlo.if"(%p) ({
          %1 = func.call @blocks(%p) : (tensor<i1>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        }, {
          stablehlo.return %p : tensor<i1>
        }) : (tensor<i1>) -> tensor<i1>
        return %0 : tensor<i1>
      }
      func.func @blocks(%p: tensor<i1>) -> tensor<i1> {
        cf.br ^next
      ^next:
        return %p : tensor<i1>
      }"""
    program = hlokit.load(text)
    assert not program(False)
    with pytest.raises(hlokit.UnsupportedError, match="a region must have one block, got 2"):
        program(True)


def test_a_declaration_raises_when_it_is_called() -> None:
    text = """
      func.func private @elsewhere(tensor<i1>) -> tensor<i1>
      func.func @main(%p: tensor<i1>) -> tensor<i1> {
        %0 = func.call @elsewhere(%p) : (tensor<i1>) -> tensor<i1>
        return %0 : tensor<i1>
      }"""
    with pytest.raises(hlokit.UnsupportedError, match="no function @elsewhere with a body"):
        hlokit.load(text)(True)


def test_a_result_larger_than_memory_raises_when_it_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "memory_limit", lambda: 1 << 20)
    text = """
      func.func @main(%p: tensor<i1>) -> tensor<i1> {
        %0 = "stablehlo.if"(%p) ({
          %1 = stablehlo.iota dim = 0 : tensor<1024x1025xi8>
          stablehlo.return %p : tensor<i1>
        }, {
          stablehlo.return %p : tensor<i1>
        }) : (tensor<i1>) -> tensor<i1>
        return %0 : tensor<i1>
      }"""
    program = hlokit.load(text)
    assert not program(False)
    with pytest.raises(hlokit.EvaluationError, match="takes more memory than this machine has"):
        program(True)


def test_a_result_larger_than_any_machine_is_an_error() -> None:
    text = """
      func.func @main(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<1000000x1000000x1000000xf32>
        return %x : tensor<f32>
      }"""
    with pytest.raises(
        hlokit.EvaluationError, match=r"tensor<1000000x1000000x1000000xf32> takes more memory"
    ):
        hlokit.load(text)(1.0)


def test_an_empty_result_that_no_array_is_is_an_error() -> None:
    text = """
      func.func @main(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.constant dense<> : tensor<0x9000000000000000000xf32>
        return %x : tensor<f32>
      }"""
    with pytest.raises(hlokit.EvaluationError, match="tensor<0x9000000000000000000xf32> is too large"):
        hlokit.load(text)(1.0)
    assert hlokit.load(text.replace("9000000000000000000", "2000000000000000000"))(1.0) == 1.0


def test_planning_leaves_the_garbage_collector_as_it_was() -> None:
    assert gc.isenabled()
    _ = block_of(CHAIN).plan
    assert gc.isenabled()
    gc.disable()
    try:
        _ = block_of(CHAIN).plan
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_locations_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / 'a "b".mlir'
    path.write_text(CHAIN)
    escaped = str(path).replace('"', "\\22")
    found: list[str] = []
    program = hlokit.load(path)
    program([1, 2, 3], [4, 5, 6], observer=hlokit.Trace(lambda record: found.append(record.location)))
    assert found[0] == f'loc("{escaped}":4:8)'
    assert source_position(found[0]) == (str(path), 4, 8)
    path.write_text(CHAIN.replace("stablehlo.negate", "math.absf"))
    with pytest.raises(hlokit.UnsupportedError) as caught:
        hlokit.load(path)([1, 2, 3], [4, 5, 6])
    assert caught.value.frames[0].location == f'loc("{escaped}":6:13)'
    assert hlokit.load(path).unsupported()[0].location == f'loc("{escaped}":6:13)'


def test_many_locations_are_those_of_few() -> None:
    lines = "\n".join(f"  %{i + 1} = stablehlo.add %{i}, %0 : tensor<f32>" for i in range(100))
    steps = plan_of(
        f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{lines}\n  return %100 : tensor<f32>\n}}"
    ).steps
    *steps, canonical = steps
    assert canonical.location() == steps[-1].location()
    assert [step.location() for step in steps] == [
        f'loc("-":{i + 2}:{len(str(i + 1)) + 7})' for i in range(100)
    ]
    assert len({id(step.kernel) for step in steps}) == 1


def test_functions_share_one_block() -> None:
    planner = Planner(hlokit.load(CHAIN).module)
    assert planner.function("main") is planner.function("main")
    assert isinstance(planner.function("main"), Block)
    with pytest.raises(hlokit.UnsupportedError):
        planner.function("other")


def test_constants_are_no_steps() -> None:
    text = """
      func.func @main() -> (tensor<2x3xi32>, tensor<4xi8>) {
        %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
        %1 = stablehlo.constant dense<7> : tensor<4xi8>
        return %0, %1 : tensor<2x3xi32>, tensor<4xi8>
      }"""
    plan = plan_of(text)
    assert names(plan) == []
    assert [value.tolist() for _, value in plan.constants] == [[[0, 1, 2]] * 2, [7] * 4]
    counts, sevens = hlokit.load(text)()
    assert counts.tolist() == [[0, 1, 2]] * 2
    assert sevens.tolist() == [7] * 4


def test_a_step_knows_its_types() -> None:
    step = step_named(plan_of(CHAIN), "stablehlo.subtract")
    assert [str(type_) for type_ in (*step.operand_types, *step.result_types)] == ["tensor<3xf32>"] * 3
