"""Recordings on disk: a folder that is written during a run, and can be read if the run ends early.

    program.mlirbc   the program, with locations
    index.jsonl      a header, then a line for each argument, value and result, and a line for the end
    values.bin       arrays in .npy format, one after the other; lines of the index have their offsets

A line is added to the index when its array is complete, so that a recording is readable up to the point where
the process ended. Arrays of types that NumPy does not know are raw bytes of their size.
"""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Iterator
from typing import Any, BinaryIO, TextIO

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError
from hlokit.values.bits import storable
from hlokit.values.element_types import ELEMENT_TYPES

Array = npt.NDArray[Any]

PROGRAM, INDEX, VALUES = "program.mlirbc", "index.jsonl", "values.bin"
FORMAT = 1
# Seconds after which written data is flushed to the disk.
_SYNC = 1.0


class Writer:
    """Writes a recording.

    Args:
      directory: directory to create; an existing directory must be empty.

    Raises:
      ArgumentError: the directory cannot be created, or is not empty.
    """

    def __init__(self, directory: str, program: bytes, header: dict[str, Any]) -> None:
        self.directory = directory
        self.written = 0
        try:
            os.makedirs(directory, exist_ok=True)
            if os.listdir(directory):
                raise ArgumentError(f"cannot record to '{directory}': the directory is not empty")
            with open(os.path.join(directory, PROGRAM), "wb") as file:
                file.write(program)
            self._values: BinaryIO = open(os.path.join(directory, VALUES), "wb")  # noqa: SIM115 # closed by close
            self._index: TextIO = open(os.path.join(directory, INDEX), "w", encoding="utf-8")  # noqa: SIM115 # the same
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ArgumentError(f"cannot record to '{directory}': {reason}") from None
        self._synced = time.monotonic()
        self.line({"format": FORMAT, **header})

    def line(self, entry: dict[str, Any], array: Array | None = None) -> None:
        """Write an array, and then its line of the index."""
        if array is not None:
            entry["offset"] = self.written
            buffer = io.BytesIO()
            np.save(buffer, storable(array), allow_pickle=False)
            self.written += self._values.write(buffer.getbuffer())
            self._values.flush()
        self._index.write(json.dumps(entry, separators=(",", ":")) + "\n")
        self._index.flush()
        now = time.monotonic()
        if now - self._synced > _SYNC:
            self._sync()
            self._synced = now

    def _sync(self) -> None:
        for file in (self._values, self._index):
            os.fsync(file.fileno())

    def close(self) -> None:
        """Flush all data to the disk."""
        if not self._index.closed:
            self._sync()
            self._values.close()
            self._index.close()


def is_recording(path: str) -> bool:
    """Whether a path is a recording."""
    return os.path.isfile(os.path.join(path, INDEX))


def read_lines(directory: str) -> Iterator[dict[str, Any]]:
    """The lines of an index, the header first, up to the first incomplete line.

    Raises:
      ArgumentError: the directory is not a recording.
    """
    try:
        with open(os.path.join(directory, INDEX), encoding="utf-8") as file:
            for number, line in enumerate(file):
                if not line.endswith("\n"):
                    return
                entry = json.loads(line)
                if number == 0 and entry.get("format") != FORMAT:
                    raise ArgumentError(
                        f"'{directory}' is a recording of format {entry.get('format')}, not {FORMAT}"
                    )
                yield entry
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ArgumentError(f"'{directory}' is not a recording: {reason}") from None
    except (ValueError, AttributeError) as error:
        raise ArgumentError(f"the index of '{directory}' cannot be read: {error}") from None


def read_array(directory: str, offset: int, element_type: str) -> Array:
    """An array that a line of the index names.

    Raises:
      ArgumentError: the array cannot be read.
    """
    try:
        with open(os.path.join(directory, VALUES), "rb") as file:
            file.seek(offset)
            array = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise ArgumentError(f"a value of '{directory}' cannot be read: {error}") from None
    type_ = ELEMENT_TYPES.get(element_type)
    if array.dtype.kind == "V" and type_ is not None and type_.dtype.itemsize == array.dtype.itemsize:
        return array.view(type_.dtype)
    return array
