"""`hlokit info`: what a file is, who wrote it, who can read it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from hlokit import files
from hlokit.cli.frame.flags import CommandLine
from hlokit.cli.streams.inputs import only_file
from hlokit.compat.deserialize import to_stablehlo
from hlokit.compat.info import Info, inspect_bytes, inspect_file
from hlokit.compat.requirements import lowest_version, requirements
from hlokit.errors import HlokitError
from hlokit.loading import converted, load_module
from hlokit.mlir.portable import Version
from hlokit.mlir.printing import write_bytecode

if TYPE_CHECKING:
    from hlokit.mlir.bindings import ir

# Larger files are not parsed, only to find the lowest version that could hold them.
_LARGEST_PARSED = 1 << 24
# Longer lists are cut off in the text.
_SHOWN = 12


def print_info(inputs: Sequence[str], line: CommandLine) -> int:
    """Run the command; its exit status."""
    info, read = _inspect(only_file("info", inputs))
    lowest, why_not = _lowest(info, read)
    if "json" in line.switches:
        sys.stdout.write(json.dumps(_as_json(info, lowest, why_not), indent=2) + "\n")
    else:
        sys.stdout.write("".join(f"{text}\n" for text in _lines(info, lowest, why_not)))
    return 0


def _inspect(path: str) -> tuple[Info, Callable[[], ir.Module]]:
    """What an input is, and how to read the program in it."""
    if path != files.STANDARD_INPUT:
        # To look at a file of bytecode does not take reading it, however large the file is.
        info = inspect_file(path)
        if info is not None:
            return info, lambda: load_module(files.read_file(path), path)
    name, data = files.read(path)
    data = converted(data, name)
    info = inspect_bytes(data, name)
    if info is not None:
        return info, lambda: load_module(data, name)
    module = to_stablehlo(load_module(data, name), name)
    info = inspect_bytes(write_bytecode(module), name)
    assert info is not None, "a module is written as bytecode"
    return replace(info, kind="MLIR text", size=len(data), producer="", bytecode_version=-1), lambda: module


def _lowest(info: Info, read: Callable[[], ir.Module]) -> tuple[Version | None, str]:
    """The oldest version that could hold the program, or why that is unknown."""
    if info.size > _LARGEST_PARSED:
        return None, "not determined for a file of this size; hlokit compat tells"
    try:
        lowest = lowest_version(requirements(read()))
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
