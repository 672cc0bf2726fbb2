"""Products whose terms with a factor of zero are left out, as kernels do that skip what a mask hides.

Infinite and NaN elements times zero are NaN in the definition, and nothing in such kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.plan import Step
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.judge.products import Products
from hlokit.values.types import ValueType

Array = npt.NDArray[Any]


def without_zero_factors(
    program: Program, values: Sequence[Value], function: str, outputs: Sequence[ValueType]
) -> list[Array]:
    """The results if products leave out terms with a factor of zero."""
    results = TripCounts(program, values, function).follow(_WithoutZeroFactors())
    return [np.asarray(value) for value in flat_values(results, outputs)]


class _WithoutZeroFactors(Products):
    """A follower that leaves terms out."""

    def other(self, step: Step, operands: Sequence[Array], result: Array) -> Array | None:
        if len(operands) != 2 or all(np.isfinite(operand).all() for operand in operands):
            return None
        return _product(step.kernel.function, operands, result)


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
    return np.where(met > 0, result, np.asarray(kernel(*finite)))
