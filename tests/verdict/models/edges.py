"""Small programs at an edge of the numbers, where a mistake of a backend shows."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.verdict.models import Traced, model


@model()
def halves() -> Traced:
    """Numbers between two integers."""
    return lambda x: jnp.round(x) * 0.5 + x, (np.array([0.5, 1.5, -2.5, 3.25], np.float32),)


@model()
def subnormal() -> Traced:
    """Sums and products below the least normal number."""

    def tiny(x: Any, y: Any) -> Any:
        return (x * y + x * 0.25) * 1e30

    return tiny, (np.array([1e-38, 3e-38, -2e-38], np.float32), np.array([0.1, -0.3, 0.01], np.float32))


@model()
def truncation() -> Traced:
    """Numbers as integers."""
    return lambda x: x.astype(jnp.int32) * 3, (np.array([0.7, -1.9, 2.5, 11.2], np.float32),)


@model()
def clamped() -> Traced:
    """Numbers below, between and above two bounds."""
    return lambda x: jax.lax.clamp(-1.0, x, 2.0) * 3, (np.array([-3.5, 0.25, 7.0], np.float32),)
