"""Options of an evaluation: the flags of `hlokit run` and `--interpret`, and their meaning."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from hlokit.cli.evaluating import numerics, traces
from hlokit.cli.evaluating.numerics import Numerics, read_numerics
from hlokit.cli.frame.flags import Flag, UsageError, Values, WrongValue, natural, positive
from hlokit.cli.frame.launchers import ENGINE, Launcher
from hlokit.cli.streams.argument_files import Array, read_arguments
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.kernel_files import run_file
from hlokit.engine.observe.observers import Trace
from hlokit.programs.calls.runs import Backend, TierName

if TYPE_CHECKING:
    from hlokit.engine.grid.exploration import Exploration

FUNCTION = Flag("function", "evaluate this function (default: main, or the only one)", "NAME")


def _results_file(path: str) -> str:
    """The name of a file for results, which says its format."""
    if os.path.splitext(path)[1] not in (".npz", ".npy", ""):
        raise WrongValue(f"must be an .npz or .npy file, got '{path}' (--json prints JSON)")
    return path


OUTPUT = Flag(
    "output",
    "also store the results in an .npz file, as result_0, result_1, ...; one result in an .npy file",
    "FILE",
    type=_results_file,
)
PROGRESS = Flag("progress", "print the progress of the evaluation to the standard error")
STOP_ON_NAN = Flag("stop-on-nan", "fail at the first operation that computes a NaN from operands without one")
REFERENCE = Flag("reference", "evaluate each operation as the specification defines it: slow")
# The other flags of an evaluation: help texts list them one after the other.
KERNELS = Flag(
    "kernels", "a Python file with functions for custom calls (@hlokit.custom_call)", "FILE", repeatable=True
)
WEIGHTS = Flag("weights", "an .npz or safetensors file with the data of constants that have none", "FILE")
NUM_REPLICAS = Flag(
    "num-replicas", "replicas of the process grid (default: as the module states, or 1)", "N", type=positive
)
NUM_PARTITIONS = Flag(
    "num-partitions",
    "partitions of the process grid (default: as the module states, or 1)",
    "N",
    type=positive,
)
GRID = (NUM_REPLICAS, NUM_PARTITIONS)
EXPLORE = Flag(
    "explore",
    "run the processes in up to N orders (100), and fail if results or deadlocks depend on the order",
    "N",
    default="100",
    type=positive,
)
SEED = Flag("seed", "which orders --explore runs, if there are more (default: 0)", "N", type=natural)
FLAGS = (
    KERNELS,
    WEIGHTS,
    REFERENCE,
    PROGRESS,
    *traces.FLAGS,
    STOP_ON_NAN,
    *numerics.FLAGS,
    ENGINE,
    EXPLORE,
    SEED,
)

# Replaced by the number of a process in values of `--args`.
_RANK = "{rank}"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of an evaluation.

    Attributes:
      arguments: arguments of the function.
      arguments_of: returns the arguments of one process, by its number, if processes have different
        arguments.
      examples: what arguments are that are not given; None: an error of the call.
      function: name of the function; None for the entry function.
      dense: print results as dense attributes.
      output: .npz file for the results.
      progress: print the progress of the evaluation to the standard error.
      trace: receives every operation.
      stop_on_nan: fail at the first operation that computes a NaN from operands without one.
      require_checks: fail if no check operation was evaluated.
      num_replicas, num_partitions: the process grid; None selects the grid that the program states.
      probe_directory: where interpreter.probe stores values; None stores none.
      largest_printed: larger tensors are abridged; None prints all tensors in full.
      launcher: runs the processes.
      backend: name of the backend; see `hlokit.load`.
      numerics: options for accuracy.
      tier: see `Program`.
      weights: file of arrays for constants without data.
      as_json: print results as JSON.
      exploration: runs processes in several orders; None runs them once.
      may_be_empty: a module without functions gives no results; otherwise it is an error.
    """

    arguments: Sequence[Array] = ()
    arguments_of: Callable[[int], Sequence[Array]] | None = None
    examples: Examples | None = None
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
    launcher: Launcher = field(default_factory=Launcher)
    backend: Backend = "numpy"
    numerics: Numerics = field(default_factory=Numerics)
    tier: TierName = "default"
    weights: str | None = None
    as_json: bool = False
    exploration: Exploration | None = None
    may_be_empty: bool = True


def run_kernels(values: Values) -> None:
    """Run the files of the flag `KERNELS`.

    Raises:
      ArgumentError: a file cannot be read, or fails.
    """
    for path in values.kernels:
        run_file(path)


def read_options(
    values: Values, launcher: Launcher, arguments: Sequence[str], *, are_lists: bool = True
) -> Options:
    """The options from the flags `FUNCTION`, `OUTPUT`, `GRID` and `FLAGS`, without the trace.

    Args:
      arguments: constants and names of files, in order; `{rank}` stands for the number of a process.
      are_lists: whether constants are in lists, as in `--args`.

    Raises:
      ArgumentError: an argument is neither a list of constants nor a readable file, or a file of
        kernels fails.
    """
    run_kernels(values)
    read = partial(read_arguments, arguments, are_lists=are_lists)
    is_of_process = any(_RANK in text for text in arguments)
    return Options(
        arguments=() if is_of_process else launcher.collectively(read),
        arguments_of=partial(_read_arguments_of, arguments, are_lists) if is_of_process else None,
        function=values.function,
        output=values.output,
        progress=values.progress,
        stop_on_nan=values.stop_on_nan,
        launcher=launcher,
        numerics=read_numerics(values, prints=launcher.prints),
        weights=values.weights,
        num_replicas=values.num_replicas,
        num_partitions=values.num_partitions,
        tier="reference" if values.reference else "default",
        exploration=_exploration(values),
    )


def _exploration(values: Values) -> Exploration | None:
    if values.explore is None:
        if values.seed is not None:
            raise UsageError("--seed must be given with --explore; --random=SEED draws arguments by a seed")
        return None
    others = {
        "--engine=mpi": values.engine == "mpi",
        "--reference": values.reference,
        "--progress": values.progress,
        "--trace": values.trace,
        "--trace-output": values.trace_output,
        "--shadow": values.shadow or values.shadow_output,
        "--check-accuracy": values.check_accuracy,
        "--probe-output-dir": getattr(values, "probe_output_dir", None),  # of --interpret only
    }
    if (clash := next((flag for flag, is_given in others.items() if is_given), None)) is not None:
        raise UsageError(f"--explore must not be combined with {clash}")
    from hlokit.engine.grid.exploration import Exploration  # few runs explore

    return Exploration(values.explore, values.seed or 0)


def _read_arguments_of(texts: Sequence[str], are_lists: bool, number: int) -> list[Array]:
    return read_arguments([text.replace(_RANK, str(number)) for text in texts], are_lists=are_lists)


@contextmanager
def traced(options: Options, values: Values) -> Generator[Options]:
    """The options with the trace that the command line requests, which is complete at the end of the block.

    Raises:
      ArgumentError: the file of the trace cannot be written.
    """
    if not options.launcher.prints:
        yield options
        return
    with traces.open_trace(values) as trace:
        yield replace(options, trace=trace)
