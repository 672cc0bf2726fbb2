"""A side that is any program: `cmd:TEMPLATE`. docs/diff.md has the protocol.

The template is a command line with the words `{module}`, `{inputs}`, `{outputs}` and `{function}` in it. The
command reads an MLIR file and an .npz file with `input_0`, `input_1`, ..., and writes an .npz file with
`result_0`, `result_1`, ... Types that NumPy does not know are raw bytes of their size.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.errors import ArgumentError, lack
from hlokit.mlir.parse import parse_bytecode
from hlokit.programs.calls.arguments import Signature
from hlokit.programs.loading import load
from hlokit.programs.program import Program
from hlokit.tools.backends.children import TIME_LIMIT, death, failed, last_words
from hlokit.tools.backends.side import Array, SideFailed, flat_types
from hlokit.values.bits import restored, storable
from hlokit.values.types import TensorType

_WORDS = ("module", "inputs", "outputs", "function")


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
        try:
            self._words = shlex.split(template)
        except ValueError as error:
            raise ArgumentError(f"cmd: the command line cannot be read: {error}") from None
        for word in _WORDS[:3]:
            if f"{{{word}}}" not in template:
                raise ArgumentError(f"cmd: the command line must have {{{word}}} in it, got '{template}'")
        if shutil.which(self._words[0]) is None:
            raise ArgumentError(f"cmd: there is no program '{self._words[0]}'")
        self.name = f"cmd:{os.path.basename(self._words[0])}"
        self._time_limit = time_limit

    def run(self, module: str | bytes, inputs: Sequence[Array], function: str = "main") -> list[Array]:
        """See `Side`."""
        return self.run_each(module, [inputs], function)[0]

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Array]], function: str = "main"
    ) -> list[list[Array]]:
        """See `Side`. The program runs once for each of the inputs."""
        if isinstance(module, bytes):
            program = Program(parse_bytecode(None, module, "-", is_trusted=True))
            text = program.text(debug_info=True)
        else:
            program, text = load(module), module
        signature = program.signature(function)
        with tempfile.TemporaryDirectory(prefix="hlokit_") as directory:
            path = os.path.join(directory, "module.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return [self._run(directory, path, arguments, signature) for arguments in inputs]

    def close(self) -> None:
        """See `Side`. There is no process to end."""

    def _run(self, directory: str, module: str, inputs: Sequence[Array], signature: Signature) -> list[Array]:
        source, target = (os.path.join(directory, name) for name in ("inputs.npz", "outputs.npz"))
        if os.path.exists(target):
            os.remove(target)
        save_inputs(source, inputs)
        values = {"module": module, "inputs": source, "outputs": target, "function": signature.name}
        words = list(self._words)
        for name, value in values.items():
            words = [word.replace(f"{{{name}}}", value) for word in words]
        try:
            done = run_command(words, self._time_limit)
        except subprocess.TimeoutExpired:
            raise SideFailed("time-out", f"took longer than {self._time_limit:g} s") from None
        except OSError as error:
            lacking = lack(error)
            raise SideFailed(
                "killed" if lacking else "error", lacking or str(error.strerror or error).lower()
            ) from None
        message = last_words(done.stderr.decode(errors="replace"))
        if done.returncode < 0:
            raise failed(done.returncode, message)
        if done.returncode:
            kind = "unsupported" if done.returncode == UNSUPPORTED_STATUS else "error"
            raise SideFailed(kind, message or death(done.returncode))
        return _read_results(target, signature)


# The exit status of a program that does not support an operation of a module.
UNSUPPORTED_STATUS = 64


def save_inputs(path: str, values: Sequence[Any]) -> None:
    """Store values as `input_0`, `input_1`, ... of an .npz file."""
    arrays: dict[str, Any] = {f"input_{n}": storable(np.asarray(value)) for n, value in enumerate(values)}
    np.savez(path, **arrays)


def run_command(words: Sequence[str], time_limit: float | None) -> subprocess.CompletedProcess[bytes]:
    """Run a command without standard input, and collect only its standard error.

    Raises:
      subprocess.TimeoutExpired: the command took longer than `time_limit` seconds.
      OSError: the command cannot be started.
    """
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=time_limit,
        check=False,
    )


def _read_results(path: str, signature: Signature) -> list[Array]:
    types = flat_types(signature.outputs)
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = [archive[f"result_{number}"] for number in range(len(types))]
    except FileNotFoundError:
        raise SideFailed("error", "it wrote no results to {outputs}") from None
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise SideFailed("error", f"the results cannot be read: {error}") from None
    return [
        restored(array, type_.element_type.dtype) if isinstance(type_, TensorType) else array
        for array, type_ in zip(arrays, types, strict=True)
    ]
