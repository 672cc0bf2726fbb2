"""Programs that a command reads: the modules of an input, each loaded on demand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hlokit.cli.frame.launchers import Launcher
from hlokit.cli.streams.diagnostics import Source
from hlokit.errors import Diagnostic
from hlokit.files import reading as files
from hlokit.files.formats import text_of
from hlokit.mlir.parse import Accepted, parse_text
from hlokit.mlir.provider.context import context_of_text, make_context
from hlokit.mlir.provider.diagnostics import collected, raw_diagnostic
from hlokit.mlir.text.split import split_input
from hlokit.programs.calls.runs import Backend
from hlokit.programs.loading import converted, load_bytes, load_folder, load_module, load_text
from hlokit.programs.program import Program

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


@dataclass(frozen=True, slots=True)
class Chunk:
    """One program of an input, not loaded yet.

    Attributes:
      load: makes the program for a backend.
      data: the whole input.
    """

    source: Source
    load: Callable[[Backend], Program]
    data: bytes


def read_chunks(
    path: str, *, split: bool = False, launcher: Launcher | None = None, allow_unregistered: bool = False
) -> Iterator[Chunk]:
    """The programs in a file, or in the standard input for `-`.

    Args:
      split: the file holds several programs, with `// -----` between them.
      launcher: reads the file once for all processes.
      allow_unregistered: accept operations that no dialect defines.

    Raises:
      ParseError: the file cannot be read.
    """
    if path != files.STANDARD_INPUT and os.path.isdir(path):
        yield Chunk(Source(path), partial(load_folder, path, path), b"")
        return
    name, data = (launcher or Launcher()).read_once(partial(files.read, path))
    data = converted(data, name)
    text = text_of(data)
    if text is None:
        load = partial(load_bytes, data, name, allow_unregistered=allow_unregistered)
        yield Chunk(Source(name), load, data)
        return
    context = context_of_text(text)
    for chunk in split_input(text) if split else (text,):
        load = partial(load_text, chunk, name, context=context, allow_unregistered=allow_unregistered)
        yield Chunk(Source(name, chunk), load, data)


def program_file(path: str) -> str:
    """The path of an input; of a folder of TensorFlow or torch_xla, the path of the file with the program.

    Raises:
      ParseError: the folder has no program.
    """
    if path == files.STANDARD_INPUT or not os.path.isdir(path):
        return path
    from hlokit.programs.importers.inputs import file_of_folder  # few inputs are folders

    return file_of_folder(path)


@dataclass(frozen=True, slots=True)
class ModuleSource:
    """One module of an input, not parsed yet.

    Attributes:
      line: where the module begins in the input.
      parse: returns the module, and warnings about it.
    """

    source: Source
    line: int
    parse: Callable[[], tuple[ir.Module, list[Diagnostic]]]


def read_module_sources(path: str, *, split: bool, allow_unregistered: bool) -> Iterator[ModuleSource]:
    """The modules of a file without conversion, VHLO included; the modules need not be runnable programs.

    Args:
      split: the file holds several modules, with `// -----` between them.
      allow_unregistered: accept operations that no dialect defines.

    Raises:
      ParseError: the file cannot be read.
    """
    name, data = files.read(program_file(path))
    data = converted(data, name)
    text = text_of(data)
    context = make_context()
    if text is None:
        read = partial(load_module, data)
        yield ModuleSource(Source(name), 1, partial(_parsed, read, context, name, allow_unregistered))
        return
    line = 1
    for chunk in split_input(text) if split else (text,):
        read = partial(parse_text, source=chunk)
        yield ModuleSource(
            Source(name, chunk), line, partial(_parsed, read, context, name, allow_unregistered)
        )
        line = chunk.count("\n") + 1


def _parsed(
    read: Callable[..., ir.Module], context: ir.Context, filename: str, allow_unregistered: bool
) -> tuple[ir.Module, list[Diagnostic]]:
    with collected(context) as diagnostics:
        accepted = Accepted(unregistered=allow_unregistered, foreign_attributes=allow_unregistered, vhlo=True)
        module = read(context=context, filename=filename, accepted=accepted)
    return module, [raw_diagnostic(raw, filename) for raw in diagnostics]
