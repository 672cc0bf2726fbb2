"""Every routine of ops.linalg.lapack on the same matrices; as a program, it prints a hash of each one's results.

python -m tests.unit.kernels.linalg.routines
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np

from hlokit.kernels.linalg import lapack

Array = np.typing.NDArray[Any]
DTYPES = ("f4", "f8", "c8", "c16")


def matrices(dtype: str, *shape: int) -> Array:
    random = np.random.default_rng(sum(shape))
    array = random.standard_normal(shape) + (1j * random.standard_normal(shape) if dtype[0] == "c" else 0)
    return array.astype(dtype)


def adjoint(a: Array) -> Array:
    return np.conj(np.swapaxes(a, -1, -2))


def hermitian(a: Array) -> Array:
    return a + adjoint(a)


def positive(a: Array) -> Array:
    return hermitian(a) + 4 * a.shape[-1] * np.eye(a.shape[-1], dtype=a.dtype)


def solve(a: Array) -> tuple[Array, ...]:
    cases = [(left, lower, letter) for left in (True, False) for lower in (True, False) for letter in "NTC"]
    return tuple(
        lapack.trsm(positive(a), a, left=left, lower=lower, transpose=letter, unit=False)
        for left, lower, letter in cases
    )


def qr(a: Array) -> tuple[Array, ...]:
    packed, tau = lapack.geqrf(a)
    products = [lapack.ormqr(packed, tau, a, left, flag) for left in (True, False) for flag in (True, False)]
    return (packed, tau, lapack.orgqr(packed, tau), *products)


def tridiagonal(a: Array) -> tuple[Array, ...]:
    return lapack.gtsv(a[..., 0, :], a[..., 1 % a.shape[-1], :], a[..., -1, :], a)


# Of square matrices.
ROUTINES: dict[str, Callable[[Array], tuple[Array, ...]]] = {
    "potrf": lambda a: (*lapack.potrf(positive(a), True), *lapack.potrf(positive(a), False)),
    "getrf": lapack.getrf,
    "trsm": solve,
    "qr": qr,
    "geqp3": lambda a: lapack.geqp3(a, np.zeros(a.shape[:-1], np.int32)),
    "gtsv": tridiagonal,
    "sytrd": lambda a: (*lapack.sytrd(hermitian(a), True), *lapack.sytrd(hermitian(a), False)),
    "syevd": lambda a: lapack.syevd(hermitian(a), True),
    "gesvd": lambda a: lapack.gesvd(a, True, True),
    "gehrd": lambda a: lapack.gehrd(a, 1, a.shape[-1]),
    "gees": lapack.gees,
    "geev": lambda a: lapack.geev(a, True, True),
}


def digest(parts: tuple[Array, ...]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(np.ascontiguousarray(part).tobytes())
    return whole.hexdigest()[:16]


if __name__ == "__main__":
    for name_, routine_ in ROUTINES.items():
        for dtype_ in DTYPES:
            for shape_ in ((5, 3, 3), (2, 17, 17), (2, 70, 70), (1, 150, 150)):
                print(name_, dtype_, shape_, digest(routine_(matrices(dtype_, *shape_))))
