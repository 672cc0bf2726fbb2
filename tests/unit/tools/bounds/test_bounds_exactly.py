"""The balls of `Bounds` and the exact function."""

from __future__ import annotations

import mpmath
import numpy as np

import hlokit
from unit.tools.bounds.test_bounds import bounded


def test_the_exact_function_is_in_the_ball() -> None:
    """At both ends of the ball, by mpmath."""
    program = hlokit.load(
        "func.func @main(%x: tensor<50xf32>) -> tensor<50xf32> {\n  %r = stablehlo.tanh %x : tensor<50xf32>\n  return %r : tensor<50xf32>\n}"
    )
    x = np.random.default_rng(2).uniform(-3, 3, 50).astype(np.float32)
    ball = np.full(50, 1e-6)
    result, radius = bounded(program, [x], [ball])
    for end in (-1, 0, 1):
        for i in range(50):
            exact = mpmath.tanh(mpmath.mpf(float(x[i])) + end * ball[i])
            assert abs(exact - float(result[i])) <= radius[i] <= 4e-6
