"""Sums in another order, and products whose errors are those of whole operands.

Partial sums may overflow although the sum does not: which of them are infinite depends on the order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.bounds.rules.bound_operations import Applied, unit_of
from hlokit.tools.bounds.rules.terms import terms_of
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.judge.products import Products
from hlokit.values.element_types import element_type_of
from hlokit.values.types import ValueType

Array = npt.NDArray[Any]
# How near, as a factor, errors must be to those of products by Strassen's method.
_NEAR = 64.0


class _OverflowingSums(Products):
    """A follower that makes sums infinite whose terms overflow as magnitudes."""

    def other(self, step: Step, operands: Sequence[Array], result: Array) -> Array | None:
        if result.dtype.kind == "c":
            return None
        total = np.asarray(step.kernel.function(*[np.abs(array) for array in operands]))
        return np.where(np.isfinite(total), result, np.inf)


class _OfWholeOperands(Products):
    """A follower that gives products random errors of the size of their operands' largest elements."""

    def __init__(self) -> None:
        super().__init__()
        self._random = np.random.default_rng(0)

    def other(self, step: Step, operands: Sequence[Array], result: Array) -> Array | None:
        if result.dtype.kind == "c" or not all(array.size for array in operands):
            return None
        terms = terms_of(Applied(operation_of(step), step.kernel.function, operands, [result])) or 1
        largest = math.prod(float(np.abs(array.astype(np.float64)).max()) for array in operands)
        size = unit_of(element_type_of(result.dtype))[0] * math.sqrt(terms) * largest
        return result + size * self._random.standard_normal(result.shape)


def with_overflowing_sums(
    program: Program, values: Sequence[Value], function: str, outputs: Sequence[ValueType]
) -> list[Array]:
    """The results if sums are infinite wherever another order may make them so."""
    results = TripCounts(program, values, function).follow(_OverflowingSums())
    return [np.asarray(value) for value in flat_values(results, outputs)]


def is_of_whole_operands(
    program: Program,
    values: Sequence[Value],
    signature: tuple[str, Sequence[ValueType]],
    triples: Sequence[tuple[Array, Array, Array | None]],
) -> bool:
    """Whether wrong elements are as far off as if the errors of products were those of whole operands.

    Args:
      signature: the name of the function, and the types of its results.
      triples: for each result, the right one, the candidate's, and the wrong elements.
    """
    function, outputs = signature
    noisy = flat_values(TripCounts(program, values, function).follow(_OfWholeOperands()), outputs)
    ratios: list[float] = []
    for (own, result, mask), other in zip(triples, noisy, strict=True):
        if mask is None:
            return False
        if not mask.any():
            continue
        with np.errstate(all="ignore"):
            apart = np.abs(result.astype(np.complex128) - own)[mask]
            noise = np.abs(np.asarray(other).astype(np.complex128) - own)[mask]
        if not (np.isfinite(apart).all() and np.isfinite(noise).all() and noise.any()):
            return False
        ratios.append(float(np.sqrt(np.mean(apart**2)) / np.sqrt(np.mean(noise**2))))
    return bool(ratios) and all(1 / _NEAR < ratio < _NEAR for ratio in ratios)
