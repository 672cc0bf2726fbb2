"""`hlokit serve`: requests of front ends in other languages, one per line (docs/service.md)."""

from __future__ import annotations

import json
import os
import sys

from hlokit.cli.frame.flags import Values, positive
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.errors import ArgumentError


def _add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--longest-line",
        metavar="N",
        type=positive,
        help="bytes of the longest request that is accepted (default: 67108864)",
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of requests")


def _serve(values: Values) -> int:
    from hlokit.tools.service.serving import LONGEST_LINE, serve  # slow to import

    if values.schema:
        from hlokit.tools.service.protocol import schema

        sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
        return 0
    source, target = sys.stdin.fileno(), sys.stdout.fileno()
    for what, attempt in (
        ("read the standard input", lambda: os.read(source, 0)),
        ("write to the standard output", lambda: os.write(target, b"")),
    ):
        try:
            attempt()
        except OSError as error:  # closed, or a directory
            raise ArgumentError(f"serve: cannot {what}: {(error.strerror or str(error)).lower()}") from None
    serve(source, target, longest_line=values.longest_line or LONGEST_LINE)
    return 0


SUBCOMMAND = Subcommand(
    "serve",
    "[flags] < REQUESTS",
    "answer requests of front ends, one line of JSON each (docs/service.md)",
    _add_arguments,
    _serve,
)
