"""Recordings on disk: a folder that is written during a run, and can be read if the run ends early.

    program.mlirbc   the program, with locations
    index.jsonl      a header, then a line for each argument, value and result, and a line for the end
    values.bin       arrays in .npy format one after the other; lines of the index have their offsets

A line is added to the index when its array is complete, so that a recording is readable up to the point where
the process ended. Arrays of types that NumPy does not know are raw bytes of their size. A value that is a
view of another one (a transpose, a slice, a broadcast) is not stored again: its line has the offset of the
other one, and as `view` the first byte, the shape and the strides.
"""

from __future__ import annotations

import io
import json
import os
import re
import time
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO, TextIO, cast

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError
from hlokit.files.arrays import read_array
from hlokit.files.reading import member_of, open_regular, reason
from hlokit.tools.recording.entries import checked, shown
from hlokit.values.bits import restored, storable
from hlokit.values.element_types import ELEMENT_TYPES

Array = npt.NDArray[Any]

PROGRAM, INDEX, VALUES = "program.mlirbc", "index.jsonl", "values.bin"
# Recordings of the first format have no views.
FORMAT, _READABLE = 2, (1, 2)
# Seconds after which written data is flushed to the disk.
_SYNC = 1.0


class Writer:
    """Writes a recording.

    Args:
      directory: directory to create; an existing directory must be empty.

    Attributes:
      written: bytes of values so far.

    Raises:
      ArgumentError: the directory cannot be created or written, or is not empty.
    """

    def __init__(self, directory: str, program: bytes, header: dict[str, Any]) -> None:
        self.directory = directory
        self.written = 0
        # Where the arrays are that own the memory of values, by their identity.
        self._owners: dict[int, tuple[weakref.ref[Array], int]] = {}
        try:
            os.makedirs(directory, exist_ok=True)
            if os.listdir(directory):
                raise ArgumentError(f"cannot record to '{directory}': the directory is not empty")
            with open(os.path.join(directory, PROGRAM), "wb") as file:
                file.write(program)
            self._values: BinaryIO = open(os.path.join(directory, VALUES), "wb")  # noqa: SIM115 # closed by close
            self._index: TextIO = open(os.path.join(directory, INDEX), "w", encoding="utf-8")  # noqa: SIM115 # the same
        except OSError as error:
            raise _not_written(directory, error) from None
        self._synced = time.monotonic()
        self.line({"format": FORMAT, **header})

    def line(self, entry: dict[str, Any], array: Array | None = None) -> None:
        """Write an array, unless it is a view of a written one, and then its line of the index.

        Raises:
          ArgumentError: the disk is full, or has failed.
        """
        try:
            if array is not None:
                entry |= self._stored(array)
                self._values.flush()
            self._index.write(json.dumps(entry, separators=(",", ":")) + "\n")
            self._index.flush()
            now = time.monotonic()
            if now - self._synced > _SYNC:
                self._sync()
                self._synced = now
        except OSError as error:
            raise _not_written(self.directory, error) from None

    def size(self, array: Array) -> int:
        """The number of bytes that an array adds to the recording."""
        owner = self._owner(array)
        if owner is None:
            return array.nbytes
        return 0 if id(owner) in self._owners else owner.nbytes

    def _owner(self, array: Array) -> Array | None:
        """The owner of the memory of an array, if it is stored or takes no more bytes than the array."""
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        if not owner.nbytes or not owner.ndim or owner.dtype != array.dtype or not owner.flags.c_contiguous:
            return None
        return owner if id(owner) in self._owners or owner.nbytes <= array.nbytes else None

    def _stored(self, array: Array) -> dict[str, Any]:
        owner = self._owner(array)
        if owner is None:
            return {"offset": self._write(array)}
        key = id(owner)
        if key not in self._owners:
            offset = self._write(owner)
            # An array that dies leaves its identity to another one.
            self._owners[key] = weakref.ref(owner, lambda _: self._owners.pop(key, None)), offset
        offset = self._owners[key][1]
        if array is owner:
            return {"offset": offset}
        start = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        return {"offset": offset, "view": [start, list(array.shape), list(array.strides)]}

    def _write(self, array: Array) -> int:
        offset, buffer = self.written, io.BytesIO()
        np.save(buffer, storable(array), allow_pickle=False)
        self.written += self._values.write(buffer.getbuffer())
        return offset

    def _sync(self) -> None:
        for file in (self._values, self._index):
            os.fsync(file.fileno())

    def close(self) -> None:
        """Flush all data to the disk.

        Raises:
          ArgumentError: the disk is full, or has failed.
        """
        try:
            if not self._index.closed:
                self._sync()
        except OSError as error:
            raise _not_written(self.directory, error) from None
        finally:
            for file in (self._values, self._index):
                _close(file)


def _close(file: BinaryIO | TextIO) -> None:
    with suppress(OSError):  # `Writer.close` has reported it
        file.close()


def _not_written(directory: str, error: OSError) -> ArgumentError:
    return ArgumentError(f"cannot record to '{directory}': {reason(error)}")


def is_recording(path: str) -> bool:
    """Whether a path is a recording."""
    return os.path.isfile(os.path.join(path, INDEX))


def read_lines(directory: str) -> Iterator[dict[str, Any]]:
    """The lines of an index, the header first, up to the first incomplete line.

    Raises:
      ArgumentError: the directory is not a recording, or a line is damaged.
    """
    number = 0
    try:
        with open_regular(member_of(directory, INDEX)) as file:
            for number, line in enumerate(file):
                if not line.endswith(b"\n"):
                    return
                entry = json.loads(line)
                if number == 0:
                    _check_format(directory, entry)
                checked(entry, is_header=number == 0)
                yield entry
    except OSError as error:
        raise ArgumentError(f"'{directory}' is not a recording: {reason(error)}") from None
    except (ValueError, RecursionError) as error:
        raise ArgumentError(
            f"the index of '{directory}' cannot be read: line {number + 1}: {reason(error)}"
        ) from None


def _check_format(directory: str, header: Any) -> None:
    """Check the format of a recording before the other fields, which may be those of another format."""
    number = cast("dict[str, Any]", header).get("format") if isinstance(header, dict) else None
    if number not in _READABLE:
        raise ArgumentError(f"'{directory}' is a recording of format {shown(number)}, not {FORMAT}")


def read_value(directory: str, offset: int, view: list[Any] | None, type_: str) -> Array:
    """An array that a line of the index names.

    Args:
      view: the first byte, the shape and the strides, if the array is a view of that at the offset.
      type_: the type, in MLIR's syntax.

    Raises:
      ArgumentError: the array cannot be read, or is not of this type.
    """
    try:
        with open_regular(member_of(directory, VALUES)) as file:
            size = os.fstat(file.fileno()).st_size
            if offset >= size:
                raise ValueError(f"it lies at {offset}, and the file has {size} bytes")
            file.seek(offset)
            array = read_array(file, size - offset)
        if view is not None:
            start, shape, strides = view
            array = np.ndarray(shape, array.dtype, array.tobytes(), start, strides)
        return _of_type(array, type_)
    except (OSError, ValueError, TypeError, OverflowError) as error:
        raise ArgumentError(f"a value of '{directory}' cannot be read: {reason(error)}") from None


# The dimensions and the element type in the text of a tensor type.
_TENSOR = re.compile(r"tensor<((?:[\d?]+x)*)(.*?)(?:, #.*)?>")


def _of_type(array: Array, type_: str) -> Array:
    """An array of a file as an array of a type.

    Raises:
      ValueError: the array is not of this type.
    """
    tensor = _TENSOR.fullmatch(type_)
    dims, element = tensor.groups() if tensor is not None else ("", type_)
    sizes = dims.split("x")[:-1]
    has_shape = array.ndim == len(sizes) and all(
        size in ("?", str(count)) for size, count in zip(sizes, array.shape, strict=True)
    )
    element_type = ELEMENT_TYPES.get(element)
    if element_type is not None:
        array = restored(array, element_type.dtype)
    if not has_shape or (element_type is not None and array.dtype != element_type.dtype):
        raise ValueError(f"it must be a {type_}, got an array of shape {array.shape} and type {array.dtype}")
    return array
