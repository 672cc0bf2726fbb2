"""The command `hlokit` and its subcommands."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

from hlokit.cli.commands.diff import DIFF_FLAGS, RECORD_FLAGS, TIME_LIMIT
from hlokit.cli.commands.reduce import REDUCE_FLAGS, TEST_FLAGS
from hlokit.cli.commands.shard import SHARD_FLAGS
from hlokit.cli.evaluating import evaluation_options
from hlokit.cli.evaluating.evaluation import evaluate_chunk
from hlokit.cli.evaluating.evaluation_options import KERNELS, read_options, run_kernels, traced
from hlokit.cli.evaluating.numerics import SHADOW
from hlokit.cli.frame.command import run_command
from hlokit.cli.frame.flags import CommandLine, Flag, help_text, read_command_line
from hlokit.cli.frame.launchers import ENGINE, Launcher, launcher_of
from hlokit.cli.frame.shared_flags import (
    ALLOW_OTHER_DIALECTS,
    HELP,
    OUTPUT_FILE,
    STRICT,
    VERSION,
    is_answered,
    version_text,
)
from hlokit.cli.streams.diagnostics import Source, position_of, render
from hlokit.cli.streams.inputs import read_chunks
from hlokit.errors import ArgumentError, did_you_mean
from hlokit.runs import BACKENDS

NAME = "hlokit"
USAGE = (
    f"{NAME} run|view|diff|record|reduce|make-test|shard FILE [ARGUMENT...] | "
    f"{NAME} ops|info|compat|upgrade|verify|lint-spmd FILE | "
    f"{NAME} infer OP [TYPE...] | {NAME} serve | {NAME} accuracy | {NAME} doctor | "
    f"{NAME} completion SHELL | {NAME} --version"
)
DESCRIPTION = """Evaluates StableHLO programs: MLIR text, MLIR bytecode, portable artifacts, jax.export blobs.

  run FILE [ARGUMENT...]  evaluate a program and print its results; each argument is an .npy or .npz file,
                          or a constant such as 'dense<1> : tensor<2xi32>'
  view FILE [ARGUMENT...] -o PAGE.html
                          write a page of a program and, with arguments, of its run (docs/view.md)
  diff FILE [ARGUMENT...] --against=SIDE
                          find the operation whose values differ on another side: compiled by XLA or IREE,
                          in another program, in a recorded run (docs/diff.md); the exit status is 1 if
                          values differ, 2 if no comparison was possible
  record FILE [ARGUMENT...] -o RUN
                          evaluate a program and store the results of each operation
  reduce FILE [ARGUMENT...] --keep=PREDICATE -o FILE
                          shrink a program while it still shows a fault (docs/reduce.md)
  make-test FILE [ARGUMENT...] -o FILE
                          make a self-checking program from a run (docs/reduce.md)
  shard FILE [ARGUMENT...] --mesh=AXES --in=ARG:SPEC
                          partition a program for many devices, without devices; check the results, report
                          memory and bytes sent (docs/sharding.md); the exit status is 1 if the partitioned
                          program is wrong
  lint-spmd FILE...       find collectives that deadlock or do not match; the exit status is 1 if there is an
                          error
  ops FILE                list the operations that hlokit cannot evaluate; the exit status is 1 if there are
                          any
  info FILE               describe a file: producer, versions, operations, functions, sizes, readers
  compat FILE             list the StableHLO versions that can hold a program, and why others cannot
  upgrade FILE            rewrite text of older StableHLO versions
  verify FILE...          list all errors of programs; the exit status is 1 if there is an error
  infer OP [TYPE...]      print the result types of an operation; with --json, also of a request in JSON
  serve                   answer requests of front ends, one line of JSON each (docs/service.md)
  accuracy                measure errors of all functions in ULP (docs/accuracy.md); the exit status is 1 if
                          hlokit misses a target
  doctor                  describe this installation and missing requirements; the exit status is 1 if
                          hlokit cannot work
  completion SHELL        print a script that completes command lines in bash, zsh or fish"""

FLAGS = (
    evaluation_options.FUNCTION.of("run, view, diff, record, reduce, make-test"),
    evaluation_options.OUTPUT.of("run", also="accuracy: write the page to this file"),
    Flag("full", "run: print large results in full; accuracy: take a million samples of f32"),
    *[
        flag.of({KERNELS: "run, ops", SHADOW: "run, view", ENGINE: "run, shard"}.get(flag, "run"))
        for flag in (*evaluation_options.FLAGS, *evaluation_options.GRID)
    ],
    Flag("backend", "run: numpy (default), or xla: compile the program with XLA:CPU", "BACKEND"),
    *DIFF_FLAGS,
    TIME_LIMIT,
    *RECORD_FLAGS,
    *REDUCE_FLAGS,
    *TEST_FLAGS,
    *SHARD_FLAGS,
    Flag("json", "print JSON instead of text (not for view and completion)"),
    Flag(
        "format",
        "text (default), or json: the same as --json; view: html (default), dot, model-explorer, node-data",
        "FORMAT",
    ),
    STRICT.of("verify"),
    Flag(
        "attribute",
        "infer: an attribute, as MLIR text, as JSON, or as the name of an enumerator (LT)",
        "NAME=VALUE",
        repeatable=True,
    ),
    Flag(
        "region",
        "infer: a region, as MLIR text or as the name of its computation (add)",
        "TEXT",
        repeatable=True,
    ),
    Flag("result", "infer: the type of a result, for operations that infer none", "TYPE", repeatable=True),
    Flag("longest-line", "serve: bytes of the longest request that is accepted (default: 67108864)", "N"),
    Flag("schema", "serve: print the JSON Schema of requests"),
    ALLOW_OTHER_DIALECTS.of("compat"),
    OUTPUT_FILE.of(
        "upgrade",
        also="view: the page; reduce, make-test: the program; shard: the program that each device runs; "
        "record: the directory of the recording",
    ),
    Flag("op", "accuracy: measure this operation only (sine, stablehlo.sine)", "NAME", repeatable=True),
    Flag("type", "accuracy: measure this element type only", "TYPE", repeatable=True),
    Flag("plots", "accuracy: write plots of errors over inputs (SVG) to a directory", "DIR"),
    Flag("alone", "accuracy: do not compare with XLA:CPU and the interpreter of the bindings"),
    Flag(
        "exhaustive",
        "accuracy: measure all 2**32 inputs of functions of one f32 and of two numbers of 16 bits; an "
        "interrupted run continues from the results in the file of --output",
    ),
    HELP,
    VERSION,
)

# Results of more elements are abridged.
_PRINTED_SIZE = 1000
# Subcommands that read the standard input if no file is given.
_WITHOUT_INPUT = ("accuracy", "completion", "doctor", "infer", "serve")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    return run_command(NAME, arguments, _run, is_supervised=True)


def _run(arguments: Sequence[str]) -> int:
    line = read_command_line(FLAGS, arguments, _other_flag)
    answers = {
        HELP.name: lambda: _help(line.inputs),
        VERSION.name: lambda: version_text(NAME),
    }
    if is_answered(line, answers):
        return 0
    name, *inputs = line.inputs or [""]
    if name != "view" and line.choice("format", ("text", "json")) == "json":
        line.switches.add("json")
    subcommand = SUBCOMMANDS.get(name)
    if subcommand is None:
        got = f", got '{name}'{did_you_mean(name, SUBCOMMANDS)}" if name else ""
        raise ArgumentError(
            f"a subcommand must be given, one of {', '.join(SUBCOMMANDS)}{got} (usage: {USAGE})"
        )
    if line.values or line.switches:
        from hlokit.cli.frame.subcommands import require_own_flags

        require_own_flags(line, name, FLAGS, SUBCOMMANDS)
    if not inputs and name not in _WITHOUT_INPUT:
        raise ArgumentError(f"{name}: a file must be given (usage: {USAGE})")
    return subcommand(inputs, line)


def _other_flag(name: str, value: str | None) -> bool:
    """Rejects a flag of another command, and names the right spelling; False for all other flags."""
    if name == "args":
        raise ArgumentError(
            "--args is a flag of stablehlo-translate; here arguments follow the file: "
            f"{NAME} run FILE ARGUMENT..."
        )
    return False


def _help(inputs: Sequence[str]) -> str:
    """The help of a subcommand, or of all subcommands."""
    if not inputs or inputs[0] not in SUBCOMMANDS:
        return help_text(USAGE, DESCRIPTION, FLAGS)
    from hlokit.cli.frame.subcommands import subcommand_help

    return subcommand_help(NAME, DESCRIPTION, inputs[0], FLAGS, SUBCOMMANDS)


def _run_program(inputs: Sequence[str], line: CommandLine) -> int:
    launcher = launcher_of(line)
    return launcher.run(NAME, lambda: _run_program_with(launcher, inputs, line))


def _run_program_with(launcher: Launcher, inputs: Sequence[str], line: CommandLine) -> int:
    (chunk,) = read_chunks(inputs[0], launcher=launcher)
    options = replace(
        read_options(line, launcher, inputs[1:], are_lists=False),
        largest_printed=None if "full" in line.switches else _PRINTED_SIZE,
        backend=line.choice("backend", BACKENDS) or "numpy",
        as_json="json" in line.switches,
        may_be_empty=False,
    )
    with traced(options, line) as options:
        return 0 if evaluate_chunk(chunk, options, sys.stdout) else 1


def _view(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.view import view_program

    return view_program(inputs, line)


def _diff(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.diff import diff_programs

    return diff_programs(inputs, line)


def _record(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.diff import record_run

    return record_run(inputs, line)


def _reduce(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.reduce import reduce_program

    return reduce_program(inputs, line)


def _make_test(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.reduce import make_self_checking

    return make_self_checking(inputs, line)


def _shard(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.shard import shard_program

    return shard_program(inputs, line)


def _lint_spmd(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.shard import lint_spmd_files

    return lint_spmd_files(inputs, line)


def _list_unsupported(inputs: Sequence[str], line: CommandLine) -> int:
    path, *others = inputs
    if others:
        raise ArgumentError(f"ops: one file must be given, got {' '.join(others)} too")
    run_kernels(line)
    (chunk,) = read_chunks(path)
    found = chunk.load("numpy").unsupported()
    source = Source(chunk.source.name)
    if "json" in line.switches:
        sys.stdout.write(json.dumps([asdict(item) for item in found], indent=2) + "\n")
        return 1 if found else 0
    for item in found:
        message = f"{item.reason} (in @{item.function})"
        sys.stdout.write(render([position_of(item.location, "warning", message, source)], source))
    if not found:
        sys.stdout.write("every operation can be evaluated\n")
    return 1 if found else 0


def _print_info(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.info import print_info

    return print_info(inputs, line)


def _print_compatibility(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.compat import print_compatibility

    return print_compatibility(inputs, line)


def _upgrade(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.compat import upgrade_input

    return upgrade_input(inputs, line)


def _verify(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.verify import verify_files

    return verify_files(inputs, line)


def _infer(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.infer import infer_types

    return infer_types(inputs, line)


def _serve(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.serve import serve_requests

    return serve_requests(inputs, line)


def _diagnose(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.doctor import diagnose

    return diagnose(inputs, line)


def _print_completion(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.completion import print_completion

    del line
    return print_completion(inputs, tuple(SUBCOMMANDS), FLAGS)


def _print_accuracy(inputs: Sequence[str], line: CommandLine) -> int:
    from hlokit.cli.commands.accuracy import print_accuracy

    return print_accuracy(inputs, line)


SUBCOMMANDS: dict[str, Callable[[Sequence[str], CommandLine], int]] = {
    "run": _run_program,
    "view": _view,
    "diff": _diff,
    "record": _record,
    "reduce": _reduce,
    "make-test": _make_test,
    "shard": _shard,
    "lint-spmd": _lint_spmd,
    "ops": _list_unsupported,
    "info": _print_info,
    "compat": _print_compatibility,
    "upgrade": _upgrade,
    "verify": _verify,
    "infer": _infer,
    "serve": _serve,
    "accuracy": _print_accuracy,
    "doctor": _diagnose,
    "completion": _print_completion,
}
