"""cholesky and triangular_solve."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy.typing as npt

from hlokit.engine.contract.array_ops import Lapack, LapackCall
from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.kernels.elementwise.convert import ArrayFunction, converter
from hlokit.kernels.linalg.descriptions import Options, lapack_call
from hlokit.kernels.linalg.lapack import potrf, trsm
from hlokit.values.element_types import F32, ElementType

Array = npt.NDArray[Any]


def cholesky(operation: Operation) -> Kernel:
    """spec "cholesky": result = L with L * adjoint(L) = a, or U with adjoint(U) * U = a.

    Only the triangle of `a` that `lower` selects is read; the other triangle of the result is 0. The result
    for a matrix that is not positive definite is NaN everywhere, as in XLA.
    """
    lower = operation.attributes.bool_("lower", False)
    widen, narrow = _conversions(operation.result().element_type)

    def kernel(a: Value) -> Value:
        return narrow(potrf(widen(a), lower)[0])

    def describe() -> LapackCall | None:
        return lapack_call("potrf", operation.operand_types, Options((lower,)), results=1)

    return Kernel(kernel, array_op=Lapack(describe))


def _conversions(type_: ElementType) -> tuple[ArrayFunction, ArrayFunction]:
    """Conversions to the type of the computation and back: f32 for narrow floats, rounded once; no conversion
    for other types.
    """
    work = F32 if type_.is_narrow_float else type_
    return converter(type_, work), converter(work, type_)


def solver(operation: Operation, solve: Callable[..., Array]) -> partial[Array]:
    """`solve` with the attributes of a `triangular_solve`."""
    attributes = operation.attributes
    return partial(
        solve,
        left=attributes.bool_("left_side"),
        lower=attributes.bool_("lower"),
        transpose={"NO_TRANSPOSE": "N", "TRANSPOSE": "T", "ADJOINT": "C"}[attributes.enum("transpose_a")],
        unit=attributes.bool_("unit_diagonal"),
    )


def triangular_solve(operation: Operation) -> Kernel:
    """spec "triangular_solve": result = x with op(a) * x = b, or with x * op(a) = b.

    Solved by substitution; a 0 on the diagonal gives the result of division by 0. The other triangle of `a`
    is not read, and neither is the diagonal if `unit_diagonal` is set.
    """
    widen, narrow = _conversions(operation.result().element_type)
    solve = solver(operation, trsm)

    def kernel(a: Value, b: Value) -> Value:
        return narrow(solve(widen(a), widen(b)))

    def describe(*, left: bool, lower: bool, transpose: str, unit: bool) -> LapackCall | None:
        options = Options((left, lower, transpose != "N", transpose == "C", unit))
        return lapack_call("trsm", operation.operand_types, options)

    return Kernel(kernel, array_op=Lapack(partial(describe, **solve.keywords)))
