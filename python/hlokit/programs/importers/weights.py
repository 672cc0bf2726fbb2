"""Weights beside a program: arrays by name, mapped into memory if the file allows it."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from collections.abc import Mapping
from typing import Any, BinaryIO, cast

import numpy as np
import numpy.typing as npt

from hlokit.display.misuse import shown
from hlokit.errors import ArgumentError
from hlokit.files import reading as files
from hlokit.files.arrays import open_archive, read_header, read_member
from hlokit.values.element_types import ELEMENT_TYPES

Array = npt.NDArray[Any]

# Element types of safetensors whose names differ from MLIR's in more than case.
_SAFETENSORS = {
    "BOOL": "i1",
    "F8_E4M3": "f8E4M3FN",
    "F8_E5M2": "f8E5M2",
    "F8_E8M0": "f8E8M0FNU",
    **{f"U{width}": f"ui{width}" for width in (8, 16, 32, 64)},
}
_LARGEST_HEADER = 100 << 20
_LOCAL_HEADER = struct.Struct("<26xHH")


def read_weights(path: str) -> dict[str, Array]:
    """The arrays in an `.npz` or safetensors file by name, read-only.

    Raises:
      ArgumentError: the file cannot be read, or has neither format.
    """
    try:
        with files.open_file(path) as file:
            if zipfile.is_zipfile(file):
                return _of_npz(path, file)
            file.seek(0)
            return _of_safetensors(path, file)
    except MemoryError:
        raise
    except Exception as error:  # readers of archives and headers raise exceptions of any kind
        reason = files.reason(error).partition("\n")[0] or type(error).__name__
        raise ArgumentError(f"cannot read weights from '{path}' (.npz or safetensors): {reason}") from None


def named_arrays(weights: str | os.PathLike[str] | Mapping[str, Array]) -> Mapping[str, Array]:
    """The arrays of a file, or of a mapping of names to array-like objects."""
    if isinstance(weights, str | os.PathLike):
        return read_weights(os.fspath(weights))
    if not isinstance(weights, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] # of users
        raise ArgumentError(f"weights must be a file or arrays by name, got {shown(weights)}")
    return {name: np.asarray(array) for name, array in weights.items()}


def _of_npz(path: str, file: BinaryIO) -> dict[str, Array]:
    arrays: dict[str, Array] = {}
    with open_archive(file) as archive:
        for item in archive.infolist():
            name = item.filename.removesuffix(".npy")
            with archive.open(item) as member:
                header = read_header(member, item.file_size)  # pyright: ignore[reportArgumentType] # reads like a file
                offset = member.tell()
            if item.compress_type != zipfile.ZIP_STORED or not header.size:
                arrays[name] = read_member(archive, item)
                continue
            file.seek(item.header_offset)
            start = item.header_offset + 30 + sum(_LOCAL_HEADER.unpack(file.read(30))) + offset
            order = "F" if header.is_fortran else "C"
            arrays[name] = np.memmap(path, header.dtype, "r", start, header.shape, order)
    return arrays


def _of_safetensors(path: str, file: BinaryIO) -> dict[str, Array]:
    size = int.from_bytes(file.read(8), "little")
    if not 2 <= size <= min(_LARGEST_HEADER, os.fstat(file.fileno()).st_size - 8):
        raise ValueError("not a safetensors file")
    header: dict[str, dict[str, Any]] = json.loads(file.read(size))
    data = np.memmap(path, np.uint8, "r", 8 + size) if _has_data(header) else np.empty(0, np.uint8)
    arrays: dict[str, Array] = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = cast("list[int]", entry["data_offsets"])
        if not 0 <= start <= end <= data.size:
            raise ValueError(f"{name} lies outside the file")
        spelled = str(entry["dtype"])
        dtype = _dtype(_SAFETENSORS.get(spelled, spelled.lower()))
        arrays[name] = data[start:end].view(dtype).reshape(cast("list[int]", entry["shape"]))
    return arrays


def _has_data(header: Mapping[str, Mapping[str, Any]]) -> bool:
    return any(name != "__metadata__" and entry["data_offsets"][1] for name, entry in header.items())


_DTYPES = {name.lower(): row.dtype for name, row in ELEMENT_TYPES.items()}


def _dtype(name: str) -> np.dtype[Any]:
    dtype = _DTYPES.get(name.lower())
    if dtype is None:
        raise ValueError(f"the element type {name} is unknown")
    return dtype
