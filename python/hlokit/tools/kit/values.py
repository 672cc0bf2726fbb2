"""Operands that matter: special values, boundaries, ties, cancellation, duplicates; the same everywhere."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import product
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.cards.variants.variant import Style
from hlokit.programs.examples.arrays import Bits
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format
from hlokit.values.quantized import integer_range

Array = npt.NDArray[Any]
# The most values of an operand, by the number of operands: all pairs, or triples, are tried.
_MOST = (0, 4096, 24, 8)
# The numbers of other values.
_OTHERS, _LAST = 56, 7
_FRACTIONS = (0.5, 1.5, 2.5, 3.5, 0.49999997, 1e-3, 0.1, 2.0, 3.0, 7.0, 10.0, 100.0, 3.14159274, 1e10)


def matter(type_: ElementType, most: int = 4096) -> Array:
    """The values of a type that matter, the most important ones first."""
    stored = type_.stored
    if stored.kind is Kind.COMPLEX:
        parts = _matter_of_floats(stored.part)[: 9 if most > 81 else max(2, int(most**0.5))]
        pairs = list(product(parts, parts))
        return np.array([complex(real, imaginary) for real, imaginary in pairs], stored.dtype)
    values = _matter_of_floats(stored) if stored.kind is Kind.FLOAT else _matter_of_integers(stored)
    return values[:most]


def _matter_of_integers(stored: ElementType) -> Array:
    if stored.kind is Kind.BOOL:
        return np.array([False, True])
    low, high = integer_range(stored)
    middle = (0, 1, -1, 2, -2, 3, 5, 7, -7, 10, 31, 32, 63, 64, 100, 127, 128, 255, 1000, 65535)
    ends = (low, high, low + 1, high - 1, high // 2, low // 2)
    numbers = [*middle[:4], *ends[:3], *middle[4:8], *ends[3:], *middle[8:]]
    if high - low < 256:
        numbers += range(low, high + 1)
    chosen = dict.fromkeys(number for number in numbers if low <= number <= high)
    return np.array(list(chosen), np.uint64 if low == 0 else np.int64).astype(stored.dtype)


def _matter_of_floats(type_: ElementType) -> Array:
    """Numbers of a float type; all of them if there are at most 256."""
    layout = float_format(type_)
    if layout.width <= 8:
        codes = np.arange(1 << layout.width, dtype=np.uint8)
        every = codes.view(type_.dtype)
        return every[_first_the_moderate(every)]
    largest, unit = layout.decode(layout.largest), 2.0**-layout.mantissa_bits
    smallest = 2.0 ** (1 - layout.bias)
    positive = [0.0, 1.0, np.inf, 0.5, largest, smallest, smallest * unit, 1 + unit, 1 - unit / 2, 1.5]
    positive += [2.5, smallest * (1 - unit), smallest / 2, largest * (1 - unit), 2.0 / unit, 1 / unit - 0.5]
    positive += _FRACTIONS
    with np.errstate(all="ignore"):
        signed = [value for number in positive for value in (number, -number)]
        array = np.array([*signed[:6], np.nan, *signed[6:]], np.float64).astype(type_.dtype)
    _, places = np.unique(array.view(type_.bits_dtype), return_index=True)
    return array[np.sort(places)]


def _first_the_moderate(values: Array) -> Array:
    """An order of all numbers of a narrow type in which special ones come early."""
    with np.errstate(all="ignore"):
        wide = values.astype(np.float64)
    rank = np.where(np.isnan(wide), 0.5, np.abs(np.log2(np.maximum(np.abs(wide), 2.0**-200))))
    return np.argsort(np.where(wide == 0, 0.0, rank), kind="stable")


def pairs(types: Sequence[ElementType], operation: str, bits: Bits) -> list[Array]:
    """Operands of an elementwise operation, as vectors: all pairs of values that matter, then others.

    Operations of one operand get more: points and ranges in which the function varies, from its card.
    """
    if len(types) == 1:
        chosen = [np.concatenate([matter(types[0]), _of_function(types[0], operation, bits)])]
    else:
        most = _MOST[len(types)] if len(types) < len(_MOST) else 4
        lists = [matter(type_, most) for type_ in types]
        places = np.array(list(product(*[range(len(values)) for values in lists])), np.int64)
        chosen = [values[places[:, number]] for number, values in enumerate(lists)]
    return [
        np.concatenate([values, moderate(type_, _OTHERS, bits), _small(type_, bits)])
        for values, type_ in zip(chosen, types, strict=True)
    ]


def lowest(stored: ElementType) -> Any:
    """The least value of a type: minus infinity if it has one; of complex numbers, a number."""
    if stored.kind is Kind.COMPLEX:
        return complex(-np.inf, 0)
    if stored.kind is not Kind.FLOAT:
        return False if stored.kind is Kind.BOOL else integer_range(stored)[0]
    with np.errstate(all="ignore"):
        infinite = np.asarray(-np.inf).astype(stored.dtype)
    layout = float_format(stored)
    return infinite if np.isinf(infinite) else -layout.decode(layout.largest)


def highest(stored: ElementType) -> Any:
    """The greatest value of a type."""
    if stored.kind.is_inexact:
        return -lowest(stored)
    return True if stored.kind is Kind.BOOL else integer_range(stored)[1]


def _ones(stored: ElementType) -> Any:
    return True if stored.kind is Kind.BOOL else np.asarray(-1).astype(stored.dtype)


# The values of types that have names.
ENDS = MappingProxyType({"lowest": lowest, "highest": highest, "ones": _ones})


def _small(type_: ElementType, bits: Bits) -> Array:
    """Numbers on which every operation has one result at the end of a vector: shifts by few bits, ..."""
    if type_.stored.kind.is_integer:
        return np.floor(1 + bits.fractions(_LAST) * 3).astype(type_.stored.dtype)
    return moderate(type_, _LAST, bits)


def _of_function(type_: ElementType, operation: str, bits: Bits) -> Array:
    """Values near difficult points of a function, and from its ranges."""
    card = card_of(operation)
    if (
        type_.stored.kind not in (Kind.FLOAT, Kind.COMPLEX)
        or card is None
        or isinstance(card.samples, Without)
    ):
        return moderate(type_, 1, bits)
    samples = [sample for sample in card.samples if sample.takes_float or sample.takes_complex]
    points = [point for sample in samples for point in sample.points]
    units = 2.0 ** -float_format(type_.part).mantissa_bits
    near = [point * (1 + step * units) for point in points for step in (-2, -1, 0, 1, 2)]
    numbers = [np.array(near, np.float64)]
    for low, high in (range_ for sample in samples for range_ in sample.ranges):
        numbers.append(low + bits.fractions(32) * (high - low))
    flat = np.concatenate(numbers)
    with np.errstate(all="ignore"):
        if type_.kind is Kind.COMPLEX:
            return (flat + 1j * flat[::-1]).astype(type_.dtype)
        return flat.astype(type_.dtype)


def moderate(type_: ElementType, count: int, bits: Bits) -> Array:
    """Numbers that lose nothing by overflow: floats of several scales, all integers of narrow types."""
    stored = type_.stored
    fractions = bits.fractions(count)
    if stored.kind is Kind.BOOL:
        return fractions < 0.5
    if stored.kind.is_integer:
        low, high = integer_range(stored)
        low, high = max(low, -1000), min(high, 1000)
        return np.floor(low + fractions * (high - low + 1)).astype(stored.dtype)
    scale = np.exp2(np.floor(bits.fractions(count) * 6) - 3)
    numbers = (2 * fractions - 1) * scale
    if stored.kind is Kind.COMPLEX:
        return (numbers + 1j * (2 * bits.fractions(count) - 1) * scale).astype(stored.dtype)
    return numbers.astype(stored.dtype)


def array(style: Style, type_: ElementType, shape: Sequence[int], bits: Bits) -> Array:
    """An operand of a shape."""
    count = prod(shape)
    values = moderate(type_, count, bits)
    if style == "special":
        chosen = matter(type_, 16)
        where = np.flatnonzero(bits.fractions(count) < 0.3)
        values[where] = chosen[np.floor(bits.fractions(len(where)) * len(chosen)).astype(np.int64)]
    elif style == "ties":
        values = matter(type_, 5)[
            np.floor(bits.fractions(count) * 5).astype(np.int64) % len(matter(type_, 5))
        ]
    elif style == "cancel" and type_.stored.kind in (Kind.FLOAT, Kind.COMPLEX):
        layout = float_format(type_.stored.part)
        large = 2.0 ** min(layout.mantissa_bits // 2, layout.bias // 4)
        values[1::4] = np.asarray(large).astype(values.dtype)
        values[3::4] = np.asarray(-large).astype(values.dtype)
    return values.reshape(shape)


def bits_of(id_: str) -> Bits:
    """The random bits of a case."""
    return Bits(zlib.crc32(id_.encode()))
