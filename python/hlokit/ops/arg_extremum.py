"""Reductions of values together with their indices that keep the greatest or least value: argmax, argmin.

Front ends write them with a body of some ten operations, each in its own way. A body that only compares and
selects depends on nothing but how its values and its indices compare, so a few samples tell what it does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hlokit.interpreter.block import Block
from hlokit.interpreter.run import run_steps
from hlokit.interpreter.switches import is_on
from hlokit.ops.narrow_floats import widen
from hlokit.ops.reducers import Array, Arrays, has_negative_zero
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Operations whose result depends only on how their operands compare.
_ORDER_ONLY = frozenset(f"stablehlo.{name}" for name in ("and", "or", "xor", "not", "select"))
_COMPARING = frozenset(f"stablehlo.{name}" for name in ("compare", "maximum", "minimum"))
# Slots of a body's arguments: the left value and index, the right value and index.
_VALUES, _INDICES = {0, 2}, {1, 3}

_SAMPLES = (-np.nan, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, np.nan)


@dataclass(frozen=True, slots=True)
class ArgExtremum:
    """The first index of the greatest or least value.

    Attributes:
      find: `np.argmax` or `np.argmin`.
      wants_nan: a NaN counts as the extremum, as it does to NumPy.
    """

    find: Callable[[Array, int], npt.NDArray[np.intp]]
    wants_nan: bool

    def reduce(self, values: Array, indices: Array) -> Arrays | None:
        """Reduce the first axis, of size at least 1; None if these operands need the body itself."""
        wide = values
        if values.dtype.kind not in "fiu":
            wide = widen(values) if _is_float(values.dtype) else values.astype(np.int8)
        if not _is_ascending(indices):
            return None
        places = self.find(wide, 0)[None]
        found = np.take_along_axis(wide, places, 0)[0]
        if _is_float(values.dtype):
            if not self.wants_nan and np.isnan(found).any():
                return None
            if (found == 0).any() and (wide.dtype == np.float16 or has_negative_zero(wide)):
                return None
        return np.take_along_axis(values, places, 0)[0], np.take_along_axis(indices, places, 0)[0]


def _is_float(dtype: np.dtype[np.generic]) -> bool:
    return dtype.kind == "f" or (dtype.kind == "V" and "float" in dtype.name)


def _is_ascending(indices: Array) -> bool:
    """Along the first axis, so that the first of equal values has the least index."""
    if not any(indices.strides[1:]):
        indices = indices[(slice(None), *(0,) * (indices.ndim - 1))]
    return bool((indices[1:] >= indices[:-1]).all())


def find_arg_extremum(body: Block) -> ArgExtremum | None:
    """The argmax or argmin that a body is; None if it is neither."""
    types = body.argument_types
    if (
        not is_on("arg-extremum")
        or len(types) != 4
        or len(body.plan.outputs) != 2
        or body.plan.argument_count != 4
    ):
        return None
    value_type, index_type = types[:2]
    if not isinstance(value_type, TensorType) or not isinstance(index_type, TensorType):
        return None
    kind = value_type.element_type.kind
    if not (kind.is_integer or kind is Kind.FLOAT) or not index_type.element_type.kind.is_integer:
        return None
    if body.plan.constants or not all(
        step.name in _ORDER_ONLY
        or (step.name in _COMPARING and ({*step.operands} <= _VALUES or {*step.operands} <= _INDICES))
        for step in body.plan.steps
    ):
        return None
    samples = np.array(_SAMPLES if kind is Kind.FLOAT else (0.0, 1.0), value_type.element_type.dtype)
    return _as_sampled(body, samples, np.array((0, 1), index_type.element_type.dtype))


def _as_sampled(body: Block, samples: Array, order: Array) -> ArgExtremum | None:
    """What the body does to all pairs of samples, with any order of their indices."""
    pairs = np.meshgrid(samples, samples, order, order, indexing="ij")
    left, right, left_index, right_index = (array.reshape(-1) for array in pairs)
    # Not by calling the body: the program does not do this, so that no observer is to see it.
    outputs = run_steps(body.plan, left, left_index, right, right_index)
    value, index = (np.broadcast_to(out, left.shape) for out in outputs)
    lhs, rhs, got = (array.astype(np.float64) for array in (left, right, value))
    l_index, r_index, got_index = (array.astype(np.int64) for array in (left_index, right_index, index))
    is_nan = np.isnan(lhs) | np.isnan(rhs)
    for find, wins in ((np.argmax, lhs > rhs), (np.argmin, lhs < rhs)):
        ties = lhs == rhs
        expected_index = np.where(wins | (ties & (l_index < r_index)), l_index, r_index)
        # Of equal values either may be returned: they differ in the sign of a zero only.
        right_answer = (got_index == expected_index) & (got == np.where(wins, lhs, rhs))
        if not right_answer[~is_nan].all():
            continue
        nan_wins = np.isnan(lhs)
        # With two NaNs the left one, which is the first, is to be returned.
        keeps_nan = (got_index == np.where(nan_wins, l_index, r_index)) & np.isnan(got)
        return ArgExtremum(find, bool(keeps_nan[is_nan].all()))
    return None
