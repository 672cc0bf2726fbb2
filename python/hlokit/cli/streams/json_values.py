"""Values as JSON: type and elements, with names for numbers that JSON does not have."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hlokit.contract.registry import Value
from hlokit.values.types import TensorType, TupleType, ValueType


def as_json(value: Value, type_: ValueType) -> dict[str, Any]:
    """A value as `{"type": ..., "value": ...}`: nested lists of numbers or booleans.

    Complex numbers are pairs; NaN and infinities are the strings "NaN", "Infinity", "-Infinity".
    """
    if isinstance(type_, TupleType):
        return {
            "type": str(type_),
            "value": [as_json(*item) for item in zip(value, type_.types, strict=True)],
        }
    if not isinstance(type_, TensorType):
        return {"type": str(type_), "value": None}
    array: Any = np.asarray(value)
    if array.dtype.kind == "V":  # a dtype of ml_dtypes: its numbers are exact in f64
        is_float = np.can_cast(array.dtype, np.float32, "same_kind") and array.dtype.name[0] in "bf"
        array = array.astype(np.float64 if is_float else np.int64)
    return {"type": str(type_), "value": _plain(array.tolist())}


def _plain(item: Any) -> Any:
    match item:
        case list():
            return [_plain(each) for each in item]  # pyright: ignore[reportUnknownVariableType] # of tolist
        case complex():
            return [_plain(item.real), _plain(item.imag)]
        case float() if not math.isfinite(item):
            return "NaN" if math.isnan(item) else "Infinity" if item > 0 else "-Infinity"
        case _:
            return item
