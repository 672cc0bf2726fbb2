"""`hlokit run`: evaluate a program and print its results."""

from __future__ import annotations

import sys
from dataclasses import replace

from hlokit.cli.evaluating.evaluation import evaluate_chunk
from hlokit.cli.evaluating.evaluation_options import FLAGS, FUNCTION, GRID, OUTPUT, read_options, traced
from hlokit.cli.frame.flags import Values, one_of
from hlokit.cli.frame.launchers import Launcher, launcher_of
from hlokit.cli.frame.parser import NAME, Parser, Subcommand
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.inputs import read_chunks
from hlokit.programs.calls.runs import BACKENDS

# Results of more elements are abridged.
_PRINTED_SIZE = 1000


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_flags(FUNCTION, *EXAMPLES, OUTPUT)
    parser.add_argument("--full", action="store_true", help="print large results in full")
    parser.add_flags(*FLAGS, *GRID)
    parser.add_argument(
        "--backend",
        metavar="BACKEND",
        type=one_of(*BACKENDS),
        default="numpy",
        help="numpy (default), or xla: compile the program with XLA:CPU",
    )
    parser.add_json()


def _run(values: Values) -> int:
    launcher = launcher_of(values.engine)
    return launcher.run(NAME, lambda: _run_with(launcher, values))


def _run_with(launcher: Launcher, values: Values) -> int:
    (chunk,) = read_chunks(values.file, launcher=launcher)
    options = replace(
        read_options(values, launcher, values.arguments, are_lists=False),
        largest_printed=None if values.full else _PRINTED_SIZE,
        backend=values.backend,
        as_json=values.json,
        may_be_empty=False,
        examples=Examples.read(values),
    )
    with traced(options, values) as options:
        return 0 if evaluate_chunk(chunk, options, sys.stdout) else 1


SUBCOMMAND = Subcommand(
    "run",
    "FILE [ARGUMENT...] [flags]",
    "evaluate a program and print its results",
    _add_arguments,
    _run,
    examples=(
        "hlokit run model.mlirbc x.npy y.npy",
        "hlokit run model.mlirbc inputs.npz -o results.npz",
        "hlokit run model.mlirbc --random --stop-on-nan",
    ),
)
