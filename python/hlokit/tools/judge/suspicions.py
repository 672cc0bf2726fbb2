"""What is wrong with results in words: constant, cached, rows left out, other shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.tools.judge.errors import Expected
from hlokit.tools.judge.trials import Trial

Array = npt.NDArray[Any]
# The relative distance of elements that nothing has computed: larger than any effect of rounding.
_FAR = 0.1


@dataclass(frozen=True, slots=True)
class Call:
    """A trial and what came of it.

    Attributes:
      results: of the candidate; None if it failed.
      failure: why it failed.
      wrong: for each result, the elements that no right evaluation has; None for results of another type.
      undecided: the number of elements that would be wrong, but roundings of the arguments decide them.
      is_refusal: whether it failed with an error where the definition has no numbers: singular matrices, ...
    """

    trial: Trial
    expected: Expected
    results: list[Array] | None
    failure: str = ""
    wrong: tuple[Array | None, ...] = ()
    undecided: int = 0
    is_refusal: bool = False

    @property
    def is_wrong(self) -> bool:
        """Whether the call failed or has a wrong element."""
        return self.results is None or any(mask is None or bool(mask.any()) for mask in self.wrong)


def suspicions(calls: Sequence[Call]) -> list[str]:
    """What the calls show, in words; the most telling first."""
    texts: list[str] = []
    answered = [call for call in calls if call.results is not None]
    for index in range(len(calls[0].expected.results) if calls else 0):
        own = [call for call in answered if index < len(call.wrong) and call.wrong[index] is not None]
        texts += _of_result(index, own)
    for call in answered:
        if call.trial.repeats:
            first = next(other for other in answered if other.trial.name == call.trial.repeats)
            if _bytes(first.results) != _bytes(call.results):
                texts.append("results change from run to run: the same inputs gave other bytes")
    return list(dict.fromkeys(texts))


def _of_result(index: int, calls: Sequence[Call]) -> list[str]:
    wrong = [call for call in calls if _any(call.wrong[index])]
    if not wrong:
        return []
    name = f"result {index}"
    if (text := _constant(index, calls)) is not None:
        return [f"{name} is {text} whatever the inputs are"]
    if (earlier := _cached(index, calls)) is not None:
        return [f"{name} is the answer of an earlier call ('{earlier[0]}' in '{earlier[1]}'): cached"]
    if all(_hides_special(index, call) for call in wrong):
        return [f"{name} has numbers where NaN or infinity is right ({wrong[0].trial.name})"]
    if all(_hides_special(index, call, is_spread=True) for call in wrong):
        return [f"{name} has NaN or infinity where numbers are right ({wrong[0].trial.name})"]
    if all(_loses_infinity(index, call) for call in wrong):
        return [f"{name} is NaN where an infinity is right ({wrong[0].trial.name}): infinite parts cancel"]
    if (rows := _rows(index, wrong)) is not None:
        return [f"{name} leaves out {rows}"]
    return []


def _constant(index: int, calls: Sequence[Call]) -> str | None:
    """The description of a result that is the same in all calls, although the right one is not."""
    results = [call.results[index] for call in calls if call.results is not None]
    shapes = {result.shape for result in results}
    rights = {call.expected.results[index].tobytes() for call in calls}
    if len(results) < 3 or len(rights) < 3:
        return None
    if all(not _is_nonzero(result) for result in results):
        return "zero"
    if len(shapes) == 1 and len({result.tobytes() for result in results}) == 1:
        return "constant"
    first = results[0].reshape(-1)[:1]
    if first.size and all(bool((result == first[0]).all()) for result in results):
        return f"{first[0]} everywhere"
    return None


def _cached(index: int, calls: Sequence[Call]) -> tuple[str, str] | None:
    """The names of a call and of a later one with the same wrong result."""
    for later, call in enumerate(calls):
        if not _any(call.wrong[index]) or call.results is None:
            continue
        for earlier in calls[:later]:
            assert earlier.results is not None
            result = call.results[index]
            is_same = earlier.results[index].tobytes() == result.tobytes()
            is_same &= bool((result != result.reshape(-1)[0]).any())
            # Special inputs may have the same answer but for a few elements, or ties.
            is_telling = earlier.trial.is_typical or call.trial.is_typical
            is_other = is_telling and _mostly_differ(
                earlier.expected.results[index], call.expected.results[index]
            )
            if is_same and is_other and not _any(earlier.wrong[index]):
                return earlier.trial.name, call.trial.name
    return None


def _mostly_differ(one: Array, other: Array) -> bool:
    return one.shape != other.shape or bool(2 * np.count_nonzero(one != other) > one.size)


def _rows(index: int, wrong: Sequence[Call]) -> str | None:
    """The neighbouring rows along an axis that hold all wrong elements of all calls on numbers, if they are
    few, and far from right."""
    plain = [call for call in wrong if _is_plain(call.trial)]
    typical = [call for call in plain if call.trial.is_typical]  # rows of small numbers may be alike
    masks = [call.wrong[index] for call in typical or plain[:1]]
    if not masks or any(mask is None or mask.shape != masks[0].shape for mask in masks):  # pyright: ignore[reportOptionalMemberAccess] # checked
        return None
    if not all(_is_far(index, call) for call in typical or plain):
        return None
    joined = np.logical_or.reduce([mask for mask in masks if mask is not None])
    for axis, size in enumerate(joined.shape):
        others = tuple(other for other in range(joined.ndim) if other != axis)
        share = joined.mean(axis=others) if others else joined.astype(np.float64)
        rows = np.flatnonzero(share > 0)
        is_whole = bool((share[rows] > 0.5).all())
        is_block = len(rows) > 0 and rows[-1] - rows[0] == len(rows) - 1
        if is_whole and is_block and len(rows) <= size // 2 and size > 1:
            listed = ", ".join(map(str, rows[:4])) + (", ..." if len(rows) > 4 else "")
            return f"rows {listed} of dimension {axis} (of {size})"
    return None


def _is_far(index: int, call: Call) -> bool:
    """Whether wrong elements have nothing to do with the right ones, as if nothing had computed them."""
    mask = call.wrong[index]
    if mask is None or not mask.any() or call.results is None:
        return True
    right, got = (
        values[mask].astype(np.complex128) for values in (call.expected.results[index], call.results[index])
    )
    with np.errstate(all="ignore"):
        apart = np.abs(got - right) / np.abs(right)
    return bool(np.median(np.where(np.isnan(apart), np.inf, apart)) > _FAR)


def _hides_special(index: int, call: Call, *, is_spread: bool = False) -> bool:
    """Whether all wrong elements are numbers instead of NaN or infinity, or the other way round."""
    mask = call.wrong[index]
    if mask is None or call.results is None or call.expected.results[index].dtype.kind in "biu":
        return False
    right = np.isfinite(call.expected.results[index].astype(np.complex128))
    got = np.isfinite(call.results[index].astype(np.complex128))
    one, other = (right, got) if is_spread else (got, right)
    return bool((one[mask] & ~other[mask]).all())


def _loses_infinity(index: int, call: Call) -> bool:
    """Whether all wrong elements are NaN instead of an infinity, as differences of infinite numbers are."""
    mask = call.wrong[index]
    if mask is None or call.results is None or call.expected.results[index].dtype.kind in "biu":
        return False
    right, got = (array[mask] for array in (call.expected.results[index], call.results[index]))
    return bool((np.isinf(right.astype(np.complex128)) & np.isnan(got.astype(np.complex128))).all())


def _is_plain(trial: Trial) -> bool:
    """Whether all inputs are finite numbers."""
    arrays = [np.asarray(value) for value in trial.inputs if not isinstance(value, tuple)]
    return all(value.dtype.kind in "biu" or np.isfinite(value).all() for value in arrays)


def _any(mask: Array | None) -> bool:
    return mask is None or bool(mask.any())


def _is_nonzero(values: Array) -> bool:
    return bool(np.any(values.astype(np.complex128) != 0))


def _bytes(results: Sequence[Array] | None) -> list[bytes]:
    return [result.tobytes() for result in results or ()]
