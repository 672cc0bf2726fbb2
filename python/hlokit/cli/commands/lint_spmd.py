"""`hlokit lint-spmd`: collectives that deadlock or do not match."""

from __future__ import annotations

import json
import sys
from typing import Any

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.diagnostics import Source, position_of, render
from hlokit.cli.streams.programs import load_input
from hlokit.errors import ArgumentError, HlokitError, ParseError, VerificationError


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a program; - is the standard input")
    parser.add_json()


def _lint(values: Values) -> int:
    from hlokit.tools.shard.lint import lint_spmd

    records: list[dict[str, Any]] = []
    status = 0
    for path in values.files:
        try:
            findings = lint_spmd(load_input(path))
        except (ParseError, VerificationError):  # these messages name the file
            raise
        except HlokitError as error:
            raise ArgumentError(f"lint-spmd: {path}: {error}") from None
        status = 1 if any(finding.severity == "error" for finding in findings) else status
        source = Source(path)
        for finding in findings:
            if values.json:
                record = {
                    "file": path,
                    "rule": finding.rule,
                    "severity": finding.severity,
                    "message": finding.message,
                    "location": finding.location,
                    "function": finding.function,
                }
                records.append(record)
            else:
                diagnostic = position_of(finding.location, finding.severity, str(finding), source)
                sys.stdout.write(render([diagnostic], source))
    if values.json:
        sys.stdout.write(json.dumps(records, indent=2) + "\n")
    return status


SUBCOMMAND = Subcommand(
    "lint-spmd",
    "FILE... [flags]",
    "find collectives that deadlock or do not match; the exit status is 1 if there is an error",
    _add_arguments,
    _lint,
)
