"""Comparisons of programs for several processes: with another program, XLA, or hlokit in higher precision."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, EvaluationError
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.calls.runs import Precision
from hlokit.programs.program import Program
from hlokit.tools.backends.side import Side, SideFailed, flat_types, flat_values
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import Comparison, is_off
from hlokit.tools.diff.equivalence.causes import change_found
from hlokit.tools.diff.equivalence.structure import compare_structure
from hlokit.tools.diff.equivalence.trials import decisive
from hlokit.tools.diff.flow.grid_runs import GridRuns
from hlokit.tools.diff.flow.time_limits import COMPARISON, LIMITS_OF_COMPARISON, SEARCH, limited
from hlokit.tools.diff.isolation.isolated import Sampler
from hlokit.tools.diff.replicas import with_replicas_only
from hlokit.tools.diff.report import DiffReport, Mode, first_of
from hlokit.tools.diff.rounding_effects import RoundingEffects
from hlokit.tools.diff.work import Work
from hlokit.tools.recording.places import Operations
from hlokit.values.types import TensorType


def values_of_processes(signature: Signature, arguments: Sequence[Any], count: int) -> list[list[Value]]:
    """The arguments of each process: an array with one dimension more has a row for each of them.

    Raises:
      ArgumentError: the arguments fit neither way.
    """
    types = signature.inputs
    rows: list[list[Any]] = [[] for _ in range(count)]
    for position, argument in enumerate(arguments):
        type_ = types[position] if position < len(types) else None
        shape = np.shape(argument)
        is_split = isinstance(type_, TensorType) and type_.shape is not None and len(shape) > len(type_.shape)
        if is_split and shape[0] != count:
            rows_wanted = f"argument {position} must have {count} rows, one for each process"
            raise ArgumentError(f"{rows_wanted}, got {shape[0]}")
        for number, row in enumerate(rows):
            row.append(np.asarray(argument)[number] if is_split else argument)
    return [signature.values(row) for row in rows]


def compare_processes(
    work: Work, rows: Sequence[Sequence[Value]], other: Program | Side | None
) -> DiffReport:
    """Compare the results of all processes.

    Args:
      rows: the arguments of each process.
      other: another program, or a side that runs a replica for each process; None for this program in higher
        precision.
    """
    match other:
        case None:
            return _Processes(work, rows, "high").compare_high()
        case Program():
            return _Processes(work, rows, os.path.basename(other.filename)).compare_program(other)
        case _:
            return _Processes(work, rows, "xla").compare_side(other)


class _Processes:
    """One comparison of all processes."""

    def __init__(self, work: Work, rows: Sequence[Sequence[Value]], name: str) -> None:
        self._work = work
        self._rows = rows
        self._name = name
        self._function = work.signature.name
        self._runs = GridRuns(work.program, rows, self._function)
        self._mine: list[tuple[Value, ...]] = []
        self._disturbed: dict[tuple[int, float], list[tuple[Value, ...]]] = {}

    def compare_high(self) -> DiffReport:
        """Compare with hlokit in higher precision."""
        return self._report("whole", lambda: self._run(self._work.program, self._function, "high"))

    def compare_program(self, other: Program) -> DiffReport:
        """Compare with another program for the same processes."""
        program = self._work.program
        if other.grid != program.grid:
            raise ArgumentError(
                f"the programs must be for the same processes, got {program.grid} and {other.grid}"
            )
        function = other.signature().name
        operations = Operations.of_program(program)
        others = Operations.of_program(other)
        structure = compare_structure(operations, others, self._function, function)
        self._work.changes = structure.told

        def changes(results: Sequence[Comparison]) -> list[Finding]:
            if not is_off(results) or not structure.is_same:
                return []
            decisive_changes = decisive(
                program,
                others,
                structure.changes,
                lambda changed: self._run(changed, self._function),
                lambda results: is_off(list(self._compared(results))),
            )
            return [change_found(change, None, operations, others) for change in decisive_changes]

        return self._report("programs", lambda: self._run(other, function), changes)

    def compare_side(self, side: Side) -> DiffReport:
        """Compare with a side that runs all processes as replicas."""
        module = with_replicas_only(self._work.program)
        arguments = [np.asarray(value) for row in self._rows for value in row]

        def results() -> list[tuple[Value, ...]]:
            flat = side.run(module, arguments, self._function)
            count = len(flat) // len(self._rows)
            return [tuple(flat[count * number : count * (number + 1)]) for number in range(len(self._rows))]

        return self._report("whole", results, lambda results: self._isolated(side) if is_off(results) else [])

    def _report(
        self,
        mode: Mode,
        other_results: Callable[[], list[tuple[Value, ...]]],
        find: Callable[[Sequence[Comparison]], list[Finding]] = lambda _: [],
    ) -> DiffReport:
        """The report on the results of the other side.

        Args:
          find: returns the findings that explain results.
        """
        start = self._work.begin(mode)
        results: list[Comparison] = []
        findings: list[Finding] = []

        def compare_all() -> None:
            self._mine = self._run(self._work.program, self._function)
            results.extend(list(self._compared(other_results())))
            findings.extend(limited(lambda: find(results), SEARCH))

        try:
            limited(compare_all, COMPARISON, LIMITS_OF_COMPARISON)
        except SideFailed as failure:
            if results:
                self._work.notes.append(f"operations could not be compared: {failure.reason}")
            else:
                results = [Comparison(failure.kind, note=failure.reason)]
        except EvaluationError as failure:
            if results:
                raise
            results = [Comparison("error", note=str(failure).partition("\n")[0])]
        self._work.end(mode, start)
        return self._work.report(self._name, results, findings)

    def _run(
        self, program: Program, function: str, precision: Precision = "default"
    ) -> list[tuple[Value, ...]]:
        """The results of each process.

        Raises:
          RanOutOfTime: the run took longer than the time limit.
        """
        context = run_context.RunContext(write=lambda _: None)
        return limited(
            lambda: program.runs.evaluate_parallel(
                self._rows, function, program.grid, context=context, precision=precision
            )
        )

    def _compared(self, theirs: Sequence[tuple[Value, ...]]) -> Iterator[Comparison]:
        """The comparison of each result of each process."""
        outputs = self._work.signature.outputs
        types = flat_types(outputs)
        for process, rows in enumerate(zip(self._mine, theirs, strict=True)):
            mine, its = flat_values(rows[0], outputs), flat_values(rows[1], outputs)
            effects = RoundingEffects(partial(self._disturbed_process, process), outputs)
            for index, type_ in enumerate(types):
                if not isinstance(type_, TensorType):
                    continue
                comparison = effects.compare(index, mine[index], its[index], type_.element_type, mine[index])
                yield replace(
                    comparison, note="; ".join(filter(None, (f"process {process}", comparison.note)))
                )

    def _disturbed_process(self, process: int, seed: int, units: float) -> tuple[Value, ...]:
        """The results of a process in a disturbed run, which all processes share."""
        if (seed, units) not in self._disturbed:
            self._disturbed[seed, units] = self._runs.disturbed(seed, units)
        return self._disturbed[seed, units][process]

    def _isolated(self, side: Side) -> list[Finding]:
        """The operations of the first process with a wrong one, each by itself, without collectives."""
        work = self._work
        operations = Operations.of_program(work.program)
        samplers = [Sampler(operations, side, progress=work.progress) for _ in self._rows]
        limited(
            lambda: work.program.runs.evaluate_parallel(
                self._rows, self._function, work.program.grid, observer=samplers
            )
        )
        for sampler in samplers:
            sampler.finish()
            if first_of(sampler.findings) is not None:
                return sampler.findings
        work.notes.append(
            "each operation of one process is right in isolation: a collective operation, or the compilation "
            "of the whole program, makes the difference"
        )
        return []
