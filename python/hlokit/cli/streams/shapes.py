"""Shapes as arguments: `2x3xf32`, `2x3xf32=1`, `2xf32=1 2`."""

from __future__ import annotations

import re
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError
from hlokit.values.element_types import ELEMENT_TYPES, ElementType, Kind

_SHAPE = re.compile(r"(?:tensor<)?((?:\d{1,18}x)*)([a-z]\w*(?:<f\d\d>)?)>?(?:=(.+))?")
_SEPARATOR = re.compile(r"[\s,;\[\]]+")
_WORDS = {"true": 1, "false": 0}


def read_shape(text: str) -> tuple[npt.NDArray[Any], bool] | None:
    """An array with one value everywhere, or a value for each element in any brackets, and whether the text
    has the values; None for other texts.

    Raises:
      ArgumentError: a value is no number of the element type, the shape has another number of elements, or
        the array is too large.
    """
    match = _SHAPE.fullmatch(text)
    type_ = None if match is None else ELEMENT_TYPES.get(match[2])
    if match is None or type_ is None:
        return None
    shape = tuple([int(size) for size in match[1].split("x")[:-1]])
    try:
        values = [_number(word, type_) for word in _SEPARATOR.split(match[3] or "0") if word]
        if len(values) == 1:
            return np.full(shape, values[0]).astype(type_.dtype), match[3] is not None
        if len(values) != prod(shape):
            raise ValueError(f"it must have {prod(shape)} values, or one for all, got {len(values)}")
        return np.array(values).reshape(shape).astype(type_.dtype), True
    except (ValueError, OverflowError) as error:
        raise ArgumentError(f"'{text}' is no argument: {error}") from None


def _number(text: str, type_: ElementType) -> complex | int | float:
    """A number that the type can hold.

    Raises:
      ValueError: it cannot.
    """
    if type_.kind is Kind.COMPLEX:
        return complex(text)
    if type_.kind is Kind.FLOAT:
        return float(text)
    number = _WORDS[text] if text in _WORDS else int(text, 0)
    low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    if not low <= number < low + (1 << type_.width):
        raise ValueError(f"the value must be an {type_}, got {text}")
    return number
