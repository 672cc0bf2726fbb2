"""What changes of the arguments by rounding do: a right evaluation may be the exact one on such arguments.

Near a singular matrix, or at a limit of a function's domain, roundings decide most digits of results, and
which of them are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.errors import EvaluationError
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.bounds.libraries import off_by
from hlokit.values.types import ValueType

Array = npt.NDArray[Any]
# Runs with other changes, the changes in units in the last place, and the factor of their largest effect.
_RUNS, _UNITS, _SLACK = 6, 2.0, 16.0


class Effect(NamedTuple):
    """What small changes of the arguments do to a result.

    Attributes:
      size: the largest change of each element, times the slack.
      decides: the elements that are numbers in some runs only.
    """

    size: Array
    decides: Array


def effects(
    program: Program,
    values: Sequence[Value],
    function: str,
    outputs: Sequence[ValueType],
    results: Sequence[Array],
) -> list[Effect]:
    """The effects on all results of the definition."""
    generator = np.random.default_rng(0)
    joined = [Effect(np.zeros(own.shape), np.zeros(own.shape, np.bool_)) for own in results]
    for _ in range(_RUNS):
        changed = [_changed(value, generator) for value in values]
        try:
            run = flat_values(program.runs.evaluate(changed, function), outputs)
        except EvaluationError:
            continue
        joined = [
            _joined(effect, own, np.asarray(other))
            for effect, own, other in zip(joined, results, run, strict=True)
        ]
    return joined


def _changed(value: Value, generator: np.random.Generator) -> Value:
    if isinstance(value, tuple):
        return cast("Value", value)
    units = generator.uniform(-_UNITS, _UNITS, np.shape(value))
    array = np.asarray(value)
    if array.dtype.kind != "f":
        return off_by(value, units)
    limits = np.finfo(array.dtype)
    with np.errstate(all="ignore"):
        # Units of subnormal numbers are absolute.
        moved = array + (units * float(limits.smallest_subnormal)).astype(array.dtype)
        is_subnormal = (array != 0) & (np.abs(array) < limits.smallest_normal)
        return np.where(is_subnormal, moved, off_by(value, units)).astype(array.dtype)


def _joined(effect: Effect, own: Array, other: Array) -> Effect:
    if own.shape != other.shape:
        return effect
    with np.errstate(all="ignore"):
        one, two = own.astype(np.complex128), other.astype(np.complex128)
        is_finite = np.isfinite(one) & np.isfinite(two)
        size = np.maximum(effect.size, _SLACK * np.where(is_finite, np.abs(one - two), 0.0))
        return Effect(size, effect.decides | (np.isfinite(one) != np.isfinite(two)))
