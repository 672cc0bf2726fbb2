"""Hypothesis strategies for the tests of values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from hlokit.values.element import Element
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind

BOOLS = [row for row in ELEMENT_TYPES.values() if row.kind is Kind.BOOL]
INTEGERS = [row for row in ELEMENT_TYPES.values() if row.kind.is_integer]
SIGNED = [row for row in INTEGERS if row.kind is Kind.SIGNED]
UNSIGNED = [row for row in INTEGERS if row.kind is Kind.UNSIGNED]
FLOATS = [row for row in ELEMENT_TYPES.values() if row.kind is Kind.FLOAT]
COMPLEX = [row for row in ELEMENT_TYPES.values() if row.kind is Kind.COMPLEX]
ALL = list(ELEMENT_TYPES.values())


def every_value(element_type: ElementType) -> npt.NDArray[Any]:
    """All values of a type of at most 16 bits, in the order of their bits."""
    codes = np.arange(1 << element_type.width, dtype=np.uint32)
    return codes.astype(element_type.bits_dtype).view(element_type.dtype)


def codes(element_type: ElementType) -> st.SearchStrategy[int]:
    """Bits of the type: any, or near zero, one, the end of the range or the sign."""
    width = element_type.width
    anything = st.integers(0, (1 << width) - 1)
    corners = [0, 1 << (width - 1), (1 << (width - 1)) - 1, (1 << width) - 1]
    if element_type.kind is Kind.FLOAT:
        corners.append(Element(element_type, 1).bits)
    near = st.builds(
        lambda corner, step: (corner + step) % (1 << width), st.sampled_from(corners), st.integers(-2, 2)
    )
    return anything | near


def elements(element_type: ElementType) -> st.SearchStrategy[Element]:
    if element_type.kind is Kind.COMPLEX:
        part = element_type.part
        bits = st.builds(lambda real, imag: real | imag << part.width, codes(part), codes(part))
    else:
        bits = codes(element_type)
    return bits.map(lambda code: Element.from_bits(element_type, code))


@st.composite
def element_lists(draw: st.DrawFn, types: list[ElementType], count: int) -> list[Element]:
    """`count` elements of one of the types."""
    element_type = draw(st.sampled_from(types))
    return [draw(elements(element_type)) for _ in range(count)]


@st.composite
def arrays(draw: st.DrawFn, element_type: ElementType, max_side: int = 4) -> npt.NDArray[Any]:
    """An array of the element type with a rank up to 3; sides may be 0."""
    shape = tuple(draw(st.lists(st.integers(0, max_side), max_size=3)))
    size = int(np.prod(shape, dtype=np.int64))
    part = element_type.part
    count = size * (2 if element_type.kind is Kind.COMPLEX else 1)
    drawn = draw(st.lists(codes(part), min_size=count, max_size=count))
    return np.array(drawn, dtype=part.bits_dtype).view(element_type.dtype).reshape(shape)
