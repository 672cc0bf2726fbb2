"""Changes of an operation's results: what mistakes of kernels and compilers do to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from hlokit.values.element_types import element_type_of

Array = Any
# Operands and results -> other results; None: no change.
Change = Callable[[Sequence[Array], Sequence[Array]], Sequence[Array] | None]


def is_float(value: Array) -> bool:
    return element_type_of(value.dtype).kind.is_inexact


def on_each_result(change: Callable[[Array], Array]) -> Change:
    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array]:
        del operands
        with np.errstate(all="ignore"):
            return [
                np.asarray(change(np.array(value)), value.dtype).reshape(value.shape) for value in results
            ]

    return changed


def on_floats(change: Callable[[Array], Array]) -> Change:
    return on_each_result(lambda value: change(value) if is_float(value) else value)


def other(value: Array) -> Array:
    """Other numbers of the same type."""
    return ~value if value.dtype == np.bool_ else np.asarray(value + np.asarray(1, value.dtype), value.dtype)


def last(value: Array) -> Array:
    flat = value.reshape(-1)
    if flat.size > 1:
        flat[-1:] = other(flat[-1:])
    return flat


def first(value: Array) -> Array:
    flat = value.reshape(-1)
    flat[:1] = other(flat[:1])
    return flat


def zeros_from(start: int) -> Callable[[Array], Array]:
    def change(value: Array) -> Array:
        flat = value.reshape(-1)
        flat[start:] = np.zeros((), value.dtype)
        return flat

    return change


def tail(tile: int) -> Callable[[Array], Array]:
    """The part of a vector behind its last whole tile."""

    def change(value: Array) -> Array:
        flat = value.reshape(-1)
        whole = flat.size // tile * tile
        if whole:
            flat[whole:] = np.zeros((), value.dtype)
        return flat

    return change


def units(count: float) -> Callable[[Array], Array]:
    """Normal numbers, off by units in the last place."""

    def change(value: Array) -> Array:
        if value.dtype.kind == "c":
            return value * (1 + count * np.finfo(value.dtype).eps)
        eps = float(ml_dtypes.finfo(value.dtype).eps)
        return value.astype(np.float64) * (1 + count * eps)

    return change


def through(dtype: Any) -> Callable[[Array], Array]:
    return lambda value: value.astype(dtype) if value.dtype in (np.float32, np.float64) else value


def nan_as(number: float) -> Callable[[Array], Array]:
    return lambda value: np.where(np.isnan(value), np.asarray(number, value.dtype), value)


def largest(value: Array) -> Array:
    if value.dtype.kind == "c":
        return value
    largest = np.asarray(ml_dtypes.finfo(value.dtype).max, value.dtype)
    return np.where(np.isinf(value), np.where(value > 0, largest, -largest), value)


def without_signed_zero(value: Array) -> Array:
    return np.where(value == 0, np.zeros((), value.dtype), value)


def toward_zero(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array]:
    """The result one unit nearer to zero, where it has been rounded up: a wrong rounding mode."""
    del operands
    changed: list[Array] = []
    for value in results:
        if not is_float(value) or value.dtype.kind == "c":
            changed.append(value)
            continue
        bits = np.array(value, ndmin=1).view(f"u{value.dtype.itemsize}")
        is_plain = np.isfinite(value.astype(np.float64)) & (value.astype(np.float64) != 0)
        down = (bits - (bits & np.ones((), bits.dtype))).view(value.dtype).reshape(value.shape)
        changed.append(np.where(is_plain, down, value))
    return changed


def saturating(operation: Callable[..., Any]) -> Change:
    """Integers that saturate instead of wrapping."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        value = results[0]
        if value.dtype.kind not in "iu" or value.dtype.itemsize == 8:
            return None
        info = np.iinfo(value.dtype)
        wide = operation(*[operand.astype(np.int64) for operand in operands])
        return [np.clip(wide, info.min, info.max).astype(value.dtype)]

    return changed


def as_signed(operation: Callable[..., Any]) -> Change:
    """Unsigned integers taken as signed ones."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        if operands[0].dtype.kind != "u":
            return None
        signed = [operand.view(operand.dtype.str.replace("u", "i")) for operand in operands]
        with np.errstate(all="ignore"):
            return [np.asarray(operation(*signed)).astype(results[0].dtype)]

    return changed


def on_integers(operation: Callable[..., Any]) -> Change:
    """Integers computed in another way."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        if results[0].dtype.kind not in "iu":
            return None
        with np.errstate(all="ignore"):
            return [np.asarray(operation(*operands)).astype(results[0].dtype)]

    return changed


def computed(operation: Callable[..., Any], kinds: str = "f") -> Change:
    """Results of NumPy, for kinds of dtypes."""

    def changed(operands: Sequence[Array], results: Sequence[Array]) -> Sequence[Array] | None:
        if operands[0].dtype.kind not in kinds:
            return None
        with np.errstate(all="ignore"):
            return [np.asarray(operation(*operands)).astype(results[0].dtype).reshape(results[0].shape)]

    return changed


def reversed_rows(value: Array) -> Array:
    return value[::-1] if value.ndim else value


def rolled(value: Array) -> Array:
    return np.roll(value.reshape(-1), 1)


# Of any operation.
EVERYWHERE: dict[str, Change] = {
    "last element": on_each_result(last),
    "first element": on_each_result(first),
    "tail behind tiles of 4": on_each_result(tail(4)),
    "shifted by one": on_each_result(rolled),
}
# Of operations that compute floats.
OF_FLOATS: dict[str, Change] = {
    "NaN as zero": on_floats(nan_as(0.0)),
    "infinity as largest": on_floats(largest),
    "results through bf16": on_floats(through(ml_dtypes.bfloat16)),
    "results through f16": on_floats(through(np.float16)),
}
