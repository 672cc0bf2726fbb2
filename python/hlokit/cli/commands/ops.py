"""`hlokit ops`: the operations of a program that hlokit cannot evaluate."""

from __future__ import annotations

import sys
from dataclasses import asdict

from hlokit.cli.evaluating.evaluation_options import KERNELS, run_kernels
from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.diagnostics import Source, position_of, render
from hlokit.cli.streams.inputs import read_chunks
from hlokit.cli.streams.outputs import write_json


def _add_arguments(parser: Parser) -> None:
    parser.add_file()
    parser.add_flags(KERNELS)
    parser.add_json()


def _list_unsupported(values: Values) -> int:
    run_kernels(values)
    (chunk,) = read_chunks(values.file)
    operations = chunk.load("numpy").unsupported()
    source = Source(chunk.source.name)
    if values.json:
        write_json({"operations": [asdict(operation) for operation in operations]})
        return 1 if operations else 0
    for operation in operations:
        message = f"{operation.reason} (in @{operation.function})"
        sys.stdout.write(render([position_of(operation.location, "warning", message, source)], source))
    if not operations:
        sys.stdout.write("every operation can be evaluated\n")
    return 1 if operations else 0


SUBCOMMAND = Subcommand(
    "ops",
    "FILE [flags]",
    "list the operations that hlokit cannot evaluate; the exit status is 1 if there are any",
    _add_arguments,
    _list_unsupported,
)
