"""Factors of matrices that custom calls of LAPACK leave open: signs, phases and bases of vectors, the order
of eigenvalues, other triangles.

Vectors are right if they satisfy the equations that define them, together with the other side's values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hlokit.kernels.custom_calls.lapack import Role, role_of_result
from hlokit.tools.diff.rules.open_values import Array, Judged, Open, beyond_triangle

# A multiple of n times the machine's epsilon.
_SLACK = 64.0
# The options that ask for vectors.
_OPTIONS = {Role.LEFT_VECTORS: "compute_left", Role.RIGHT_VECTORS: "compute_right"}


def _open(judged: Judged) -> Array | None:
    """The elements of a result of LAPACK that are right, though they are not hlokit's."""
    role = _role(judged)
    result = judged.result
    if role is Role.UNIQUE:
        return None
    if role is Role.TRIANGLE:
        return beyond_triangle(result, _letter(judged, "uplo") == "L")
    if role is Role.OVERWRITTEN or not _is_requested(role, judged):
        return np.ones(result.shape, np.bool_)
    wrong = _wrong(judged)
    return np.ones(result.shape, np.bool_) if wrong is None else ~wrong


def _wrong(judged: Judged) -> Array | None:
    """The matrices that do not satisfy their equations; None if the other side's values are not all known."""
    role = _role(judged)
    if role in (Role.UNIQUE, Role.TRIANGLE, Role.OVERWRITTEN) or not _is_requested(role, judged):
        return None
    if not judged.theirs or any(value is None for value in judged.theirs):
        return None
    with np.errstate(all="ignore"):
        is_right = _is_right(role, judged)
    lines = (1,) * (judged.result.ndim - is_right.ndim)
    return np.broadcast_to(~is_right.reshape(is_right.shape + lines), judged.result.shape)


def _role(judged: Judged) -> Role:
    return role_of_result(_target(judged), judged.index)


def _is_requested(role: Role, judged: Judged) -> bool:
    """Whether the call asks for the vectors."""
    return "N" not in (_letter(judged, "mode"), _letter(judged, _OPTIONS.get(role, "")))


def _is_right(role: Role, judged: Judged) -> Array:
    """Whether a result satisfies its equations, for each matrix of a batch."""
    a = _wide(judged.operands[0])
    theirs = [_wide(value) for value in judged.theirs]
    match role:
        case Role.HERMITIAN_VECTORS:
            vectors, values = theirs[:2]
            matrix = _hermitian(a, _letter(judged, "uplo") == "L")
            holds = _near(judged, matrix @ vectors, vectors * values[..., None, :], matrix)
            return holds & _is_unitary(judged, vectors)
        case Role.SINGULAR_VECTORS:
            values, u, vt = theirs[1:4]
            count = values.shape[-1]
            product = (u[..., :count] * values[..., None, :]) @ vt[..., :count, :]
            return _near(judged, product, a, a) & _is_unitary(judged, u) & _is_unitary(judged, _adjoint(vt))
        case Role.SCHUR_FORM | Role.SCHUR_VECTORS:
            form, vectors = theirs[:2]
            holds = _near(judged, vectors @ form @ _adjoint(vectors), a, a) & _is_unitary(judged, vectors)
            below = np.tril(form, -1 if a.dtype.kind == "c" else -2)
            return holds & _near(judged, below, np.zeros_like(form), a)
        case _:
            return _belongs_to_eigenvalues(role, judged, a, theirs)


def _belongs_to_eigenvalues(role: Role, judged: Judged, a: Array, theirs: list[Array]) -> Array:
    """Whether eigenvalues are hlokit's in another order, and vectors belong to them."""
    first = next(n for n in range(len(theirs)) if role_of_result(_target(judged), n) is Role.EIGENVALUES)
    values = _eigenvalues(theirs, first)
    scale = np.sqrt((np.abs(a) ** 2).sum(axis=(-2, -1)))
    tolerance = a.shape[-1] * np.sqrt(_epsilon(judged)) * scale
    mine = _eigenvalues([_wide(result) for result in judged.results], first)
    are_same = _distance(mine, values) <= tolerance
    if role is Role.EIGENVALUES:
        return are_same
    vectors = _vectors(theirs[judged.index], values)
    if role is Role.RIGHT_VECTORS:
        return are_same & _near(judged, a @ vectors, vectors * values[..., None, :], a)
    return are_same & _near(judged, _adjoint(a) @ vectors, vectors * values.conj()[..., None, :], a)


def _eigenvalues(results: list[Array], first: int) -> Array:
    """Complex eigenvalues, from one result, or from real and imaginary parts."""
    values = results[first]
    return values if values.dtype.kind == "c" else values + 1j * results[first + 1]


def _distance(mine: Array, theirs: Array) -> Array:
    """The largest distance of eigenvalues, each from the nearest one that is left, for each matrix."""
    left = np.array(theirs)
    largest = np.zeros(mine.shape[:-1])
    for position in range(mine.shape[-1]):
        apart = np.abs(left - mine[..., position, None])
        nearest = apart.argmin(axis=-1)[..., None]
        largest = np.maximum(largest, np.take_along_axis(apart, nearest, -1)[..., 0])
        np.put_along_axis(left, nearest, np.inf, -1)
    return largest


def _vectors(vectors: Array, values: Array) -> Array:
    """Complex eigenvectors: LAPACK stores those of a complex pair of a real matrix as two real columns."""
    if vectors.dtype.kind == "c":
        return vectors
    positive, negative = np.imag(values)[..., None, :] > 0, np.imag(values)[..., None, :] < 0
    after, before = np.roll(vectors, -1, -1), np.roll(vectors, 1, -1)
    whole = np.where(positive, vectors + 1j * after, vectors)
    return np.where(negative, before - 1j * vectors, whole)


def _hermitian(a: Array, is_lower: bool) -> Array:
    half = np.tril(a, -1) if is_lower else np.triu(a, 1)
    diagonal = np.real(np.diagonal(a, axis1=-2, axis2=-1))
    return half + _adjoint(half) + diagonal[..., None] * np.eye(a.shape[-1])


def _is_unitary(judged: Judged, vectors: Array) -> Array:
    ones = np.eye(vectors.shape[-1])
    return _near(judged, _adjoint(vectors) @ vectors, ones, ones)


def _near(judged: Judged, one: Array, other: Array, like: Array) -> Array:
    """Whether matrices agree up to rounding errors in relation to the norm of a third one."""
    size = max(one.shape[-2:], default=1)
    scale = np.sqrt((np.abs(like) ** 2).sum(axis=(-2, -1)))
    return np.abs(one - other).max(axis=(-2, -1), initial=0) <= _SLACK * size * _epsilon(judged) * scale


def _epsilon(judged: Judged) -> float:
    return float(np.finfo(np.asarray(judged.operands[0]).dtype).eps)


def _adjoint(a: Array) -> Array:
    return np.conj(np.swapaxes(a, -1, -2))


def _wide(value: Any) -> Array:
    array = np.asarray(value)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _target(judged: Judged) -> str:
    return judged.operation.attributes["call_target_name"].value


def _letter(judged: Judged, name: str) -> str:
    """An option of the call, whose ASCII code the configuration has; "" if there is none."""
    attributes = judged.operation.attributes
    if "mhlo.backend_config" not in attributes:
        return ""
    config: Any = attributes["mhlo.backend_config"]
    return chr(config[name].value) if name in config else ""


FACTORS = Open("vectors of `geev`, `gesdd`, `syevd` and similar calls", _open, _wrong)
