"""`hlokit replay`: runs a recorded run again, and compares the bytes of its results."""

from __future__ import annotations

import sys
from typing import Any

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.outputs import write_json
from hlokit.errors import ArgumentError


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="RUN", help="the directory of a recorded run")
    parser.add_json()


def _replay(values: Values) -> int:
    from hlokit.tools.recording.recording import Recording

    recording = Recording(values.file)
    expected = recording.results
    if recording.status != "finished":
        raise ArgumentError(f"'{values.file}' has no results: its run did not end")
    returned = recording.replay()
    results: tuple[Any, ...] = (returned,) if len(expected) == 1 else returned
    differing = [
        number
        for number, (result, other) in enumerate(zip(results, expected, strict=True))
        if result.tobytes() != other.tobytes()
    ]
    if values.json:
        write_json({"results": len(expected), "differing": differing})
    elif differing:
        sys.stdout.write(f"other bytes in results {', '.join(map(str, differing))} of {len(expected)}\n")
    else:
        sys.stdout.write(f"the same bytes in {len(expected)} results\n")
    return 1 if differing else 0


SUBCOMMAND = Subcommand(
    "replay",
    "RUN [flags]",
    "run a recorded run again, and compare the bytes of its results (docs/jax.md)",
    _add_arguments,
    _replay,
)
