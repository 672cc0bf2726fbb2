"""Values as JSON: type and elements, with names for numbers that JSON does not have."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError
from hlokit.values.element_types import Kind
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
            return [_plain(inner) for inner in item]  # pyright: ignore[reportUnknownVariableType] # of tolist
        case complex():
            return [_plain(item.real), _plain(item.imag)]
        case float() if not math.isfinite(item):
            return "NaN" if math.isnan(item) else "Infinity" if item > 0 else "-Infinity"
        case _:
            return item


_NAMES = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def from_json(item: Any, type_: ValueType) -> Any:
    """An argument of a type from the output of `as_json`, or from its `value` alone.

    Raises:
      ArgumentError: the argument has another shape, or an item is not a number.
    """
    if isinstance(item, dict):
        item = cast("dict[str, Any]", item).get("value")
    if isinstance(type_, TupleType) and isinstance(item, list):
        items = cast("list[Any]", item)
        return tuple(from_json(*pair) for pair in zip(items, type_.types, strict=False))
    if not isinstance(type_, TensorType):
        return item
    is_complex = type_.element_type.kind is Kind.COMPLEX
    return _numbers(item, type_.rank if is_complex else -1)


def _numbers(item: Any, depth: int) -> Any:
    """Nested lists of numbers; lists at `depth` are complex numbers as pairs."""
    if isinstance(item, list):
        items = [_numbers(inner, depth - 1) for inner in cast("list[Any]", item)]
        if depth == 0 and len(items) == 2:
            return complex(*items)
        return items
    if isinstance(item, str):
        if item not in _NAMES:
            raise ArgumentError(
                f"a number must be a JSON number, NaN, Infinity or -Infinity, got '{item[:100]}'"
            )
        return _NAMES[item]
    return item
