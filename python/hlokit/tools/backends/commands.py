"""A side that is any program: `cmd:TEMPLATE`. docs/diff.md has the protocol.

The template is a command line with the words `{module}`, `{inputs}`, `{outputs}` and perhaps `{function}` in
it, which runs once for each evaluation; or with the word `--serve`, for a program that answers one request
after the other (`serving.py`). The program reads an MLIR file and an .npz file with `input_0`, `input_1`,
..., and writes an .npz file with `result_0`, `result_1`, ... Types that NumPy does not know are raw bytes of
their size.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from hlokit.children.commands import run_command
from hlokit.children.folders import TemporaryFolder
from hlokit.errors import ArgumentError, lack
from hlokit.files.arrays import read_archive
from hlokit.mlir.parse import parse_bytecode
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.tools.backends.children import TIME_LIMIT, death, failed, last_words
from hlokit.tools.backends.serving import SERVE, Server
from hlokit.tools.backends.side import Array, SideFailed, flat_types
from hlokit.values.bits import restored, storable
from hlokit.values.types import TensorType

_WORDS = ("module", "inputs", "outputs", "function")


class Runner(Protocol):
    """Evaluates a function of a module, whose results a program writes to a file.

    Args of `run`:
      files: the paths of `module`, `inputs` and `outputs`, and the name of the `function`.
      time_limit: seconds.
    """

    def run(self, files: Mapping[str, str], time_limit: float) -> None: ...

    def close(self) -> None: ...


class CommandSide:
    """A side that is a program.

    Args:
      template: the command line; see above.
      time_limit: seconds for one run.

    Raises:
      ArgumentError: the template lacks a word, or there is no such program.
    """

    batch = 128

    def __init__(self, template: str, time_limit: float = TIME_LIMIT) -> None:
        words = words_of(template, "cmd: ")
        is_served = SERVE in words
        for word in () if is_served else _WORDS[:3]:
            if f"{{{word}}}" not in template:
                raise ArgumentError(
                    f"cmd: the command line must have {{{word}}} in it, or the word {SERVE}, got '{template}'"
                )
        self.name = f"cmd:{os.path.basename(words[0])}"
        self._time_limit = time_limit
        self._runner: Runner = Server(words) if is_served else _OneByOne(words)
        self._folder: TemporaryFolder | None = None
        self._module = ""

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """See `Side`."""
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """See `Side`. The program evaluates the inputs one after the other."""
        if isinstance(module, bytes):
            program = Program(parse_bytecode(None, module, "-", is_trusted=True))
            text = program.text(debug_info=True)
        else:
            program, text = load(module), module
        signature = program.signature(function)
        try:
            self._folder = self._folder or TemporaryFolder()
            path = self._written(self._folder.name, text)
            return [self._run(self._folder.name, path, arguments, signature) for arguments in inputs]
        except OSError as error:
            lacking = lack(error)
            reason = lacking or str(error.strerror or error).lower()
            raise SideFailed("killed" if lacking else "error", reason) from None

    def _written(self, folder: str, text: str) -> str:
        """The path of the module. A path never gets another module, so that programs may remember modules by
        path."""
        name = f"module_{hashlib.sha256(text.encode()).hexdigest()[:16]}.mlir"
        path = os.path.join(folder, name)
        if path != self._module:
            with suppress(FileNotFoundError):
                os.remove(self._module)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self._module = path
        return path

    def _run(self, folder: str, module: str, inputs: Sequence[Array], signature: Signature) -> list[Array]:
        source, target = (os.path.join(folder, name) for name in ("inputs.npz", "outputs.npz"))
        with suppress(FileNotFoundError):
            os.remove(target)
        save_inputs(source, inputs)
        files = {"module": module, "inputs": source, "outputs": target, "function": signature.name}
        self._runner.run(files, self._time_limit)
        return _read_results(target, signature)

    def close(self) -> None:
        """See `Side`."""
        self._runner.close()
        if self._folder is not None:
            self._folder.close()
            self._folder = None


# The exit status of a program that does not support an operation of a module.
UNSUPPORTED_STATUS = 64


class _OneByOne:
    """Runs the command once for each evaluation."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def run(self, files: Mapping[str, str], time_limit: float) -> None:
        """See `Runner`."""
        try:
            end = run_command(filled_in(self._words, files), time_limit)
        except TimeoutError:
            raise SideFailed("time-out", f"took longer than {time_limit:g} s") from None
        message = last_words(end.errors)
        if end.status < 0:
            raise failed(end.status, message)
        if end.status:
            kind = "unsupported" if end.status == UNSUPPORTED_STATUS else "error"
            raise SideFailed(kind, message or death(end.status))

    def close(self) -> None:
        """See `Runner`. There is no process to end."""


def words_of(template: str, what: str = "") -> list[str]:
    """The words of a command line.

    Args:
      what: the beginning of messages.

    Raises:
      ArgumentError: the command line cannot be read, or there is no such program.
    """
    try:
        words = shlex.split(template)
    except ValueError as error:
        raise ArgumentError(f"{what}the command line cannot be read: {error}") from None
    if not words or shutil.which(words[0]) is None:
        raise ArgumentError(f"{what}there is no program '{''.join(words[:1])}'")
    return words


def filled_in(words: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The words of a command line, with values instead of `{name}`."""
    filled = list(words)
    for name, value in values.items():
        filled = [word.replace(f"{{{name}}}", value) for word in filled]
    return filled


def save_inputs(path: str, values: Sequence[Any]) -> None:
    """Store values as `input_0`, `input_1`, ... of an .npz file."""
    arrays: dict[str, Any] = {f"input_{n}": storable(np.asarray(value)) for n, value in enumerate(values)}
    np.savez(path, **arrays)


def _read_results(path: str, signature: Signature) -> list[Array]:
    types = flat_types(signature.outputs)
    names = [f"result_{number}" for number in range(len(types))]
    try:
        arrays = read_archive(path, names)
    except FileNotFoundError:
        raise SideFailed("error", "it wrote no results to {outputs}") from None
    except (OSError, ValueError) as error:
        raise SideFailed("error", f"the results cannot be read: {error}") from None
    return [
        restored(arrays[name], type_.element_type.dtype) if isinstance(type_, TensorType) else arrays[name]
        for name, type_ in zip(names, types, strict=True)
    ]
