"""`hlokit info`: what a file is, who wrote it, who can read it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from hlokit.cli.flags import CommandLine
from hlokit.cli.programs import as_bytecode, only_file, read_module, read_stdin
from hlokit.compat.info import Info, inspect_bytes, inspect_file
from hlokit.compat.requirements import lowest_version, requirements
from hlokit.errors import HlokitError
from hlokit.mlir.portable import Version

# Larger files are not parsed, only to find the lowest version that could hold them.
_LARGEST_PARSED = 1 << 24
# Longer lists are cut off in the text.
_SHOWN = 12


def print_info(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status."""
    path = only_file("info", list(inputs))
    data = read_stdin() if path == "-" else None
    info = inspect_file(path) if data is None else inspect_bytes(data, path)
    if info is None:
        module = read_module(path, data)
        size = len(data) if data is not None else os.path.getsize(path)
        info = inspect_bytes(as_bytecode(module), path)
        assert info is not None
        info = replace(info, kind="MLIR text", size=size, producer="", bytecode_version=-1)
    lowest, why_not = _lowest(info, path, data)
    if "json" in line.switches:
        sys.stdout.write(json.dumps(_as_json(info, lowest, why_not), indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{text}\n" for text in _lines(info, lowest, why_not)))
    return 0


def _lowest(info: Info, path: str, data: bytes | None) -> tuple[Version | None, str]:
    """The oldest version that could hold the program, or why that is unknown."""
    if info.size > _LARGEST_PARSED:
        return None, "not determined for a file of this size; hlokit compat tells"
    try:
        lowest = lowest_version(requirements(read_module(path, data)))
    except HlokitError as error:
        return None, f"not determined: {str(error).splitlines()[-1]}"
    return lowest, "" if lowest is not None else "none: it uses what no portable artifact can hold"


def _as_json(info: Info, lowest: Version | None, why_not: str) -> dict[str, Any]:
    record: dict[str, Any] = asdict(info)
    for key in ("version", "as_written"):
        value: Version | None = getattr(info, key)
        record[key] = None if value is None else str(value)
    if info.bytecode_version < 0:
        record["bytecode_version"] = None
    record["lowest_version"] = None if lowest is None else str(lowest)
    record["lowest_version_unknown"] = why_not
    record["readers"] = info.readers
    return record


def _lines(info: Info, lowest: Version | None, why_not: str) -> Iterator[str]:
    yield f"kind               {info.kind}, {info.size:,} bytes"
    if info.producer:
        yield f"producer           {info.producer}, bytecode version {info.bytecode_version}"
    if info.version is not None:
        yield f"StableHLO version  {info.version}"
        yield f"readable by        {info.readers}"
    if info.as_written is not None:
        yield f"newest name in it  from {info.as_written}"
    yield f"could be held by   {why_not if lowest is None else f'StableHLO {lowest} and later'}"
    if info.unread:
        yield f"not read further   {info.unread}"
        return
    dialects = (f"{name} {version}".strip() for name, version in info.dialects.items())
    yield f"dialects           {', '.join(dialects)}"
    yield f"operations         {sum(info.operations.values()):,}"
    yield from _cut([f"  {count:>8,}  {name}" for name, count in info.operations.items()])
    yield f"functions          {len(info.functions):,}"
    yield from _cut([f"  {item.visibility} @{item.name}{item.type_}" for item in info.functions])
    yield f"constants          {len(info.constants):,}, {sum(item.size for item in info.constants):,} bytes"
    largest = sorted(info.constants, key=lambda item: -item.size)
    yield from _cut([f"  {item.size:>14,}  {item.type_}" for item in largest])
    yield f"resources          {len(info.resources):,}, {sum(item.size for item in info.resources):,} bytes"
    yield from _cut([f"  {item.size:>14,}  {item.key} ({item.kind})" for item in info.resources])


def _cut(lines: list[str]) -> Iterator[str]:
    yield from lines[:_SHOWN]
    if len(lines) > _SHOWN:
        yield f"  ... {len(lines) - _SHOWN:,} more"
