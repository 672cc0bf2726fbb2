"""Errors of dot products, reductions, Fourier transforms and conversions."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import log2
from typing import Any

import numpy as np

from hlokit.accuracy.formats import EXTENDED, HAS_EXTENDED, least_exponent, nearest, ulp_errors, widened
from hlokit.accuracy.implementations import program_text
from hlokit.accuracy.samples import every_value
from hlokit.values.element_types import (
    COMPLEX_F32,
    COMPLEX_F64,
    ELEMENT_TYPES,
    F8E8M0FNU,
    F32,
    F64,
    ElementType,
    Kind,
)
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

Array = Any

FLOATS = tuple(type_ for type_ in ELEMENT_TYPES.values() if type_.kind is Kind.FLOAT)
_SIZE, _ROWS = 1000, 24


@dataclass(frozen=True, slots=True)
class Case:
    """A program, its operands, and what its results should be.

    Attributes:
      exact: results in longdouble, of one row or point each.
      scales: what an error is divided by: |exact| rounded to a power of 2 if None, so that errors are ULP.
      bound: in the unit of the errors, what pairwise summation guarantees; None if results should be nearest.
    """

    op: str
    type_: ElementType
    text: str
    operands: tuple[Array, ...]
    exact: Array
    scales: Array | None
    bound: float | None

    def errors(self, results: Array) -> Array:
        """Of results of the program, in ULP or as a multiple of the unit roundoff times the scale."""
        with np.errstate(all="ignore"):
            if self.scales is None:
                return ulp_errors(self.type_, widened(results), self.exact)
            if np.iscomplexobj(results):
                parts = np.stack([results.real, results.imag]).astype(EXTENDED)
                difference = np.max(np.abs(parts - self.exact), axis=0)
            else:
                difference = np.abs(widened(results) - self.exact)
            layout = float_format(self.type_)
            smallest_normal = np.ldexp(EXTENDED.type(1), least_exponent(layout))
            unit = EXTENDED.type(2.0) ** -(layout.mantissa_bits + 1)
            return difference / (unit * np.maximum(self.scales, smallest_normal))


def cases() -> Iterator[Case]:
    """All of them but conversions."""
    for type_ in FLOATS:
        if type_ is not F8E8M0FNU:  # which has no 0 to start from
            yield _sum(type_)
            yield _dot(type_)
    yield _product(F32)
    yield _product(F64)
    for type_ in (COMPLEX_F32, COMPLEX_F64):
        for size in (60, 64, 97):
            yield _transform(type_, size)


def _rows(type_: ElementType, seed: int) -> Array:
    """Half of the rows of one sign, half of both: those cancel.

    Types of a byte have few numbers that are not 0, so that sums stay in range.
    """
    generator = np.random.default_rng(seed)
    rows = np.clip(generator.normal(size=(_ROWS, _SIZE)), -4, 4)
    if type_.width <= 8:
        rows[:, np.arange(_SIZE) % 333 > 0] = 0
        rows /= 2
    rows[: _ROWS // 2] = np.abs(rows[: _ROWS // 2])
    return rows.astype(np.float32).astype(type_.dtype) if type_ is not F64 else rows


def _region(op: str, type_: ElementType) -> str:
    scalar = f"tensor<{type_}>"
    return (
        f"({{\n  ^bb0(%a: {scalar}, %b: {scalar}):\n"
        f'  %s = "{op}"(%a, %b) : ({scalar}, {scalar}) -> {scalar}\n'
        f'  "stablehlo.return"(%s) : ({scalar}) -> ()\n}})'
    )


def _reduction(op: str, type_: ElementType, rows: Array, init: float) -> tuple[str, tuple[Array, ...]]:
    operand, result = TensorType(rows.shape, type_), TensorType(rows.shape[:1], type_)
    scalar = TensorType((), type_)
    text = (
        f"func.func @main(%x: {operand}, %i: {scalar}) -> {result} {{\n"
        f'  %r = "stablehlo.reduce"(%x, %i) {_region(op, type_)} {{dimensions = array<i64: 1>}}'
        f" : ({operand}, {scalar}) -> {result}\n  return %r : {result}\n}}"
    )
    return text, (rows, np.asarray(init, np.float32).astype(type_.dtype))


def _sum(type_: ElementType) -> Case:
    rows = _rows(type_, 1)
    text, operands = _reduction("stablehlo.add", type_, rows, 0.0)
    exact, scales = _exact_sums(rows, None)
    is_rounded_once = type_ is not F64
    return Case(
        "reduce add",
        type_,
        text,
        operands,
        exact,
        None if is_rounded_once else scales,
        None if is_rounded_once else log2(_SIZE) + 1,
    )


def _dot(type_: ElementType) -> Case:
    lhs, rhs = _rows(type_, 2), _rows(type_, 3)
    operand, result = TensorType(lhs.shape, type_), TensorType(lhs.shape[:1], type_)
    numbers = "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
    numbers += "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>"
    text = program_text(
        "stablehlo.dot_general", [operand, operand], result, f"dot_dimension_numbers = {numbers}"
    )
    exact, scales = _exact_sums(lhs, rhs)
    return Case("dot_general", type_, text, (lhs, rhs), exact, scales + np.abs(exact), log2(_SIZE) + 2)


def _product(type_: ElementType) -> Case:
    rows = (1 + _rows(type_, 4) * 0.01).astype(type_.dtype)
    text, operands = _reduction("stablehlo.multiply", type_, rows, 1.0)
    exact = []
    for row in rows:
        product = Fraction(1)
        for value in row.tolist():
            product *= Fraction(value)
            if product.denominator.bit_length() > 400:  # 400 bits are exact enough
                product = Fraction(product.numerator * 2**400 // product.denominator, 2**400)
        exact.append(_as_longdouble(product))
    values = np.array(exact, EXTENDED)
    return Case("reduce multiply", type_, text, operands, values, np.abs(values), _SIZE)


def _exact_sums(lhs: Array, rhs: Array | None) -> tuple[Array, Array]:
    """Sums of products of rows, and of their magnitudes."""
    wide_lhs = lhs.astype(np.float64)
    wide_rhs = np.ones_like(wide_lhs) if rhs is None else rhs.astype(np.float64)
    sums: list[Any] = []
    scales: list[float] = []
    for first, second in zip(wide_lhs.tolist(), wide_rhs.tolist(), strict=True):
        products = [Fraction(a) * Fraction(b) for a, b in zip(first, second, strict=True)]
        sums.append(_as_longdouble(sum(products, Fraction(0))))
        scales.append(float(sum(map(abs, products), Fraction(0))))
    return np.array(sums, EXTENDED), np.array(scales, EXTENDED)


def _as_longdouble(fraction: Fraction) -> Any:
    high = float(fraction)
    return EXTENDED.type(high) + EXTENDED.type(float(fraction - Fraction(high)))


def _transform(type_: ElementType, size: int) -> Case:
    """Transforms of rows; the scale is the root of the mean square of the results, as is usual."""
    generator = np.random.default_rng(size)
    rows = generator.normal(size=(8, size)) + 1j * generator.normal(size=(8, size))
    rows = rows.astype(type_.dtype)
    result = TensorType(rows.shape, type_)
    attributes = f"fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: {size}>"
    text = program_text("stablehlo.fft", [result], result, attributes)
    matrix = _roots(size)[np.outer(np.arange(size), np.arange(size)) % size]
    exact = rows.astype(np.clongdouble) @ matrix
    scales = np.sqrt(np.mean(np.abs(exact) ** 2, axis=1, keepdims=True))
    parts = np.stack([exact.real, exact.imag])
    part = type_.part
    return Case(f"fft of {size}", part, text, (rows,), parts, scales, 4 * log2(size))


def _roots(size: int) -> Array:
    """exp(-2 pi i k / size), from longdouble's pi by way of quarters that keep angles small."""
    pi = EXTENDED.type("3.14159265358979323846264338327950288")
    quarters, rest = np.divmod(4 * np.arange(size), size)
    angle = -pi * rest.astype(EXTENDED) / (2 * size)
    return (np.cos(angle) + 1j * np.sin(angle)) * np.array([1, -1j, -1, 1j])[quarters]


def conversion(source: ElementType, target: ElementType) -> Case:
    """Every value of a narrow float, or samples of a wide one, to another float type."""
    if source.width <= 16:
        values = every_value(source)
    else:
        generator = np.random.default_rng(5)
        bits = generator.integers(0, 1 << source.width - 1, 20000, np.uint64).astype(source.bits_dtype)
        layout = float_format(target)
        narrow = np.array([layout.decode(b) for b in range(0, 1 << min(layout.width, 12))])
        middles = (narrow[1:] + narrow[:-1]) / 2
        near = np.concatenate([narrow, middles, middles * (1 + 1e-15), middles * (1 - 1e-15)])
        values = np.concatenate([bits.view(source.dtype), near.astype(source.dtype)])
        values = np.concatenate([values, -values])
    result = TensorType(values.shape, target)
    text = program_text("stablehlo.convert", [TensorType(values.shape, source)], result)
    wide = widened(values)
    if not HAS_EXTENDED and target is F64:
        wide = values.astype(np.float64)
    return Case("convert", target, text, (values,), nearest(target, wide), None, None)
