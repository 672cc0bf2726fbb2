"""Sides in this process, for tests: hlokit itself, and backends that make mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import hlokit
from hlokit.tools.backends.side import SideFailed

Results = list[Any]
Change = Callable[[Results], Results]


class OwnSide:
    """hlokit, whose results a function may change.

    Args:
      change: takes and returns results.
      refused: a word of modules that this side does not run, and the kind of its failure.
    """

    name = "own"

    def __init__(
        self, change: Change | None = None, refused: tuple[str, Any] = ("", ""), batch: int = 32
    ) -> None:
        self.batch = batch
        self.runs = 0
        self._change = change or list
        self._refused = refused

    def run(self, module: str | bytes, inputs: Sequence[Any], function: str = "main") -> list[Any]:
        word, kind = self._refused
        if word and word in str(module):
            raise SideFailed(kind, f"does not run {word}")
        self.runs += 1
        results = hlokit.load(module)(*inputs, function=function)
        return self._change(list(map(np.array, results if isinstance(results, tuple) else (results,))))

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Any]], function: str = "main"
    ) -> list[list[Any]]:
        return [self.run(module, arguments, function) for arguments in inputs]

    def close(self) -> None:
        pass
