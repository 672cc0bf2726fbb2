"""Distances of results as multiples of what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.values.element_types import element_type_of
from hlokit.values.float_format import float_format

Array = npt.NDArray[Any]


def wrong_elements(own: Array, result: Array, radius: Array) -> Array | None:
    """The elements of a result that no right evaluation has; None if shape or type are others."""
    if own.shape != result.shape or own.dtype != result.dtype:
        return None
    return shares(own, result, radius) > 1


def shares(own: Array, result: Array, radius: Array) -> Array:
    """The distances of elements as multiples of the radii; infinite where only one of two values is finite.

    Subnormal numbers may be zero, and what is near overflow may overflow.
    """
    bound = np.broadcast_to(np.asarray(radius, np.float64), own.shape)
    if own.dtype.kind in "biu":
        return np.where((own != result) & ~(bound > 0), np.inf, 0.0)
    layout = float_format(element_type_of(own.dtype).part)
    largest, smallest = layout.decode(layout.largest), 2.0 ** (1 - layout.bias)
    with np.errstate(all="ignore"):
        one, other = own.astype(np.complex128), result.astype(np.complex128)
        is_same = (one == other) | (np.isnan(one) & np.isnan(other))
        is_same |= (np.abs(one) < smallest) & (np.abs(other) < smallest)
        distance = np.abs(one - other)
        share = np.where(bound > 0, distance / bound, np.inf)
        share = np.where(np.isinf(bound), 0.0, share)
        finite = np.where(np.isfinite(one), one, other)
        is_near = (np.abs(finite) + bound >= largest) & ~np.isnan(one) & ~np.isnan(other)
        both = np.isfinite(one) & np.isfinite(other)
        if own.dtype.kind == "c":  # nothing says which parts of a product or sum are NaN
            is_near |= ~np.isfinite(one) & ~np.isfinite(other)
        apart = np.where(both, share, np.where(is_near, 0.0, np.inf))
    return np.asarray(np.where(is_same, 0.0, apart), np.float64)
