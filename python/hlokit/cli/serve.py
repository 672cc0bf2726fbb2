"""`hlokit serve`: requests of front ends in other languages, a line each (docs/service.md)."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hlokit.cli.flags import CommandLine
from hlokit.errors import ArgumentError


def serve_requests(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status."""
    from hlokit.service.serving import LONGEST_LINE, serve  # slow to import

    if inputs:
        raise ArgumentError(f"serve: requests come on the standard input, got {' '.join(inputs)}")
    longest = line.positive("longest-line") or LONGEST_LINE
    serve(sys.stdin.fileno(), sys.stdout.fileno(), longest_line=longest)
    return 0
