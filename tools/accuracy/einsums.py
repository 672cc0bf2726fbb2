"""Errors of einsum, of two chained einsums, and of products of complex matrices."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import log2
from typing import Any

import numpy as np

from hlokit.values.element_types import COMPLEX_F32, COMPLEX_F64, F8E8M0FNU, ElementType
from hlokit.values.types import TensorType
from tools.accuracy.formats import EXTENDED
from tools.accuracy.implementations import program_text
from tools.accuracy.sums import DATA, FLOATS, Case, Make, exact_products, suffix, terms

Array = Any

_SIZE, _ROWS, _COLUMNS = 1000, 12, 6


def cases() -> Iterator[tuple[str, ElementType, Make]]:
    """Operation, element type, and the function that builds the case."""
    for type_ in FLOATS:
        if type_ is F8E8M0FNU:  # the type has no 0 as initial value
            continue
        for data in DATA if type_.width > 8 else DATA[:1]:
            yield "einsum", type_, partial(_einsum, type_, data)
            yield "unary_einsum", type_, partial(_unary, type_, data)
        if type_.width >= 32:
            yield "einsum", type_, partial(_chain, type_)
    for type_ in (COMPLEX_F32, COMPLEX_F64):
        for data in DATA:
            yield "dot_general", type_.part, partial(_complex_dot, type_, data)


def _factors(type_: ElementType, data: str) -> tuple[Array, Array]:
    rhs = terms(type_, data, 3, _COLUMNS, _SIZE).T
    return terms(type_, data, 2, _ROWS, _SIZE), np.ascontiguousarray(rhs)


def _einsum(type_: ElementType, data: str) -> Case:
    lhs, rhs = _factors(type_, data)
    exact, scales = exact_products(lhs, rhs)
    types = [TensorType(operand.shape, type_) for operand in (lhs, rhs)]
    result = TensorType(exact.shape, type_)
    text = program_text("stablehlo.einsum", types, result, 'einsum_config = "ij,jk->ik"')
    bound = log2(_SIZE) + 2
    return Case("einsum ij,jk->ik" + suffix(data), type_, text, (lhs, rhs), exact, scales + abs(exact), bound)


def _unary(type_: ElementType, data: str) -> Case:
    rows, _ = _factors(type_, data)
    exact, scales = (part[:, 0] for part in exact_products(rows, np.ones((_SIZE, 1))))
    types = [TensorType(rows.shape, type_)]
    result = TensorType(exact.shape, type_)
    text = program_text("stablehlo.unary_einsum", types, result, 'einsum_config = "ij->i"')
    bound, name = log2(_SIZE) + 2, "unary_einsum ij->i" + suffix(data)
    return Case(name, type_, text, (rows,), exact, scales + abs(exact), bound)


def _chain(type_: ElementType) -> Case:
    """(a b) c, an einsum of three operands as two operations: the errors of both sums add up."""
    lhs, rhs = _factors(type_, DATA[0])
    last = terms(type_, DATA[0], 5, _COLUMNS, _COLUMNS)
    first, magnitudes = exact_products(lhs, rhs)
    exact = first @ last.astype(EXTENDED)
    scales = (magnitudes + abs(first)) @ abs(last).astype(EXTENDED)
    a, b, c, made, result = (TensorType(array.shape, type_) for array in (lhs, rhs, last, first, exact))
    text = (
        f"func.func @main(%a: {a}, %b: {b}, %c: {c}) -> {result} {{\n"
        f'  %0 = "stablehlo.einsum"(%a, %b) {{einsum_config = "ij,jk->ik"}} : ({a}, {b}) -> {made}\n'
        f'  %1 = "stablehlo.einsum"(%0, %c) {{einsum_config = "ij,jk->ik"}} : ({made}, {c}) -> {result}\n'
        f"  return %1 : {result}\n}}"
    )
    bound = log2(_SIZE) + 2 + log2(_COLUMNS) + 2
    name = "einsum ij,jk->ik twice"
    return Case(name, type_, text, (lhs, rhs, last), exact, scales + abs(exact), bound)


def _complex_dot(type_: ElementType, data: str) -> Case:
    """Products of complex matrices: each part of an element is a sum of twice as many products."""
    part = type_.part
    real, imaginary = _factors(part, data), [-factor[::-1] for factor in _factors(part, data)]
    lhs, rhs = (re + 1j * im for re, im in zip(real, imaginary, strict=True))
    lhs, rhs = lhs.astype(type_.dtype), np.ascontiguousarray(rhs.astype(type_.dtype))
    both = np.concatenate([np.real(lhs), np.imag(lhs)], axis=1)
    of_real, of_imaginary = np.real(rhs), np.imag(rhs)
    products = [
        exact_products(both, np.concatenate(factors))
        for factors in ((of_real, -of_imaginary), (of_imaginary, of_real))
    ]
    exact = np.stack([value for value, _ in products])
    scales = np.max([scale + abs(value) for value, scale in products], axis=0)
    types = [TensorType(operand.shape, type_) for operand in (lhs, rhs)]
    numbers = "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    result = TensorType(exact.shape[1:], type_)
    text = program_text("stablehlo.dot_general", types, result, f"dot_dimension_numbers = {numbers}")
    name = "dot_general complex matrices" + suffix(data)
    return Case(name, part, text, (lhs, rhs), exact, scales, log2(2 * _SIZE) + 2)
