"""`hlokit info`: the kind of a file, its producer and its possible readers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from hlokit.cli.frame.flags import Values
from hlokit.cli.frame.parser import Parser, Subcommand
from hlokit.cli.streams.inputs import program_file
from hlokit.cli.streams.outputs import write_json
from hlokit.compat.deserialize import to_stablehlo
from hlokit.compat.info import Info, inspect_bytes, inspect_file
from hlokit.compat.requirements import lowest_version, other_dialects, requirements
from hlokit.errors import HlokitError, ParseError
from hlokit.files import reading as files
from hlokit.mlir.platforms import takes_platform
from hlokit.mlir.portable import Version
from hlokit.mlir.printing import write_bytecode
from hlokit.mlir.queries.module import functions
from hlokit.programs.loading import converted, load_module

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir

# The command does not parse larger files to find the lowest version that could hold them.
_LARGEST_PARSED = 1 << 24
# The text shows this many items of a list.
_SHOWN = 12


def _add_arguments(parser: Parser) -> None:
    parser.add_file()
    parser.add_argument("--functions", action="store_true", help="print the names of the functions only")
    parser.add_argument(
        "--memory", action="store_true", help="run main on example inputs, and print the memory it takes"
    )
    parser.add_json()


def _print_info(values: Values) -> int:
    source = _inspect(program_file(values.file))
    if values.memory:
        return _print_memory(values)
    if values.functions:
        names = list(functions(to_stablehlo(source.module(), values.file)))
        if values.json:
            write_json({"functions": names})
        else:
            sys.stdout.write("".join(f"{name}\n" for name in names))
        return 0
    held = _holder(source.info, source.module)
    platforms = _platforms(source) if held.takes_platform else None
    if values.json:
        write_json(_as_json(source.info, held, platforms))
    else:
        sys.stdout.write("".join(f"{text}\n" for text in _lines(source.info, held, platforms)))
    return 0


def _print_memory(values: Values) -> int:
    from hlokit.programs.examples.inputs import Wish, examples  # runs a program, as no other description does
    from hlokit.programs.loading import load
    from hlokit.tools.tracing.scratch import memory_of_run

    program = load(program_file(values.file))
    signature = program.signature()
    inputs = examples(program.module, signature, Wish())
    memory = memory_of_run(
        lambda observer: program.runs.timed(signature.name, observer, lambda plan: plan)(inputs), inputs
    )
    if values.json:
        write_json({"memory": {**asdict(memory), "peak": memory.peak}})
    else:
        sys.stdout.write(f"{memory}\n")
    return 0


class _Input(NamedTuple):
    """The description of an input, and functions that read the input and its program."""

    info: Info
    module: Callable[[], ir.Module]
    data: Callable[[], bytes]


def _inspect(path: str) -> _Input:
    if path != files.STANDARD_INPUT:
        # The description of a bytecode file reads only its tables, for files of any size.
        info = inspect_file(path)
        if info is not None:
            return _Input(
                info, lambda: load_module(files.read_file(path), path), lambda: files.read_file(path)
            )
    name, original = files.read(path)
    data = converted(original, name)
    info = inspect_bytes(data, name)
    if info is not None:
        return _Input(_as_found(info, original), lambda: load_module(data, name), lambda: data)
    module = to_stablehlo(load_module(data, name), name)
    info = inspect_bytes(write_bytecode(module), name)
    assert info is not None, "a module is written as bytecode"
    info = replace(info, kind="MLIR text", size=len(data), producer="", bytecode_version=-1)
    return _Input(info, lambda: module, lambda: data)


def _platforms(source: _Input) -> tuple[str, ...]:
    """The platforms of a program for several platforms; empty if the input does not name the platforms, or if
    JAX, which reads the names, is not installed."""
    from hlokit.files.formats import is_export_blob
    from hlokit.programs.jax_interop import platforms  # few programs are for several platforms

    data = source.data()
    if not is_export_blob(data):
        return ()
    try:
        return platforms(data)
    except ParseError:
        return ()


def _as_found(info: Info, original: bytes) -> Info:
    """The description of an input that hlokit has converted, from that of the converted program."""
    from hlokit.programs.importers.inputs import (  # few inputs come from other frameworks
        Framework,
        framework_of,
    )

    framework = framework_of(original)
    info = replace(info, kind=info.kind if framework is None else str(framework), size=len(original))
    if framework in (Framework.HLO_TEXT, Framework.HLO_PROTO):  # hlokit itself has written the bytecode
        return replace(info, producer="", bytecode_version=-1)
    return info


class _Holder(NamedTuple):
    """The oldest version that can represent a program.

    Attributes:
      why_not: the reason why there is no such version, or why the version is unknown.
      others: dialects that this version must accept.
      takes_platform: the first parameter of `main` is the number of the platform.
    """

    lowest: Version | None
    why_not: str = ""
    others: tuple[str, ...] = ()
    takes_platform: bool = False

    def __str__(self) -> str:
        if self.lowest is None:
            return self.why_not
        beside = f", with --allow-other-dialects ({', '.join(self.others)})" * bool(self.others)
        return f"StableHLO {self.lowest} and later{beside}"


def _holder(info: Info, read: Callable[[], ir.Module]) -> _Holder:
    if info.size > _LARGEST_PARSED:
        return _Holder(None, "not determined for a file of this size; see hlokit compat")
    chooses = False
    try:
        module = read()
        entry = functions(module).get("main")
        chooses = entry is not None and takes_platform(entry)
        needed = requirements(module)
        others = other_dialects(needed)
        if others:
            needed = requirements(module, allow_other_dialects=True)
    except HlokitError as error:
        return _Holder(None, f"not determined: {str(error).splitlines()[-1]}", takes_platform=chooses)
    lowest = lowest_version(needed)
    if lowest is None:
        reason = "none: it uses features that no portable artifact can hold"
        return _Holder(None, reason, takes_platform=chooses)
    return _Holder(lowest, "", others, chooses)


def _as_json(info: Info, held: _Holder, platforms: tuple[str, ...] | None) -> dict[str, Any]:
    record: dict[str, Any] = asdict(info)
    del record["version"]  # of hlokit's output
    record["stablehlo_version"] = None if info.version is None else str(info.version)
    record["as_written"] = None if info.as_written is None else str(info.as_written)
    if info.bytecode_version < 0:
        record["bytecode_version"] = None
    record["lowest_version"] = None if held.lowest is None else str(held.lowest)
    record["lowest_version_unknown"] = held.why_not
    record["other_dialects"] = list(held.others)
    record["readers"] = info.readers
    record["takes_platform"] = held.takes_platform
    record["platforms"] = list(platforms or ())
    return record


def _lines(info: Info, held: _Holder, platforms: tuple[str, ...] | None) -> Iterator[str]:
    yield f"kind               {info.kind}, {info.size:,} bytes"
    if info.producer:
        yield f"producer           {info.producer}, bytecode version {info.bytecode_version}"
    if info.version is not None:
        yield f"StableHLO version  {info.version}"
        yield f"readable by        {info.readers}"
    if info.as_written is not None:
        yield f"newest name in it  from {info.as_written}"
    yield f"could be held by   {held}"
    if platforms is not None:
        chosen = "cpu" if "cpu" in platforms else "".join(platforms[:1])
        binding = (
            f"which hlokit.load binds to {chosen}"
            if platforms
            else "in an order that the file does not state"
        )
        names = ", ".join(platforms) or "several"
        yield f"platforms          {names}, by number: the first parameter of @main, {binding}"
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


SUBCOMMAND = Subcommand(
    "info",
    "FILE [flags]",
    "describe a file: producer, versions, operations, functions, sizes, readers",
    _add_arguments,
    _print_info,
)
