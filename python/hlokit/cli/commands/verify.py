"""`hlokit verify`: all errors of programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from hlokit import files
from hlokit.cli.frame.flags import CommandLine
from hlokit.cli.frame.shared_flags import STRICT
from hlokit.cli.streams.diagnostics import Source, render
from hlokit.cli.streams.inputs import program_file
from hlokit.errors import Diagnostic, ParseError


def verify_files(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status: 1 if there is an error in any file."""
    from hlokit.service.protocol import diagnostics_as_json  # slow to import

    found = [(path, *_verify(path, STRICT.name in line.switches)) for path in inputs]
    if "json" in line.switches:
        records = [
            {
                "file": path,
                "valid": not _has_error(diagnostics),
                "diagnostics": diagnostics_as_json(diagnostics),
            }
            for path, _, diagnostics in found
        ]
        sys.stdout.write(json.dumps(records, indent=2) + "\n")
    else:
        for _, source, diagnostics in found:
            sys.stdout.write(render(diagnostics, source))
    return 1 if any(_has_error(diagnostics) for _, _, diagnostics in found) else 0


def _verify(path: str, strict: bool) -> tuple[Source, list[Diagnostic]]:
    from hlokit.service.verification import verify  # slow to import

    try:
        name, data = files.read(program_file(path))
    except ParseError as error:
        return Source(path), list(error.diagnostics)
    source = Source(name, data.decode(errors="replace"))
    return source, verify(data, filename=name, strict=strict)


def _has_error(diagnostics: Sequence[Diagnostic]) -> bool:
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)
