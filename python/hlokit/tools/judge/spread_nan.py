"""Solutions and factors of matrices with elements that are no numbers.

Which elements are NaN then depends on the method: substitution keeps rows before the element, and products
with inverses of blocks, as compilers have them, do not. The specification says which equation holds, and no
more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.traits import Domain
from hlokit.programs.examples.uses import domains_of
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.flow.following import OutsideAppliedRegions
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.values.types import ValueType

Array = npt.NDArray[Any]


def with_spread_nan(
    program: Program, values: Sequence[Value], function: str, outputs: Sequence[ValueType]
) -> list[Array]:
    """The results if such solutions and factors are NaN as a whole."""
    results = TripCounts(program, values, function).follow(_SpreadsNan())
    return [np.asarray(value) for value in flat_values(results, outputs)]


class _SpreadsNan(OutsideAppliedRegions):
    """A follower that replaces results of operations on definite matrices."""

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        if not self.leave(step):
            return None
        arrays = [np.asarray(value) for value in operands if not isinstance(value, tuple)]
        has_special = [
            np.asarray(~np.isfinite(array).all(axis=(-2, -1)))
            for array in arrays
            if array.dtype.kind not in "biu" and array.ndim > 1
        ]
        if not any(mask.any() for mask in has_special) or not _is_of_matrices(step):
            return None
        return [_spread(value, has_special) for value in results]


def _is_of_matrices(step: Step) -> bool:
    return any(domain is Domain.DEFINITE for domain, _ in domains_of(operation_of(step)))


def _spread(value: Value, has_special: Sequence[Array]) -> Value:
    """A result whose matrices of a batch are NaN if an operand's are no numbers."""
    array = np.asarray(value)
    if array.dtype.kind in "biuO" or array.ndim < 2:
        return value
    masks = [mask for mask in has_special if mask.shape == array.shape[:-2]]
    is_special = np.logical_or.reduce(masks) if masks else np.False_
    return np.where(np.asarray(is_special)[..., None, None], np.nan, array).astype(array.dtype)
