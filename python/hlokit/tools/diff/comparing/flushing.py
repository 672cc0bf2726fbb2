"""Subnormal numbers that a side may replace by zero: a profile of the comparison."""

from __future__ import annotations

import contextvars
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from hlokit.values.element_types import element_type_of
from hlokit.values.float_format import float_format

# Which subnormal numbers may be zero: none; results; results and operands.
Flush = Literal["none", "results", "all"]
PROFILES: tuple[Flush, ...] = get_args(Flush)

_FLUSH: contextvars.ContextVar[Flush] = contextvars.ContextVar(
    "which subnormal numbers may be zero", default="all"
)


@contextmanager
def flushing(profile: Flush) -> Generator[None]:
    """A context in which comparisons allow a side to replace subnormal numbers by zero."""
    token = _FLUSH.set(profile)
    try:
        yield
    finally:
        _FLUSH.reset(token)


def flushes_results() -> bool:
    """Whether subnormal results may be zero."""
    return _FLUSH.get() != "none"


def flushes_operands() -> bool:
    """Whether an operation may take subnormal operands as zero."""
    return _FLUSH.get() == "all"


def flushed(value: Any) -> Any | None:
    """A value with zeros of the same signs instead of subnormal numbers; None if it has none."""
    if isinstance(value, tuple):
        return None
    array: npt.NDArray[Any] = np.asarray(value)
    try:
        element_type = element_type_of(array.dtype)
    except TypeError:
        return None
    if not element_type.kind.is_inexact or not array.size:
        return None
    part = element_type.part
    numbers: npt.NDArray[Any] = np.array(array, order="C", ndmin=1).view(part.dtype)
    smallest = 2.0 ** (1 - float_format(part).bias)
    with np.errstate(all="ignore"):
        wide = numbers.astype(np.float64)
        is_subnormal = (np.abs(wide) < smallest) & (wide != 0)
    if not is_subnormal.any():
        return None
    numbers[is_subnormal] = np.copysign(0.0, wide[is_subnormal]).astype(part.dtype)
    return numbers.view(array.dtype).reshape(array.shape)
