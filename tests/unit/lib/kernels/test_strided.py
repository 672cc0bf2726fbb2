"""Views of memory, of types that NumPy cannot describe to itself too."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit._kernels import strided
from hlokit.values.element_types import ELEMENT_TYPES

TYPES = ["i1", "i4", "ui8", "bf16", "f4E2M1FN", "f8E4M3FN", "f8E5M2", "f32", "complex<f64>"]


@pytest.mark.parametrize("name", TYPES)
def test_windows(name: str) -> None:
    array = np.arange(5).astype(ELEMENT_TYPES[name].dtype)
    view = strided(array, (4, 2), (array.itemsize, array.itemsize))
    assert view.dtype == array.dtype
    np.testing.assert_array_equal(view, np.stack([array[:4], array[1:]], axis=1))
    assert not view.flags.writeable


@pytest.mark.parametrize(
    ("shape", "strides"), [((6,), (4,)), ((2, 4), (8, 4)), ((2,), (-4,)), ((2, 3), (4, 8))]
)
def test_views_lie_inside_their_array(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    array = np.arange(10, dtype=np.float32)[5:]
    with pytest.raises(ValueError, match="a view must lie inside its array"):
        strided(array, shape, strides)


def test_views_of_views() -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert strided(array[::-1, 1:], (3, 2), (-16, 4)).tolist() == array[::-1, 1:3].tolist()
    assert strided(array, (0, 99), (999, 999)).shape == (0, 99)
    assert strided(array, (), ()).item() == 0
    with pytest.raises(ValueError, match="a stride for each dimension"):
        strided(array, (2,), ())
    with pytest.raises(ValueError, match="must have an array"):
        strided("text", (2,), (4,))


GATHER = """func.func @main(%0: tensor<3x3xf8E5M2>, %1: tensor<2x1xi32>) -> tensor<2x2xf8E5M2> {
  %2 = "stablehlo.gather"(%0, %1) {dimension_numbers = #stablehlo.gather<offset_dims = [1],
    collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>} : (tensor<3x3xf8E5M2>, tensor<2x1xi32>) -> tensor<2x2xf8E5M2>
  return %2 : tensor<2x2xf8E5M2>
}"""


def test_gather_of_f8e5m2() -> None:
    operand = np.arange(9).reshape(3, 3).astype(ELEMENT_TYPES["f8E5M2"].dtype)
    found = hlokit.load(GATHER)(operand, np.array([[2], [0]], np.int32))
    np.testing.assert_array_equal(found, operand[[2, 0], :2])


WINDOW = """func.func @main(%0: tensor<4xf8E5M2>) -> tensor<3xf8E5M2> {
  %1 = stablehlo.constant dense<8.0> : tensor<f8E5M2>
  %2 = "stablehlo.reduce_window"(%0, %1) ({
  ^bb0(%a: tensor<f8E5M2>, %b: tensor<f8E5M2>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f8E5M2>, tensor<f8E5M2>) -> tensor<i1>
    %d = "stablehlo.if"(%c) ({stablehlo.return %a : tensor<f8E5M2>}, {stablehlo.return %b : tensor<f8E5M2>}) : (tensor<i1>) -> tensor<f8E5M2>
    stablehlo.return %d : tensor<f8E5M2>
  }) {window_dimensions = array<i64: 2>} : (tensor<4xf8E5M2>, tensor<f8E5M2>) -> tensor<3xf8E5M2>
  return %2 : tensor<3xf8E5M2>
}"""


def test_reduce_window_of_f8e5m2() -> None:
    operand = np.array([3, 1, 4, 2]).astype(ELEMENT_TYPES["f8E5M2"].dtype)
    np.testing.assert_array_equal(hlokit.load(WINDOW)(operand).astype(int), [1, 1, 2])
