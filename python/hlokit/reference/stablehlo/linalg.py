"""Linear algebra by the formulas, element by element, in `rules.accumulation_type`.

The other tiers compute in blocks, in another order; tests compare their results within a bound.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import Index, full, index_space
from hlokit.reference.numbers import element_functions
from hlokit.reference.numbers.rules import accumulation_type, canonical_nan, fold
from hlokit.reference.stablehlo.conversions import convert
from hlokit.reference.stablehlo.elementwise import times
from hlokit.values.element import Element
from hlokit.values.element_types import Kind
from hlokit.values.tensor import Tensor

# An element of a matrix by row and column.
Matrix = Callable[[int, int], Element]


def cholesky(a: Tensor, lower: bool) -> Tensor:
    """spec "cholesky": result = L with L * adjoint(L) = a, or U with adjoint(U) * U = a

    Only the triangle of `a` that `lower` selects is read. The other triangle of the result is 0; the whole
    result is NaN if `a` is not positive definite.
    """
    wide = convert(a, accumulation_type(a.element_type))
    result = full(a.shape, Element(wide.element_type, 0.0))
    for batch in index_space(a.shape[:-2]):
        factor = _lower_factor(_matrix(wide, batch, is_adjoint=not lower), a.shape[-1])
        for i, j in index_space(a.shape[-2:]):
            if factor is None:
                result[(*batch, i, j)] = canonical_nan(wide.element_type)
            elif j <= i:
                at, element = ((i, j), factor[i, j]) if lower else ((j, i), _conjugate(factor[i, j]))
                result[(*batch, *at)] = element
    return convert(result, a.element_type)


def _lower_factor(a: Matrix, n: int) -> dict[tuple[int, int], Element] | None:
    """L[i, j] = (a[i, j] - sum over k < j of L[i, k] conj(L[j, k])) / L[j, j], a square root for i = j.

    The result is None if a number on the diagonal is not positive.
    """
    factor: dict[tuple[int, int], Element] = {}
    for j in range(n):
        for i in range(j, n):
            terms = [times(factor[i, k], _conjugate(factor[j, k])) for k in range(j)]
            rest = fold([a(i, j), *terms], operator.sub)
            if i > j:
                factor[i, j] = rest / factor[j, j]
                continue
            if not float(_real(rest)) > 0:
                return None
            root = element_functions.sqrt(_real(rest))
            factor[j, j] = Element(rest.type, float(root))
    return factor


def triangular_solve(
    a: Tensor, b: Tensor, left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: str
) -> Tensor:
    """spec "triangular_solve": result = x with op(a) * x = b, or with x * op(a) = b

    By substitution: a 0 on the diagonal gives the results of a division by 0. Only the triangle of `a` that
    `lower` selects is read, without its diagonal if `unit_diagonal` is set.
    """
    wide = accumulation_type(a.element_type)
    matrix, x = convert(a, wide), convert(b, wide).copy()
    n = a.shape[-1]
    is_transposed = (transpose_a != "NO_TRANSPOSE") == left_side  # x op(a) = b is op(a)^T x^T = b^T
    order = range(n) if lower != is_transposed else range(n - 1, -1, -1)

    def coefficient(batch: Index, i: int, k: int) -> Element:
        element = matrix[(*batch, k, i) if is_transposed else (*batch, i, k)]
        return _conjugate(element) if transpose_a == "ADJOINT" else element

    def place(batch: Index, i: int, column: int) -> Index:
        return (*batch, i, column) if left_side else (*batch, column, i)

    columns = b.shape[-1] if left_side else b.shape[-2]
    for *batch_, column in index_space((*b.shape[:-2], columns)):
        batch = tuple(batch_)
        done: list[int] = []
        for i in order:
            terms = [times(coefficient(batch, i, k), x[place(batch, k, column)]) for k in done]
            rest = fold([x[place(batch, i, column)], *terms], operator.sub)
            x[place(batch, i, column)] = rest if unit_diagonal else rest / coefficient(batch, i, i)
            done.append(i)
    return convert(x, b.element_type)


def _matrix(tensor: Tensor, batch: Index, *, is_adjoint: bool) -> Matrix:
    if is_adjoint:
        return lambda i, j: _conjugate(tensor[(*batch, j, i)])
    return lambda i, j: tensor[(*batch, i, j)]


def _conjugate(x: Element) -> Element:
    if x.type.kind is not Kind.COMPLEX:
        return x
    real, imag = x.parts
    return Element.from_bits(x.type, real.bits | (-imag).bits << imag.type.width)


def _real(x: Element) -> Element:
    return x.parts[0] if x.type.kind is Kind.COMPLEX else x


def call_triangular_solve(call: Call) -> Tensor:
    attributes = call.attributes
    return triangular_solve(
        *call.tensors,
        left_side=attributes.bool_("left_side"),
        lower=attributes.bool_("lower"),
        unit_diagonal=attributes.bool_("unit_diagonal"),
        transpose_a=attributes.enum("transpose_a"),
    )
