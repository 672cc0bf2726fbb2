"""The command `stablehlo-translate`: evaluates StableHLO programs, writes and reads portable artifacts.

Takes the flags of the tool of that name in the StableHLO project as far as they stand in `FLAGS`, and some
more.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlokit.cli.command import run_command
from hlokit.cli.evaluation import Options, evaluate_chunk
from hlokit.cli.flags import CommandLine, Flag, help_text, read_command_line
from hlokit.cli.inputs import read_chunks
from hlokit.cli.numerics import numerics_flags, read_numerics
from hlokit.cli.outputs import NotKept, open_output
from hlokit.cli.ranks import engine_flag, read_all_arguments, run_on_engine
from hlokit.cli.tracing import open_trace
from hlokit.errors import ArgumentError

if TYPE_CHECKING:
    from hlokit.interpreter.mpi_engine import MpiEngine

NAME = "stablehlo-translate"
USAGE = f"{NAME} --interpret | --serialize --target=VERSION | --deserialize [flags] [FILE | -]"
DESCRIPTION = """Evaluates StableHLO programs, writes portable artifacts, and prints them as text.
Inputs are MLIR text, MLIR bytecode, portable artifacts, jax.export blobs."""
TRANSLATIONS = ("interpret", "serialize", "deserialize")

FLAGS = (
    Flag("interpret", "evaluate the program and print its results"),
    Flag("serialize", "write the program as a portable artifact"),
    Flag("deserialize", "print the program in a portable artifact"),
    Flag(
        "target",
        "serialize: a version X.Y.Z, current, WEEK_4, WEEK_12, MAX, or min: the oldest possible",
        "VERSION",
    ),
    Flag("strip-debuginfo", "serialize: leave out locations"),
    Flag("allow-other-dialects", "serialize: let operations of other dialects pass"),
    Flag("print-stablehlo-version", "deserialize: also print the version that the artifact states"),
    Flag("mlir-print-debuginfo", "deserialize: also print locations"),
    Flag("verify-diagnostics", "deserialize: fail on any error, as without it"),
    Flag("split-input-file", "the input holds several programs, with '// -----' lines between them"),
    Flag(
        "args",
        "arguments: '[dense<1> : tensor<2xi32>, ...]', or an .npy or .npz file; repeatable, in order; "
        "{rank} stands for the number of the process",
        "VALUE",
        repeatable=True,
    ),
    Flag("function", "evaluate this function (default: main, or the only one)", "NAME"),
    Flag("interpreter-print-dense", "print results as dense attributes"),
    Flag("output", "also store the results in an .npz file, as result_0, result_1, ...", "FILE"),
    Flag("o", "print to a file instead of the standard output", "FILE"),
    Flag("progress", "tell on the standard error how far the evaluation is"),
    Flag("trace", "list every evaluated operation on the standard error: time, results, source line"),
    Flag("trace-output", "list them in a file; as JSON lines if its name ends in .jsonl", "FILE"),
    Flag("stop-on-nan", "fail at the first operation that makes a NaN out of operands without one"),
    *numerics_flags(),
    Flag("num-replicas", "replicas of the process grid (default: what the module says, or 1)", "N"),
    Flag("num-partitions", "partitions of the process grid (default: what the module says, or 1)", "N"),
    engine_flag(),
    Flag("probe-output-dir", "store what interpreter.probe takes in this directory", "DIR"),
    Flag("require-checks", "fail if a program evaluates no check operation"),
    Flag("help", "print this help"),
    Flag("version", "print versions"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, arguments, _run, is_supervised=True)


def _run(arguments: Sequence[str]) -> int:
    line = read_command_line(FLAGS, arguments)
    if "help" in line.switches:
        sys.stdout.write(help_text(USAGE, DESCRIPTION, FLAGS))
        return 0
    if "version" in line.switches:
        from hlokit.cli.version import version_text  # slow to import

        sys.stdout.write(version_text(NAME))
        return 0
    chosen = [name for name in TRANSLATIONS if name in line.switches]
    if len(chosen) != 1:
        got = " and ".join(f"--{name}" for name in chosen) or "none"
        raise ArgumentError(f"one translation must be given, got {got} (usage: {USAGE})")
    if len(line.inputs) > 1:
        raise ArgumentError(f"one input must be given at most, got {' '.join(line.inputs)}")
    if chosen == ["interpret"]:
        return _interpret(line)
    from hlokit.cli.artifacts import deserialize_input, serialize_input  # slow to import

    return serialize_input(line) if chosen == ["serialize"] else deserialize_input(line)


def _interpret(line: CommandLine) -> int:
    return run_on_engine(NAME, line, lambda engine: _interpret_on(engine, line))


def _interpret_on(engine: MpiEngine | None, line: CommandLine) -> int:
    path = line.inputs[0] if line.inputs else "-"
    is_split = "split-input-file" in line.switches
    output = line.value("output")
    if is_split and output is not None:
        raise ArgumentError("--output must not be given with --split-input-file: which program's results?")
    arguments, arguments_of = read_all_arguments(line.values.get("args", []), engine)
    options = Options(
        arguments=arguments,
        arguments_of=arguments_of,
        function=line.value("function"),
        dense="interpreter-print-dense" in line.switches,
        output=output,
        progress="progress" in line.switches,
        stop_on_nan="stop-on-nan" in line.switches,
        numerics=read_numerics(line, is_silent=engine is not None and engine.rank > 0),
        require_checks="require-checks" in line.switches,
        num_replicas=line.positive("num-replicas"),
        num_partitions=line.positive("num-partitions"),
        probe_directory=line.value("probe-output-dir"),
        engine=engine,
    )
    is_silent = engine is not None and engine.rank > 0
    traced = open_trace(
        "trace" in line.switches and not is_silent, None if is_silent else line.value("trace-output")
    )
    with open_output(None if is_silent else line.value("o")) as stream, traced as trace:
        options = replace(options, trace=trace)
        # All programs are evaluated, also after a failure.
        succeeded = [evaluate_chunk(chunk, options, stream) for chunk in read_chunks(path, is_split, engine)]
        if not all(succeeded):
            raise NotKept
    return 0 if all(succeeded) else 1
