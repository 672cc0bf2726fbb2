"""Linear algebra on stacks of small matrices: solves, least squares, eigenvalues, singular values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.case import OTHER, Program, case, lower, normal

LINEAR_ALGEBRA = "small batched linear algebra"


def _positive(a: Any) -> Any:
    return a @ jnp.swapaxes(a, -1, -2) + np.float32(a.shape[-1]) * jnp.eye(a.shape[-1], dtype=a.dtype)


_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "Cholesky and solve": lambda a: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(_positive(a)), True), a),
    "LU solve": lambda a: jnp.linalg.solve(_positive(a), a),
    "QR": jnp.linalg.qr,
    "symmetric eigenproblem": lambda a: jnp.linalg.eigh(_positive(a)),
    "singular values": lambda a: jnp.linalg.svd(a, full_matrices=False),
    "eigenvalues": jnp.linalg.eigvals,
}


def _add(name: str, function: Callable[[Any], Any], count: int, size: int) -> None:
    @case(f"{name}, {count} of {size}x{size}", LINEAR_ALGEBRA, OTHER)
    def build() -> Program:
        return lower(function, normal(count, size, size))

    del build


for _name, _function in _FUNCTIONS.items():
    for _count, _size in ((1024, 4), (64, 32)):
        _add(_name, _function, _count, _size)
