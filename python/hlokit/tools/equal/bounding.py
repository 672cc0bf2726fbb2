"""Proven bounds of the difference between the floats of two programs that mean the same.

Each program's floats are within a radius of the exact results (`tools.bounds.reordered`), which both programs
have in common. So their floats differ by at most both radii together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.errors import ArgumentError
from hlokit.tools.bounds.reordered import Bounds
from hlokit.tools.equal.rules.constants import ROUNDED_CONSTANTS
from hlokit.tools.equal.sides import Pairing, Side, WholeProgram
from hlokit.tools.equal.verdict import ResultBound, Verdict


def require_bounds(*sides: Side) -> None:
    """
    Raises:
      ArgumentError: a side is a program for several processes.
    """
    if not all(isinstance(side, WholeProgram) for side in sides):
        raise ArgumentError(
            "a bound must be between programs of one process: `hlokit shard` has other bounds"
        )


def bounds_between(one: Side, other: Side, pairing: Pairing, verdict: Verdict) -> list[ResultBound]:
    """The bounds of equal programs of one process, for the arguments of the verdict."""
    values = verdict.arguments
    here = _run(one, values)
    there = _run(other, [values[number] for number in pairing.arguments])
    bounds = [_bound(here, there, *pair) for pair in enumerate(pairing.results)]
    if ROUNDED_CONSTANTS not in verdict.identities:
        return bounds
    reason = "constants are rounded, so that the exact results differ"
    return [ResultBound(bound.name, np.inf, bound.difference, reason) for bound in bounds]


class _Run(NamedTuple):
    """The results of a run, their radii, and why radii are infinite."""

    results: list[Any]
    radii: list[Any]
    reasons: list[str]


def _run(side: Side, values: Sequence[Any]) -> _Run:
    assert isinstance(side, WholeProgram), "`require_bounds` comes first"
    bounds = Bounds(side.program, parts=1, is_of_exact=True)
    results = side.program.runs.evaluate(list(values), side.function, observer=bounds)
    return _Run(list(results), [bounds.radius(value) for value in results], list(bounds.open))


def _bound(here: _Run, there: _Run, number: int, other_number: int) -> ResultBound:
    name, pair = f"result {number}", (here.results[number], there.results[other_number])
    if any(isinstance(value, tuple) for value in pair):
        return ResultBound(name, np.inf, np.nan, "no bound is known for tuples")
    one, other = map(_wide, pair)
    is_same = (one == other) | (np.isnan(one) & np.isnan(other))
    with np.errstate(invalid="ignore"):
        gap = np.where(is_same, 0.0, np.nan_to_num(np.abs(one - other), nan=np.inf))
    radius = np.where(np.isnan(one) & np.isnan(other), 0.0, here.radii[number] + there.radii[other_number])
    bound = float(radius.max(initial=0.0))
    reasons = [*here.reasons, *there.reasons, "values are not finite"] if np.isinf(bound) else [""]
    return ResultBound(name, bound, float(gap.max(initial=0.0)), reasons[0])


def _wide(value: Any) -> Any:
    array = np.asarray(value)
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
