"""What `_kernels.lapack` refuses, and the messages that say why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels

MATRICES = np.ones((2, 3, 3))
INFO = np.zeros(2, np.int32)
SHARED = np.zeros(100)


@pytest.mark.parametrize(
    ("routine", "type_", "arrays", "options", "message"),
    [
        ("nothing", "f64", [MATRICES, INFO], [1], "there is no routine nothing"),
        ("potrf", "bf16", [MATRICES, INFO], [1], "potrf has no kernel for bf16"),
        ("potrf", "f64", [MATRICES, INFO], [], "potrf must get 1 options, got 0"),
        ("potrf", "f64", [MATRICES], [1], "potrf must get 2 arrays, got 1"),
        ("potrf", "f32", [MATRICES, INFO], [1], "array 0 of potrf must be aligned, with items of 4 bytes"),
        ("potrf", "f64", [MATRICES[0], INFO], [1], "array 0 of potrf must have 3 dimensions, got 2"),
        ("potrf", "f64", [MATRICES, np.zeros(3, np.int32)], [1], "array 1 of potrf .* as array 0, 2, got 3"),
        ("potrf", "f64", [np.ones((2, 3, 4)), INFO], [1], "dimension 2 of array 0 of potrf .*, got 4"),
        (
            "potrf",
            "f64",
            [SHARED[:18].reshape(2, 3, 3), SHARED[:1].view(np.int32)],
            [1],
            "array 1 of potrf must share no memory with array 0",
        ),
    ],
)
def test_refused_calls(
    routine: str, type_: str, arrays: Sequence[Any], options: Sequence[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        _kernels.lapack(routine, type_, arrays, options)
