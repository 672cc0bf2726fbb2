"""Programs of one element-wise operation, and exact expectations for their results."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import mpmath
import numpy as np

import hlokit
from hlokit.values.bits import significant_bits
from hlokit.values.element import Element
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind, element_type_of
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

TYPES = [type_ for type_ in ELEMENT_TYPES.values() if type_.name != "index"]
FLOATS = [type_ for type_ in TYPES if type_.kind is Kind.FLOAT]
INTEGERS = [type_ for type_ in TYPES if type_.kind.is_integer]
SIGNED = [type_ for type_ in TYPES if type_.kind is Kind.SIGNED]
UNSIGNED = [type_ for type_ in TYPES if type_.kind is Kind.UNSIGNED]
COMPLEX = [type_ for type_ in TYPES if type_.kind is Kind.COMPLEX]
NARROW_FLOATS = [type_ for type_ in FLOATS if type_.width < 32]
BYTE_FLOATS = [type_ for type_ in FLOATS if type_.width <= 8]


@cache
def _text(name: str, operands: tuple[TensorType, ...], result: TensorType, attributes: str) -> str:
    parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(operands))
    names = ", ".join(f"%{index}" for index in range(len(operands)))
    types = ", ".join(map(str, operands))
    operation = name if "." in name else f"stablehlo.{name}"
    return (
        f"func.func @main({parameters}) -> {result} {{\n"
        f'  %result = "{operation}"({names}) {{{attributes}}} : ({types}) -> {result}\n'
        f"  return %result : {result}\n}}"
    )


# Programs that live share no context, and making one takes longer than all else of a small program.
_program = lru_cache(2)(hlokit.load)


def _types(
    operands: tuple[np.ndarray, ...], result: ElementType | None, shape: tuple[int, ...] | None
) -> tuple[tuple[TensorType, ...], TensorType]:
    types = tuple(TensorType(operand.shape, element_type_of(operand.dtype)) for operand in operands)
    last = types[-1]
    return types, TensorType(last.shape if shape is None else shape, result or last.element_type)


def program_text(
    name: str,
    *operands: np.ndarray,
    result: ElementType | None = None,
    shape: tuple[int, ...] | None = None,
    attributes: str = "",
) -> str:
    """The program that `evaluate` runs."""
    types, result_type = _types(operands, result, shape)
    return _text(name, types, result_type, attributes)


def evaluate(
    name: str,
    *operands: np.ndarray,
    result: ElementType | None = None,
    shape: tuple[int, ...] | None = None,
    attributes: str = "",
) -> np.ndarray:
    """hlokit's result of one operation; type and shape of the result are the last operand's by default."""
    types, result_type = _types(operands, result, shape)
    value = _program(_text(name, types, result_type, attributes))(*operands)
    assert value.dtype == result_type.element_type.dtype
    assert value.shape == result_type.shape
    return value


def every_value(type_: ElementType) -> np.ndarray:
    """All values of a type of 16 bits or fewer, in the order of their bits."""
    return np.arange(1 << type_.width, dtype=np.uint32).astype(type_.bits_dtype).view(type_.dtype)


def sample(type_: ElementType, count: int, seed: int = 0) -> np.ndarray:
    """All values of a narrow type; special, small and random ones of a wide type, from random bits."""
    if type_.width <= 8:
        return every_value(type_)
    generator = np.random.default_rng([seed, type_.width])
    if type_.kind is Kind.COMPLEX:
        parts = sample(type_.part, 2 * count, seed)
        return generator.permutation(parts)[: parts.size // 2 * 2].view(type_.dtype)
    bits = generator.integers(0, 1 << type_.width, count, np.uint64, endpoint=False)
    values = bits.astype(type_.bits_dtype).view(type_.dtype)
    if type_.kind is not Kind.FLOAT:
        small = np.arange(-5, 6).astype(type_.dtype)
        limits = np.array([np.iinfo(type_.dtype).min, np.iinfo(type_.dtype).max], type_.dtype)
        return np.concatenate([small, limits, values])
    specials = np.array([0, 0.5, 1, 1.5, 2, 2.5, 3, 1e-4, 1e4, np.inf, np.nan]).astype(type_.dtype)
    near_one = (generator.normal(size=count) * 3).astype(type_.dtype)
    return np.concatenate([specials, -specials, near_one, values])


def pairs(values: np.ndarray, others: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Every value with every other one."""
    others = values if others is None else others
    return np.repeat(values, others.size), np.tile(others, values.size)


def elements(array: np.ndarray) -> list[Element]:
    """The values of an array, in row-major order."""
    type_ = element_type_of(array.dtype)
    codes = significant_bits(array, type_)
    if type_.kind is Kind.COMPLEX:
        width = type_.part.width
        return [
            Element.from_bits(type_, int(real) | int(imag) << width) for real, imag in codes.reshape(-1, 2)
        ]
    return [Element.from_bits(type_, int(code)) for code in codes.reshape(-1)]


def is_nan(element: Element) -> bool:
    if element.type.kind is Kind.COMPLEX:
        return any(map(is_nan, element.parts))
    return element.type.kind is Kind.FLOAT and math.isnan(element.value)


def same(actual: Element, expected: Element) -> bool:
    """Whether the bits are the same, where all NaNs are equal."""
    if actual.type.kind is Kind.COMPLEX:
        return all(map(same, actual.parts, expected.parts))
    return actual == expected or (is_nan(actual) and is_nan(expected))


def assert_same(actual: np.ndarray, expected: list[Element], *operands: list[Element]) -> None:
    """`same` for all elements; the operands of the first other one go into the message."""
    for index, (got, want) in enumerate(zip(elements(actual), expected, strict=True)):
        if not same(got, want):
            arguments = ", ".join(repr(operand[index]) for operand in operands)
            raise AssertionError(f"f({arguments}): got {got}, want {want}")


def assert_equal(actual: np.ndarray, expected: np.ndarray, message: str = "") -> None:
    """Equal numbers with equal signs, NaNs in the same places."""
    assert actual.dtype == expected.dtype
    if element_type_of(actual.dtype).is_narrow_float:  # NumPy does not know their NaNs
        actual, expected = actual.astype(np.float32), expected.astype(np.float32)
    np.testing.assert_array_equal(actual, expected, message)
    if actual.dtype.kind == "f":
        number = ~np.isnan(actual)
        np.testing.assert_array_equal(np.signbit(actual[number]), np.signbit(expected[number]), message)


def nearest(type_: ElementType, number: Any) -> Element:
    """The value of a float type that is nearest to an mpmath number."""
    layout = float_format(type_)
    if not mpmath.isfinite(number):
        return Element.from_bits(type_, layout.encode(float(number)))
    sign, mantissa, exponent, _ = mpmath.mpf(number)._mpf_
    exact = Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)
    return Element.from_bits(type_, layout.encode(exact))


def ulps(type_: ElementType, actual: float, number: Any) -> float:
    """The difference in units in the last place, at the exact number."""
    layout = float_format(type_)
    if number == 0:
        return 0.0 if actual == 0 else math.inf
    exponent = int(mpmath.floor(mpmath.log(abs(number), 2)))
    unit = mpmath.mpf(2) ** (max(exponent, 1 - layout.bias) - layout.mantissa_bits)
    return float(abs(mpmath.mpf(actual) - number) / unit)
