"""Summaries: type and range of a value, in a few numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.display.shown import Shown
from hlokit.engine.contract.registry import Value
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, TupleType, ValueType

_WITH_NAN = (Kind.FLOAT, Kind.COMPLEX)


@dataclass(frozen=True, slots=True, repr=False)
class Summary(Shown):
    """The type of a value and, for numbers, their range.

    Attributes:
      type: the type, with the value's sizes for unknown dimensions.
      minimum, maximum, mean: the range and mean of the finite elements; of magnitudes for complex elements,
        of stored integers for quantized elements; None if no element is finite.
      nan, infinite: the numbers of elements that are NaN or infinite; a complex element counts if one of its
        parts is.
      items: the summaries of the items of a tuple.
    """

    type: str
    minimum: int | float | None = None
    maximum: int | float | None = None
    mean: float | None = None
    nan: int = 0
    infinite: int = 0
    items: tuple[Summary, ...] = ()

    def __str__(self) -> str:
        if self.items:
            return f"tuple<{', '.join(map(str, self.items))}>"
        text = self.type
        if self.mean is not None:
            magnitude = "|x| " if "complex<" in self.type else ""
            text += (
                f" {magnitude}in [{_short(self.minimum)}, {_short(self.maximum)}], mean {_short(self.mean)}"
            )
        if self.nan or self.infinite:
            text += f", {self.nan} NaN, {self.infinite} inf"
        return text


def _short(number: int | float | None) -> str:
    return str(number) if isinstance(number, int) else f"{number:.4g}"


def summarize(value: Value, type_: ValueType) -> Summary:
    """The type, range and mean of a value, and the numbers of NaN and infinite elements."""
    if isinstance(type_, TupleType):
        items = tuple(summarize(*item) for item in zip(value, type_.types, strict=True))
        return Summary(str(type_), items=items)
    if not isinstance(type_, TensorType):
        return Summary(str(type_))
    array = np.asarray(value)
    spelled = str(TensorType(array.shape, type_.element_type))
    if not array.size:
        return Summary(spelled)
    if type_.element_type.kind in _WITH_NAN:
        return _of_floats(array, spelled)
    # Sums of integers would wrap. The range is exact in the integer type, but NumPy cannot reduce narrow
    # integers.
    whole = array if array.dtype.isbuiltin == 1 else array.astype(np.int8)
    return Summary(spelled, int(whole.min()), int(whole.max()), float(whole.mean(dtype=np.float64)))


def _of_floats(array: npt.NDArray[Any], spelled: str) -> Summary:
    if array.dtype.kind == "c":
        nan = np.isnan(array)
        with np.errstate(all="ignore"):
            wide = np.where(nan, np.nan, np.abs(array))  # |inf + NaN i| would be inf
    else:
        # The narrow types of ml_dtypes have no reductions.
        wide = array.astype(np.float64)
        least, largest = float(wide.min()), float(wide.max())  # NaN if an element is
        if math.isfinite(least) and math.isfinite(largest):
            with np.errstate(all="ignore"):
                return Summary(spelled, least, largest, float(wide.mean()))
        nan = np.isnan(wide)
    finite = wide[np.isfinite(wide)]
    infinite = array.size - finite.size - int(nan.sum())
    if not finite.size:
        return Summary(spelled, nan=int(nan.sum()), infinite=infinite)
    with np.errstate(all="ignore"):
        mean = float(finite.mean())
    return Summary(spelled, float(finite.min()), float(finite.max()), mean, int(nan.sum()), infinite)


def count_nan(value: Value, type_: ValueType) -> int:
    """The number of elements of a value that are NaN; of a tuple, in all items."""
    if isinstance(type_, TupleType):
        return sum(count_nan(*item) for item in zip(value, type_.types, strict=True))
    if not isinstance(type_, TensorType) or type_.element_type.kind not in _WITH_NAN:
        return 0
    return int(np.count_nonzero(np.isnan(np.asarray(value))))
