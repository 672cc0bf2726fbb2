"""Operands of fused programs in any layout: the program copies pieces of them, which begin anywhere."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.values.element_types import ELEMENT_TYPES


def copied(operand: Any, type_: str) -> Any:
    """The operand through a fused program that copies it, a piece at a time."""
    number = _kernels.find_operation("convert", type_, type_)
    if number < 0:
        number = _kernels.find_operation("bitcast_convert", type_, type_)
    program = _kernels.FusedProgram([type_, type_], [(number, [1], [0], [])], [(0, 2, (), ())], [1])
    result: Any = np.full(operand.shape, 99).astype(ELEMENT_TYPES[type_].dtype)
    assert program.run([operand], [result])
    return result


def random_layout(random: Random, dtype: np.dtype[Any]) -> Any:
    """A view of several thousand elements whose rows are contiguous or one repeated element."""
    shape = [random.choice([1, 2, 3, 5, 7, 16]) for _ in range(random.randrange(4))]
    shape.append(random.choice([2, 3, 4, 33]))
    array = np.random.default_rng(random.randrange(99)).integers(0, 100, shape).astype(dtype)
    order = [*range(array.ndim - 1)]
    random.shuffle(order)
    view = array.transpose(*order, array.ndim - 1)
    for axis in sorted((random.randrange(view.ndim + 1) for _ in range(random.randrange(3))), reverse=True):
        view = np.broadcast_to(
            np.expand_dims(view, axis), (*view.shape[:axis], random.choice([2, 3, 8, 70]), *view.shape[axis:])
        )
    repeats = -(-4000 // view.size)
    reverse = view.ndim > 1 and random.random() < 0.5
    return view[::-1] if reverse else np.broadcast_to(view, (repeats, *view.shape))


@pytest.mark.parametrize("type_", ["i8", "i16", "f32", "i64", "complex<f64>"])
def test_random_layouts(type_: str) -> None:
    random = Random(type_)
    for _ in range(60):
        operand = random_layout(random, ELEMENT_TYPES[type_].dtype)
        np.testing.assert_array_equal(copied(operand, type_), operand)


def test_more_dimensions_than_a_copy_has() -> None:
    """No two of these 13 dimensions are adjacent in memory."""
    operand = np.arange(3**13, dtype=np.float32).reshape((3,) * 13)[(slice(2),) * 13]
    np.testing.assert_array_equal(copied(operand, "f32"), operand)
