"""`hlokit verify`: all errors of programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import STRICT
from hlokit.cli.streams.annotations import FORMATS, Checked
from hlokit.cli.streams.diagnostics import Source, render
from hlokit.cli.streams.inputs import program_file
from hlokit.cli.streams.outputs import write_json
from hlokit.errors import Diagnostic, ParseError
from hlokit.files import reading as files


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a program; - is the standard input")
    parser.add_flags(STRICT)
    parser.add_report_formats(FORMATS)


def _verify_files(values: Values) -> int:
    from hlokit.tools.service.protocol import diagnostics_as_json  # slow to import

    verified = [(path, *_verify(path, values.strict)) for path in values.files]
    if values.format in FORMATS and not values.json:
        checked = [Checked(path, diagnostics) for path, _, diagnostics in verified]
        sys.stdout.write(FORMATS[values.format](checked))
    elif values.json or values.format == "json":
        records = [
            {
                "file": path,
                "valid": not _has_error(diagnostics),
                "diagnostics": diagnostics_as_json(diagnostics),
            }
            for path, _, diagnostics in verified
        ]
        write_json({"files": records})
    else:
        for _, source, diagnostics in verified:
            sys.stdout.write(render(diagnostics, source))
    return 1 if any(_has_error(diagnostics) for _, _, diagnostics in verified) else 0


def _verify(path: str, strict: bool) -> tuple[Source, list[Diagnostic]]:
    from hlokit.tools.service.verification import verify  # slow to import

    try:
        name, data = files.read(program_file(path))
    except ParseError as error:
        return Source(path), list(error.diagnostics)
    source = Source(name, data.decode(errors="replace"))
    return source, verify(data, filename=name, strict=strict)


def _has_error(diagnostics: Sequence[Diagnostic]) -> bool:
    return any(diagnostic.severity == "error" for diagnostic in diagnostics)


SUBCOMMAND = Subcommand(
    "verify",
    "FILE... [flags]",
    "list all errors of programs; the exit status is 1 if there is an error",
    _add_arguments,
    _verify_files,
    examples=(
        "hlokit verify *.mlir",
        "hlokit verify model.mlir --format=github",
    ),
)
