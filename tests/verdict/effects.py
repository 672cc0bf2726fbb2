"""What a fault changes on the arguments of a program: every value of both runs is compared by its position.

This is no part of `hlokit diff`, and shares no code with it: every step of a run has a number, and the steps of both
runs with the same number must give the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

import hlokit
from hlokit.errors import HlokitError

# A result of main differs; only another value does; none does; the program fails; it does not end.
Effect = Literal["results", "values", "none", "failure", "endless"]
# A program with a fault may take so many times as many steps as the right one, and so many more.
_LONGER, _MORE = 8, 2000


class _Endless(Exception):
    """The program takes far more steps than the right one."""


class _Values:
    """An observer that keeps a digest of the results of every step."""

    def __init__(self, most: float = float("inf")) -> None:
        self.digests: list[bytes] = []
        self._most = most

    def before(self, plan: Any, step: Any, operands: Any) -> None:
        del plan, step, operands

    def after(self, plan: Any, step: Any, operands: Any, results: Sequence[Any]) -> None:
        del plan, step, operands
        self.digests.append(_digest(results))
        if len(self.digests) > self._most:
            raise _Endless

    def failed(self, plan: Any, step: Any) -> None:
        del plan, step


def _digest(values: Sequence[Any]) -> bytes:
    digest = hashlib.blake2b(digest_size=12)
    for value in values:
        array = np.asarray(value)
        digest.update(f"{array.shape} {array.dtype}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


class Right:
    """A right program on its arguments: its values."""

    def __init__(self, text: str, arguments: Sequence[Any]) -> None:
        self._arguments = arguments
        self._lines = text.count("\n")
        observer = _Values()
        self._results = _results(text, arguments, observer)
        self._digests = observer.digests

    def effect_of(self, text: str) -> Effect:
        """What the program with a fault does on the same arguments."""
        observer = _Values(_LONGER * len(self._digests) + _MORE)
        try:
            results = _results(text, self._arguments, observer)
        except _Endless:
            return "endless"
        except HlokitError:
            return "endless" if len(observer.digests) > _LONGER * len(self._digests) else "failure"
        if results != self._results:
            return "results"
        if text.count("\n") == self._lines:
            return "none" if observer.digests == self._digests else "values"
        # With an operation more or less, positions say nothing: does one of the programs compute all values?
        own, other = set(self._digests), set(observer.digests)
        return "none" if own <= other or other <= own else "values"


def _results(text: str, arguments: Sequence[Any], observer: _Values) -> list[bytes]:
    results = hlokit.load(text)(*arguments, observer=observer)
    return [_digest([result]) for result in (results if isinstance(results, tuple) else (results,))]
