"""`hlokit compat` lists the versions that can hold a program; `hlokit upgrade` rewrites older text."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from hlokit import files
from hlokit.cli.frame.flags import CommandLine
from hlokit.cli.frame.shared_flags import ALLOW_OTHER_DIALECTS, OUTPUT_FILE
from hlokit.cli.streams.diagnostics import Source, diagnostics_of, report
from hlokit.cli.streams.inputs import only_file, program_file
from hlokit.cli.streams.outputs import open_output
from hlokit.compat.deserialize import to_stablehlo
from hlokit.compat.report import Row, compatibility
from hlokit.compat.requirements import other_dialects
from hlokit.compat.upgrade import upgrade
from hlokit.errors import ArgumentError, HlokitError
from hlokit.formats import find_bytecode
from hlokit.importers.inputs import framework_of
from hlokit.loading import load_module, load_text

# The number of reasons that a row shows.
_SHOWN = 2


def print_compatibility(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status."""
    name, data = files.read(program_file(only_file("compat", inputs)))
    module = to_stablehlo(load_module(data, name), name)
    rows = compatibility(module, allow_other_dialects=ALLOW_OTHER_DIALECTS.name in line.switches)
    if "json" in line.switches:
        sys.stdout.write(json.dumps([_as_json(row) for row in rows], indent=2) + "\n")
        return 0
    sys.stdout.write("version  bytecode  holds it\n")
    others = other_dialects(item for row in rows for item in row.missing)
    for row in rows:
        sys.stdout.write(f"{row.version!s:7}  {row.bytecode_version:8}  {_verdict(row)}\n")
    if others:
        sys.stdout.write(
            f"with --allow-other-dialects, operations and attributes of {', '.join(others)} pass\n"
        )
    return 0


def _verdict(row: Row) -> str:
    if not row.missing:
        return "yes"
    # One reason may occur at many positions.
    reasons = list(dict.fromkeys(str(item) for item in row.missing))
    more = f"; {len(reasons) - _SHOWN} more" if len(reasons) > _SHOWN else ""
    return f"no: {'; '.join(reasons[:_SHOWN])}{more}"


def _as_json(row: Row) -> dict[str, object]:
    return {
        "version": str(row.version),
        "bytecode_version": row.bytecode_version,
        "serializes": not row.missing,
        "missing": [
            {
                "kind": item.kind,
                "name": item.name,
                "operation": item.operation,
                "since": None if item.since is None else str(item.since),
                "location": item.location,
            }
            for item in row.missing
        ],
    }


def upgrade_input(inputs: Sequence[str], line: CommandLine) -> int:
    """Print text of an older version as text of the current version; the exit status.

    The standard error lists the rewrites, and the parser's messages about text that could not be rewritten.
    """
    path, data = files.read(program_file(only_file("upgrade", inputs)))
    if framework := framework_of(data):
        raise ArgumentError(
            f"upgrade: '{path}' must be MLIR text, got {framework}: commands convert what they read"
        )
    if find_bytecode(data) is not None:
        raise ArgumentError(
            "upgrade: artifacts need no upgrade; stablehlo-translate --deserialize prints them"
        )
    try:
        text, changes = upgrade(data.decode())
    except UnicodeDecodeError as error:
        raise ArgumentError(f"upgrade: '{path}' must be MLIR text: {error}") from None
    is_json = "json" in line.switches
    for change in () if is_json else changes:
        sys.stderr.write(f"{path}:{change.line}:{change.column}: remark: {change.what}\n")
    source = Source(path, text)
    try:
        load_text(text, path)
    except HlokitError as error:
        report(diagnostics_of(error, source), source)
        return 1
    output = line.value(OUTPUT_FILE.name)
    if is_json:
        found = {"text": text, "changes": [asdict(change) for change in changes]}
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    if output is not None or not is_json:
        with open_output(output) as stream:
            stream.write(text)
    return 0
