"""The shapes of results where the shapes of operands change: as the verifier requires."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import hlokit
from hlokit.tools.excerpts.build import build
from hlokit.tools.excerpts.capture import capture
from hlokit.tools.reduce.sizes import with_shapes
from hlokit.values.element_types import F32
from hlokit.values.types import TensorType

# An operation on %x, of shape 4x8, and the shape of its result if %x is of shape 3x6.
CASES = {
    "slice": ("%f = stablehlo.slice %x [1:3, 0:8:2] : (tensor<4x8xf32>) -> tensor<2x4xf32>", (2, 3)),
    "pad": (
        "%f = stablehlo.pad %x, %s, low = [1, 0], high = [0, 2], interior = [0, 1] : "
        "(tensor<4x8xf32>, tensor<f32>) -> tensor<5x17xf32>",
        (4, 13),
    ),
    "concatenate": (
        "%f = stablehlo.concatenate %x, %x, dim = 1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>",
        (3, 12),
    ),
    "transpose": (
        "%f = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>",
        (6, 3),
    ),
    "reduce": (
        "%f = stablehlo.reduce(%x init: %s) applies stablehlo.maximum across dimensions = [0] : "
        "(tensor<4x8xf32>, tensor<f32>) -> tensor<8xf32>",
        (6,),
    ),
    "broadcast_in_dim": (
        "%f = stablehlo.broadcast_in_dim %x, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<3x4x8xf32>",
        (3, 3, 6),
    ),
    "dot_general": (
        "%f = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : "
        "(tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>",
        (3, 3),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_results_follow_their_operands(name: str) -> None:
    line, expected = CASES[name]
    result = line.rpartition(" ")[2]
    text = f"func.func @main(%x: tensor<4x8xf32>, %s: tensor<f32>) -> {result} {{\n  {line}\n  return %f : {result}\n}}"
    x, s = np.ones((4, 8), np.float32), np.float32(0)
    graph, failure = capture(hlokit.load(text), [x, s], "main")
    assert failure is None
    (argument,) = (number for number, type_ in graph.types.items() if str(type_) == "tensor<4x8xf32>")
    smaller = with_shapes(graph, {argument: (3, 6)}, lambda size: size)
    assert smaller is not None
    assert smaller.types[smaller.results[0]] == TensorType(expected, F32)
    made = build(replace(smaller, arrays={**graph.arrays, argument: x[:3, :6]}))
    assert hlokit.load(made.module).signature().outputs == (smaller.types[smaller.results[0]],)
