"""`hlokit serve`: requests of front ends in other languages, one per line (docs/service.md)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

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
    longest = line.positive("longest-line") or LONGEST_LINE
    source, target = sys.stdin.fileno(), sys.stdout.fileno()
    for what, attempt in (
        ("read the standard input", lambda: os.read(source, 0)),
        ("write to the standard output", lambda: os.write(target, b"")),
    ):
        try:
            attempt()
        except OSError as error:  # closed, or a directory
            raise ArgumentError(f"serve: cannot {what}: {(error.strerror or str(error)).lower()}") from None
    serve(source, target, longest_line=longest)
    return 0
