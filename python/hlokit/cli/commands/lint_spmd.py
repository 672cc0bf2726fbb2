"""`hlokit lint-spmd`: collectives that deadlock or do not match."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.annotations import FORMATS, Checked
from hlokit.cli.streams.diagnostics import Source, position_of, render
from hlokit.cli.streams.outputs import write_json
from hlokit.cli.streams.programs import load_input
from hlokit.errors import ArgumentError, Diagnostic, HlokitError, ParseError, VerificationError

if TYPE_CHECKING:
    from hlokit.programs.program import Program
    from hlokit.tools.shard.lint import Problem


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a program; - is the standard input")
    parser.add_report_formats(FORMATS)


def _lint(values: Values) -> int:
    from hlokit.tools.shard.lint import lint_spmd

    linted = [(path, _findings(path, lint_spmd)) for path in values.files]
    if values.format in FORMATS and not values.json:
        checked = [
            Checked(path, _diagnostics(path, problems), [problem.rule for problem in problems])
            for path, problems in linted
        ]
        sys.stdout.write(FORMATS[values.format](checked))
    elif values.json or values.format == "json":
        write_json({"findings": [_record(path, item) for path, problems in linted for item in problems]})
    else:
        for path, problems in linted:
            sys.stdout.write(render(_diagnostics(path, problems), Source(path)))
    return 1 if any(item.severity == "error" for _, problems in linted for item in problems) else 0


def _findings(path: str, lint: Callable[[Program], list[Problem]]) -> list[Problem]:
    try:
        return list(lint(load_input(path)))
    except (ParseError, VerificationError):  # these messages name the file
        raise
    except HlokitError as error:
        raise ArgumentError(f"lint-spmd: {path}: {error}") from None


def _diagnostics(path: str, problems: Sequence[Problem]) -> list[Diagnostic]:
    source = Source(path)
    return [position_of(item.location, item.severity, str(item), source) for item in problems]


def _record(path: str, problem: Problem) -> dict[str, Any]:
    fields = ("rule", "severity", "message", "location", "function")
    return {"file": path, **{field: getattr(problem, field) for field in fields}}


SUBCOMMAND = Subcommand(
    "lint-spmd",
    "FILE... [flags]",
    "find collectives that deadlock or do not match; the exit status is 1 if there is an error",
    _add_arguments,
    _lint,
)
