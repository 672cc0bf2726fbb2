"""`hlokit upgrade`: text of older StableHLO versions as text of the current version.

The standard error lists the rewrites, and the parser's messages about text that could not be rewritten.
"""

from __future__ import annotations

from dataclasses import asdict

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import OUTPUT_PROGRAM
from hlokit.cli.frame.verbosity import note
from hlokit.cli.streams.diagnostics import Source, diagnostics_of, report
from hlokit.cli.streams.inputs import program_file
from hlokit.cli.streams.outputs import save_program, write_json
from hlokit.compat.upgrade import upgrade
from hlokit.errors import ArgumentError, HlokitError
from hlokit.files import reading as files
from hlokit.files.formats import find_bytecode, without_mark
from hlokit.programs.importers.inputs import framework_of
from hlokit.programs.loading import load_text


def _add_arguments(parser: Parser) -> None:
    parser.add_file()
    parser.add_flags(OUTPUT_PROGRAM)
    parser.add_json()


def _upgrade(values: Values) -> int:
    path, data = files.read(program_file(values.file))
    if framework := framework_of(data):
        raise ArgumentError(
            f"upgrade: '{path}' must be MLIR text, got {framework}: commands convert what they read"
        )
    if find_bytecode(data) is not None:
        raise ArgumentError(
            "upgrade: artifacts need no upgrade; stablehlo-translate --deserialize prints them"
        )
    try:
        text, changes = upgrade(without_mark(data).decode())
    except UnicodeDecodeError as error:
        raise ArgumentError(f"upgrade: '{path}' must be MLIR text: {error}") from None
    for change in () if values.json else changes:
        note(f"{path}:{change.line}:{change.column}: remark: {change.what}")
    source = Source(path, text)
    try:
        load_text(text, path)
    except HlokitError as error:
        report(diagnostics_of(error, source), source)
        return 1
    if values.json:
        upgraded = {"text": text, "changes": [asdict(change) for change in changes]}
        write_json(upgraded)
    if values.o is not None or not values.json:
        save_program(values.o, text)
    return 0


SUBCOMMAND = Subcommand(
    "upgrade",
    "FILE [flags]",
    "rewrite text of older StableHLO versions",
    _add_arguments,
    _upgrade,
    examples=("hlokit upgrade old.mlir -o new.mlir",),
)
