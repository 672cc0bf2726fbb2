"""Compares two arrays that should be the same: a verdict, and the size of the difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from hlokit.numerics.deviations import unit_in_last_place
from hlokit.values.bits import significant_bits
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format

Array = npt.NDArray[Any]

# From the best to the worst. `missing`: the other program never computes the value; `open`: the specification
# leaves it to the implementation.
Verdict = Literal[
    "exact",
    "within",
    "missing",
    "open",
    "unsupported",
    "time-out",
    "killed",
    "error",
    "crash",
    "beyond",
    "not-finite",
    "type",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
# Verdicts that mean a difference, and verdicts that mean that no comparison was possible.
DIFFERING: frozenset[Verdict] = frozenset(("error", "crash", "beyond", "not-finite", "type"))
UNKNOWN: frozenset[Verdict] = frozenset(("unsupported", "time-out", "killed"))

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
    """

    error: Array | float
    what: str
    open: Array | None = None
    row: str = ""


EXACT = Allowance(0.0, "exact")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of one result.

    Attributes:
      verdict: the worst verdict of the elements.
      max_ulp: units in the last place of the type at the expected value; infinite if only one of both is
        finite.
      relative: |actual - expected| / |expected|, of Euclidean norms over finite elements.
      share: the largest error as a multiple of the allowed difference: above 1 for `beyond`.
      differing: the number of elements with other bits.
      index: index of the worst element.
      expected, actual: values of the worst element.
      allowed: the bound, in words.
      note: a further remark, such as the row of docs/divergences.md.
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

    @property
    def severity(self) -> tuple[int, float, float]:
        """The sort key: the worst comparison comes last."""
        return VERDICTS.index(self.verdict), self.share, self.max_ulp


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
    if element_type.kind in (Kind.FLOAT, Kind.COMPLEX):
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


def _wide(values: Array) -> Array:
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)


def _compare_integers(
    mine: Array, theirs: Array, differs: Array, count: int, allowance: Allowance
) -> Comparison:
    wide = (np.int64, np.float64)[mine.dtype.kind == "u" and mine.dtype.itemsize == 8]
    distance = np.abs(theirs.astype(wide) - mine.astype(wide)).astype(np.float64)
    over = differs & (distance > allowance.error)
    verdict, note = _judged(over, differs, allowance)
    index = _worst(distance, over if over.any() else differs)
    return Comparison(
        verdict,
        float(distance[index]),
        share=float(distance[index] / allowance.error) if np.any(allowance.error) else float("inf"),
        differing=count,
        index=index,
        expected=str(mine[index]),
        actual=str(theirs[index]),
        allowed=allowance.what,
        note=note,
    )


def _compare_floats(
    mine: Array, theirs: Array, element_type: ElementType, differs: Array, count: int, allowance: Allowance
) -> Comparison:
    part = element_type.part
    layout = float_format(part)
    largest, smallest = layout.decode(layout.largest), 2.0 ** (1 - layout.bias)
    with np.errstate(all="ignore"):
        a, b = _wide(mine), _wide(theirs)
        finite = np.isfinite(a) & np.isfinite(b)
        distance = np.where(finite, np.abs(b - a), np.where(differs, np.inf, 0.0))
        allowed = np.broadcast_to(np.asarray(allowance.error, np.float64), a.shape)
        # A value that rounds to infinity on one side only: the other side's value is close to overflow.
        near = ~finite & ~_any_nan(a) & ~_any_nan(b) & (_least(a, b) + allowed >= largest) & _same_sign(a, b)
        over = differs & (distance > allowed) & ~near
        # Subnormal numbers that one side flushes to zero.
        flushed = over & (distance <= smallest) & finite & (allowance.what != EXACT.what)
        over &= ~flushed
        units = unit_in_last_place(np.abs(np.where(finite, a, 1.0)).astype(np.float64), part)
        ulps = distance / units
        shares = np.where(
            allowed > 0, distance / np.where(allowed > 0, allowed, 1.0), np.where(distance > 0, np.inf, 0.0)
        )
        norm = float(np.linalg.norm(np.abs(a[finite]).astype(np.float64)))
        off = float(np.linalg.norm(distance[finite]))
    verdict, note = _judged(over, differs, allowance)
    if verdict == "beyond" and (over & ~finite).any():
        verdict = "not-finite"
    if verdict == "within" and flushed.any():
        note = "subnormal numbers flushed to zero"
    elif verdict == "within" and not distance.any():
        note = "zeros of other signs"
    index = _worst(np.where(flushed, 0.0, ulps), over if over.any() else differs)
    return Comparison(
        verdict,
        float(ulps[index]),
        off / norm if norm else (np.inf if off else 0.0),
        float(shares[index]) if verdict != "within" else min(1.0, float(shares[index])),
        count,
        index,
        _shown(mine[index]),
        _shown(theirs[index]),
        allowance.what,
        note,
    )


def _any_nan(values: Array) -> Array:
    return np.isnan(values)


def _least(a: Array, b: Array) -> Array:
    return np.minimum(np.abs(a), np.abs(b))


def _same_sign(a: Array, b: Array) -> Array:
    return np.asarray((np.real(a) >= 0) == (np.real(b) >= 0))


def _judged(over: Array, differs: Array, allowance: Allowance) -> tuple[Verdict, str]:
    if allowance.open is not None and (differs & allowance.open).any():
        over = over & ~allowance.open
        if not over.any():
            return "open", f"docs/divergences.md: {allowance.row}"
    return ("beyond" if over.any() else "within"), ""


def _worst(badness: Array, among: Array) -> tuple[int, ...]:
    flat = int(np.argmax(np.where(among, badness, -1.0)))
    return tuple(int(i) for i in np.unravel_index(flat, badness.shape)) if badness.shape else ()


def _shown(value: Any) -> str:
    number = complex(value) if np.iscomplexobj(value) else float(value)
    return f"{number:.9g}"
