"""Evaluate one program of the input, and print its results."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, TextIO

import numpy as np

from hlokit.cli.evaluating.evaluation_options import Options
from hlokit.cli.frame.command import as_hlokit_error
from hlokit.cli.streams.argument_files import Array, array_names, array_types, as_arguments, in_order
from hlokit.cli.streams.diagnostics import diagnostics_of, report
from hlokit.cli.streams.inputs import Chunk
from hlokit.cli.streams.outputs import require_format, save_results, write_json
from hlokit.cli.streams.progress import Progress, watched
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import RunContext
from hlokit.engine.observe.observers import StopOnNan
from hlokit.engine.observe.probes import Probes
from hlokit.engine.plan.executors import Observer
from hlokit.errors import ArgumentError, CheckFailed, Diagnostic, HlokitError, UnsupportedError
from hlokit.programs.calls.arguments import Signature, number_of_arguments
from hlokit.programs.program import Program
from hlokit.values.text import format_dense, format_value
from hlokit.values.types import TensorType, ValueType

# No machine starts more threads. Without this limit, a number in a file could take all memory before the
# system reports an error.
_MOST_PROCESSES = 1 << 20


def evaluate_chunk(chunk: Chunk, options: Options, stream: TextIO) -> bool:
    """Evaluate a program and print its results; on failure print the reason, and return False."""
    try:
        options.launcher.collectively(partial(_evaluate, chunk, options, stream))
        return True
    except BrokenPipeError:
        raise
    except HlokitError as error:
        failure = error
    except Exception as error:
        failure = as_hlokit_error(error)
    stream.flush()
    report(diagnostics_of(failure, chunk.source), chunk.source)
    return False


def _evaluate(chunk: Chunk, options: Options, stream: TextIO) -> None:
    program = chunk.load(options.backend)
    if options.weights is not None:
        from hlokit.mlir.bound_weights import bind_resources
        from hlokit.programs.importers.weights import read_weights  # few runs have weights

        bind_resources(program.module, read_weights(options.weights))
    if not program.functions and options.function is None and options.may_be_empty:
        return
    signature = program.signature(options.function)
    grid = _grid(program, options)
    processes = grid[0] * grid[1]
    if processes > _MOST_PROCESSES:
        raise ArgumentError(
            f"the process grid must have at most {_MOST_PROCESSES} processes, got {processes}"
        )
    types = signature.outputs * processes
    if options.output is not None:
        require_format(options.output, types)
    launcher = options.launcher
    engine = launcher.engine if options.exploration is None else options.exploration
    context = RunContext(
        write=lambda text: print(text, end="", file=stream),
        warn=lambda text: report([Diagnostic("warning", text, chunk.source.name)], chunk.source),
        engine=engine,
    )
    if options.probe_directory is not None:
        context.probes = Probes(launcher.own_directory(options.probe_directory))
    results = _run(program, signature, grid, options, context)
    if options.exploration is not None:
        sys.stderr.write(f"{options.exploration.summary()}\n")
    if options.require_checks and not context.checks:
        raise CheckFailed(f"@{signature.name} evaluated no check operation")
    if not launcher.prints:
        return
    if options.output is not None:
        save_results(options.output, results, types)
    if options.as_json:
        write_json({"results": _json_rows(results, signature.outputs, grid)}, None, stream)
        return
    for result, type_ in zip(results, types, strict=True):
        stream.write(f"{_text(result, type_, options)}\n")


def _json_rows(
    results: Sequence[Value], types: Sequence[ValueType], grid: tuple[int, int]
) -> list[dict[str, Any]]:
    """The results of all processes as JSON; on several processes, each with the `process` that returned it:
    its replica and its partition."""
    from hlokit.tools.service.json_values import as_json  # few runs print JSON

    if grid == (1, 1):
        return [as_json(*item) for item in zip(results, types, strict=True)]
    rows: list[dict[str, Any]] = []
    for number, result in enumerate(results):
        process, index = divmod(number, len(types))
        rows.append({"process": divmod(process, grid[1]), **as_json(result, types[index])})
    return rows


def _run(
    program: Program, signature: Signature, grid: tuple[int, int], options: Options, context: RunContext
) -> tuple[Value, ...]:
    """The results of all processes, one process after the other."""
    numerics, launcher = options.numerics, options.launcher
    progress = Progress(sys.stderr) if options.progress else None
    watch = numerics.watch(program)
    observers: list[Observer] = [observer for observer in (progress, options.trace) if observer is not None]
    observers += [StopOnNan()] if options.stop_on_nan else []
    observers += watch.observers
    processes = grid[0] * grid[1]
    try:
        if launcher.runs_alone(program, processes):
            (values,) = _arguments(options, program, signature, 1)
            evaluate = partial(
                program.runs.evaluate,
                values,
                signature.name,
                observer=observers,
                context=context,
                precision=numerics.precision,
                tier=options.tier,
            )
            if progress is not None or options.tier == "reference":
                return evaluate()
            with watched(sys.stderr):
                return evaluate()
        if options.tier != "default":
            raise UnsupportedError("--reference evaluates one process, not a grid")
        each_values = _arguments(options, program, signature, processes)
        with launcher.results_for_output():
            by_process = program.runs.evaluate_parallel(
                each_values,
                signature.name,
                grid,
                observer=observers,
                context=context,
                precision=numerics.precision,
            )
        return tuple([result for returned in by_process for result in returned])
    finally:
        if progress is not None:
            progress.finish()
        watch.finish()


def _grid(program: Program, options: Options) -> tuple[int, int]:
    """The process grid, as (replicas, partitions)."""
    if options.num_replicas is None and options.num_partitions is None:
        return options.launcher.grid(program)
    replicas, partitions = program.stated_grid or (1, 1)
    return options.num_replicas or replicas, options.num_partitions or partitions


def _arguments(options: Options, program: Program, signature: Signature, processes: int) -> list[list[Value]]:
    """The arguments of each process, separate or the same for all processes; empty for processes that run
    elsewhere."""
    names = array_names(program.parameter_names(signature.name), signature.inputs)
    count = len(array_types(signature.inputs))
    arguments = options.arguments
    if options.examples is not None and options.arguments_of is None:
        arguments = options.examples.complete(arguments, program, signature)
    arrays = in_order(arguments, names)
    here = options.launcher.processes_here(processes)
    arguments_of = options.arguments_of
    if arguments_of is not None:
        return [
            _values(in_order(arguments_of(n), names), signature) if n in here else []
            for n in range(processes)
        ]
    if processes > 1 and len(arrays) not in (count, count * processes):
        raise ArgumentError(
            f"@{signature.name} must be called with {number_of_arguments(count)}, or {count} for each of "
            f"{processes} processes, got {len(arrays)}"
        )
    is_each = processes > 1 and len(arrays) > count
    by_process = [arrays[i * count : (i + 1) * count] if is_each else arrays for i in range(processes)]
    return [_values(arguments, signature) if n in here else [] for n, arguments in enumerate(by_process)]


def _values(arguments: Sequence[Array], signature: Signature) -> list[Value]:
    return signature.values(as_arguments(arguments, signature.inputs))


def _text(value: Value, type_: ValueType, options: Options) -> str:
    if options.dense:
        if not isinstance(type_, TensorType):
            raise ArgumentError(f"--interpreter-print-dense: results must be tensors, got {type_}")
        return format_dense(value, type_)
    is_array = isinstance(type_, TensorType)  # items of a tuple may have different shapes
    if is_array and options.largest_printed is not None and np.size(value) > options.largest_printed:
        return f"{type_} {{\n{np.array2string(value, threshold=0)}\n}}"
    return format_value(value, type_)
