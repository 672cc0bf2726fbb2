"""Verdicts on results of a case: the specification fixes them, bounds them, or leaves them open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.comparing.flushing import flushes_results
from hlokit.tools.diff.comparing.verdicts import (
    DIFFERING,
    OTHER_ZEROS,
    Allowance,
    Comparison,
    compare,
)
from hlokit.tools.kit.cases import Case, Unevaluated
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format

Array = npt.NDArray[Any]
# `unsupported`: the side says so; `not run`: the case was not tried, or the run's time or budget was over.
Verdict = Literal["passed", "open", "failed", "unsupported", "not run"]
VERDICTS: tuple[Verdict, ...] = ("passed", "open", "failed", "unsupported", "not run")
# What the specification says about results.
Rule = Literal["exact", "bounded", "open"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on a case.

    Attributes:
      reason: why it failed or was not run; the rule that leaves values open.
      ulps: the largest distance from the expected values, in ULP; of integers, the distance. Values that are
        open or may be flushed do not count.
      mean: the mean of these distances.
      explanation: what the side did instead; "" if nothing fits.
      histogram: counts of distances: 0, up to 1, 2, 4, ... ULP.
      stage: the stage of the compiler at fault, if it is known.
      program: of the first failure of its kind, a program that shows it, with what decides.
    """

    id: str
    verdict: Verdict
    reason: str = ""
    ulps: float = 0.0
    mean: float = 0.0
    explanation: str = ""
    histogram: tuple[int, ...] = field(default=())
    stage: str = ""
    program: str = ""
    seconds: float = 0.0

    @property
    def operation(self) -> str:
        return self.id.partition("/")[0]

    @property
    def type_(self) -> str:
        return self.id.split("/")[1]


def not_run(case: Unevaluated) -> Outcome:
    """The verdict on a case without expected values."""
    return Outcome(case.id, "not run", case.reason)


def judge(case: Case, results: Sequence[Array]) -> Outcome:
    """The verdict on the results of a side."""
    expected = case.alone.expected
    if len(results) != len(expected):
        return Outcome(case.id, "failed", f"returned {len(results)} results instead of {len(expected)}")
    turned = case.as_alone(results)
    worst = worst_of(case, turned)
    distances = _distances(case, expected, turned)
    largest, mean = (float(distances.max()), float(distances.mean())) if distances.size else (0.0, 0.0)
    if worst.verdict in DIFFERING:
        return Outcome(case.id, "failed", told(worst), largest, mean, worst.explanation, histogram(distances))
    verdict: Verdict = "open" if worst.verdict == "open" else "passed"
    return Outcome(case.id, verdict, worst.note, largest, mean, "", histogram(distances))


def worst_of(case: Case, results: Sequence[Array]) -> Comparison:
    """The worst comparison of the results of the operation."""
    comparisons = [_compared(case, results, index) for index in range(len(case.alone.expected))]
    return max(comparisons, key=lambda comparison: comparison.severity, default=Comparison("exact"))


def _compared(case: Case, results: Sequence[Array], index: int) -> Comparison:
    type_ = case.alone.types[index]
    comparison = compare(
        case.alone.expected[index],
        results[index],
        type_.element_type,
        lambda: allowed(case, results, index),
    )
    if comparison.verdict == "within":
        comparison = _exactly(case, results, index, comparison)
    if comparison.verdict == "within" and _hides_special(
        case, results[index], index, allowed(case, results, index)
    ):
        comparison = replace(comparison, verdict="not-finite", allowed="NaN or infinity in any order")
    if comparison.verdict not in ("beyond", "not-finite"):
        return comparison
    return case.alone.explained(comparison, results, index)


def _exactly(case: Case, results: Sequence[Array], index: int, comparison: Comparison) -> Comparison:
    """A comparison of exact results, whose zeros have signs, and which overflow where IEEE 754 says so."""
    bound = allowed(case, results, index)
    if np.any(bound.error) or not case.alone.types[index].element_type.kind.is_inexact:
        return comparison
    if comparison.note == OTHER_ZEROS:
        # The order of complex numbers is open, and with it the sign of a zero.
        is_open = bound.open is not None and bool(bound.open[comparison.index])
        words = "exact, and so is the sign of zero"
        return comparison if is_open else replace(comparison, verdict="beyond", allowed=words)
    own, result = case.alone.expected[index], results[index]
    with np.errstate(all="ignore"):
        differs = np.isinf(own) != np.isinf(result)
        for flushed, _ in bound.alternatives:
            differs &= np.isinf(flushed) != np.isinf(result)
    return replace(comparison, verdict="not-finite", allowed="exact") if differs.any() else comparison


def _hides_special(case: Case, result: Array, index: int, bound: Allowance) -> bool:
    """Whether a sum, or an operation of sums, is a number although NaN or infinity is certain: infinite terms
    make its bound infinite."""
    own = case.alone.expected[index]
    if not _is_sum(case, index, bound):
        return False
    is_lost = (np.isnan(own) & ~np.isnan(result)) | (np.isinf(own) & np.isfinite(result))
    if bound.decides_finite:  # which of them a result is depends on the order
        is_lost &= np.isfinite(result)
    return bool(is_lost.any()) and bool((is_lost & case.alone.is_certain(index)).any())


def _is_sum(case: Case, index: int, bound: Allowance) -> bool:
    traits = traits_of(case.operation)
    is_sum = traits.contraction or traits.combines or bound.decides_finite
    return is_sum and case.alone.types[index].element_type.kind.is_inexact


def uncertain_nans(case: Case, index: int, bound: Allowance) -> Array:
    """The NaNs of a result that sums in another order do not have: where a partial sum overflows."""
    own = case.alone.expected[index]
    is_float = case.alone.types[index].element_type.kind is Kind.FLOAT
    if not is_float or not np.isnan(own).any() or not _is_sum(case, index, bound):
        return np.zeros(own.shape, np.bool_)
    return np.isnan(own) & ~np.isfinite(bound.error) & ~case.alone.is_certain(index)


def allowed(case: Case, results: Sequence[Array], index: int) -> Allowance:
    """The allowed difference of a result of the operation."""
    return case.alone.allowance(results, index, is_alone=case.recipe.place == "alone")


def told(comparison: Comparison) -> str:
    """A failure in words."""
    if comparison.verdict == "type":
        return f"{comparison.note}: {comparison.actual} instead of {comparison.expected}"
    where = f" at {list(comparison.index)}" if comparison.index else ""
    unit = f" {comparison.unit}" if comparison.unit else ""
    count = comparison.differing
    differing = "1 element differs" if count == 1 else f"{count} elements differ"
    return (
        f"{comparison.actual} instead of {comparison.expected}{where}, {comparison.max_ulp:.3g}{unit} apart "
        f"(allowed: {comparison.allowed}), {differing}"
    )


def _distances(case: Case, expected: Sequence[Array], results: Sequence[Array]) -> Array:
    """The distances of all elements of all results, in ULP; of those that are finite on both sides."""
    rows: list[Array] = []
    for index, (one, other) in enumerate(zip(expected, results, strict=True)):
        if one.shape != other.shape or one.dtype != other.dtype:
            continue
        type_ = case.alone.types[index].element_type
        row = distances(one, other, type_)
        if row.any() and type_.kind.is_inexact:
            for flushed, _ in allowed(case, results, index).alternatives:
                with np.errstate(all="ignore"):
                    row = np.fmin(row, distances(flushed.astype(one.dtype), other, type_))
        rows.append(row[~np.isnan(row)])
    return np.concatenate(rows) if rows else np.zeros(0)


def distances(expected: Array, actual: Array, type_: ElementType) -> Array:
    """The distances of elements in ULP of the expected values; of integers, their differences.

    NaN where not both are finite; 0 where both are subnormal or zero, if results may be flushed.
    """
    kind = type_.stored.kind
    with np.errstate(all="ignore"):
        if kind not in (Kind.FLOAT, Kind.COMPLEX):
            wide = [values.astype(np.float64).reshape(-1) for values in (expected, actual)]
            return np.abs(wide[0] - wide[1])
        one, other = (values.astype(np.complex128).reshape(-1) for values in (expected, actual))
        is_finite = np.isfinite(one) & np.isfinite(other)
        magnitude = np.abs(np.where(is_finite, one, 1))
        apart = np.abs(one - other) / unit_in_last_place(magnitude, type_.stored.part)
        smallest = 2.0 ** (1 - float_format(type_.stored.part).bias)
        if flushes_results():
            apart = np.where((magnitude < smallest) & (np.abs(other) <= smallest), 0.0, apart)
        return np.where(is_finite, apart, np.nan)


# The largest distances of the bins of a histogram; the last bin has all others.
BINS = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 1024.0, float("inf"))


def histogram(distances: Array) -> tuple[int, ...]:
    """The number of distances in each bin."""
    places = np.searchsorted(np.asarray(BINS), distances)
    return tuple(np.bincount(places, minlength=len(BINS)).tolist())


def rule_of(case: Case) -> tuple[Rule, str]:
    """What the specification says about the results, with the bound or the open choice in words."""
    rules: list[tuple[Rule, str]] = [("exact", "the specification fixes all bits")]
    for index in range(len(case.alone.types)):
        bound = allowed(case, case.alone.expected, index)
        if bound.open is not None and bound.open.any():
            rules.append(("open", bound.row))
        elif np.any(np.asarray(bound.error) > 0):
            rules.append(("bounded", bound.what))
    return max(rules, key=lambda rule: ("exact", "bounded", "open").index(rule[0]))
