"""Calls of LAPACK's routines as data (`array_ops.LapackCall`), for the native compiler.

The functions of `lapack.py` call the same routines with the same options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hlokit import _kernels
from hlokit.engine.contract.array_ops import LAPACK_OPERAND, LAPACK_ZEROS, LapackCall, MatrixStack
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind
from hlokit.values.types import TensorType, ValueType

_TYPES = {"f32", "f64", "complex<f32>", "complex<f64>"}
_WIDE = {"f32": "f64", "complex<f32>": "complex<f64>"}

# For each routine, the operand that each array is or starts with (None: it starts with zeros), and the
# results in LAPACK's order: indices of arrays, the first operand, or zeros.
_CALLS: dict[str, tuple[Sequence[int | None], Sequence[int]]] = {
    "potrf": ((0, None), (0, 1)),
    "getrf": ((0, None, None), (0, 1, 2)),
    "trsm": ((0, 1), (1,)),
    "geqrf": ((0, None), (0, 1)),
    "geqp3": ((0, 1, None), (0, 1, 2)),
    "orgqr": ((0, 1), (0,)),
    "ormqr": ((0, 1, 2), (2,)),
    "gtsv": ((0, 1, 2, 3, None), (0, 1, 2, 3, 4)),
    "sytrd": ((0, None, None, None), (0, 1, 2, 3, LAPACK_ZEROS)),
    "syevd": ((0, None, None), (0, 1, 2)),
    "gesvd": ((0, None, None, None, None), (LAPACK_OPERAND, 1, 2, 3, 4)),
    "gehrd": ((0, None), (0, 1, LAPACK_ZEROS)),
    "gees": ((0, None, None, None), (0, 1, 2, LAPACK_ZEROS, 3)),
    "geev": ((0, None, None, None, None), (1, 2, 3, 4)),
}


class Options(NamedTuple):
    """What a call adds to the types of its operands.

    Attributes:
      integers: the options of lib/kernels/linalg/routines.cpp.
      vectors: the letters whose sizes p and q have; 0 for vectors that are not requested.
      keeps: the first result is the first operand.
      reverses: operands and results have their elements in reverse order.
    """

    integers: Sequence[int] = ()
    vectors: str = "00"
    keeps: bool = False
    reverses: bool = False


def lapack_call(
    routine: str, operands: Sequence[ValueType], options: Options, results: int | None = None
) -> LapackCall | None:
    """The description of a call; None for types and shapes that the routine does not take.

    Args:
      operands: the types of the matrices; further operands are ignored.
      results: the number of results, if fewer than LAPACK's.
    """
    sources, places = _CALLS[routine]
    routines = _kernels.lapack_routines()
    number = [name for name, _, _ in routines].index(routine)
    _, shapes, has_narrow = routines[number]
    letters = shapes.split()
    first = operands[0] if operands else None
    if not isinstance(first, TensorType) or first.element_type.name not in _TYPES:
        return None
    matrix = first.element_type
    work = matrix if has_narrow else ELEMENT_TYPES[_WIDE.get(matrix.name, matrix.name)]
    sizes: dict[str, int] = {"0": 0}
    batches: set[tuple[int, ...]] = set()
    for (kind, *dims), source in zip(letters, sources, strict=True):
        if source is None:
            continue
        type_ = operands[source] if source < len(operands) else None
        if not isinstance(type_, TensorType) or not type_.is_static or type_.rank < len(dims):
            return None
        cut = type_.rank - len(dims)
        batches.add(type_.dims[:cut])
        fits = [sizes.setdefault(d, size) == size for d, size in zip(dims, type_.dims[cut:], strict=True)]
        if not all(fits) or type_.element_type != _element_type(kind, matrix):
            return None
    if len(batches) != 1:
        return None
    n = sizes.get("n", 0)
    sizes |= {"k": min(sizes.get("m", n), n), "e": max(n - 1, 0)}
    sizes |= {size: sizes[letter] for size, letter in zip("pq", options.vectors, strict=True)}
    arrays = [
        MatrixStack(
            tuple([sizes[letter] for letter in dims]), _element_type(kind, work).name, source, kind.isupper()
        )
        for (kind, *dims), source in zip(letters, sources, strict=True)
    ]
    kept = (LAPACK_OPERAND, *places[1:]) if options.keeps else tuple(places)
    return LapackCall(
        number, tuple(options.integers), batches.pop(), tuple(arrays), kept[:results], options.reverses
    )


def _element_type(kind: str, matrix: ElementType) -> ElementType:
    """The type of an array's elements by its letter in the shapes of a routine."""
    match kind:
        case "I":
            return ELEMENT_TYPES["i32"]
        case "R":
            return matrix.part
        case "C":
            return matrix if matrix.kind is Kind.COMPLEX else ELEMENT_TYPES[f"complex<{matrix.name}>"]
        case _:
            return matrix
