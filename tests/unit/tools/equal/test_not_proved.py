"""`hlokit.prove` proves nothing of programs that differ for arguments other than those of the run."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit

needs_z3 = pytest.mark.deep  # `make test` does not install it
ONES = np.ones(3, np.float32)


def function(types: str, result: str, *operations: str) -> str:
    """A function that returns the last value."""
    arguments = ", ".join(f"%{n}: tensor<{type_}>" for n, type_ in enumerate(types.split()))
    body = "\n".join(operations)
    return f"func.func @main({arguments}) -> tensor<{result}> {{\n{body}\nreturn %r : tensor<{result}>\n}}\n"


def broadcast(element: str, dimension: int) -> str:
    types = f"(tensor<2x{element}>, tensor<2x2x{element}>) -> tensor<2x2x{element}>"
    dimensions = f"{{broadcast_dimensions = array<i64: {dimension}>}}"
    operation = f"%r = chlo.broadcast_add %0, %1 {dimensions} : {types}"
    return function(f"2x{element} 2x2x{element}", f"2x2x{element}", operation)


def power(*operations: str) -> str:
    reverse = "%v = stablehlo.reverse %0, dims = [0] : tensor<8xi4>"
    return function("8xi4", "8xi4", reverse, *operations)


def multiply(result: str, lhs: str, rhs: str) -> str:
    return f"%{result} = stablehlo.multiply %{lhs}, %{rhs} : tensor<8xi4>"


INVERSE = power(
    "%c = stablehlo.constant dense<-1> : tensor<8xi4>", "%r = stablehlo.power %v, %c : tensor<8xi4>"
)
FIFTEENTH = power(  # 15 has the bits of -1
    multiply("a", "v", "v"),
    multiply("b", "a", "a"),
    multiply("c", "b", "b"),
    multiply("d", "c", "b"),
    multiply("e", "d", "a"),
    multiply("r", "e", "v"),
)


def top_k(largest: str) -> str:
    attributes = f"{{mhlo.attributes = {{k = 2 : i64, largest = {largest}}}, mhlo.version = 1 : i64}}"
    types = "(tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)"
    call = f"%r, %i = stablehlo.custom_call @mhlo.topk(%0) {attributes} : {types}"
    return function("3xf32", "2xf32", call)


def sort_by(direction: str) -> str:
    before = (
        f"func.func private @before(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {{\n"
        f"%r = stablehlo.compare {direction}, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
        "return %r : tensor<i1>\n}\n"
    )
    call = "%p = func.call @before(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    return before + function("3xf32", "3xf32", sort("%r", "%0", call, "tensor<3xf32>"))


def sort(result: str, operand: str, predicate: str, type_: str) -> str:
    return (
        f'{result} = "stablehlo.sort"({operand}) ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n{predicate}\n'
        "stablehlo.return %p : tensor<i1>\n"
        f"}}) {{dimension = {type_.count('?') // 2} : i64}} : ({type_}) -> {type_}"
    )


def sort_rows(*shape: int) -> str:
    """Sort the rows of six numbers in this shape."""
    less = "%p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>"
    rows = "tensor<?x?xf32>"
    return function(
        "?x?xf32",
        "6xf32",
        f"%n = stablehlo.constant dense<{list(shape)}> : tensor<2xi32>",
        f"%x = stablehlo.dynamic_reshape %0, %n : ({rows}, tensor<2xi32>) -> {rows}",
        sort("%y", "%x", less, rows),
        "%m = stablehlo.constant dense<6> : tensor<1xi32>",
        f"%r = stablehlo.dynamic_reshape %y, %m : ({rows}, tensor<1xi32>) -> tensor<6xf32>",
    )


def selected(direction: str) -> str:
    """The gradient of a pooling that takes the first or the last of equal elements."""
    scalars = "^bb0(%a: tensor<i32>, %b: tensor<i32>):"
    return function(
        "4xi32 2xi32",
        "4xi32",
        "%z = stablehlo.constant dense<0> : tensor<i32>",
        f'%r = "stablehlo.select_and_scatter"(%0, %1, %z) ({{ {scalars}',
        f"%p = stablehlo.compare {direction}, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>",
        f"stablehlo.return %p : tensor<i1> }}, {{ {scalars}",
        "%s = stablehlo.add %a, %b : tensor<i32> stablehlo.return %s : tensor<i32>",
        "}) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}",
        ": (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4xi32>",
    )


ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)
POOLED = np.arange(4, dtype=np.int32), np.arange(2, dtype=np.int32)
# Two programs with the same results for these arguments, but not for all.
DIFFERENT: dict[str, tuple[str, str, tuple[Any, ...]]] = {
    "dimensions": (
        broadcast("i32", 0),
        broadcast("i32", 1),
        (np.ones(2, np.int32), np.ones((2, 2), np.int32)),
    ),
    "a negative power": (INVERSE, FIFTEENTH, (np.ones(8, ml_dtypes.int4),)),
    "attributes of a call": (top_k("true"), top_k("false"), (ONES,)),
    "a called function": (sort_by("LT"), sort_by("GT"), (ONES,)),
    "unknown dimensions": (sort_rows(2, 3), sort_rows(3, 2), (ROWS,)),
    "elements that a region selects": (selected("GE"), selected("GT"), POOLED),
}


@needs_z3
def test_programs_that_differ_elsewhere_are_not_proved() -> None:
    for name, (one, other, arguments) in DIFFERENT.items():
        assert hlokit.prove(one, other, *arguments).status in ("differs", "inconclusive"), name
        assert hlokit.prove(one, one, *arguments).is_equal, name


@needs_z3
def test_shapes_hold_on_the_path_of_a_run() -> None:
    size = "%i = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>"
    zeros = function("1xi32", "?xi32", size, "%r = stablehlo.subtract %i, %i : tensor<?xi32>")
    three = function(
        "1xi32",
        "?xi32",
        "%c = stablehlo.constant dense<0> : tensor<3xi32>",
        "%k = stablehlo.constant dense<3> : tensor<1xi32>",
        "%r = stablehlo.dynamic_reshape %c, %k : (tensor<3xi32>, tensor<1xi32>) -> tensor<?xi32>",
    )
    try:
        assert not hlokit.prove(zeros, three, np.array([3], np.int32)).is_equal
    except hlokit.EvaluationError as error:  # a negative size
        assert "output_shape must be the shape" in str(error)


IOTA = "%r = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xINT>) -> tensor<?xi32>"
# Fails for negative sizes, and does not.
FAILS = "%z = stablehlo.constant dense<0> : tensor<1xINT>", "%m = stablehlo.add %0, %z : tensor<1xINT>", IOTA
CLAMPS = FAILS[0], "%m = stablehlo.maximum %0, %z : tensor<1xINT>", IOTA


@pytest.mark.parametrize("integer", ["i8", pytest.param("i32", marks=needs_z3)])
def test_a_program_that_fails_for_other_arguments(integer: str) -> None:
    """Regression: the error of the run ended the proof."""
    fails, clamps = (
        function(f"1x{integer}", "?xi32", *lines).replace("INT", integer) for lines in (FAILS, CLAMPS)
    )
    size = np.array([3], "i1" if integer == "i8" else "i4")
    both = hlokit.prove(fails, fails, size)
    assert both.status == "inconclusive" and "both programs fail for some arguments" in both.how
    for pair, failing in (((fails, clamps), "first"), ((clamps, fails), "second")):
        one = hlokit.prove(*pair, size, seconds=10)
        assert one.status == "inconclusive" or f"only the {failing} program fails" in one.how
        assert one.status != "inconclusive" or integer == "i32"  # z3 may first enlarge the size


def quantized(axis: str, *operations: str) -> str:
    """A function that quantizes rows, or all elements."""
    name = f"4x4x!quant.uniform<i8:f32{axis}>"
    lines = [line.replace("QUANT", name) for line in operations]
    return function("4x4xf32", "4x4xf32", *lines)


QUANTIZE = "%q = stablehlo.uniform_quantize %IN : (tensor<4x4xf32>) -> tensor<QUANT>"
SUM = "%s = stablehlo.add %q, %q : tensor<QUANT>"
DEQUANTIZE = "%OUT = stablehlo.uniform_dequantize %s : (tensor<QUANT>) -> tensor<4x4xf32>"
BY_ROW = ":0, {0.1:0, 0.2:0, 0.3:0, 0.4:0}"


@needs_z3
def test_quantized_arithmetic() -> None:
    """Regression: `hlokit does not evaluate stablehlo.add`, which it does."""
    reverse = "%IN = stablehlo.reverse %OUT, dims = [0] : tensor<4x4xf32>"
    before = [reverse.replace("OUT", "0"), QUANTIZE, SUM, DEQUANTIZE.replace("OUT", "r")]
    after = [QUANTIZE.replace("IN", "0"), SUM, DEQUANTIZE, reverse.replace("IN", "r")]
    for axis in (", 0.1:3", BY_ROW):
        one, other = (quantized(axis, *lines) for lines in (before, after))
        assert hlokit.prove(one, one).is_equal, axis
        assert not hlokit.prove(quantized(BY_ROW, *before), other).is_equal, axis


@needs_z3
def test_regions_of_other_types_are_refused() -> None:
    text = function(
        "3xi8 i8",
        "i32",
        "%r = stablehlo.reduce(%0 init: %1) across dimensions = [0] : (tensor<3xi8>, tensor<i8>) -> tensor<i32>",
        "reducer(%a: tensor<i32>, %b: tensor<i32>) {",
        "%s = stablehlo.add %a, %b : tensor<i32> stablehlo.return %s : tensor<i32> }",
    )
    with pytest.raises(hlokit.UnsupportedError, match="a region must have the element types of the operands"):
        hlokit.prove(text, text)


def test_dimensions_of_narrow_types() -> None:
    proof = hlokit.prove(broadcast("i2", 0), broadcast("i2", 1))
    assert proof.status == "differs" and "all arguments" in proof.how
    assert hlokit.prove(broadcast("i2", 0), broadcast("i2", 0)).is_equal


def test_random_results_are_refused() -> None:
    text = function(
        "f32 f32",
        "2xf32",
        "%s = stablehlo.constant dense<2> : tensor<1xi64>",
        "%r = stablehlo.rng %0, %1, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>",
    )
    with pytest.raises(hlokit.ArgumentError, match=r"must depend on arguments alone .* got stablehlo.rng"):
        hlokit.prove(text, text)
