"""Complex arrays that compiled kernels once refused: empty ones, and those between two words."""

from __future__ import annotations

import numpy as np

import hlokit

EMPTY = """func.func @main(%x: tensor<3x0x4xcomplex<f32>>) -> tensor<3x0x4xcomplex<f32>> {
  %0 = stablehlo.multiply %x, %x : tensor<3x0x4xcomplex<f32>>
  return %0 : tensor<3x0x4xcomplex<f32>>
}"""

SCATTER = """func.func @main(%x: tensor<4xcomplex<f32>>, %i: tensor<3x1xi32>, %u: tensor<3xcomplex<f32>>)
    -> tensor<4xcomplex<f32>> {
  %0 = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%old: tensor<complex<f32>>, %new: tensor<complex<f32>>):
    stablehlo.return %new : tensor<complex<f32>>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<4xcomplex<f32>>, tensor<3x1xi32>, tensor<3xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}"""


def between_words(values: list[complex]) -> np.ndarray[tuple[int], np.dtype[np.complex64]]:
    """The values at an address that is no multiple of eight."""
    room = np.zeros(2 * len(values) + 2, np.float32)
    start = 1 if room.ctypes.data % 8 == 0 else 0
    array = room[start : start + 2 * len(values)].view(np.complex64)
    array[:] = values
    return array


def test_empty() -> None:
    result = hlokit.load(EMPTY)(np.zeros((3, 0, 4), np.complex64))
    assert result.shape == (3, 0, 4)


def test_between_words() -> None:
    updates = between_words([1j, 2 + 1j, 3])
    assert updates.ctypes.data % 8 == 4
    result = hlokit.load(SCATTER)(between_words([9, 9, 9, 9]), np.array([[0], [3], [0]], np.int32), updates)
    np.testing.assert_array_equal(result, np.array([3, 9, 9, 2 + 1j], np.complex64))
