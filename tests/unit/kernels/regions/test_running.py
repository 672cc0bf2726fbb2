"""Running combinations of rows by an operation of the VM."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.kernels.elementwise.native import complex_function
from hlokit.values.element_types import COMPLEX_F64

VALUES: Any = np.zeros((4, 2), np.float32)


@pytest.mark.parametrize(("rows", "width"), [(1, 3), (9, 1), (4, 200), (600, 129)])
def test_running_products_of_complex_numbers(rows: int, width: int) -> None:
    """Each row by one call of the operation, for one thread and several."""
    random = np.random.default_rng(8)
    operand = np.exp(1j * random.random((rows, width)))
    operand[rows // 2, 0], operand[rows // 3, width - 1] = np.inf, complex(np.nan, 0)
    multiply = complex_function("multiply", COMPLEX_F64, 2)
    expected = operand.copy()
    for i in range(1, rows):
        expected[i] = multiply(expected[i - 1], operand[i])
    for threads in (1, 2, 5):
        result: Any = np.zeros(2 * operand.size)
        parts: Any = operand.reshape(-1).view(np.float64)
        _kernels.combine_running("multiply", "complex<f64>", parts, result, rows, width, threads)
        assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("name", "type_", "rows", "width"),
    [
        ("multiply", "f31", 4, 2),
        ("negate", "f32", 4, 2),
        ("select", "f32", 4, 2),
        ("multiply", "f32", 4, 3),
        ("multiply", "complex<f32>", 4, 2),
        ("multiply", "f32", 2**40, 2**40),
    ],
)
def test_malformed_running_combinations_are_refused(name: str, type_: str, rows: int, width: int) -> None:
    with pytest.raises(ValueError, match=r"no operation|items|elements|type"):
        _kernels.combine_running(name, type_, VALUES, VALUES.copy(), rows, width)


def test_a_running_combination_in_place_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        _kernels.combine_running("multiply", "f32", VALUES, VALUES, 4, 2)
