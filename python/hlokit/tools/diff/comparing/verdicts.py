"""Compares two arrays that should be the same: a verdict, and the size of the difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from hlokit.display.shown import Shown
from hlokit.tools.diff.comparing.flushing import flushes_results
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.tools.numerics.rules.widening import in_f64
from hlokit.values.bits import significant_bits
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format

Array = npt.NDArray[Any]

# From the best to the worst. `missing`: the other program never computes the value; `follows`: in the other
# program, operands of the operation differ; `open`: the specification leaves the value to the implementation;
# `wiring`: in the other program, an operation that hands on values reads other ones.
Verdict = Literal[
    "exact",
    "within",
    "missing",
    "follows",
    "open",
    "unsupported",
    "time-out",
    "killed",
    "error",
    "crash",
    "beyond",
    "not-finite",
    "type",
    "wiring",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# Verdicts on an operation that is at fault, and verdicts that mean that no comparison was possible.
DIFFERING: frozenset[Verdict] = frozenset(("error", "crash", "beyond", "not-finite", "type", "wiring"))
UNKNOWN: frozenset[Verdict] = frozenset(("unsupported", "time-out", "killed"))
NOT_COMPARED: frozenset[Verdict] = frozenset((*UNKNOWN, "error", "crash"))

# Arrays of at least this many bytes are first compared as a whole.
_SMALL = 1 << 16


@dataclass(frozen=True, slots=True)
class Allowance:
    """The allowed difference of a result.

    Attributes:
      error: absolute error, for each element or for all.
      what: a description of the bound.
      open: elements whose value the specification leaves open; None if there are none.
      row: the row of docs/divergences.md.
      may_flush: whether subnormal results may be zero.
      alternatives: other right results, and the allowed difference from them.
      decides_finite: whether roundings decide which elements are finite, also of those with a finite error.
    """

    error: Array | float
    what: str
    open: Array | None = None
    row: str = ""
    may_flush: bool = True
    alternatives: tuple[tuple[Array, Array | float], ...] = ()
    decides_finite: bool = False


EXACT = Allowance(0.0, "exact", may_flush=False)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Shown):
    """The comparison of one result.

    Attributes:
      verdict: the worst verdict of the elements.
      max_ulp: the largest distance, in units in the last place of the type at the expected value; infinite if
        only one of the two values is finite. For integers, the largest distance.
      relative: |actual - expected| / |expected|, of Euclidean norms over finite elements.
      share: the largest error as a multiple of the allowed difference: above 1 for `beyond`.
      differing: the number of elements with other bits.
      index: index of the worst element.
      expected, actual: values of the worst element.
      allowed: the bound, in words.
      note: a further remark, such as the row of docs/divergences.md.
      unit: the unit of `max_ulp`; "" for integers.
      explanation: what the other side did instead, in words; "" if nothing is known to fit.
    """

    verdict: Verdict
    max_ulp: float = 0.0
    relative: float = 0.0
    share: float = 0.0
    differing: int = 0
    index: tuple[int, ...] = ()
    expected: str = ""
    actual: str = ""
    allowed: str = ""
    note: str = ""
    unit: str = "ULP"
    explanation: str = ""

    @property
    def severity(self) -> tuple[int, float, float]:
        """The sort key: the worst comparison comes last."""
        return VERDICTS.index(self.verdict), self.share, self.max_ulp

    def __str__(self) -> str:
        """Verdict and numbers in words."""
        verdict = self.verdict
        if verdict in ("crash", "killed", "time-out", "unsupported", "error"):
            return f"{verdict}: {self.note}"
        if verdict == "type":
            return f"{self.expected} and {self.actual}: {self.note}"
        if verdict in ("missing", "wiring"):
            return self.note
        parts = [_VERDICTS.get(verdict, verdict)]
        if verdict != "not-finite" and (self.differing or self.max_ulp):
            if math.isinf(self.max_ulp):
                parts.append("a NaN or an infinity differs")
            else:
                parts.append(f"{_number(self.max_ulp)} ULP" if self.unit else f"off by {self.max_ulp:.10g}")
            if self.differing and (self.relative or math.isfinite(self.max_ulp)):
                parts.append(f"{_number(self.relative)} relative")
        return ", ".join(parts) + (f" ({self.note})" if self.note else "")


_VERDICTS: dict[Verdict, str] = {
    "exact": "exact",
    "within": "within what is allowed",
    "follows": "follows from other operands",
    "open": "left open by the specification",
    "beyond": "beyond what is allowed",
    "not-finite": "NaN or infinity against a number",
}


def _number(value: float) -> str:
    return "inf" if math.isinf(value) else f"{value:.3g}"


def is_off(comparisons: Sequence[Comparison]) -> bool:
    """Whether a comparison shows a difference that is not allowed."""
    return any(comparison.verdict in DIFFERING for comparison in comparisons)


def all_exact(comparisons: Sequence[Comparison]) -> bool:
    """Whether there are comparisons, and all show the same bits."""
    return bool(comparisons) and all(comparison.verdict == "exact" for comparison in comparisons)


def compare(
    expected: Any, actual: Any, element_type: ElementType, allow: Callable[[], Allowance]
) -> Comparison:
    """Compare a result with hlokit's.

    Args:
      allow: returns the allowed difference; called only if the bits differ.
    """
    mine, theirs = np.asarray(expected), np.asarray(actual)
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return Comparison(
            "type",
            expected=f"{mine.dtype}{list(mine.shape)}",
            actual=f"{theirs.dtype}{list(theirs.shape)}",
            note="shape or element type differ",
        )
    if mine.nbytes <= _SMALL and mine.tobytes() == theirs.tobytes():
        return Comparison("exact")
    differs = _differing(mine, theirs, element_type)
    count = int(np.count_nonzero(differs))
    if not count:
        return Comparison("exact")
    allowance = allow()
    if element_type.kind.is_inexact:
        return _compare_floats(mine, theirs, element_type, differs, count, allowance)
    return _compare_integers(mine, theirs, differs, count, allowance)


def _differing(mine: Array, theirs: Array, element_type: ElementType) -> Array:
    """The elements whose bits differ; all NaNs count as equal."""
    stored = element_type.stored
    different = np.asarray(significant_bits(mine, stored) != significant_bits(theirs, stored))
    if stored.kind is Kind.COMPLEX:
        different = different.any(axis=-1)
        both = _has_nan(mine) & _has_nan(theirs)
    elif stored.kind is Kind.FLOAT:
        both = np.isnan(mine) & np.isnan(theirs)
    else:
        return different
    return different & ~both


def _has_nan(values: Array) -> Array:
    return np.isnan(np.real(values)) | np.isnan(np.imag(values))


def _compare_integers(
    mine: Array, theirs: Array, differs: Array, count: int, allowance: Allowance
) -> Comparison:
    where = np.flatnonzero(differs)
    wide = np.uint64 if mine.dtype == np.uint64 else np.int64
    a, b = mine.reshape(-1)[where].astype(wide), theirs.reshape(-1)[where].astype(wide)
    # Exact also where the difference of two integers of 64 bits wraps.
    apart = (np.maximum(a, b) - np.minimum(a, b)).view(np.uint64).astype(np.float64)
    allowed = _of_elements(allowance.error, mine.shape, where)
    over = apart > allowed
    is_alternative = over & _alternative(theirs, where, allowance)
    over &= ~is_alternative
    fixed = _fixed(over, where, mine.shape, allowance)
    verdict, note = _judged(over, fixed, allowance)
    if verdict == "within" and is_alternative.any():
        note = _FLUSHED
    worst = _worst(apart, fixed if fixed.any() else over)
    index = _index(int(where[worst]), mine.shape)
    return Comparison(
        verdict,
        float(apart[worst]),
        _relative(mine, apart),
        _share(float(apart[worst]), float(allowed[worst])),
        count,
        index,
        str(mine[index]),
        str(theirs[index]),
        allowance.what,
        note,
        unit="",
    )


def _compare_floats(
    mine: Array, theirs: Array, element_type: ElementType, differs: Array, count: int, allowance: Allowance
) -> Comparison:
    """Compares the elements whose bits differ; only the norm depends on all elements."""
    part = element_type.part
    layout = float_format(part)
    where = np.flatnonzero(differs)
    with np.errstate(all="ignore"):
        a, b = in_f64(mine.reshape(-1)[where]), in_f64(theirs.reshape(-1)[where])
        finite = np.isfinite(a) & np.isfinite(b)
        is_finite = bool(finite.all())
        distance = np.abs(b - a) if is_finite else np.where(finite, np.abs(b - a), np.inf)
        allowed = _of_elements(allowance.error, mine.shape, where)
        over = distance > allowed
        flushed = np.zeros_like(over)
        if over.any():
            # A value may round to infinity on one side, and be close to overflow on the other.
            largest, smallest = layout.decode(layout.largest), 2.0 ** (1 - layout.bias)
            near = ~finite & ~np.isnan(a) & ~np.isnan(b)
            near &= (np.minimum(np.abs(a), np.abs(b)) + allowed >= largest) & _same_sign(a, b)
            over &= ~near
            if allowance.decides_finite:
                over &= finite
            # One side may flush subnormal numbers to zero.
            reach = smallest * math.sqrt(2 if mine.dtype.kind == "c" else 1)  # of both parts
            if allowance.may_flush and flushes_results():
                flushed = over & (distance <= reach) & finite
            flushed |= over & _alternative(theirs, where, allowance)
            over &= ~flushed
        units = unit_in_last_place(np.abs(a if is_finite else np.where(finite, a, 1.0)), part)
        ulps = distance / units
        relative = _relative(mine, distance[finite])
    fixed = _fixed(over, where, mine.shape, allowance)
    verdict, note = _judged(over, fixed, allowance)
    if verdict == "beyond" and (fixed & ~finite).any():
        verdict = "not-finite"
    if verdict == "within" and flushed.any():
        note = _FLUSHED
    elif verdict == "within" and not distance.any():
        note = OTHER_ZEROS
    elif verdict == "within" and not is_finite:
        note = DECIDED
    worst = _worst(np.where(flushed, 0.0, ulps), fixed if fixed.any() else over)
    share = _share(float(distance[worst]), float(allowed[worst]))
    index = _index(int(where[worst]), mine.shape)
    return Comparison(
        verdict,
        float(ulps[worst]),
        relative,
        share if verdict != "within" else min(1.0, share),
        count,
        index,
        *_shown(mine[index], theirs[index]),
        allowance.what,
        note,
    )


_FLUSHED = "subnormal numbers flushed to zero"
OTHER_ZEROS = "zeros of other signs"
DECIDED = "roundings decide which elements are finite"


def _alternative(theirs: Array, where: Array, allowance: Allowance) -> Array:
    """The elements, of those at flat indices, that are another right result."""
    is_right = np.zeros(where.shape, np.bool_)
    other = in_f64(theirs.reshape(-1)[where])
    for value, error in allowance.alternatives:
        expected = _of_elements(value, theirs.shape, where)
        with np.errstate(all="ignore"):
            is_right |= np.abs(other - expected) <= _of_elements(error, theirs.shape, where)
        is_right |= (other == expected) | (np.isnan(other) & np.isnan(expected))
    return is_right


def _of_elements(values: Array | float, shape: tuple[int, ...], where: Array) -> Array:
    """The elements at flat indices of values that are broadcast to a shape."""
    return np.broadcast_to(np.asarray(values), shape).reshape(-1)[where]


def _share(distance: float, allowed: float) -> float:
    """The distance as a multiple of the allowed difference."""
    if allowed > 0:
        return distance / allowed
    return math.inf if distance > 0 else 0.0


def _relative(mine: Array, distance: Array) -> float:
    """Distances of elements in relation to the norm of all finite elements."""
    off = _norm(distance)
    if not off:
        return 0.0
    magnitudes = np.abs(in_f64(mine.reshape(-1)))
    norm = _norm(magnitudes)
    if not math.isfinite(norm):
        magnitudes = magnitudes[np.isfinite(magnitudes)]
        largest = float(magnitudes.max(initial=0.0))  # squares may overflow
        norm = largest * _norm(magnitudes / largest) if largest else 0.0
        if not math.isfinite(off):
            off = float(distance.max()) * _norm(distance / distance.max())
    return off / norm if norm else math.inf


def _norm(values: Array) -> float:
    """The Euclidean norm. BLAS would keep all processors busy, and its sum depend on their number."""
    return math.sqrt(float(np.square(values).sum()))


def distance(own: Any, other: Any) -> float:
    """The relative distance of a value from hlokit's own; infinite if only one of two elements is finite, or
    if shapes or types differ."""
    mine, theirs = np.asarray(own), np.asarray(other)
    if mine.shape != theirs.shape or mine.dtype != theirs.dtype:
        return math.inf
    if mine.nbytes <= _SMALL and mine.tobytes() == theirs.tobytes():
        return 0.0
    with np.errstate(all="ignore"):
        a, b = in_f64(mine.reshape(-1)), in_f64(theirs.reshape(-1))
        apart = np.abs(b - a)
        if not np.isfinite(apart).all():
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            if not (np.isfinite(apart) | same).all():
                return math.inf
            apart = np.where(same, 0.0, apart)
        return _relative(mine, apart)


def _same_sign(a: Array, b: Array) -> Array:
    return np.asarray((np.real(a) >= 0) == (np.real(b) >= 0))


def _fixed(over: Array, where: Array, shape: tuple[int, ...], allowance: Allowance) -> Array:
    """The elements that differ too much, and that the specification does not leave open.

    Args:
      over: of the elements at the flat indices `where`, those that differ too much.
    """
    return over if allowance.open is None else over & ~_of_elements(allowance.open, shape, where)


def _judged(over: Array, fixed: Array, allowance: Allowance) -> tuple[Verdict, str]:
    """The verdict on elements that differ too much."""
    if over.any() and not fixed.any():
        return "open", f"docs/divergences.md: {allowance.row}"
    return ("beyond" if over.any() else "within"), ""


def _worst(badness: Array, over: Array) -> int:
    """The position of the worst element, of those that differ too much if there are any."""
    return int(np.argmax(np.where(over, badness, -1.0) if over.any() else badness))


def _index(position: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(position, shape)) if shape else ()


def _shown(mine: Any, theirs: Any) -> tuple[str, str]:
    """Two values with as many digits as tell them apart."""
    one, other = (complex(value) if np.iscomplexobj(value) else float(value) for value in (mine, theirs))
    short = f"{one:.9g}", f"{other:.9g}"
    return short if short[0] != short[1] else (f"{one:.17g}", f"{other:.17g}")
