"""Helpers for tables of special values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hlokit.values.element_types import ElementType
from tools.accuracy.implementations import elementwise_text, hlokit

INF, NAN, PI = math.inf, math.nan, math.pi


def same(actual: float, wanted: float, *, any_sign: bool = False) -> bool:
    """Equal in kind and in the sign of zeros; finite numbers nearly."""
    if math.isnan(wanted) or math.isnan(actual):
        return math.isnan(wanted) and math.isnan(actual)
    if any_sign:
        actual, wanted = abs(actual), abs(wanted)
    near = actual == wanted or math.isclose(actual, wanted, rel_tol=1e-2)
    return near and math.copysign(1, actual) == math.copysign(1, wanted)


def evaluate(name: str, type_: ElementType, *operands: Any) -> list[Any]:
    arrays = [np.asarray(operand, type_.dtype) for operand in operands]
    result = hlokit(elementwise_text(name, arrays, type_), arrays)
    return result.astype(np.float64).tolist() if result.dtype.kind != "c" else result.tolist()
