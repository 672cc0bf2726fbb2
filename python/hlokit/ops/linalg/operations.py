"""cholesky and triangular_solve."""

from __future__ import annotations

import numpy as np

from hlokit.contract.registry import Kernel, Operation, Value, op
from hlokit.ops.contractions.products import Array
from hlokit.ops.elementwise.convert import ArrayFunction, converter
from hlokit.ops.linalg.triangles import as_stack, substitute
from hlokit.values.element_types import F32, ElementType


@op("stablehlo.cholesky")
def cholesky(operation: Operation) -> Kernel:
    """spec "cholesky": result = L with L * adjoint(L) = a, or U with adjoint(U) * U = a.

    Only the triangle of `a` that `lower` names is read; the other triangle of the result is 0. A matrix that
    is not positive definite gives NaN everywhere, as in XLA.
    """
    lower = operation.attributes.bool_("lower", False)
    widen, narrow = _conversions(operation.result().element_type)

    def kernel(a: Value) -> Value:
        if lower:
            return narrow(_lower_factors(widen(a)))
        return narrow(_adjoint(_lower_factors(_adjoint(widen(a)))))

    return Kernel(kernel)


def _conversions(type_: ElementType) -> tuple[ArrayFunction, ArrayFunction]:
    """Conversions to the type of the computation and back: f32 for narrow floats, rounded once; otherwise
    none.
    """
    work = F32 if type_.is_narrow_float else type_
    return converter(type_, work), converter(work, type_)


def _adjoint(matrices: Array) -> Array:
    return np.conj(np.swapaxes(matrices, -1, -2))


def _lower_factors(matrices: Array) -> Array:
    try:
        return np.linalg.cholesky(matrices)
    except np.linalg.LinAlgError:
        pass
    # NumPy reports that one of the matrices fails, but not which one.
    factors = np.full(matrices.shape, np.nan, matrices.dtype)
    for index in np.ndindex(matrices.shape[:-2]):
        try:
            factors[index] = np.linalg.cholesky(matrices[index])
        except np.linalg.LinAlgError:
            continue
    return factors


@op("stablehlo.triangular_solve")
def triangular_solve(operation: Operation) -> Kernel:
    """spec "triangular_solve": result = x with op(a) * x = b, or with x * op(a) = b.

    Solved by substitution: a 0 on the diagonal gives the result of division by 0. The other triangle of `a`
    is not read; with `unit_diagonal`, neither is the diagonal.
    """
    attributes = operation.attributes
    left_side, lower = attributes.bool_("left_side"), attributes.bool_("lower")
    unit_diagonal = attributes.bool_("unit_diagonal")
    transpose_a = attributes.enum("transpose_a")
    widen, narrow = _conversions(operation.result().element_type)
    # x * op(a) = b is transpose(op(a)) * transpose(x) = transpose(b).
    is_transposed = (transpose_a != "NO_TRANSPOSE") == left_side
    is_lower = lower != is_transposed

    def kernel(a: Value, b: Value) -> Value:
        matrix, x = widen(a), widen(b)
        if is_transposed:
            matrix = np.swapaxes(matrix, -1, -2)
        if transpose_a == "ADJOINT":
            matrix = np.conj(matrix)
        if not left_side:
            x = np.swapaxes(x, -1, -2)
        if not is_lower:
            matrix, x = matrix[..., ::-1, ::-1], x[..., ::-1, :]
        x = np.array(x, order="C")
        substitute(as_stack(np.ascontiguousarray(matrix)), as_stack(x), unit_diagonal)
        if not is_lower:
            x = x[..., ::-1, :]
        return narrow(x if left_side else np.swapaxes(x, -1, -2))

    return Kernel(kernel)
