"""The command `hlokit`: run a program, look at it, say who can read it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlokit.cli.command import run_command
from hlokit.cli.diagnostics import Source, position_of, render
from hlokit.cli.evaluation import Options, evaluate_chunk
from hlokit.cli.flags import CommandLine, Flag, help_text, read_command_line
from hlokit.cli.inputs import Chunk, read_chunks
from hlokit.cli.numerics import numerics_flags, read_numerics
from hlokit.cli.ranks import engine_flag, read_all_arguments, run_on_engine
from hlokit.cli.tracing import open_trace
from hlokit.errors import ArgumentError
from hlokit.program import BACKENDS, Backend

if TYPE_CHECKING:
    from hlokit.interpreter.mpi_engine import MpiEngine

NAME = "hlokit"
USAGE = (
    f"{NAME} run FILE [ARGUMENT...] | {NAME} ops|info|compat|upgrade|verify FILE | "
    f"{NAME} infer OP [TYPE...] | {NAME} serve | {NAME} accuracy | {NAME} --version"
)
DESCRIPTION = """Evaluates StableHLO programs: MLIR text, MLIR bytecode, portable artifacts, jax.export blobs.

  run FILE [ARGUMENT...]  evaluate a program and print its results; each argument is an .npy or .npz file,
                          or a constant such as 'dense<1> : tensor<2xi32>'
  ops FILE                list the operations that hlokit could not evaluate; the exit status is 1 if any
  info FILE               what a file is: producer, versions, operations, functions, sizes, who can read it
  compat FILE             which StableHLO versions can hold a program, and why the others cannot
  upgrade FILE            print a program that was written as text for an older StableHLO
  verify FILE...          list all that is wrong with programs; the exit status is 1 if there is an error
  infer OP [TYPE...]      print the result types of an operation; with --json, of one in JSON
  serve                   answer requests of front ends, one line of JSON each (docs/service.md)
  accuracy                measure errors of all functions in ULP (docs/accuracy.md); the exit status is 1 if
                          one misses its target"""

FLAGS = (
    Flag("function", "run: evaluate this function (default: main, or the only one)", "NAME"),
    Flag("output", "run: also store the results in an .npz file; accuracy: write the page there", "FILE"),
    Flag("full", "run: print large results in full; accuracy: take a million samples of f32"),
    Flag("progress", "run: tell on the standard error how far the evaluation is"),
    Flag("trace", "run: list every evaluated operation on the standard error: time, results, source line"),
    Flag("trace-output", "run: list them in a file; as JSON lines if its name ends in .jsonl", "FILE"),
    Flag("stop-on-nan", "run: fail at the first operation that makes a NaN out of operands without one"),
    *numerics_flags("run: "),
    engine_flag("run: "),
    Flag("backend", "run: what runs the program: numpy, or xla: compiled by XLA:CPU", "BACKEND"),
    Flag("json", "info, compat, verify, accuracy: print JSON; infer: read and print JSON"),
    Flag("strict", "verify: also enforce what the specification demands and MLIR's verifiers do not"),
    Flag(
        "attribute",
        "infer: an attribute, as MLIR text, as JSON, or by a name (LT)",
        "NAME=VALUE",
        repeatable=True,
    ),
    Flag(
        "region",
        "infer: a region, as MLIR text or as the name of what it computes (add)",
        "TEXT",
        repeatable=True,
    ),
    Flag("result", "infer: the type of a result, for operations that infer none", "TYPE", repeatable=True),
    Flag("longest-line", "serve: bytes of the longest request that is taken (default: 67108864)", "N"),
    Flag("allow-other-dialects", "compat: do not count operations of other dialects"),
    Flag("o", "upgrade: print to a file instead of the standard output", "FILE"),
    Flag("op", "accuracy: measure this operation only (sine, stablehlo.sine)", "NAME", repeatable=True),
    Flag("type", "accuracy: measure this element type only", "TYPE", repeatable=True),
    Flag("plots", "accuracy: write plots of errors over inputs (SVG) to a directory", "DIR"),
    Flag("alone", "accuracy: do not compare with XLA:CPU and the interpreter of the bindings"),
    Flag(
        "exhaustive",
        "accuracy: all 2**32 inputs of functions of one f32 and of two numbers of 16 bits; "
        "--output is a file of results so far, to go on from",
    ),
    Flag("help", "print this help"),
    Flag("version", "print versions"),
)

# Results of more elements are abridged.
_PRINTED_SIZE = 1000
# Subcommands that may have no file; they read the standard input then.
_WITHOUT_INPUT = ("accuracy", "infer", "serve")


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
    name, *inputs = line.inputs or [""]
    subcommand = SUBCOMMANDS.get(name)
    if subcommand is None:
        raise ArgumentError(f"a subcommand must be given, one of {', '.join(SUBCOMMANDS)} (usage: {USAGE})")
    if not inputs and name not in _WITHOUT_INPUT:
        raise ArgumentError(f"{name}: a file must be given (usage: {USAGE})")
    return subcommand(inputs, line)


def _read(inputs: Sequence[str]) -> tuple[Chunk, Sequence[str]]:
    """The program that the first input is, and the others."""
    (chunk,) = read_chunks(inputs[0], split=False)
    return chunk, inputs[1:]


def _backend(line: CommandLine) -> Backend:
    name = line.value("backend") or "numpy"
    for backend in BACKENDS:
        if name == backend:
            return backend
    raise ArgumentError(f"--backend must be one of {', '.join(BACKENDS)}, got '{name}'")


def _run_program(inputs: Sequence[str], line: CommandLine) -> int:
    return run_on_engine(NAME, line, lambda engine: _run_program_on(engine, inputs, line))


def _run_program_on(engine: MpiEngine | None, inputs: Sequence[str], line: CommandLine) -> int:
    (chunk,) = read_chunks(inputs[0], False, engine)
    lists = [text if text.endswith((".npy", ".npz")) else f"[{text}]" for text in inputs[1:]]
    arguments, arguments_of = read_all_arguments(lists, engine)
    options = Options(
        arguments=arguments,
        arguments_of=arguments_of,
        function=line.value("function"),
        output=line.value("output"),
        progress="progress" in line.switches,
        stop_on_nan="stop-on-nan" in line.switches,
        numerics=read_numerics(line, is_silent=engine is not None and engine.rank > 0),
        largest_printed=None if "full" in line.switches else _PRINTED_SIZE,
        engine=engine,
        backend=_backend(line),
    )
    is_silent = engine is not None and engine.rank > 0
    traced = open_trace(
        "trace" in line.switches and not is_silent, None if is_silent else line.value("trace-output")
    )
    with traced as trace:
        return 0 if evaluate_chunk(chunk, replace(options, trace=trace), sys.stdout) else 1


def _list_unsupported(inputs: Sequence[str], line: CommandLine) -> int:
    chunk, arguments = _read(inputs)
    if arguments:
        raise ArgumentError(f"ops: one file must be given, got {' '.join(arguments)} too")
    found = chunk.load().unsupported()
    source = Source(chunk.source.name)
    for item in found:
        message = f"{item.reason} (in @{item.function})"
        sys.stdout.write(render([position_of(item.location, "warning", message, source)], source))
    if not found:
        sys.stdout.write("every operation can be evaluated\n")
    return 1 if found else 0


def _print_info(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.info import print_info

    return print_info(inputs, line)


def _print_compatibility(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.compat import print_compatibility

    return print_compatibility(inputs, line)


def _upgrade(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.compat import upgrade_input

    return upgrade_input(inputs, line)


def _verify(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.verify import verify_files

    return verify_files(inputs, line)


def _infer(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.infer import infer_types

    return infer_types(inputs, line)


def _serve(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.serve import serve_requests

    return serve_requests(inputs, line)


def _print_accuracy(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.accuracy import print_accuracy

    return print_accuracy(inputs, line)


SUBCOMMANDS: dict[str, Callable[[Sequence[str], CommandLine], int]] = {
    "run": _run_program,
    "ops": _list_unsupported,
    "info": _print_info,
    "compat": _print_compatibility,
    "upgrade": _upgrade,
    "verify": _verify,
    "infer": _infer,
    "serve": _serve,
    "accuracy": _print_accuracy,
}
