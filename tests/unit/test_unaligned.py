"""Unaligned arrays: the results equal those of aligned arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.values.element_types import ELEMENT_TYPES

Array = npt.NDArray[Any]

TYPES = ("bf16", "f16", "f32", "f64", "i16", "i32", "i64", "ui32", "complex<f32>", "complex<f64>")


def _unaligned(array: Array) -> Array:
    """A copy that starts an odd number of bytes after a word."""
    memory = np.zeros(array.nbytes + 16, np.uint8)
    memory[1 : 1 + array.nbytes] = np.frombuffer(array.tobytes(), np.uint8)
    copy = memory[1 : 1 + array.nbytes].view(array.dtype).reshape(array.shape)
    assert not copy.flags.aligned
    return copy


def _operand(type_name: str) -> Array:
    generator = np.random.default_rng(11)
    numbers: Array = generator.integers(1, 9, (8, 6)).astype(ELEMENT_TYPES[type_name].dtype)
    return numbers


# Programs with an operand of type tensor<8x6xT>, T being $T.
PROGRAMS = {
    "chain": """
    %0 = stablehlo.add %x, %x : tensor<8x6x$T>
    %1 = stablehlo.multiply %0, %x : tensor<8x6x$T>
    %2 = stablehlo.subtract %1, %x : tensor<8x6x$T>
    return %2 : tensor<8x6x$T>""",
    "reduce": """
    %z = stablehlo.slice %x [0:1, 0:1] : (tensor<8x6x$T>) -> tensor<1x1x$T>
    %i = stablehlo.reshape %z : (tensor<1x1x$T>) -> tensor<$T>
    %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
      : (tensor<8x6x$T>, tensor<$T>) -> tensor<6x$T>
    return %0 : tensor<6x$T>""",
    "body": """
    %z = stablehlo.slice %x [0:1, 0:1] : (tensor<8x6x$T>) -> tensor<1x1x$T>
    %i = stablehlo.reshape %z : (tensor<1x1x$T>) -> tensor<$T>
    %0 = "stablehlo.reduce"(%x, %i) ({
      ^bb0(%a: tensor<$T>, %b: tensor<$T>):
        %p = stablehlo.multiply %a, %b : tensor<$T>
        %q = stablehlo.add %p, %b : tensor<$T>
        stablehlo.return %q : tensor<$T>
    }) {dimensions = array<i64: 1>} : (tensor<8x6x$T>, tensor<$T>) -> tensor<8x$T>
    return %0 : tensor<8x$T>""",
    "windows": """
    %z = stablehlo.slice %x [0:1, 0:1] : (tensor<8x6x$T>) -> tensor<1x1x$T>
    %i = stablehlo.reshape %z : (tensor<1x1x$T>) -> tensor<$T>
    %0 = "stablehlo.reduce_window"(%x, %i) ({
      ^bb0(%a: tensor<$T>, %b: tensor<$T>):
        %p = stablehlo.add %a, %b : tensor<$T>
        stablehlo.return %p : tensor<$T>
    }) {window_dimensions = array<i64: 3, 2>} : (tensor<8x6x$T>, tensor<$T>) -> tensor<6x5x$T>
    return %0 : tensor<6x5x$T>""",
    "scatter": """
    %i = stablehlo.constant dense<[[0], [3], [0]]> : tensor<3x1xi32>
    %u = stablehlo.slice %x [2:5, 0:6] : (tensor<8x6x$T>) -> tensor<3x6x$T>
    %0 = "stablehlo.scatter"(%x, %i, %u) ({
      ^bb0(%a: tensor<$T>, %b: tensor<$T>):
        %p = stablehlo.multiply %a, %b : tensor<$T>
        %q = stablehlo.add %p, %b : tensor<$T>
        stablehlo.return %q : tensor<$T>
    }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<8x6x$T>, tensor<3x1xi32>, tensor<3x6x$T>) -> tensor<8x6x$T>
    return %0 : tensor<8x6x$T>""",
    "gather": """
    %i = stablehlo.constant dense<[[0], [3], [7]]> : tensor<3x1xi32>
    %0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 6>} : (tensor<8x6x$T>, tensor<3x1xi32>) -> tensor<3x6x$T>
    return %0 : tensor<3x6x$T>""",
    "dot": """
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
      : (tensor<8x6x$T>, tensor<8x6x$T>) -> tensor<8x8x$T>
    return %0 : tensor<8x8x$T>""",
    "transpose": """
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x6x$T>) -> tensor<6x8x$T>
    return %0 : tensor<6x8x$T>""",
    "loop": """
    %n = stablehlo.constant dense<3> : tensor<i32>
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %c1 = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%k = %c0, %v = %x) : tensor<i32>, tensor<8x6x$T>
      cond {
        %t = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %t : tensor<i1>
      } do {
        %k1 = stablehlo.add %k, %c1 : tensor<i32>
        %v1 = stablehlo.add %v, %x : tensor<8x6x$T>
        stablehlo.return %k1, %v1 : tensor<i32>, tensor<8x6x$T>
      }
    return %0#1 : tensor<8x6x$T>""",
}
ORDERED = {
    "sort": """
    %0 = "stablehlo.sort"(%x) ({
      ^bb0(%a: tensor<$T>, %b: tensor<$T>):
        %p = stablehlo.compare GT, %a, %b : (tensor<$T>, tensor<$T>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
    }) {dimension = 1 : i64} : (tensor<8x6x$T>) -> tensor<8x6x$T>
    return %0 : tensor<8x6x$T>""",
    "top_k": """
    %0:2 = chlo.top_k(%x, k = 2) : tensor<8x6x$T> -> (tensor<8x2x$T>, tensor<8x2xi32>)
    return %0#0 : tensor<8x2x$T>""",
}


def _function(body: str, argument: str = "%x: tensor<8x6x$T>") -> str:
    (result,) = [line.split(" : ")[1] for line in body.splitlines() if line.strip().startswith("return")]
    return f"func.func @main({argument}) -> {result} {{{body}\n}}"


def _program(body: str, type_name: str) -> hlokit.Program:
    return hlokit.load(_function(body).replace("$T", type_name))


@pytest.mark.parametrize("name", [*PROGRAMS, *ORDERED])
def test_an_argument_between_two_words(name: str) -> None:
    for type_name in TYPES:
        if name in ORDERED and "complex" in type_name:
            continue
        program, operand = _program((PROGRAMS | ORDERED)[name], type_name), _operand(type_name)
        expected = program(operand)
        assert program(_unaligned(operand)).tobytes() == expected.tobytes(), type_name


@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("type_name", ["bf16", "f32", "f64", "i64"])
def test_numbers_made_of_bytes_between_two_words(body: str, type_name: str) -> None:
    """bitcast_convert of a slice of bytes."""
    size = ELEMENT_TYPES[type_name].dtype.itemsize
    prefix = f"""
    %cut = stablehlo.slice %bytes [1:{1 + 48 * size}] : (tensor<{48 * size + 1}xui8>) -> tensor<{48 * size}xui8>
    %rows = stablehlo.reshape %cut : (tensor<{48 * size}xui8>) -> tensor<8x6x{size}xui8>
    %x = stablehlo.bitcast_convert %rows : (tensor<8x6x{size}xui8>) -> tensor<8x6x$T>"""
    text = _function(prefix + body, f"%bytes: tensor<{48 * size + 1}xui8>")
    operand = _operand(type_name)
    expected = _program(body, type_name)(operand)
    octets = np.concatenate([np.zeros(1, np.uint8), np.frombuffer(operand.tobytes(), np.uint8)])
    assert hlokit.load(text.replace("$T", type_name))(octets).tobytes() == expected.tobytes()
