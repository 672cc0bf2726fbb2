"""`hlokit invariance`: whether the rows of a batch keep their bytes."""

from __future__ import annotations

import sys

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import Values, natural, positive
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
    parser.add_argument(
        "--form",
        metavar="OTHER",
        action="append",
        help="another form of the program, such as the one for training: has it the same bytes?",
    )
    parser.add_argument(
        "--devices",
        metavar="N,...",
        type=_numbers,
        help="is the program the same if its rows are split over so many devices?",
    )
    parser.add_json()


def _numbers(text: str) -> list[int]:
    return [positive(part) for part in text.split(",")]


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
        forms=values.form or (),
        devices=values.devices or (),
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
