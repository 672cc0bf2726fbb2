"""Calls of LAPACK's routines as data (`array_ops.LapackCall`), for the native compiler.

The functions of `lapack.py` call the same routines with the same options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hlokit.contract.array_ops import LapackCall, MatrixStack
from hlokit.values.types import TensorType, ValueType

Ints = tuple[int, ...]

_TYPES = {"f32", "f64", "complex<f32>", "complex<f64>"}


def lapack_call(
    routine: str, operands: Sequence[ValueType], options: Sequence[int] = (), results: int = 1
) -> LapackCall | None:
    """The description of a call; None for types and routines that native programs do not support.

    Args:
      operands: the types of the matrices; further operands are ignored.
      options: the integers of the routine, as in lib/kernels/linalg/routines.cpp.
      results: the number of results, at most LAPACK's.
    """
    arrays, ranks = _ARRAYS[routine]
    types = [type_ for type_ in operands[: len(ranks)] if isinstance(type_, TensorType) and type_.is_static]
    if len(types) != len(ranks) or any(type_.rank < rank for type_, rank in zip(types, ranks, strict=True)):
        return None
    batches = {type_.dims[: type_.rank - rank] for type_, rank in zip(types, ranks, strict=True)}
    names = {type_.element_type.name for type_ in types}
    if len(batches) != 1 or len(names) != 1 or not names <= _TYPES:
        return None
    made = arrays(*[type_.dims[type_.rank - rank :] for type_, rank in zip(types, ranks, strict=True)])
    if sum(array.result is not None for array in made) < results:
        return None
    kept = [
        array._replace(result=None) if array.result is not None and array.result >= results else array
        for array in made
    ]
    return LapackCall(routine, tuple(options), batches.pop(), tuple(kept))


def _potrf(a: Ints) -> tuple[MatrixStack, ...]:
    return MatrixStack(a, 0, 0), MatrixStack((), None, 1, is_integer=True)


def _getrf(a: Ints) -> tuple[MatrixStack, ...]:
    pivots = MatrixStack((min(a),), None, 1, is_integer=True)
    return MatrixStack(a, 0, 0), pivots, MatrixStack((), None, 2, is_integer=True)


def _geqrf(a: Ints) -> tuple[MatrixStack, ...]:
    return MatrixStack(a, 0, 0), MatrixStack((min(a),), None, 1)


def _orgqr(a: Ints, tau: Ints) -> tuple[MatrixStack, ...]:
    return MatrixStack(a, 0, 0), MatrixStack(tau, 1, is_written=False)


def _ormqr(a: Ints, tau: Ints, c: Ints) -> tuple[MatrixStack, ...]:
    return MatrixStack(a, 0, is_written=False), MatrixStack(tau, 1, is_written=False), MatrixStack(c, 2, 0)


def _trsm(a: Ints, b: Ints) -> tuple[MatrixStack, ...]:
    return MatrixStack(a, 0, is_written=False), MatrixStack(b, 1, 0)


def _gtsv(lower: Ints, diagonal: Ints, upper: Ints, b: Ints) -> tuple[MatrixStack, ...]:
    bands = [MatrixStack(each, n, n, is_written=False) for n, each in enumerate((lower, diagonal, upper))]
    return *bands, MatrixStack(b, 3, 3), MatrixStack((), None, 4, is_integer=True)


# For each routine, its arrays and the ranks of its operands without the batch.
_ARRAYS: dict[str, tuple[Callable[..., tuple[MatrixStack, ...]], Ints]] = {
    "potrf": (_potrf, (2,)),
    "getrf": (_getrf, (2,)),
    "geqrf": (_geqrf, (2,)),
    "orgqr": (_orgqr, (2, 1)),
    "ormqr": (_ormqr, (2, 1, 2)),
    "trsm": (_trsm, (2, 2)),
    "gtsv": (_gtsv, (1, 1, 1, 2)),
}
