"""The largest distance of a right evaluation's results from hlokit's, for each element.

`Errors` follows a run of the definition: each operation has the error of good libraries
(`tools.bounds.libraries`), in any order of sums, and passes on the errors of its operands by the proven rules
of `tools.bounds`. Where no rule is known, random runs that disturb each operation estimate the distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Step
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.bounds.libraries import error_of_libraries
from hlokit.tools.bounds.reordered import Bounds
from hlokit.tools.bounds.rules.bound_operations import Applied, Radii
from hlokit.tools.bounds.rules.terms import terms_of
from hlokit.tools.diff.flow.disturbed import disturbed_runs, spread
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]
# The effect of disturbed runs is multiplied by this, where nothing is proven.
_SLACK = 32.0


class Errors(Bounds):
    """An observer: `radius(value)` bounds the distance of another implementation's value."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, parts=1)

    def _operation_radii(
        self, step: Step, operands: Sequence[Value], operand_radii: Sequence[Array], results: Sequence[Value]
    ) -> Radii:
        # A kernel with regions would call this observer.
        kernel = self._kernel(step) if step.kernel.regions else step.kernel.function
        applied = Applied(operation_of(step), kernel, operands, results)
        self._parts = terms_of(applied) or 1  # any order
        radii = super()._operation_radii(step, operands, operand_radii, results)
        if isinstance(radii, str):
            return radii
        total: list[Array] = []
        for index, (radius, type_) in enumerate(zip(radii, step.result_types, strict=True)):
            is_tensor = isinstance(type_, TensorType)
            error = error_of_libraries(applied, index, type_.element_type) if is_tensor else None
            total.append(radius if error is None else radius + np.asarray(error.size))
        return total


@dataclass(frozen=True, slots=True)
class Expected:
    """hlokit's results of a trial, and how far right results may be away.

    Attributes:
      results: of the definition; tuples are flat.
      radii: for each result, the largest distance of each element; infinite if nothing is known.
      is_proven: whether rules prove the radii; otherwise disturbed runs estimate them.
    """

    results: list[Array]
    radii: list[Array]
    is_proven: bool

    @property
    def has_no_numbers(self) -> bool:
        """Whether all elements of all float results are NaN or infinite."""
        floats = [result for result in self.results if result.dtype.kind not in "biu"]
        return bool(floats) and not any(np.isfinite(result.astype(np.complex128)).any() for result in floats)


def expected(
    program: Program, values: Sequence[Value], function: str, outputs: Sequence[ValueType]
) -> Expected:
    """The results of the definition with their radii.

    Raises:
      EvaluationError: the definition fails on these values.
    """
    errors = Errors(program)
    flat = flat_values(program.runs.evaluate(values, function, observer=errors), outputs)
    arrays = [np.asarray(value) for value in flat]
    radii = [errors.radius(value) for value in flat]
    unknown = [_is_unknown(array, radius) for array, radius in zip(arrays, radii, strict=True)]
    if not any(unknown):
        return Expected(arrays, radii, is_proven=True)
    runs = [
        flat_values(run, outputs) for run in disturbed_runs(TripCounts(program, values, function).disturbed)
    ]
    for index, array in enumerate(arrays):
        if unknown[index]:
            estimate = _estimate(array, [run[index] for run in runs])
            radii[index] = np.where(np.isfinite(radii[index]), radii[index], estimate)
    return Expected(arrays, radii, is_proven=False)


def _is_unknown(array: Array, radius: Array) -> bool:
    """Whether a finite element has no proven radius."""
    return bool((~np.isfinite(radius) & np.isfinite(array.astype(np.complex128))).any())


def _estimate(own: Array, others: Sequence[Value]) -> Array | float:
    """The distance of disturbed runs times the slack; integers have none."""
    if own.dtype.kind in "biu":
        return 0.0
    part = element_type_of(own.dtype).part
    with np.errstate(all="ignore"):
        magnitudes = np.abs(own.astype(np.complex128))
        units = unit_in_last_place(np.where(np.isfinite(magnitudes), magnitudes, 1.0), part)
    return _SLACK * spread(own, others) + 8 * units
