"""`hlokit lint-spmd`: collectives that deadlock or do not match."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.annotations import FORMATS, Checked
from hlokit.cli.streams.diagnostics import Source, position_of, render
from hlokit.cli.streams.outputs import write_json
from hlokit.cli.streams.programs import load_input
from hlokit.errors import ArgumentError, Diagnostic, HlokitError, ParseError, VerificationError

if TYPE_CHECKING:
    from hlokit.tools.shard.lint import Problem


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a program; - is the standard input")
    parser.add_report_formats(FORMATS)


def _lint(values: Values) -> int:
    linted = [_linted(path) for path in values.files]
    if values.format in FORMATS and not values.json:
        sys.stdout.write(FORMATS[values.format]([checked for checked, _ in linted]))
    elif values.json or values.format == "json":
        write_json({"findings": [record for _, records in linted for record in records]})
    else:
        for checked, _ in linted:
            sys.stdout.write(render(checked.diagnostics, Source(checked.file)))
    severities = {diagnostic.severity for checked, _ in linted for diagnostic in checked.diagnostics}
    return 1 if "error" in severities else 0


def _linted(path: str) -> tuple[Checked, list[dict[str, Any]]]:
    """What there is to say about a file, also that it cannot be read, and the records of it."""
    from hlokit.tools.shard.lint import lint_spmd

    try:
        problems = list(lint_spmd(load_input(path)))
    except (ParseError, VerificationError) as error:
        return Checked(path, error.diagnostics), [_record_of_error(path, item) for item in error.diagnostics]
    except HlokitError as error:
        raise ArgumentError(f"lint-spmd: {path}: {error}") from None
    source = Source(path)
    diagnostics = [position_of(item.location, item.severity, str(item), source) for item in problems]
    checked = Checked(path, diagnostics, [problem.rule for problem in problems])
    return checked, [_record(path, problem) for problem in problems]


def _record(path: str, problem: Problem) -> dict[str, Any]:
    fields = ("rule", "severity", "message", "location", "function")
    return {"file": path, **{field: getattr(problem, field) for field in fields}}


def _record_of_error(path: str, error: Diagnostic) -> dict[str, Any]:
    what = {"severity": error.severity, "message": error.message, "location": error.place}
    return {"file": path, "rule": "", **what, "function": ""}


SUBCOMMAND = Subcommand(
    "lint-spmd",
    "FILE... [flags]",
    "find collectives that deadlock or do not match; the exit status is 1 if there is an error",
    _add_arguments,
    _lint,
)
