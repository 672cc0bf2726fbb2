"""The command `stablehlo-translate`: evaluates StableHLO programs, writes and reads portable artifacts.

Accepts the flags in `FLAGS`: flags of the StableHLO project's tool of that name, and further flags.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from hlokit.cli.evaluating import evaluation_options
from hlokit.cli.evaluating.evaluation import evaluate_chunk
from hlokit.cli.evaluating.evaluation_options import read_options, traced
from hlokit.cli.frame.command import run_command
from hlokit.cli.frame.flags import Flag, Values, help_text, read_command_line
from hlokit.cli.frame.launchers import Launcher, launcher_of
from hlokit.cli.frame.shared_flags import (
    ALLOW_OTHER_DIALECTS,
    ALLOW_UNREGISTERED,
    DEBUG_INFO,
    HELP,
    OUTPUT_FILE,
    SPLIT_INPUT_FILE,
    VERSION,
    is_answered,
    version_text,
)
from hlokit.cli.streams.inputs import read_chunks
from hlokit.cli.streams.outputs import DiscardOutput, open_output
from hlokit.errors import ArgumentError

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
    ALLOW_OTHER_DIALECTS.of("serialize"),
    Flag("print-stablehlo-version", "deserialize: also print the version that the artifact states"),
    DEBUG_INFO.of("deserialize"),
    Flag("verify-diagnostics", "deserialize: fail on any error, as without it"),
    SPLIT_INPUT_FILE,
    ALLOW_UNREGISTERED,
    Flag(
        "args",
        "arguments: '[dense<1> : tensor<2xi32>, ...]', or an .npy or .npz file; repeatable, in order; "
        "{rank} stands for the number of the process",
        "VALUE",
        repeatable=True,
    ),
    evaluation_options.FUNCTION,
    Flag("interpreter-print-dense", "print results as dense attributes"),
    replace(evaluation_options.OUTPUT, type=str, help="results in an .npz or .npy file, or as -o"),
    replace(OUTPUT_FILE, help=f"{OUTPUT_FILE.help}; .npz or .npy: as --output"),
    *evaluation_options.FLAGS,
    *evaluation_options.GRID,
    Flag("probe-output-dir", "store the values of interpreter.probe in this directory", "DIR"),
    Flag("require-checks", "fail if a program evaluates no check operation"),
    HELP,
    VERSION,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, arguments, _run, is_supervised=True)


def _run(arguments: Sequence[str]) -> int:
    line = read_command_line(FLAGS, arguments)
    answers = {
        HELP.name: lambda: help_text(USAGE, DESCRIPTION, FLAGS),
        VERSION.name: lambda: version_text(NAME),
    }
    if is_answered(line, answers):
        return 0
    chosen = [name for name in TRANSLATIONS if name in line.switches]
    if len(chosen) != 1:
        got = " and ".join(f"--{name}" for name in chosen) or "none"
        raise ArgumentError(f"one translation must be given, got {got} (usage: {USAGE})")
    if len(line.inputs) > 1:
        raise ArgumentError(f"one input must be given at most, got {' '.join(line.inputs)}")
    if chosen == ["interpret"]:
        values = line.typed(FLAGS)
        launcher = launcher_of(values.engine)
        return launcher.run(NAME, lambda: _interpret(line.inputs, values, launcher))
    from hlokit.cli.upstream.artifacts import deserialize_input, serialize_input  # slow to import

    return serialize_input(line) if chosen == ["serialize"] else deserialize_input(line)


def _sort_outputs(values: Values) -> None:
    """Make `output` the file for results and `o` the file for text, by the suffixes of their names."""
    text_suffix = values.output is not None and os.path.splitext(values.output)[1] not in (".npz", ".npy", "")
    is_array = values.o is not None and values.o.endswith((".npz", ".npy"))
    if text_suffix and (values.o is None or is_array):
        values.o, values.output = values.output, values.o
    elif is_array and values.output is None:
        values.o, values.output = None, values.o
    elif is_array or text_suffix:
        raise ArgumentError(
            f"-o and --output must be a text and an array file, got {values.o}, {values.output}"
        )


def _interpret(inputs: Sequence[str], values: Values, launcher: Launcher) -> int:
    path = inputs[0] if inputs else "-"
    _sort_outputs(values)
    if values.split_input_file and values.output is not None:
        raise ArgumentError("--output must not be given with --split-input-file: it is for one program")
    if values.sums is None and values.precision is None and not values.reference:
        values.sums = "products"  # upstream's results to the last bit
    options = replace(
        read_options(values, launcher, values.args),
        dense=values.interpreter_print_dense,
        require_checks=values.require_checks,
        probe_directory=values.probe_output_dir,
    )
    target = values.o if launcher.prints else None
    with open_output(target) as stream, traced(options, values) as options:
        # All programs are evaluated, also after a failure.
        chunks = list(
            read_chunks(
                path,
                split=values.split_input_file,
                launcher=launcher,
                allow_unregistered=values.allow_unregistered_dialect,
            )
        )
        # An empty file checks nothing; of several programs, one may be a comment.
        may_be_empty = not values.require_checks or len(chunks) > 1
        settings = replace(options, may_be_empty=may_be_empty)
        succeeded = all([evaluate_chunk(chunk, settings, stream) for chunk in chunks])
        if not succeeded:
            raise DiscardOutput
    return 0 if succeeded else 1
