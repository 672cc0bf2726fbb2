"""Compilers that hlokit starts, and the snapshots of their stages."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from hlokit.children.commands import run_command
from hlokit.display.suggestions import did_you_mean
from hlokit.errors import ArgumentError, HlokitError
from hlokit.files.reading import read_file
from hlokit.mlir.parse import parse_bytecode
from hlokit.mlir.printing import write_bytecode
from hlokit.passes.pipeline import name_of, run_pipeline, single_passes
from hlokit.programs.program import Program
from hlokit.tools.backends.children import ChildSide, death, failed, last_words
from hlokit.tools.backends.commands import filled_in, words_of
from hlokit.tools.backends.side import Array, Side, SideFailed
from hlokit.tools.stages.dumps import is_folder_of_dumps, read_folder
from hlokit.tools.stages.printed import (
    has_programs,
    pass_name,
    printed_tree,
    read_printed,
    without_programs,
)
from hlokit.tools.stages.snapshots import CODE_GENERATION, Compilation, Snapshot

XLA, OPT, COMMAND = "xla", "stablehlo-opt:", "cmd:"
NAMES = (XLA, f"{OPT}PIPELINE", f"{COMMAND}TEMPLATE")
_DUMPS = "--xla_dump_hlo_pass_re=.* --xla_dump_hlo_as_proto --xla_dump_hlo_as_text=false"
# Bytes that a tool may print: a tool without an end prints gigabytes until its time is over.
MOST_PRINTED = 1 << 30
# A program of Python that runs a command, with what it prints in files, and ends as it does.
_WITH_FILES = """
import os, subprocess, sys
status = subprocess.call(sys.argv[3:], stdout=open(sys.argv[1], "wb"), stderr=open(sys.argv[2], "wb"))
if status < 0:
    os.kill(os.getpid(), -status)
sys.exit(status)
"""


class Compiled:
    """A side whose first answer is known: what a compiler's program returned.

    Other modules, which `diff` makes of the program, are compiled by another side.

    Args:
      results: the answer for the first module.
      compiler: makes the other side.
    """

    name = CODE_GENERATION
    batch = 128

    def __init__(self, results: Sequence[Array], compiler: Callable[[], Side]) -> None:
        self._results = list(results)
        self._compiler = compiler
        self._side: Side | None = None
        self._module: str | bytes | None = None

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """See `Side`."""
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """See `Side`."""
        if self._module is None:
            self._module = module
        if module == self._module:
            return [self._results for _ in inputs]
        self._side = self._side or self._compiler()
        return self._side.run_each(module, inputs, function)

    def close(self) -> None:
        """See `Side`."""
        if self._side is not None:
            self._side.close()


def compiled(
    by: str, program: Program, function: str, values: Sequence[Any], folder: str, time_limit: float
) -> Compilation:
    """What a compiler does with a function.

    Args:
      by: one of `NAMES`, or a file or a folder with what a tool of MLIR printed.
      folder: an empty folder for temporary files.
      time_limit: seconds for the compiler.

    Raises:
      ArgumentError: there is no such compiler, or it prints no programs.
    """
    if by == XLA:
        return _by_xla(program, function, values, folder, time_limit)
    if by.startswith(OPT):
        return _by_opt(program, by.removeprefix(OPT))
    if by.startswith(COMMAND):
        return _by_command(program, function, by.removeprefix(COMMAND), folder, time_limit)
    if os.path.isfile(by):
        text = read_file(by).decode(errors="replace")
        return Compilation(os.path.basename(by), read_printed(text, function))
    if os.path.isdir(by):
        if is_folder_of_dumps(by):
            raise ArgumentError(f"a folder of dumps of HLO must be given as --dumps={by}")
        return Compilation(os.path.basename(os.path.abspath(by)), read_printed(printed_tree(by), function))
    raise ArgumentError(
        f"a compiler must be one of {', '.join(NAMES)}, a file, or a folder, got '{by}'"
        f"{did_you_mean(by, NAMES)}"
    )


def _by_xla(
    program: Program, function: str, values: Sequence[Any], folder: str, time_limit: float
) -> Compilation:
    """Compiles and runs a function with XLA in a child process, which dumps the module after each pass."""
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_dump_to={folder} {_DUMPS}"
    side = ChildSide(XLA, time_limit, environment={"XLA_FLAGS": flags})
    results, failure = None, None
    try:
        module = write_bytecode(program.module)
        results = side.run(module, [np.asarray(value) for value in values], function)
    except SideFailed as error:
        failure = error
    finally:
        side.close()
    snapshots = read_folder(folder) if is_folder_of_dumps(folder) else []
    return Compilation(XLA, snapshots, results, failure)


def _by_opt(program: Program, pipeline: str) -> Compilation:
    """Runs the passes of `stablehlo-opt`, one after the other."""
    module = parse_bytecode(None, write_bytecode(program.module), program.filename, is_trusted=True)
    snapshots: list[Snapshot] = []
    for number, stage in enumerate(single_passes(pipeline), 1):
        try:
            run_pipeline(module, [stage], program.filename)
        except HlokitError as error:
            message = f"{pass_name(name_of(stage))} fails: {_first_line(error)}"
            return Compilation(OPT.rstrip(":"), snapshots, failure=SideFailed("error", message))
        read = partial(bytes, write_bytecode(module))
        snapshots.append(Snapshot(pass_name(name_of(stage)), "", f"pass {number}", read))
    return Compilation(OPT.rstrip(":"), snapshots)


def _by_command(
    program: Program, function: str, template: str, folder: str, time_limit: float
) -> Compilation:
    """Runs a tool that prints the program after each pass to its standard error, or to its output."""
    words = words_of(template, f"{COMMAND} ")
    if "{module}" not in template:
        raise ArgumentError(f"{COMMAND} the command line must have {{module}} in it, got '{template}'")
    module, output, errors = (os.path.join(folder, name) for name in ("module.mlir", "out.txt", "err.txt"))
    with open(module, "w", encoding="utf-8") as file:
        file.write(program.text(debug_info=True))
    for path in (output, errors):  # the command may run out of time before it makes them
        open(path, "xb").close()
    command = [sys.executable, "-c", _WITH_FILES, output, errors, *filled_in(words, {"module": module})]
    failure = None
    try:
        status = run_command(command, time_limit).status
    except TimeoutError:
        status, failure = 0, SideFailed("time-out", f"took longer than {time_limit:g} s")
    if max(map(os.path.getsize, (output, errors))) > MOST_PRINTED:
        failure = SideFailed("error", f"printed more than {MOST_PRINTED >> 20} MiB")
        return Compilation(os.path.basename(words[0]), [], failure=failure)
    printed, text = [read_file(path).decode(errors="replace") for path in (output, errors)]
    if status:
        reason = last_words(without_programs(text))
        failure = failed(status, reason) if status < 0 else SideFailed("error", reason or death(status))
    if not has_programs(text) and has_programs(printed):
        text = printed
    snapshots = read_printed(text, function) if failure is None or has_programs(text) else []
    return Compilation(os.path.basename(words[0]), snapshots, failure=failure)


def _first_line(error: HlokitError) -> str:
    return str(error).partition("\n")[0]
