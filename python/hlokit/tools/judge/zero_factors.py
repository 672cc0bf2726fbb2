"""Products whose terms with a factor of zero are left out, as kernels do that skip what a mask hides.

Infinite and NaN elements times zero are NaN in the definition, and nothing in such kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.flow.following import OutsideAppliedRegions
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.values.types import ValueType

Array = npt.NDArray[Any]


def without_zero_factors(
    program: Program, values: Sequence[Value], function: str, outputs: Sequence[ValueType]
) -> list[Array]:
    """The results if products leave out terms with a factor of zero."""
    results = TripCounts(program, values, function).follow(_WithoutZeroFactors())
    return [np.asarray(value) for value in flat_values(results, outputs)]


class _WithoutZeroFactors(OutsideAppliedRegions):
    """A follower that replaces results of products."""

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        if not self.leave(step) or not traits_of(step.name).contraction or len(operands) != 2:
            return None
        arrays = [np.asarray(operand) for operand in operands]
        if any(array.dtype.kind in "biu" for array in arrays) or all(np.isfinite(a).all() for a in arrays):
            return None
        with np.errstate(all="ignore"):
            return [_product(step.kernel.function, arrays, np.asarray(results[0]))]


def _product(kernel: Callable[..., Any], operands: Sequence[Array], result: Array) -> Array:
    """The result where a factor that is not finite meets another one than zero; elsewhere that of finite
    factors."""
    is_finite = [np.isfinite(operand) for operand in operands]
    finite = [np.where(mask, operand, 0) for mask, operand in zip(is_finite, operands, strict=True)]
    met = np.zeros(result.shape)
    for number, other in ((0, 1), (1, 0)):
        counts = [np.empty(0), np.empty(0)]
        counts[number] = (~is_finite[number]).astype(operands[number].dtype)
        counts[other] = (operands[other] != 0).astype(operands[other].dtype)
        met = met + np.abs(np.asarray(kernel(*counts)).astype(np.complex128))
    return np.where(met > 0, result, np.asarray(kernel(*finite))).astype(result.dtype)
