"""`hlokit judge`: whether a kernel or function is right, by its definition."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import TIME_LIMIT
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import write_json
from hlokit.cli.streams.programs import arguments_of, load_input

_TIME_LIMIT = replace(TIME_LIMIT, help="seconds that the definition or a call may take (default: 60)")


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "file", metavar="REFERENCE", help="the definition: a program; - is the standard input"
    )
    parser.add_argument(
        "candidate",
        metavar="CANDIDATE",
        help="what is judged: a Python function MODULE:FUNCTION, another program, or a side that runs the "
        "definition: xla, pjrt:LIBRARY, 'cmd:PROGRAM --serve', ... (docs/judge.md)",
    )
    parser.add_argument(
        "arguments", metavar="ARGUMENT", nargs="*", help="typical arguments, as of hlokit run"
    )
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="FORMAT",
        help="products may be computed in this format: tf32, bf16, f16, f32; repeatable",
    )
    parser.add_flags(FUNCTION, *EXAMPLES, _TIME_LIMIT)
    parser.add_json()


def _judge(values: Values) -> int:
    from hlokit.tools.judge.run import TIME_LIMIT as LIMIT
    from hlokit.tools.judge.run import judge

    program = load_input(values.file)
    missing = Examples.read(values)
    arguments: list[Any] = []
    if values.arguments or missing.filling is not None:
        arguments = arguments_of(program, values.function, values.arguments, missing)
    judgement = judge(
        program,
        values.candidate,
        *arguments,
        function=values.function,
        allow=values.allow,
        time_limit=values.time_limit or LIMIT,
    )
    judgement = replace(judgement, reference=values.file)
    if values.json:
        write_json(judgement.as_dict())
    else:
        sys.stdout.write(f"{judgement}\n")
    return judgement.status


SUBCOMMAND = Subcommand(
    "judge",
    "REFERENCE CANDIDATE [ARGUMENT...] [flags]",
    "judge a kernel or function by its definition, on inputs that hurt and by proven bounds (docs/judge.md); "
    "the exit status is 1 if it is wrong or suspicious, 2 if nothing could be compared",
    _add_arguments,
    _judge,
    failed=2,
)
