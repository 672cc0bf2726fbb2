"""Whether rows of results depend on other rows of the arguments, whatever the order of sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.programs.program import Program
from hlokit.tools.equal.rules.numbers import is_exact_array, number_of
from hlokit.tools.equal.runs import ExactProgram, exact_arguments

# The seeds of the unknown numbers in all rows, and in the other rows of the second run.
_SEEDS = 0, 1


def coupled_results(
    program: Program, function: str, values: Sequence[Any], batched: Sequence[int], axis: int
) -> list[bool]:
    """For each result, whether its first row depends on other rows of the arguments.

    Args:
      batched: the arguments that have rows.

    Raises:
      EvaluationError, UnsupportedError: the program does not run.
    """
    exact = ExactProgram(program)
    types = exact.types(function)[0]
    first, second = (exact_arguments(values, types, seed) for seed in _SEEDS)
    changed: list[Any] = []
    for number, (one, two) in enumerate(zip(first, second, strict=True)):
        changed.append(_first_row_of(one, two, axis) if number in batched else one)
    with np.errstate(all="ignore"):
        results = exact.run(function, first).results
        others = exact.run(function, changed).results
    return [_differ(one, two, axis) for one, two in zip(results, others, strict=True)]


def _first_row_of(one: Any, two: Any, axis: int) -> Any:
    """The first row of one value, and the other rows of another."""
    mixed = np.array(two)
    row = (slice(None),) * axis + (slice(0, 1),)
    mixed[row] = np.asarray(one)[row]
    return mixed


def _differ(one: Any, two: Any, axis: int) -> bool:
    rows = [np.take(np.asarray(value), 0, axis) if np.ndim(value) > axis else value for value in (one, two)]
    if not is_exact_array(rows[0]):
        return not np.array_equal(rows[0], rows[1])
    parts = zip(number_of(rows[0]).parts, number_of(rows[1]).parts, strict=True)
    return not all(np.array_equal(part, other) for part, other in parts)
