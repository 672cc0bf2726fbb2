"""Whether rows of results depend on other rows of the arguments, whatever the order of sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.tools.backends.side import flat_values
from hlokit.tools.equal.rules.numbers import constant, is_exact_array, number_of, packed
from hlokit.tools.equal.runs import ExactProgram, exact_arguments
from hlokit.tools.invariance.sizes import Batch, Trial
from hlokit.values.element_types import Kind, element_type_of

# The seeds of the unknown numbers in all rows, and in the other rows of the second run.
_SEEDS = 0, 1
# How many times as large the other rows are in a trial: a maximum in the first row is no longer that of all.
_FACTOR = 3


def coupled_results(batch: Batch, trials: Sequence[Trial]) -> list[bool]:
    """For each result, and each item of a tuple, whether its rows depend on other rows of the arguments: with
    other unknown and larger numbers there, or in a trial.

    Raises:
      EvaluationError, UnsupportedError: the program does not run.
    """
    exact = ExactProgram(batch.program)
    types, result_types = exact.types(batch.function)

    def run(arguments: Sequence[Any]) -> list[Any]:
        with np.errstate(all="ignore"):
            return flat_values(exact.run(batch.function, arguments).results, result_types)

    others = [
        scaled(value) if number in batch.batched else value for number, value in enumerate(batch.values)
    ]
    first, second = (
        exact_arguments(values, types, seed)
        for values, seed in zip((batch.values, others), _SEEDS, strict=True)
    )
    expected = run(first)
    changed = [
        _first_row_of(one, two, batch.axis) if number in batch.batched else one
        for number, (one, two) in enumerate(zip(first, second, strict=True))
    ]
    first_row = Trial("other rows are larger", np.array, slice(0, 1))
    coupled = _differing(batch, first_row, expected, run(changed))
    for trial in trials:
        coupled |= _differing(batch, trial, expected, run(batch.with_rows(trial.change, first)))
    return [number in coupled for number in range(len(expected))]


def scaled(values: Any) -> Any:
    """Larger floats, or exact numbers; other values as they are."""
    array: Any = np.asarray(values)
    if is_exact_array(array):
        return packed(array["value"] * _FACTOR, number_of(array) * constant(_FACTOR), array.dtype)
    is_float = element_type_of(array.dtype).kind in (Kind.FLOAT, Kind.COMPLEX)
    return array * array.dtype.type(_FACTOR) if is_float else array


def _first_row_of(one: Any, two: Any, axis: int) -> Any:
    """The first row of one value, and the other rows of another."""
    mixed = np.array(two)
    row = (slice(None),) * axis + (slice(0, 1),)
    mixed[row] = np.asarray(one)[row]
    return mixed


def _differing(batch: Batch, trial: Trial, expected: Sequence[Any], results: Sequence[Any]) -> set[int]:
    """The results with rows that a trial changes."""
    pairs = batch.kept_rows(trial, expected, results)
    return {number for number, (wanted, got) in pairs.items() if _differ(wanted, got)}


def _differ(one: Any, two: Any) -> bool:
    if not is_exact_array(one):
        return not np.array_equal(one, two)
    if np.array_equal(one["value"], two["value"], equal_nan=True):  # of a function of which nothing is known
        return False
    parts = zip(number_of(one).parts, number_of(two).parts, strict=True)
    return not all(np.array_equal(part, other) for part, other in parts)
