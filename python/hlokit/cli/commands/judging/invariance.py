"""`hlokit invariance`: whether the rows of a batch keep their bytes."""

from __future__ import annotations

import sys

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import Values, natural
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import write_json
from hlokit.cli.streams.programs import arguments_of, load_input


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_flags(FUNCTION, *EXAMPLES)
    parser.add_argument("--against", metavar="SIDE", help="what runs it: hlokit (default), xla, iree, ...")
    parser.add_argument(
        "--axis",
        metavar="N",
        type=natural,
        help="the axis of the rows, in arguments and results (default: 0)",
    )
    parser.add_json()


def _invariance(values: Values) -> int:
    from hlokit.tools.invariance.trials import invariance

    program = load_input(values.file)
    arguments = arguments_of(program, values.function, values.arguments, Examples.read(values))
    report = invariance(
        program,
        *arguments,
        against=values.against or "hlokit",
        axis=values.axis or 0,
        function=values.function,
    )
    if values.json:
        write_json(report.as_dict())
    else:
        sys.stdout.write(f"{report}\n")
    return 0 if report.is_kept else 1


SUBCOMMAND = Subcommand(
    "invariance",
    "FILE [ARGUMENT...] [flags]",
    "tell whether the rows of a batch keep their bytes when other rows change (docs/invariance.md); the exit "
    "status is 1 if they change",
    _add_arguments,
    _invariance,
    failed=2,
)
