"""Sides for tests, in this process: hlokit itself, and hlokit with a fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hlokit.mlir.parse import parse_bytecode
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Array, SideFailed


class Here:
    """hlokit, in this process.

    Args:
      refuse: text in a module on which the side fails, and the failure.
      change: returns other results, from the results and the text of the module.
    """

    name = "here"

    def __init__(
        self,
        *,
        refuse: str = "",
        failure: SideFailed | None = None,
        change: Callable[[str, list[Array]], list[Array]] | None = None,
        batch: int = 16,
    ) -> None:
        self.batch = batch
        self.modules: list[str] = []
        self._refuse = refuse
        self._failure = failure
        self._change = change

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        assert isinstance(module, bytes)
        program = Program(parse_bytecode(None, module, "-", is_trusted=True))
        text = program.text()
        self.modules.append(text)
        if self._failure is not None and self._refuse in text:
            raise self._failure
        return [self._results(program, text, each, function) for each in inputs]

    def _results(self, program: Program, text: str, inputs: Sequence[Any], function: str) -> list[Array]:
        results = program(*inputs, function=function)
        arrays = list(results) if isinstance(results, tuple) else [results]
        return arrays if self._change is None else self._change(text, [np.array(array) for array in arrays])

    def close(self) -> None:
        pass
