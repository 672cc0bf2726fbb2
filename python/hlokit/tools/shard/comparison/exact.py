"""A sharded program as a side of a comparison on exact numbers (`tools.equal`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.engine.plan.executors import Observer
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.rules.meanings import Assumptions
from hlokit.tools.equal.rules.numbers import total
from hlokit.tools.equal.runs import ExactProgram, ExactRun
from hlokit.tools.equal.sides import ExactFunction, Pairing, WholeProgram
from hlokit.values.types import ValueType

if TYPE_CHECKING:
    from hlokit.programs.program import Program
    from hlokit.tools.shard.notation.layout import Layout


@dataclass(frozen=True, slots=True)
class ShardedSide:
    """A program for each device: arguments are cut, and results are joined.

    Attributes:
      whole: the program before partitioning.
      program: that of a device.
      inputs, outputs: how devices hold the arguments and results.
    """

    whole: Program
    program: Program
    inputs: Sequence[Layout]
    outputs: Sequence[Layout]
    count: int

    @property
    def types(self) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]]:
        signature = self.whole.signature()
        return signature.inputs, signature.outputs

    def values(self, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
        return self.whole.bound(arguments, keywords)[1]

    def examples(self, seed: int) -> list[Any]:
        return self.values(self.whole.example_inputs(seed), {})

    def planned(self, assumptions: Assumptions, observers: Sequence[Observer]) -> ExactFunction:
        return partial(self._run, ExactProgram(self.program, assumptions, observers))

    def _run(self, exact: ExactProgram, arguments: Sequence[Any]) -> ExactRun:
        run = exact.run_parallel(self.program.entry(), self._cut(arguments), (1, self.count))
        pieces = zip(self.outputs, self._pieces(run.results), strict=True)
        return replace(run, results=tuple([layout.joined(of_result, total) for layout, of_result in pieces]))

    def floats(self, arguments: Sequence[Any], observer: Observer | None = None) -> Sequence[Any]:
        values, runs = self._cut(arguments), self.program.runs
        results = runs.evaluate_parallel(values, self.program.entry(), (1, self.count), observer=observer)
        return [
            layout.joined(pieces) for layout, pieces in zip(self.outputs, self._pieces(results), strict=True)
        ]

    def _cut(self, arguments: Sequence[Any]) -> list[list[Any]]:
        """The arguments of each device."""
        cut = [layout.cut(np.asarray(value)) for layout, value in zip(self.inputs, arguments, strict=True)]
        return [[pieces[device] for pieces in cut] for device in range(self.count)]

    def _pieces(self, results: Sequence[Sequence[Any]]) -> list[list[Any]]:
        """The pieces of each result."""
        return [[np.asarray(of_device[index]) for of_device in results] for index in range(len(self.outputs))]


def equal_results(sharded: ShardedSide, values: Sequence[Any]) -> list[bool | None]:
    """Whether each result equals that of the whole program in exact arithmetic; None where that is not known.

    Args:
      values: arguments of the whole program.
    """
    whole = WholeProgram(sharded.whole, sharded.whole.entry())
    pairing = Pairing(tuple(range(len(values))), tuple(range(len(sharded.outputs))))
    try:
        verdict = decide(Question(whole, sharded, pairing, values, runs=1))
    except (EvaluationError, UnsupportedError):  # an operation has no kernel of exact numbers
        return [None] * len(sharded.outputs)
    is_open = verdict.status == "inconclusive"
    return [
        None if is_open and not (result.is_equal and result.is_close) else result.is_equal
        for result in verdict.results
    ]
