"""Results of both programs, compared element by element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.tools.equal.rules.numbers import floats_of, number_of
from hlokit.tools.equal.runs import ExactRun
from hlokit.tools.equal.sides import Pairing
from hlokit.tools.equal.verdict import ResultCompared

# Floats that differ by a larger part of the largest differ by more than rounding.
_CLOSE = 1e-6
# Floats of equal numbers that differ by a larger part of their size are not of equal numbers.
_FAR = 1e-2
# Floats of f64 that differ by a smaller part of the largest could be equal but for rounding.
_EXACT = 1e-12
# How many times the effect of rounding errors of constants is the most that rounding explains.
_EFFECTS = 16
# Results that are so many times as large as those of the other program do not differ by rounding, but by a
# factor that is 1 in the field.
_LARGER = 2.0**30


def compared_results(first: Sequence[Any], second: Sequence[Any], pairing: Pairing) -> list[ResultCompared]:
    return [
        _compare(f"result {number}", first[number], second[there])
        for number, there in enumerate(pairing.results)
    ]


def compared_outfeeds(first: ExactRun, second: ExactRun) -> list[ResultCompared]:
    """What both programs write to the outfeeds of the same processes, if they write to any."""
    one, other = first.outfeeds, second.outfeeds
    if len(one) > 1 or len(other) > 1:  # a sharded program writes parts
        if one.keys() != other.keys():
            return []
    elif not one and not other:
        return []
    writes = [tuple(value for process in sorted(feeds) for value in feeds[process]) for feeds in (one, other)]
    if list(map(_shapes, writes[0])) != list(map(_shapes, writes[1])):
        counts = len(writes[0]), len(writes[1])
        return [ResultCompared("outfeed", (), counts, 1, is_close=False, is_as_exact=False)]
    return [_compare("outfeed", *writes)]


def _shapes(values: Any) -> list[tuple[int, ...]]:
    return [np.shape(value) for value in values]


def _compare(name: str, one: Any, two: Any) -> ResultCompared:
    if isinstance(one, tuple):
        pairs: Any = zip(one, two, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
        for number, (item, other) in enumerate(pairs):
            compared = _compare(f"{name}[{number}]", item, other)
            if not compared.is_equal:
                return compared
        return ResultCompared(name)
    if not isinstance(one, np.ndarray | np.generic):
        return ResultCompared(name)
    left, right = _array(one), _array(two)
    if left.shape != right.shape:
        return ResultCompared(name, (), (float("nan"), float("nan")), left.size)
    if left.dtype.names is None:
        wrong = np.asarray(left != right)
    else:
        wrong = np.zeros(left.shape, np.bool_)
        for part, other in zip(number_of(left).parts, number_of(right).parts, strict=True):
            wrong = wrong | (part != other)
    if not wrong.any():
        floats = np.asarray(floats_of(left))
        undefined = int(np.isnan(floats).sum()) if floats.dtype.kind in "fc" else 0
        return ResultCompared(name, is_close=_do_floats_agree(left, right), undefined=undefined)
    index = tuple([int(axis) for axis in np.unravel_index(int(wrong.argmax()), wrong.shape)])
    floats = [np.asarray(floats_of(side)) for side in (left, right)]
    values = floats[0][index].item(), floats[1][index].item()
    is_close, is_as_exact = (_are_close(floats[0], floats[1], part) for part in (_CLOSE, _EXACT))
    return ResultCompared(name, index, values, int(wrong.sum()), is_close, is_as_exact)


def _do_floats_agree(one: Any, two: Any) -> bool:
    """Whether the floats of equal numbers agree, too, but for what rounding in f64 may do; not so if a factor
    is a power of 2^61, which is 1 in the field."""
    if one.dtype.names is None:
        return True
    left, right = floats_of(one), floats_of(two)
    sizes = np.maximum(np.abs(left), np.abs(right))
    is_judged = np.isfinite(sizes) & np.any([part != 0 for part in number_of(one).parts], axis=0)
    largest = sizes[is_judged].max(initial=0)
    gap = np.abs(left[is_judged] - right[is_judged])
    return bool((gap <= np.maximum(_FAR * sizes[is_judged], _CLOSE * largest)).all())


def _array(value: Any) -> Any:
    return np.asarray(value)


def _are_close(one: Any, two: Any, part: float) -> bool:
    """Whether floats differ by rounding alone: all runs follow the same arithmetic in f64."""
    if one.dtype.kind not in "fc":
        return False
    sizes = np.abs(one[np.isfinite(one)].astype(np.complex128))  # of two large parts
    return bool(np.allclose(one, two, rtol=part, atol=part * sizes.max(initial=0), equal_nan=True))


# Effects of rounding errors ----------------------------------------------------------------------------


def is_within_effects(
    pairing: Pairing,
    runs: tuple[ExactRun, ExactRun],
    disturbed: tuple[ExactRun, ExactRun],
    results: Sequence[int],
) -> bool:
    """Whether results differ by no more than a multiple of what rounding errors of constants do to them.

    Args:
      results: their numbers in the first program.
    """
    for here in results:
        there = pairing.results[here]
        effects = [
            _largest_gap(run.results[number], changed.results[number])
            for number, run, changed in zip((here, there), runs, disturbed, strict=True)
        ]
        one, other = runs[0].results[here], runs[1].results[there]
        gap, size = _largest_gap(one, other), min(_largest(one), _largest(other))
        if not (gap <= _EFFECTS * max(effects) and gap <= _LARGER * size):
            return False
    return True


def _largest_gap(one: Any, other: Any) -> float:
    """The largest difference of the floats; infinite where one of them is NaN."""
    if isinstance(one, tuple):
        items: Any = zip(one, other, strict=True)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] # of values
        return max((_largest_gap(*pair) for pair in items), default=0.0)
    if not isinstance(one, np.ndarray | np.generic):
        return 0.0
    left, right = _complex_floats(one), _complex_floats(other)
    is_same = (left == right) | (np.isnan(left) & np.isnan(right))
    with np.errstate(all="ignore"):
        gap = np.where(is_same, 0, np.abs(left - right))
    return float(np.nan_to_num(gap, nan=np.inf).max(initial=0))


def _largest(value: Any) -> float:
    """The largest size of a finite float."""
    if isinstance(value, tuple):
        items: Any = value  # pyright: ignore[reportUnknownVariableType] # of values
        return max(map(_largest, items), default=0.0)
    if not isinstance(value, np.ndarray | np.generic):
        return 0.0
    sizes = np.abs(_complex_floats(value))
    return float(sizes[np.isfinite(sizes)].max(initial=0))


def _complex_floats(value: Any) -> Any:
    return np.asarray(floats_of(value)).astype(np.complex128)
