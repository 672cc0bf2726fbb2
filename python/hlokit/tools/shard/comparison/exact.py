"""A sharded program as a side of a comparison on exact numbers (`tools.equal`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hlokit.engine.plan.executors import Observer
from hlokit.errors import EvaluationError, UnsupportedError
from hlokit.tools.equal.comparing import Question, decide
from hlokit.tools.equal.rules.meanings import Assumptions
from hlokit.tools.equal.rules.numbers import total
from hlokit.tools.equal.runs import ExactProgram, ExactRun
from hlokit.tools.equal.sides import Pairing, WholeProgram
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

    def run(
        self, arguments: Sequence[Any], assumptions: Assumptions, observers: Sequence[Observer]
    ) -> ExactRun:
        cut = [layout.cut(np.asarray(value)) for layout, value in zip(self.inputs, arguments, strict=True)]
        per_device = [[pieces[device] for pieces in cut] for device in range(self.count)]
        exact = ExactProgram(self.program, assumptions, observers)
        run = exact.run_parallel(self.program.entry(), per_device, (1, self.count))
        pieces = [
            [np.asarray(results[index]) for results in run.results] for index in range(len(self.outputs))
        ]
        joined = [
            layout.joined(of_result, total) for layout, of_result in zip(self.outputs, pieces, strict=True)
        ]
        return ExactRun(tuple(joined), run.notes)


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
