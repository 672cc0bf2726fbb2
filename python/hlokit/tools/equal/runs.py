"""Runs of programs on exact numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.process import ProcessRun
from hlokit.engine.contract.process_groups import ProcessId
from hlokit.engine.grid.threads import run_processes
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.interpreter.settings import Settings
from hlokit.engine.interpreter.tiers import observed_by
from hlokit.engine.observe.observers import as_observer
from hlokit.engine.plan.evaluate import evaluate, guarded
from hlokit.engine.plan.executors import Observer
from hlokit.programs.program import Program
from hlokit.tools.equal.rules.meanings import NO_ASSUMPTIONS, Assumptions, Context, Note
from hlokit.tools.equal.rules.numbers import dtype_of, embedded, float_type, is_exact, unknown
from hlokit.tools.equal.variant import ExactNumbers, Notes
from hlokit.values.types import TupleType, ValueType

# Why operations follow their floats: operation, location and reason, and how often.
NoteCounts = Counter[tuple[str, str, Note]]


@dataclass(frozen=True, slots=True)
class ExactRun:
    """The results of a run on exact numbers.

    Attributes:
      results: of the function; one sequence for each process of a grid.
      notes: why operations follow their floats.
      degree: the largest of the operands of functions and comparisons.
      functions: the operations that are functions of which identities may hold.
      outfeeds: what each process writes to its outfeed.
    """

    results: tuple[Any, ...]
    notes: NoteCounts
    degree: float
    functions: frozenset[str]
    outfeeds: dict[ProcessId, tuple[Any, ...]] = field(default_factory=dict[ProcessId, tuple[Any, ...]])


class ExactProgram:
    """A program on exact numbers.

    Args:
      assumptions: beyond the laws of the field.
      observers: called before and after each step, with exact numbers; without them, a run is faster.
    """

    def __init__(
        self,
        program: Program,
        assumptions: Assumptions = NO_ASSUMPTIONS,
        observers: Sequence[Observer] = (),
    ) -> None:
        self._notes = Notes()
        self._degree = np.ones(1)
        observer = as_observer(tuple(observers))
        self._functions = set[str]()
        self._outfeeds: dict[ProcessId, tuple[Any, ...]] = {}
        variant = ExactNumbers(Context(self._notes.note, assumptions, self._degree, self._functions))
        calling = program.calling
        self._planner = Planner(
            program.module,
            Settings(
                tiers=None if observer is None else observed_by(observer),
                filename=program.filename,
                callbacks=() if calling is None else tuple(calling.callbacks),
                variant=variant,
            ),
        )

    def types(self, function: str) -> tuple[tuple[ValueType, ...], tuple[ValueType, ...]]:
        """The exact types of a function."""
        types = self._planner.signature(function)
        assert types is not None, "the program has the function"
        return types

    def run(self, function: str, values: Sequence[Any]) -> ExactRun:
        """Evaluate a function on exact values.

        Raises:
          EvaluationError, UnsupportedError: as a run on floats.
        """
        with run_context.use(run_context.RunContext(outfeed=self._write)):
            results = evaluate(self._planner.function(function), values)
        return self._ended(results)

    def run_parallel(self, function: str, values: Sequence[Sequence[Any]], grid: tuple[int, int]) -> ExactRun:
        """Evaluate a function on every process of a grid.

        Raises:
          EvaluationError, UnsupportedError: as a run on floats.
        """
        block = self._planner.function(function)
        runs = [ProcessRun(block, list(arguments), ()) for arguments in values]
        with run_context.use(run_context.RunContext(outfeed=self._write)):
            evaluated = guarded(run_processes, *grid, runs)
        is_single = len(block.plan.outputs) == 1
        results = tuple([(result,) if is_single else tuple(result) for result in evaluated])
        return self._ended(results)

    def _write(self, process: ProcessId, values: tuple[Any, ...]) -> None:
        """A process has one thread, so that no other one writes to its outfeed."""
        self._outfeeds[process] = (*self._outfeeds.get(process, ()), values)

    def _ended(self, results: tuple[Any, ...]) -> ExactRun:
        """The run that has ended; the next one counts anew."""
        counts, degree = self._notes.take(), float(self._degree[0])
        self._degree[0] = 1
        outfeeds, self._outfeeds = self._outfeeds, {}
        return ExactRun(results, counts, degree, frozenset(self._functions), outfeeds)


def exact_arguments(values: Sequence[Any], types: Sequence[ValueType], seed: int | None) -> list[Any]:
    """Values of a program's own types as exact ones, in which floats stand for unknown numbers.

    Args:
      types: the exact types.
      seed: other seeds give other numbers; without one, floats stand for themselves.
    """
    return [_exact(value, type_, seed) for value, type_ in zip(values, types, strict=True)]


def _exact(value: Any, type_: ValueType, seed: int | None) -> Any:
    if isinstance(type_, TupleType):
        return tuple(
            [_exact(item, item_type, seed) for item, item_type in zip(value, type_.types, strict=True)]
        )
    if not is_exact(type_):
        return value
    dtype = dtype_of(float_type(type_))
    floats = np.asarray(value).astype(dtype)
    return embedded(floats, dtype_of(type_)) if seed is None else unknown(floats, seed, dtype_of(type_))
