"""`hlokit record`: evaluate a program and store the results of each operation."""

from __future__ import annotations

import sys
from dataclasses import replace

from hlokit.cli.evaluating.evaluation_options import FUNCTION
from hlokit.cli.frame.flags import UsageError, Values, natural
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import OUTPUT_FILE
from hlokit.cli.streams.example_arguments import FLAGS as EXAMPLES
from hlokit.cli.streams.example_arguments import Examples
from hlokit.cli.streams.outputs import write_json
from hlokit.cli.streams.programs import arguments_of, load_input


def _add_arguments(parser: Parser) -> None:
    parser.add_program()
    parser.add_flags(
        replace(OUTPUT_FILE, help="the directory of the recording", value="RUN"), FUNCTION, *EXAMPLES
    )
    parser.add_argument(
        "--match",
        metavar="REGEX",
        help="store only operations whose name, function or source line matches",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=natural,
        help="bytes of values to store; later values are stored as summaries",
    )
    parser.add_argument("--summaries", action="store_true", help="store ranges and means instead of values")
    parser.add_json()


def _record(values: Values) -> int:
    from hlokit.tools.recording.recorder import record

    if values.o is None:
        raise UsageError("record: -o RUN must be given: the directory of the recording")
    program = load_input(values.file)
    recording = record(
        program,
        *arguments_of(program, values.function, values.arguments, Examples.read(values)),
        to=values.o,
        function=values.function,
        match=values.match,
        limit=values.limit,
        summaries=values.summaries,
    )
    if values.json:
        described = {
            "directory": values.o,
            "function": recording.function,
            "values": len(recording),
            "summaries": recording.summaries,
        }
        write_json(described, None)
        return 0
    summaries = f", {recording.summaries} of them as summaries" if recording.summaries else ""
    sys.stdout.write(f"{len(recording)} values of @{recording.function} recorded to {values.o}{summaries}\n")
    return 0


SUBCOMMAND = Subcommand(
    "record",
    "FILE [ARGUMENT...] -o RUN [flags]",
    "evaluate a program and store the results of each operation",
    _add_arguments,
    _record,
    examples=("hlokit record model.mlirbc x.npy -o run",),
)
