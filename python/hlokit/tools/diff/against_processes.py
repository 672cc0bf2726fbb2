"""Comparisons of programs for several processes: with another program, or with hlokit in higher precision."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.errors import ArgumentError, EvaluationError
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.calls.runs import Precision
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_types, flat_values
from hlokit.tools.bounds.libraries import off_by
from hlokit.tools.diff.comparing.findings import Finding
from hlokit.tools.diff.comparing.verdicts import Allowance, Comparison, compare, is_off
from hlokit.tools.diff.equivalence.causes import change_found
from hlokit.tools.diff.equivalence.structure import compare_structure
from hlokit.tools.diff.equivalence.trials import decisive
from hlokit.tools.diff.flow.disturbed import spread
from hlokit.tools.diff.flow.time_limits import RanOutOfTime, limited
from hlokit.tools.diff.instrumented.values import SLACK
from hlokit.tools.diff.report import DiffReport
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


def compare_processes(work: Work, values: Sequence[Sequence[Value]], other: Program | None) -> DiffReport:
    """Compare the results of all processes.

    Args:
      values: the arguments of each process.
      other: the other program; None for this one in higher precision.
    """
    name = "high" if other is None else os.path.basename(other.filename)
    function = work.signature.name
    if other is not None and other.grid != work.program.grid:
        raise ArgumentError(
            f"the programs must be for the same processes, got {work.program.grid} and {other.grid}"
        )
    operations = Operations(work.program.module, work.program.filename)
    start = work.begin("programs")
    try:
        mine = _run(work.program, values, function)
        near = _run(work.program, [[off_by(value, 1.0) for value in row] for row in values], function)
        its = _other_run(work, values, other)
        results = list(_compared(work, mine, near, its))
    except (RanOutOfTime, EvaluationError) as failure:
        work.end("programs", start)
        verdict = "time-out" if isinstance(failure, RanOutOfTime) else "error"
        return work.report(name, [Comparison(verdict, note=str(failure).partition("\n")[0])])
    findings: list[Finding] = []
    if other is not None:
        others = Operations(other.module, other.filename)
        structure = compare_structure(operations, others, function, other.signature().name)
        work.changes = structure.told
        if is_off(results) and structure.is_same:
            changes = decisive(
                work.program,
                others,
                structure.changes,
                lambda program: _run(program, values, function),
                lambda results: is_off(list(_compared(work, mine, near, results))),
            )
            findings = [change_found(change, None, operations, others) for change in changes]
    work.end("programs", start)
    return work.report(name, results, findings)


def _other_run(
    work: Work, values: Sequence[Sequence[Value]], other: Program | None
) -> list[tuple[Value, ...]]:
    if other is None:
        return _run(work.program, values, work.signature.name, "high")
    return _run(other, values, other.signature().name)


def _run(
    program: Program, values: Sequence[Sequence[Value]], function: str, precision: Precision = "default"
) -> list[tuple[Value, ...]]:
    """The results of each process.

    Raises:
      RanOutOfTime: the run took longer than the time limit.
    """
    context = run_context.RunContext(write=lambda _: None)
    return limited(
        lambda: program.runs.evaluate_parallel(
            values, function, program.grid, context=context, precision=precision
        )
    )


def _compared(
    work: Work,
    mine: Sequence[tuple[Value, ...]],
    near: Sequence[tuple[Value, ...]],
    theirs: Sequence[tuple[Value, ...]],
) -> Iterator[Comparison]:
    """The comparison of each result of each process.

    Args:
      near: results for arguments that are off by one unit in the last place.
    """
    outputs = work.signature.outputs
    types = flat_types(outputs)
    for process, rows in enumerate(zip(mine, near, theirs, strict=True)):
        flat = [flat_values(row, outputs) for row in rows]
        for type_, own, moved, other in zip(types, *flat, strict=True):
            if not isinstance(type_, TensorType):
                continue
            allowed = Allowance(
                SLACK * spread(own, [moved]), f"{SLACK:g} times the effect of 1 ULP of the arguments"
            )
            comparison = compare(own, other, type_.element_type, lambda allowed=allowed: allowed)
            yield replace(comparison, note="; ".join(filter(None, (f"process {process}", comparison.note))))
