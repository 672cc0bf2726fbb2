"""`hlokit.make_test`: self-checking programs pass in hlokit, and fail with other results."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.run_context import RunContext
from hlokit.mlir.text.split import split_input

PROGRAM = """
func.func private @step(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.tanh %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>, %n: tensor<2xi8>) -> (tensor<4xf32>, tensor<2xi8>, tensor<f32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %y = call @step(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %m = stablehlo.add %n, %n : tensor<2xi8>
  %s = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %r = stablehlo.reverse %y, dims = [0] : tensor<4xf32>
  return %y, %m, %s, %r : tensor<4xf32>, tensor<2xi8>, tensor<f32>, tensor<4xf32>
}
"""
ARGUMENTS = (np.array([0.1, -0.5, 2.0, 0.7], np.float32), np.array([100, -3], np.int8))


def checks(text: str) -> int:
    """Evaluate a program; returns the number of checked values."""
    program = hlokit.load(text)
    context = RunContext()
    program.runs.evaluate([], program.entry(program.functions[0]), context=context)
    return context.checks


def test_a_program_checks_its_results() -> None:
    made = hlokit.make_test(hlokit.load(PROGRAM), *ARGUMENTS)
    assert checks(made.text) == 4
    assert made.programs == 1


@pytest.mark.parametrize(
    ("old", "new"), [("stablehlo.add %arg1, %arg1", "stablehlo.subtract %arg1, %arg1"), ("tanh", "sine")]
)
def test_it_fails_where_another_program_is_computed(old: str, new: str) -> None:
    made = hlokit.make_test(hlokit.load(PROGRAM), *ARGUMENTS)
    assert old in made.text
    with pytest.raises(hlokit.CheckFailed):
        checks(made.text.replace(old, new))


def test_small_elements_beside_large_ones_are_checked_as_closely() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.exponential %x : tensor<4xf32>
      %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    """
    made = hlokit.make_test(hlokit.load(text), np.array([-3.0, 0.0, 3.0, 9.0], np.float32))
    assert checks(made.text) == 1
    smallest = re.findall(r"dense<\[(\S+),", made.text)[1]
    assert float(smallest) == pytest.approx(np.exp(-6))
    with pytest.raises(hlokit.CheckFailed):
        checks(made.text.replace(smallest, f"{float(smallest) * 1.001:.9g}"))


def test_conversions_to_the_same_type_are_tested_for_each_type() -> None:
    text = """
    func.func @main(%x: tensor<2xf32>, %y: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
      %0 = stablehlo.convert %x : tensor<2xf32>
      %1 = stablehlo.convert %y : tensor<2xi32>
      return %0, %1 : tensor<2xf32>, tensor<2xi32>
    }
    """
    x, y = np.ones(2, np.float32), np.ones(2, np.int32)
    made = hlokit.make_test(hlokit.load(text), x, y, per_operation=True)
    assert [checks(each) for each in split_input(made.text)] == [1, 1]


def test_each_operation_has_a_program() -> None:
    made = hlokit.make_test(hlokit.load(PROGRAM), *ARGUMENTS, per_operation=True)
    texts = list(split_input(made.text))
    assert made.programs == len(texts) == 4
    assert [re.findall(r"@(\w+)\(", text)[0] for text in texts] == [
        "tanh_0",
        "add_0",
        "reduce_0",
        "reverse_0",
    ]
    assert [checks(text) for text in texts] == [1, 1, 1, 1]


def test_integers_and_data_movement_are_compared_bit_by_bit() -> None:
    made = hlokit.make_test(hlokit.load(PROGRAM), *ARGUMENTS, per_operation=True)
    tanh, add, reduce, reverse = split_input(made.text)
    assert "check.expect_close" in tanh
    assert "check.expect_eq_const" in add
    assert "check.expect_close" in reduce
    assert "check.expect_eq_const" in reverse


def test_one_unit_too_many_fails() -> None:
    made = hlokit.make_test(hlokit.load(PROGRAM), *ARGUMENTS, per_operation=True)
    tanh = next(iter(split_input(made.text)))
    expected = re.findall(r"dense<\[(\S+),", tanh)[1]
    value = np.float32(expected)
    assert value == np.float32(np.tanh(np.float64(np.float32(0.1))))
    allowed = int(re.findall(r"max_ulp_difference = (\d+)", tanh)[0])
    for units in (allowed, allowed + 1):
        off = np.float32(value + units * np.spacing(value))
        changed = tanh.replace(expected, f"{off:.9g}")
        if units == allowed:
            assert checks(changed) == 1
        else:
            with pytest.raises(hlokit.CheckFailed):
                checks(changed)


def test_large_operations_are_left_out() -> None:
    made = hlokit.make_test(hlokit.load(PROGRAM), *ARGUMENTS, per_operation=True, largest=3)
    assert made.programs == 1
    assert made.left_out == {
        "stablehlo.tanh: more than 3 elements": 1,
        "func.call: control flow; the operations in it get programs": 1,
        "stablehlo.reduce: more than 3 elements": 1,
        "stablehlo.reverse: more than 3 elements": 1,
    }


def test_operations_that_are_left_out_are_told_once_each() -> None:
    text = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %0:2 = stablehlo.while(%i = %n, %a = %x) : tensor<i32>, tensor<4xf32> cond {
        %z = stablehlo.constant dense<0> : tensor<i32>
        %1 = stablehlo.compare GT, %i, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %1 = stablehlo.subtract %i, %one : tensor<i32>
        %r = "stablehlo.rng"(%lo, %hi, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>
          : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
        %2 = stablehlo.add %a, %r : tensor<4xf32>
        stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
      }
      return %0#1 : tensor<4xf32>
    }"""
    constants = """%lo = stablehlo.constant dense<0.0> : tensor<f32>
      %hi = stablehlo.constant dense<1.0> : tensor<f32>
      %shape = stablehlo.constant dense<4> : tensor<1xi64>
      %0:2"""
    made = hlokit.make_test(hlokit.load(text.replace("%0:2", constants, 1)), ARGUMENTS[0], per_operation=True)
    assert made.programs == 3
    assert made.left_out == {
        "stablehlo.rng: depends on more than its operands": 1,
        "stablehlo.while: control flow; the operations in it get programs": 1,
    }


def test_results_that_are_no_tensors_are_errors() -> None:
    program = hlokit.load(
        "func.func @main(%t: !stablehlo.token) -> !stablehlo.token { return %t : !stablehlo.token }"
    )
    with pytest.raises(hlokit.ArgumentError, match="tensors"):
        hlokit.make_test(program, None)


QUANTIZED = """
func.func @main(%x: tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>> {
  %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  return %q : tensor<2x!quant.uniform<i8:f32, 0.5>>
}
"""


@pytest.mark.parametrize("per_operation", [True, False])
def test_quantized_results_are_compared_by_their_storage(per_operation: bool) -> None:
    made = hlokit.make_test(QUANTIZED, np.array([1.0, -3.0], np.float32), per_operation=per_operation)
    assert "check.expect_eq_const" in made.text
    assert "dense<[2, -6]> : tensor<2xi8>" in made.text
    assert checks(made.text) == 1


REDUCER = """
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %s = "stablehlo.reduce"(%x, %one) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.multiply %a, %b : tensor<f32>
    %q = stablehlo.add %p, %one : tensor<f32>
    stablehlo.return %q : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
"""


def test_operations_in_a_reducer_have_no_separate_program() -> None:
    made = hlokit.make_test(REDUCER, np.arange(4, dtype=np.float32), per_operation=True)
    assert made.programs == 1
    assert checks(made.text) == 1


CHECKED = """
func.func @main() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[0.5, 1.5]> : tensor<2xf32>
  %y = stablehlo.tanh %x : tensor<2xf32>
  check.expect_eq_const %y, dense<[0.462117165, 0.905148268]> : tensor<2xf32>
  return %y : tensor<2xf32>
}
"""


def test_a_program_that_checks_itself_already() -> None:
    assert checks(hlokit.make_test(CHECKED).text) == 2
    assert hlokit.diff(CHECKED, against="high").status == 0


@pytest.mark.parametrize(
    "element_type", ["f32", "i1", "complex<f64>", "f8E4M3FN", "i4", "!quant.uniform<i8:f32, 0.1:3>"]
)
def test_open_dimensions(element_type: str) -> None:
    text = f"""
    func.func @main(%x: tensor<?x3x{element_type}>) -> (tensor<?x3x{element_type}>, tensor<3x?x{element_type}>) {{
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x3x{element_type}>) -> tensor<3x?x{element_type}>
      return %x, %0 : tensor<?x3x{element_type}>, tensor<3x?x{element_type}>
    }}
    """
    program = hlokit.load(text)
    assert checks(hlokit.make_test(program, *program.example_inputs()).text) == 2
