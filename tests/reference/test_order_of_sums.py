"""Kernels, fused code and native loops add in the order of the reference, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.reference import run
from hlokit.values.tensor import Tensor

COUNTS = (1, 2, 3, 7, 8, 9, 15, 16, 63, 64, 65, 127, 128, 200, 256, 257, 300, 513, 1024, 1025, 2100)
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "complex<f32>": np.complex64}


def values(shape: tuple[int, ...], dtype: Any, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    array = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        array = array + 1j * random.standard_normal(shape)
    return array.astype(dtype)


def reference(program: hlokit.Program, *arguments: np.ndarray) -> bytes:
    types = program.signature().inputs
    tensors = [
        Tensor.from_numpy(each, type_.element_type) for each, type_ in zip(arguments, types, strict=True)
    ]
    (result,) = run(program.module, tensors)
    return result.numpy().tobytes()


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("operation", ["add", "multiply"])
@pytest.mark.parametrize("axis", [0, 1])
def test_reduce(count: int, type_: str, operation: str, axis: int) -> None:
    shape = (count, 2) if axis == 0 else (2, count)
    program = hlokit.load(f"""
      func.func @main(%x: tensor<{shape[0]}x{shape[1]}x{type_}>, %i: tensor<{type_}>) -> tensor<2x{type_}> {{
        %0 = stablehlo.reduce(%x init: %i) applies stablehlo.{operation} across dimensions = [{axis}]
          : (tensor<{shape[0]}x{shape[1]}x{type_}>, tensor<{type_}>) -> tensor<2x{type_}>
        return %0 : tensor<2x{type_}>
      }}""")
    array = values(shape, TYPES[type_], count) * TYPES[type_](0.5) + TYPES[type_](operation == "multiply")
    array, init = array.astype(TYPES[type_]), np.array(0.75, TYPES[type_])
    expected = reference(program, array, init)
    for given in (array, np.asfortranarray(array), array[::-1].copy()[::-1]):
        for _ in range(2):
            assert program(given, init).tobytes() == expected


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("type_", TYPES)
def test_dot(count: int, type_: str) -> None:
    program = hlokit.load(f"""
      func.func @main(%x: tensor<2x{count}x{type_}>, %y: tensor<{count}x3x{type_}>) -> tensor<2x3x{type_}> {{
        %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
          : (tensor<2x{count}x{type_}>, tensor<{count}x3x{type_}>) -> tensor<2x3x{type_}>
        return %0 : tensor<2x3x{type_}>
      }}""")
    x, y = values((2, count), TYPES[type_], count), values((count, 3), TYPES[type_], count + 1)
    expected = reference(program, x, y)
    for left in (x, np.asfortranarray(x)):
        for right in (y, np.asfortranarray(y)):
            assert program(left, right).tobytes() == expected
    assert program(x, y).tobytes() == expected
