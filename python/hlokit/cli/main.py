"""The command `hlokit`: run a program, or list what of it cannot be evaluated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from hlokit.cli.command import run_command
from hlokit.cli.diagnostics import Source, position_of, render
from hlokit.cli.evaluation import Options, evaluate_chunk
from hlokit.cli.flags import CommandLine, Flag, help_text, read_command_line
from hlokit.cli.inputs import Chunk, read_arguments, read_chunks
from hlokit.errors import ArgumentError

NAME = "hlokit"
USAGE = f"{NAME} run FILE [ARGUMENT...] | {NAME} ops FILE | {NAME} --version"
DESCRIPTION = """Evaluates StableHLO programs: MLIR text, MLIR bytecode, portable artifacts, jax.export blobs.

  run FILE [ARGUMENT...]  evaluate a program and print its results; each argument is an .npy or .npz file,
                          or a constant such as 'dense<1> : tensor<2xi32>'
  ops FILE                list the operations that hlokit could not evaluate; the exit status is 1 if any"""

FLAGS = (
    Flag("function", "run: evaluate this function (default: main, or the only one)", "NAME"),
    Flag("output", "run: also store the results in an .npz file, as result_0, result_1, ...", "FILE"),
    Flag("full", "run: print large results in full"),
    Flag("progress", "run: tell on the standard error how far the evaluation is"),
    Flag("help", "print this help"),
    Flag("version", "print versions"),
)

# Results of more elements are abridged.
_PRINTED_SIZE = 1000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, arguments, _run)


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
    if not inputs:
        raise ArgumentError(f"{name}: a file must be given (usage: {USAGE})")
    (chunk,) = read_chunks(inputs[0], split=False)
    return subcommand(chunk, inputs[1:], line)


def _run_program(chunk: Chunk, arguments: Sequence[str], line: CommandLine) -> int:
    lists = [text if text.endswith((".npy", ".npz")) else f"[{text}]" for text in arguments]
    options = Options(
        arguments=read_arguments(lists),
        function=line.value("function"),
        output=line.value("output"),
        progress="progress" in line.switches,
        largest_printed=None if "full" in line.switches else _PRINTED_SIZE,
    )
    return 0 if evaluate_chunk(chunk, options, sys.stdout) else 1


def _list_unsupported(chunk: Chunk, arguments: Sequence[str], line: CommandLine) -> int:
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


SUBCOMMANDS: dict[str, Callable[[Chunk, Sequence[str], CommandLine], int]] = {
    "run": _run_program,
    "ops": _list_unsupported,
}
