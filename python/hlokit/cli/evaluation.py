"""Evaluate one module of the input, as a command was told to."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TextIO

import numpy as np

from hlokit.arguments import Signature, as_values
from hlokit.cli.command import as_hlokit_error
from hlokit.cli.diagnostics import diagnostics_of, report
from hlokit.cli.inputs import Array, Chunk, array_types, as_arguments
from hlokit.cli.numerics import Numerics
from hlokit.cli.outputs import save_results
from hlokit.cli.progress import Progress
from hlokit.errors import ArgumentError, CheckFailed, HlokitError
from hlokit.interpreter.context import RunContext
from hlokit.interpreter.observers import StopOnNan, Trace
from hlokit.interpreter.probes import Probes
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import Observer
from hlokit.program import Backend, Program
from hlokit.values.text import format_dense, format_value
from hlokit.values.types import TensorType, ValueType

if TYPE_CHECKING:
    from hlokit.interpreter.mpi_engine import MpiEngine

# More threads than this no machine starts; a number in a file must not take all memory before one says so.
_MOST_PROCESSES = 1 << 20


@dataclass(frozen=True, slots=True)
class Options:
    """How to evaluate.

    Attributes:
      arguments: of the function.
      arguments_of: gives those of one process, by its number, where they are not the same for all.
      function: its name; None for the entry function.
      dense: print results as dense attributes.
      output: .npz file for the results.
      progress: tell on the standard error how far the evaluation is.
      trace: is told about every operation.
      stop_on_nan: fail at the first operation that makes a NaN.
      require_checks: fail if no check operation was evaluated.
      num_replicas, num_partitions: the process grid; None is what the program is written for.
      probe_directory: where interpreter.probe stores values; None stores none.
      largest_printed: tensors of more elements are abridged; None prints all in full.
      engine: runs processes on MPI; None for threads.
      backend: what runs the program; see `hlokit.load`.
      numerics: what is asked about accuracy.
    """

    arguments: Sequence[Array] = ()
    arguments_of: Callable[[int], Sequence[Array]] | None = None
    function: str | None = None
    dense: bool = False
    output: str | None = None
    progress: bool = False
    trace: Trace | None = None
    stop_on_nan: bool = False
    require_checks: bool = False
    num_replicas: int | None = None
    num_partitions: int | None = None
    probe_directory: str | None = None
    largest_printed: int | None = None
    engine: MpiEngine | None = None
    backend: Backend = "numpy"
    numerics: Numerics = field(default_factory=Numerics)


def evaluate_chunk(chunk: Chunk, options: Options, stream: TextIO) -> bool:
    """Evaluate a module and print its results; on failure print why, and give False."""
    try:
        evaluate = partial(_evaluate, chunk, options, stream)
        if options.engine is None:
            evaluate()
        else:
            options.engine.together(evaluate)
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
    program, engine = chunk.load().with_backend(options.backend), options.engine
    if not program.functions and options.function is None:
        return
    signature = program.signature(options.function)
    grid = _grid(program, options)
    processes = grid[0] * grid[1]
    if processes > _MOST_PROCESSES:
        raise ArgumentError(
            f"the process grid must have at most {_MOST_PROCESSES} processes, got {processes}"
        )
    context = RunContext(write=lambda text: print(text, end="", file=stream), engine=engine)
    if options.probe_directory is not None:
        own = [] if engine is None else [f"rank_{engine.rank}"]
        context.probes = Probes(os.path.join(options.probe_directory, *own))
    progress = Progress(sys.stderr) if options.progress else None
    observers: list[Observer] = [observer for observer in (progress, options.trace) if observer is not None]
    if options.stop_on_nan:
        observers.append(StopOnNan())
    numerics = options.numerics
    watch = numerics.watch(program)
    observers.extend(watch.observers)
    try:
        if processes == 1 and (engine is None or program.makes_grid):
            (values,) = _arguments(options, signature, 1)
            results = program.evaluate(
                values, signature.name, observer=observers, context=context, precision=numerics.precision
            )
        else:
            values = _arguments(options, signature, processes)
            if engine is not None:
                engine.gathers_everywhere = False
            each = program.evaluate_parallel(
                values,
                signature.name,
                grid,
                observer=observers,
                context=context,
                precision=numerics.precision,
            )
            results = tuple(result for returned in each for result in returned)
    finally:
        if progress is not None:
            progress.finish()
        if engine is not None:
            engine.gathers_everywhere = True
        watch.finish()
    types = signature.outputs * processes
    if options.require_checks and not context.checks:
        raise CheckFailed(f"@{signature.name} evaluated no check operation")
    if engine is not None and engine.rank:
        return  # rank 0 has the results of all
    if options.output is not None:
        save_results(options.output, results, types)
    for result, type_ in zip(results, types, strict=True):
        stream.write(f"{_text(result, type_, options)}\n")


def _grid(program: Program, options: Options) -> tuple[int, int]:
    """The process grid, as (replicas, partitions)."""
    if options.num_replicas is None and options.num_partitions is None:
        if options.engine is None or program.makes_grid:
            return program.grid
        stated = program.stated_grid
        return (options.engine.size, 1) if stated in (None, (1, 1)) else stated
    replicas, partitions = program.stated_grid or (1, 1)
    return options.num_replicas or replicas, options.num_partitions or partitions


def _arguments(options: Options, signature: Signature, processes: int) -> list[list[Value]]:
    """The arguments of each process: as many for each, or the same for all. On MPI only this rank's."""
    count = len(array_types(signature.inputs))
    given = options.arguments
    here = range(processes) if options.engine is None or processes == 1 else [options.engine.rank]
    arguments_of = options.arguments_of
    if arguments_of is not None:
        return [_values(arguments_of(n), signature) if n in here else [] for n in range(processes)]
    if processes > 1 and len(given) not in (count, count * processes):
        raise ArgumentError(
            f"@{signature.name} must be called with {count} arguments, or {count} for each of "
            f"{processes} processes, got {len(given)}"
        )
    is_each = processes > 1 and len(given) > count
    each = [given[i * count : (i + 1) * count] if is_each else given for i in range(processes)]
    return [_values(arguments, signature) if n in here else [] for n, arguments in enumerate(each)]


def _values(arguments: Sequence[Array], signature: Signature) -> list[Value]:
    return as_values(as_arguments(arguments, signature.inputs), signature.inputs, signature.name)


def _text(value: Value, type_: ValueType, options: Options) -> str:
    if options.dense:
        if not isinstance(type_, TensorType):
            raise ArgumentError(f"--interpreter-print-dense: results must be tensors, got {type_}")
        return format_dense(value, type_)
    if options.largest_printed is not None and np.size(value) > options.largest_printed:
        return f"{type_} {{\n{np.array2string(value, threshold=0)}\n}}"
    return format_value(value, type_)
