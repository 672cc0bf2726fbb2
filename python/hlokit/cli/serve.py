"""`hlokit serve`: requests of front ends in other languages, one per line (docs/service.md)."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TextIO

from hlokit.cli.frame.flags import CommandLine
from hlokit.errors import ArgumentError


def serve_requests(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status."""
    from hlokit.service.serving import LONGEST_LINE, serve  # slow to import

    if "schema" in line.switches:
        from hlokit.service.protocol import schema

        sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
        return 0
    if inputs:
        raise ArgumentError(f"serve: requests come on the standard input, got {' '.join(inputs)}")
    # Python has no streams for descriptors that were closed before it started.
    streams: tuple[TextIO | None, TextIO | None] = (sys.stdin, sys.stdout)
    source, target = streams
    if source is None or target is None:
        raise ArgumentError("serve: the standard input and the standard output must be open")
    longest = line.positive("longest-line") or LONGEST_LINE
    serve(source.fileno(), target.fileno(), longest_line=longest)
    return 0
