"""`hlokit make-test`: a self-checking program from a run."""

from __future__ import annotations

import sys

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import OUTPUT_PROGRAM
from hlokit.cli.frame.verbosity import note
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import save_program, write_json
from hlokit.cli.streams.programs import subject_of


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_flags(OUTPUT_PROGRAM, FUNCTION, *EXAMPLES)
    parser.add_argument(
        "--per-operation", action="store_true", help="make a program for each distinct operation"
    )
    parser.add_json()


def _make_test(values: Values) -> int:
    from hlokit.tools.excerpts.self_checking import make_test

    program, function, arguments = subject_of(
        values.file, values.function, values.arguments, Examples.read(values)
    )
    test = make_test(program, *arguments, per_operation=values.per_operation, function=function)
    if values.o is not None:
        save_program(values.o, test.text)
    if values.json:
        write_json({"text": test.text, "left_out": test.left_out})
        return 0
    if values.o is None:
        sys.stdout.write(test.text)
    for why, count in test.left_out.items():
        note(f"left out {count} x {why}")
    return 0


SUBCOMMAND = Subcommand(
    "make-test",
    "FILE [ARGUMENT...] -o FILE [flags]",
    "make a self-checking program from a run (docs/reduce.md)",
    _add_arguments,
    _make_test,
    examples=("hlokit make-test model.mlirbc x.npy -o test.mlir",),
)
