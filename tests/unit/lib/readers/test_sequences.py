"""Sequences of arrays that yield more items than their length says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels

ADD = _kernels.find_operation("add", "f32", "f32")


class LongerThanItSays(list[Any]):
    """A list that yields its items three times."""

    def __iter__(self) -> Iterator[Any]:
        return iter([*self[:], *self[:], *self[:]])


def zeros() -> Any:
    return np.zeros(8, np.float32)


def test_of_fused_programs() -> None:
    fused = _kernels.FusedProgram(["f32"] * 2, [(ADD, [1], [0, 0], [])], [(0, 2, (8,), (0,))], [1], 1, 8)
    assert fused.run([zeros()], [zeros()])
    for operands, results in (
        (LongerThanItSays([zeros()]), [zeros()]),
        ([zeros()], LongerThanItSays([zeros()])),
    ):
        with pytest.raises(ValueError, match="its 1 operands and 1 results, got"):
            fused.run(operands, results)


def test_of_bodies() -> None:
    body = _kernels.Body(["f32"] * 3, [(ADD, [2], [0, 1], [])], [0, 1], [2])
    image: Any = np.zeros(3, np.uint64)
    inits: Any = np.zeros(1, np.uint64)
    result: Any = np.zeros(2, np.float32)
    body.reduce(image, [zeros()], inits, [result], (1, 4, 2))
    for operands, results in (
        (LongerThanItSays([zeros()]), [result]),
        ([zeros()], LongerThanItSays([result])),
    ):
        with pytest.raises(ValueError, match="array for each result"):
            body.reduce(image, operands, inits, results, (1, 4, 2))
