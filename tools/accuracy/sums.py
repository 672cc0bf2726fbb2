"""Errors of dot products, reductions, Fourier transforms and conversions."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import fsum, log2
from typing import Any

import numpy as np

from hlokit.kernels.elementwise.error_free import two_product
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
from tools.accuracy.formats import EXTENDED, HAS_EXTENDED, least_exponent, nearest, ulp_errors, widened
from tools.accuracy.implementations import program_text
from tools.accuracy.samples import every_value

Array = Any

FLOATS = tuple(type_ for type_ in ELEMENT_TYPES.values() if type_.kind is Kind.FLOAT)
# The number of terms of a sum, of a long sum, and the number of sums of a case.
_SIZE, _LONG, _ROWS = 1000, 100_000, 24
# Kinds of terms. Equal terms are the worst case of a sum that is not pairwise.
RANDOM, EQUAL, CANCELLING = DATA = ("random terms", "equal terms", "cancelling terms")
# The rows and columns of matrix products.
_PRODUCTS = ((12, 12), (1, 1), (24, 1), (1, 24))
_NAMES = {False: "vector", True: "matrix"}


@dataclass(frozen=True, slots=True)
class Case:
    """A program, its operands, and its expected results.

    Attributes:
      exact: results in longdouble, one for each row or point.
      scales: the divisors of errors; None for |exact| rounded to a power of 2, so that errors are in ULP.
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
        """The errors of results, in ULP or as a multiple of the unit roundoff times the scale."""
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


Make = Callable[[], Case]


def cases() -> Iterator[tuple[str, ElementType, Make]]:
    """All cases except conversions: operation, element type, and the function that builds the case."""
    for type_ in FLOATS:
        if type_ is F8E8M0FNU:  # the type has no 0 as initial value
            continue
        is_wide = type_.width > 8
        for data in DATA if is_wide else DATA[:1]:
            yield "reduce", type_, partial(_sum, type_, data)
            for shape in _PRODUCTS if is_wide else _PRODUCTS[:1]:
                yield "dot_general", type_, partial(_dot, type_, data, shape)
            if is_wide:
                yield "convolution", type_, partial(_convolution, type_, data)
    for type_ in (F32, F64):
        yield "reduce", type_, partial(_sum, type_, EQUAL, _LONG)
        yield "dot_general", type_, partial(_dot, type_, EQUAL, (4, 4), _LONG)
        yield "reduce", type_, partial(_product, type_)
    for type_ in (COMPLEX_F32, COMPLEX_F64):
        for size in (60, 64, 97):
            yield "fft", type_.part, partial(_transform, type_, size)


def _rows(type_: ElementType, seed: int, count: int, size: int) -> Array:
    """Terms of one sign in half of the rows, of both signs in the other half.

    For types of one byte, few terms differ from 0, so that sums stay in range.
    """
    generator = np.random.default_rng(seed)
    rows = np.clip(generator.normal(size=(count, size)), -4, 4)
    if type_.width <= 8:
        rows[:, np.arange(size) % 333 > 0] = 0
        rows /= 2
    rows[: count // 2] = np.abs(rows[: count // 2])
    return _of_type(type_, rows)


def _of_type(type_: ElementType, values: Array) -> Array:
    return values if type_ is F64 else values.astype(np.float32).astype(type_.dtype)


def terms(type_: ElementType, data: str, seed: int, count: int, size: int) -> Array:
    """Rows of terms of one kind, or of their factors."""
    if data == RANDOM:
        return _rows(type_, seed, count, size)
    if data == EQUAL:  # numbers with all bits set, equal along a row
        values = 1 + np.arange(count)[:, np.newaxis] / count + 1 / 3
        return np.ascontiguousarray(np.broadcast_to(_of_type(type_, values), (count, size)))
    # The second half nearly cancels the first.
    generator = np.random.default_rng(seed)
    half = np.clip(generator.normal(size=(count, size // 2)), -4, 4)
    back = -half[:, generator.permutation(size // 2)] if seed % 2 else half
    return _of_type(type_, np.concatenate([half, back * (1 + 2.0**-9 * (seed % 2))], axis=1))


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


def _sum(type_: ElementType, data: str, size: int = _SIZE) -> Case:
    rows = terms(type_, data, 1, _ROWS * _SIZE // size or 1, size)
    text, operands = _reduction("stablehlo.add", type_, rows, 0.0)
    exact, scales = exact_products(rows, np.ones((size, 1)))
    is_rounded_once = type_ is not F64
    return Case(
        "reduce add" + suffix(data, size),
        type_,
        text,
        operands,
        exact[:, 0],
        None if is_rounded_once else scales[:, 0],
        None if is_rounded_once else log2(size) + 1,
    )


def suffix(data: str, size: int = _SIZE) -> str:
    """The description of terms, for the name of a case."""
    return "" if data == RANDOM else f", {data}" if size == _SIZE else f", {size} {data}"


def _dot(type_: ElementType, data: str, shape: tuple[int, int], size: int = _SIZE) -> Case:
    """A product of two matrices, or of vectors."""
    rows, columns = shape
    lhs, rhs = terms(type_, data, 2, rows, size), terms(type_, data, 3, columns, size).T
    exact, scales = exact_products(lhs, rhs)
    lhs, rhs = lhs[0] if rows == 1 else lhs, rhs[:, 0] if columns == 1 else rhs
    result = exact.reshape([extent for extent in shape if extent > 1])
    types = [TensorType(operand.shape, type_) for operand in (lhs, rhs)]
    numbers = (
        f"#stablehlo.dot<lhs_contracting_dimensions = [{lhs.ndim - 1}], rhs_contracting_dimensions = [0]>"
    )
    text = program_text(
        "stablehlo.dot_general",
        types,
        TensorType(result.shape, type_),
        f"dot_dimension_numbers = {numbers}",
    )
    name = f"dot_general {_NAMES[rows > 1]} {_NAMES[columns > 1]}" + suffix(data, size)
    bound = log2(size) + 2
    scales = scales.reshape(result.shape) + np.abs(result)
    return Case(name, type_, text, (lhs, np.ascontiguousarray(rhs)), result, scales, bound)


def _convolution(type_: ElementType, data: str) -> Case:
    """A convolution of 5 x 5 points with 40 features and windows of 3 x 3: sums of 360 products."""
    features, outputs = 40, 6
    size = 9 * features
    kernel = terms(type_, data, 3, outputs, size).T.reshape(3, 3, features, outputs)
    points = terms(type_, data, 2, 1, size)[0].reshape(1, 3, 3, features)
    image = np.ascontiguousarray(np.tile(points, (1, 2, 2, 1))[:, :5, :5])
    windows = [image[0, y : y + 3, x : x + 3].reshape(-1) for y in range(3) for x in range(3)]
    exact, scales = exact_products(np.stack(windows), kernel.reshape(size, outputs))
    exact, scales = exact.reshape(1, 3, 3, outputs), scales.reshape(1, 3, 3, outputs)
    dimensions = "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
    text = program_text(
        "stablehlo.convolution",
        [TensorType(image.shape, type_), TensorType(kernel.shape, type_)],
        TensorType(exact.shape, type_),
        f"{dimensions}, feature_group_count = 1 : i64, batch_group_count = 1 : i64",
    )
    bound = log2(size) + 2
    name = "convolution" + suffix(data)
    return Case(name, type_, text, (image, kernel), exact, scales + np.abs(exact), bound)


def _product(type_: ElementType) -> Case:
    rows = (1 + _rows(type_, 4, _ROWS, _SIZE) * 0.01).astype(type_.dtype)
    text, operands = _reduction("stablehlo.multiply", type_, rows, 1.0)
    exact: list[Any] = []
    for row in rows:
        product = Fraction(1)
        for first in range(0, _SIZE, 20):  # 400 bits suffice
            for value in row[first : first + 20].tolist():
                product *= Fraction(value)
            product = Fraction(product.numerator * 2**400 // product.denominator, 2**400)
        exact.append(_as_longdouble(product))
    values = np.array(exact, EXTENDED)
    return Case("reduce multiply", type_, text, operands, values, np.abs(values), _SIZE)


def exact_products(lhs: Array, rhs: Array) -> tuple[Array, Array]:
    """The product of two matrices, and of their magnitudes, from the exact products of elements."""
    wide_lhs, wide_rhs = lhs.astype(np.float64), rhs.astype(np.float64)
    exact = np.empty((lhs.shape[0], rhs.shape[1]), EXTENDED)
    scales = np.abs(wide_lhs).astype(EXTENDED) @ np.abs(wide_rhs).astype(EXTENDED)
    for row, values in enumerate(wide_lhs):
        for column in range(rhs.shape[1]):
            products, errors = two_product(values, np.ascontiguousarray(wide_rhs[:, column]))
            parts = [*products.tolist(), *errors.tolist()]
            high = fsum(parts)  # rounded once
            exact[row, column] = EXTENDED.type(high) + EXTENDED.type(fsum([*parts, -high]))
    return exact, scales


def _as_longdouble(fraction: Fraction) -> Any:
    high = float(fraction)
    return EXTENDED.type(high) + EXTENDED.type(float(fraction - Fraction(high)))


def _transform(type_: ElementType, size: int) -> Case:
    """Transforms of rows; the scale is the root mean square of the results, as usual."""
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
    """exp(-2 pi i k / size), from longdouble's pi, reduced to quarters of the circle to keep angles small."""
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
