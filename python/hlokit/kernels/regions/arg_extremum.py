"""Recognition of argmax and argmin: reductions of values and indices that keep the greatest or least value.

Front ends write such bodies as some ten operations, in different forms. A body that only compares and selects
depends only on the order of its values and of its indices, so a few samples determine the function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.region import Region
from hlokit.engine.native.fused.copies import in_rows
from hlokit.engine.plan.block import plan_of
from hlokit.engine.plan.executors import run_steps
from hlokit.kernels.elementwise.narrow_floats import widen
from hlokit.kernels.regions.reducers import Array, Arrays, has_negative_zero
from hlokit.operations.lookup import having
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

# Operations that select: the result depends only on the order of values.
_ORDER_ONLY = having(lambda traits: traits.bitwise) | {"stablehlo.select"}
_COMPARING = having(lambda traits: traits.extremum) | {"stablehlo.compare"}
# Slots of a body's arguments: the left value and index, the right value and index.
_VALUES, _INDICES = {0, 2}, {1, 3}

# Where up to this many values are reduced, for at least this many results, comparisons of whole arrays find
# extrema in less time than NumPy, which calls a function for each result.
_FEW, _MANY = 16, 256

_SAMPLES = (-np.nan, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, np.nan)


class ArgExtremum(NamedTuple):
    """The greatest or least value and its first index.

    Attributes:
      find: `np.argmax` or `np.argmin`.
      wants_nan: whether a NaN counts as the extremum, as in NumPy.
    """

    find: Callable[[Array, int], npt.NDArray[np.intp]]
    wants_nan: bool

    def reduce(self, values: Array, indices: Array) -> Arrays | None:
        """Reduce the first axis, of size at least 1; None if these operands require the body itself."""
        wide = values
        if values.dtype.kind not in "fiu":
            wide = widen(values) if _is_float(values.dtype) else values.astype(np.int8)
        if not any(indices.strides[1:]):  # one row of indices for all
            indices = indices[(slice(None), *(0,) * (indices.ndim - 1))]
        # The first of equal values must have the least index.
        if not (indices[1:] >= indices[:-1]).all():
            return None
        places, extrema = self._places(wide)
        if _is_float(values.dtype):
            if not self.wants_nan and np.isnan(extrema).any():
                return None
            if (extrema == 0).any() and (wide.dtype == np.float16 or has_negative_zero(wide)):
                return None
        result = extrema if wide is values else np.take_along_axis(values, places[None], 0)[0]
        if indices.ndim == 1:
            return result, np.take(indices, places)
        return result, np.take_along_axis(indices, places[None], 0)[0]

    def _places(self, values: Array) -> tuple[npt.NDArray[np.intp], Array]:
        """The first index of each extremum, and the extremum, but for the sign of a zero."""
        if 1 < len(values) <= _FEW and values[0].size >= _MANY:
            rows = values if values.flags.c_contiguous else in_rows(values)
            extrema = (np.maximum if self.find is np.argmax else np.minimum).reduce(rows, 0)
            is_later = np.ones(extrema.shape, np.bool_)
            places = np.zeros(extrema.shape, np.int8)
            for row in rows:
                is_later &= row != extrema
                places += is_later
            if not (places == len(rows)).any():  # no element equals a NaN
                return places.astype(np.intp), extrema
        first = self.find(values, 0)
        return first, np.take_along_axis(values, first[None], 0)[0]


def _is_float(dtype: np.dtype[np.generic]) -> bool:
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def find_arg_extremum(body: Region) -> ArgExtremum | None:
    """The argmax or argmin that a body computes; None if it computes neither."""
    types = body.argument_types
    if len(types) != 4 or len(plan_of(body).outputs) != 2 or plan_of(body).argument_count != 4:
        return None
    value_type, index_type = types[:2]
    if not isinstance(value_type, TensorType) or not isinstance(index_type, TensorType):
        return None
    kind = value_type.element_type.kind
    is_ordered = kind.is_integer or kind in (Kind.FLOAT, Kind.BOOL)
    if not is_ordered or not index_type.element_type.kind.is_integer:
        return None
    if plan_of(body).constants or not all(
        step.name in _ORDER_ONLY
        or (step.name in _COMPARING and ({*step.operands} <= _VALUES or {*step.operands} <= _INDICES))
        for step in plan_of(body).steps
    ):
        return None
    return _as_sampled(body, _samples(value_type.element_type), _samples(index_type.element_type))


def _samples(type_: ElementType) -> Array:
    match type_.kind:
        case Kind.FLOAT:
            numbers = _SAMPLES
        case Kind.SIGNED:  # a comparison may be one of bits
            numbers = (-1, 0, 1)
        case _:
            numbers = (0, 1)
    return np.array(numbers).astype(type_.dtype)


def _as_sampled(body: Region, samples: Array, order: Array) -> ArgExtremum | None:
    """The extremum that the body computes on all pairs of samples, with every order of their indices."""
    pairs = np.meshgrid(samples, samples, order, order, indexing="ij")
    left, right, left_index, right_index = (array.reshape(-1) for array in pairs)
    # Run the plan directly, since observers must not see calls that are not part of the program.
    outputs = run_steps(plan_of(body), left, left_index, right, right_index)
    value, index = (np.broadcast_to(out, left.shape) for out in outputs)
    lhs, rhs, got = (array.astype(np.float64) for array in (left, right, value))
    l_index, r_index, got_index = (array.astype(np.int64) for array in (left_index, right_index, index))
    is_nan = np.isnan(lhs) | np.isnan(rhs)
    for find, wins in ((np.argmax, lhs > rhs), (np.argmin, lhs < rhs)):
        ties = lhs == rhs
        expected_index = np.where(wins | (ties & (l_index < r_index)), l_index, r_index)
        # The body may return either of two equal values, which differ only in the sign of a zero.
        right_answer = (got_index == expected_index) & (got == np.where(wins, lhs, rhs))
        if not right_answer[~is_nan].all():
            continue
        nan_wins = np.isnan(lhs)
        # For two NaNs, the body must return the left one, which is the first.
        keeps_nan = (got_index == np.where(nan_wins, l_index, r_index)) & np.isnan(got)
        return ArgExtremum(find, bool(keeps_nan[is_nan].all()))
    return None
