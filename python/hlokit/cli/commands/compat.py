"""`hlokit compat`: the StableHLO versions that can hold a program."""

from __future__ import annotations

import sys

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.frame.shared_flags import ALLOW_OTHER_DIALECTS
from hlokit.cli.streams.inputs import program_file
from hlokit.cli.streams.outputs import write_json
from hlokit.compat.deserialize import to_stablehlo
from hlokit.compat.report import Row, compatibility
from hlokit.compat.requirements import other_dialects
from hlokit.files import reading as files
from hlokit.programs.loading import load_module

# The number of reasons that a row shows.
_SHOWN = 2


def _add_arguments(parser: Parser) -> None:
    parser.add_file()
    parser.add_flags(ALLOW_OTHER_DIALECTS)
    parser.add_json()


def _print_compatibility(values: Values) -> int:
    name, data = files.read(program_file(values.file))
    module = to_stablehlo(load_module(data, name), name)
    rows = compatibility(module, allow_other_dialects=values.allow_other_dialects)
    if values.json:
        write_json({"versions": [_as_json(row) for row in rows]})
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


SUBCOMMAND = Subcommand(
    "compat",
    "FILE [flags]",
    "list the StableHLO versions that can hold a program, and why others cannot",
    _add_arguments,
    _print_compatibility,
)
