"""The dialects arith, tensor and shape, as shape computations use them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.errors import EvaluationError

INT = np.array([7, -7, 0, -128, 127, -1], np.int8)
OTHER = np.array([2, 2, 5, 3, -3, 1], np.int8)


def run(body: str, result: str, *operands: Any, parameters: str = "") -> Any:
    return hlokit.load(f"func.func @main({parameters}) -> {result} {{\n{body}\n}}")(*operands)


def binary(name: str, type_: str, lhs: np.ndarray, rhs: np.ndarray, result: str = "") -> np.ndarray:
    tensor = f"tensor<{lhs.size}x{type_}>"
    result = f"tensor<{lhs.size}x{result or type_}>"
    return run(
        f"  %result = arith.{name} %lhs, %rhs : {tensor}\n  return %result : {result}",
        result,
        lhs,
        rhs,
        parameters=f"%lhs: {tensor}, %rhs: {tensor}",
    )


INTEGER: dict[str, Any] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "divsi": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "remsi": lambda a, b: a - b * (abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "divui": lambda a, b: (a % 256) // (b % 256),
    "remui": lambda a, b: (a % 256) % (b % 256),
    "ceildivui": lambda a, b: -(-(a % 256) // (b % 256)),
    "maxsi": max,
    "minsi": min,
    "maxui": lambda a, b: max(a % 256, b % 256),
    "minui": lambda a, b: min(a % 256, b % 256),
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("name", INTEGER)
def test_integers(name: str) -> None:
    want = [INTEGER[name](a, b) for a, b in zip(INT.tolist(), OTHER.tolist(), strict=True)]
    got = binary(name, "i8", INT, OTHER).tolist()
    assert [value % 256 for value in got] == [value % 256 for value in want]


def test_shifts() -> None:
    amount = np.full(6, 2, np.int8)
    assert binary("shli", "i8", INT, amount).tolist() == [28, -28, 0, 0, -4, -4]
    assert binary("shrsi", "i8", INT, amount).tolist() == [1, -2, 0, -32, 31, -1]
    assert binary("shrui", "i8", INT, amount).tolist() == [1, 62, 0, 32, 31, 63]


def test_booleans() -> None:
    lhs, rhs = np.array([True, True, False]), np.array([True, False, False])
    assert binary("addi", "i1", lhs, rhs).tolist() == [False, True, False]
    assert binary("muli", "i1", lhs, rhs).tolist() == [True, False, False]
    assert binary("ori", "i1", lhs, rhs).tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("predicate", "want"),
    [
        ("eq", [False, False, True]),
        ("ne", [True, True, False]),
        ("slt", [True, False, False]),
        ("sge", [False, True, True]),
        ("ult", [False, True, False]),
        ("uge", [True, False, True]),
    ],
)
def test_cmpi(predicate: str, want: list[bool]) -> None:
    lhs, rhs = np.array([-1, 1, 3], np.int32), np.array([1, -1, 3], np.int32)
    assert binary(f"cmpi {predicate},", "i32", lhs, rhs, "i1").tolist() == want


@pytest.mark.parametrize(
    ("predicate", "want"),
    [
        ("false", [False, False, False]),
        ("oeq", [True, False, False]),
        ("ogt", [False, False, False]),
        ("olt", [False, True, False]),
        ("one", [False, True, False]),
        ("ord", [True, True, False]),
        ("ueq", [True, False, True]),
        ("ult", [False, True, True]),
        ("une", [False, True, True]),
        ("uno", [False, False, True]),
        ("true", [True, True, True]),
    ],
)
def test_cmpf(predicate: str, want: list[bool]) -> None:
    lhs, rhs = np.array([1, 1, np.nan], np.float32), np.array([1, 2, 1], np.float32)
    assert binary(f"cmpf {predicate},", "f32", lhs, rhs, "i1").tolist() == want


def test_floats() -> None:
    lhs, rhs = np.array([5.5, -5.5]), np.array([2.0, 2.0])
    want = {
        "addf": lhs + rhs,
        "subf": lhs - rhs,
        "mulf": lhs * rhs,
        "divf": lhs / rhs,
        "remf": np.fmod(lhs, rhs),
    }
    for name, result in want.items():
        np.testing.assert_array_equal(binary(name, "f64", lhs, rhs), result)
    np.testing.assert_array_equal(binary("maximumf", "f64", lhs, rhs), np.maximum(lhs, rhs))


@pytest.mark.parametrize(
    ("name", "source", "target", "operand", "want"),
    [
        ("extsi", "i8", "i32", np.array([-1, 5], np.int8), [-1, 5]),
        ("extui", "i8", "i32", np.array([-1, 5], np.int8), [255, 5]),
        ("extsi", "i1", "i32", np.array([True, False]), [-1, 0]),
        ("extui", "i1", "i32", np.array([True, False]), [1, 0]),
        ("trunci", "i32", "i8", np.array([300, -1], np.int32), [44, -1]),
        ("sitofp", "i32", "f32", np.array([-2, 3], np.int32), [-2, 3]),
        ("uitofp", "i8", "f32", np.array([-1, 3], np.int8), [255, 3]),
        ("fptosi", "f32", "i32", np.array([-2.7, 3.2], np.float32), [-2, 3]),
        ("extf", "f32", "f64", np.array([0.5, 2], np.float32), [0.5, 2]),
        ("truncf", "f64", "f32", np.array([0.5, 2]), [0.5, 2]),
        ("index_cast", "index", "i32", np.array([3, -4]), [3, -4]),
        ("index_castui", "i32", "index", np.array([-1, 4], np.int32), [2**32 - 1, 4]),
        ("bitcast", "f32", "i32", np.array([1.0, -0.0], np.float32), [0x3F800000, -(2**31)]),
    ],
)
def test_conversions(name: str, source: str, target: str, operand: np.ndarray, want: list[float]) -> None:
    body = f"  %result = arith.{name} %x : tensor<2x{source}> to tensor<2x{target}>\n  return %result : tensor<2x{target}>"
    result = run(body, f"tensor<2x{target}>", operand, parameters=f"%x: tensor<2x{source}>")
    assert result.tolist() == want


def test_shape_computation_with_scalars() -> None:
    """The code that front ends emit for `reshape(x, (-1, 2))`, with a query of the shape."""
    program = hlokit.load("""
      func.func @main(%x: tensor<?x?xf32>) -> tensor<?x2xf32> {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %two = arith.constant 2 : index
        %rows = tensor.dim %x, %zero : tensor<?x?xf32>
        %columns = tensor.dim %x, %one : tensor<?x?xf32>
        %size = arith.muli %rows, %columns : index
        %half = arith.divsi %size, %two : index
        %is_large = arith.cmpi sgt, %half, %two : index
        %chosen = arith.select %is_large, %half, %two : index
        %sizes = tensor.from_elements %chosen, %two : tensor<2xindex>
        %result = stablehlo.dynamic_reshape %x, %sizes : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x2xf32>
        return %result : tensor<?x2xf32>
      }""")
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    np.testing.assert_array_equal(program(x), x.reshape(6, 2))


def test_constants() -> None:
    body = """
      %index = arith.constant 5 : index
      %float = arith.constant 1.5 : f32
      %flag = arith.constant true
      %tensor = arith.constant dense<[1, 2]> : tensor<2xi4>
      %a = tensor.from_elements %index : tensor<1xindex>
      %b = tensor.from_elements %float : tensor<1xf32>
      %c = tensor.from_elements %flag : tensor<1xi1>
      return %a, %b, %c, %tensor : tensor<1xindex>, tensor<1xf32>, tensor<1xi1>, tensor<2xi4>"""
    results = run(body, "(tensor<1xindex>, tensor<1xf32>, tensor<1xi1>, tensor<2xi4>)")
    assert [result.tolist() for result in results] == [[5], [1.5], [True], [1, 2]]


def test_tensors() -> None:
    body = """
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %element = tensor.extract %x[%one, %zero] : tensor<2x2xf32>
      %splat = tensor.splat %element : tensor<3xf32>
      %cast = tensor.cast %splat : tensor<3xf32> to tensor<?xf32>
      %empty = tensor.empty(%one) : tensor<?x2xf32>
      return %cast, %empty : tensor<?xf32>, tensor<?x2xf32>"""
    x = np.array([[1, 2], [3, 4]], np.float32)
    cast, empty = run(body, "(tensor<?xf32>, tensor<?x2xf32>)", x, parameters="%x: tensor<2x2xf32>")
    assert cast.tolist() == [3, 3, 3]
    assert empty.shape == (1, 2)


def test_a_cast_that_does_not_hold() -> None:
    body = "  %result = tensor.cast %x : tensor<?xf32> to tensor<3xf32>\n  return %result : tensor<3xf32>"
    with pytest.raises(EvaluationError, match="are cast incompatible"):
        run(body, "tensor<3xf32>", np.ones(2, np.float32), parameters="%x: tensor<?xf32>")


BROADCAST = """
  %lhs_shape = shape.shape_of %lhs : tensor<?x?xf32> -> tensor<2xindex>
  %rhs_shape = shape.shape_of %rhs : tensor<?xf32> -> tensor<1xindex>
  %witness = shape.cstr_broadcastable %lhs_shape, %rhs_shape : tensor<2xindex>, tensor<1xindex>
  %result = shape.assuming %witness -> (tensor<?x?xf32>) {
    %shape = shape.broadcast %lhs_shape, %rhs_shape : tensor<2xindex>, tensor<1xindex> -> tensor<2xindex>
    %x = stablehlo.dynamic_broadcast_in_dim %lhs, %shape, dims = [0, 1] : (tensor<?x?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %y = stablehlo.dynamic_broadcast_in_dim %rhs, %shape, dims = [1] : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %sum = stablehlo.add %x, %y : tensor<?x?xf32>
    shape.assuming_yield %sum : tensor<?x?xf32>
  }
  return %result : tensor<?x?xf32>"""


def test_broadcast_under_a_witness() -> None:
    lhs, rhs = np.ones((2, 1), np.float32), np.arange(3, dtype=np.float32)
    parameters = "%lhs: tensor<?x?xf32>, %rhs: tensor<?xf32>"
    assert run(BROADCAST, "tensor<?x?xf32>", lhs, rhs, parameters=parameters).tolist() == [
        [1, 2, 3],
        [1, 2, 3],
    ]
    with pytest.raises(EvaluationError, match=r"shapes must broadcast, got \[2, 2\], \[3\]"):
        run(BROADCAST, "tensor<?x?xf32>", np.ones((2, 2), np.float32), rhs, parameters=parameters)


def test_shapes() -> None:
    body = """
      %shape = shape.shape_of %x : tensor<?x?xf32> -> !shape.shape
      %other = shape.const_shape [4] : !shape.shape
      %both = shape.concat %shape, %other : !shape.shape, !shape.shape -> !shape.shape
      %sizes = shape.to_extent_tensor %both : !shape.shape -> tensor<?xindex>
      %count = shape.num_elements %both : !shape.shape -> !shape.size
      %number = shape.size_to_index %count : !shape.size
      %rank = shape.rank %both : !shape.shape -> !shape.size
      %ranks = shape.size_to_index %rank : !shape.size
      %equal = shape.shape_eq %shape, %shape : !shape.shape, !shape.shape
      %numbers = tensor.from_elements %number, %ranks : tensor<2xindex>
      %flags = tensor.from_elements %equal : tensor<1xi1>
      return %sizes, %numbers, %flags : tensor<?xindex>, tensor<2xindex>, tensor<1xi1>"""
    results = run(
        body,
        "(tensor<?xindex>, tensor<2xindex>, tensor<1xi1>)",
        np.ones((2, 3), np.float32),
        parameters="%x: tensor<?x?xf32>",
    )
    assert [result.tolist() for result in results] == [[2, 3, 4], [24, 3], [True]]


def test_a_constraint_with_a_message() -> None:
    body = """
      %witness = shape.cstr_require %flag, "rows must be even"
      %result = shape.assuming %witness -> (tensor<i1>) {
        shape.assuming_yield %x : tensor<i1>
      }
      return %result : tensor<i1>"""
    pre = "  %flag = tensor.extract %x[] : tensor<i1>\n"
    assert run(pre + body, "tensor<i1>", np.bool_(True), parameters="%x: tensor<i1>")
    with pytest.raises(EvaluationError, match="rows must be even"):
        run(pre + body, "tensor<i1>", np.bool_(False), parameters="%x: tensor<i1>")
