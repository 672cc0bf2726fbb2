"""Reads arrays in NumPy's formats, `.npy` and `.npz`, from files of strangers.

Sizes are checked before data is read.
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.files.reading import check_expansion, open_regular

if TYPE_CHECKING:
    import zipfile

Array = npt.NDArray[Any]

_MAGIC = b"\x93NUMPY"
# The largest header, in bytes, that is parsed; NumPy has the same limit.
_LARGEST_HEADER = 10_000
# The largest number of bytes to which one byte of a deflated archive expands.
_MOST_DEFLATED = 1032
# NumPy writes the type f8E5M2 as a float of one byte, but cannot read such a dtype. It can read raw bytes.
_UNREADABLE, _RAW = b"'descr': '<f1'", b"'descr': '|V1'"


class Header(NamedTuple):
    """The description of an array, which its bytes follow."""

    shape: tuple[int, ...]
    is_fortran: bool
    dtype: np.dtype[Any]

    @property
    def size(self) -> int:
        """The number of bytes of the array."""
        return math.prod(self.shape) * self.dtype.itemsize


def read_header(file: BinaryIO, size: int) -> Header:
    """The header at the beginning of an array of `size` bytes, header included.

    Raises:
      ValueError: it is no header of an array of numbers, or promises more bytes than follow.
      OSError: the file cannot be read.
    """
    start = file.read(len(_MAGIC) + 2)
    if not start.startswith(_MAGIC) or len(start) != len(_MAGIC) + 2:
        raise ValueError("it is not an array of NumPy")
    is_first = start[-2] == 1
    length = file.read(2 if is_first else 4)
    count = int.from_bytes(length, "little")
    if count > _LARGEST_HEADER:
        raise ValueError(f"the header of an array must have at most {_LARGEST_HEADER} bytes, got {count}")
    text = io.BytesIO(length + file.read(count).replace(_UNREADABLE, _RAW, 1))
    reader = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
    try:
        header = Header(*reader(text))
    except Exception as error:  # the parser of headers raises exceptions of any kind
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ValueError(f"the header of an array cannot be read: {reason}") from None
    if header.dtype.hasobject:
        raise ValueError("an array must hold numbers, got Python objects")
    if header.dtype.names is not None or header.dtype.subdtype is not None:
        raise ValueError(f"an array must hold numbers, got the structured dtype {header.dtype}")
    if min(header.shape, default=0) < 0:
        raise ValueError(f"an array must have no negative dimension, got {header.shape}")
    rest = size - len(start) - len(length) - count
    if header.size > rest:
        raise ValueError(f"its header promises {header.size} bytes, but {max(0, rest)} follow")
    return header


def read_array(file: BinaryIO, size: int, *, mapped: bool = False) -> Array:
    """The array at the position of a file, with at most `size` bytes.

    Args:
      mapped: map the array into memory, read-only, instead of reading it; `file` is a file on disk.

    Raises:
      ValueError: there is no array.
      OSError: the file cannot be read.
    """
    shape, is_fortran, dtype = header = read_header(file, size)
    if mapped and header.size:
        return np.memmap(file, dtype, "r", file.tell(), shape, "F" if is_fortran else "C")
    array = np.empty(math.prod(shape), dtype)
    unread = array.view(np.uint8).data if header.size else memoryview(b"")
    while unread:
        count = file.readinto(unread)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportAttributeAccessIssue] # all have it
        if not count:
            raise ValueError(f"the array is cut off: {len(unread)} bytes are missing")
        unread = unread[count:]
    return array.reshape(shape[::-1]).T if is_fortran else array.reshape(shape)


def read_array_file(path: str, *, mapped: bool = False) -> Array:
    """The array of an `.npy` file.

    Raises:
      ValueError: there is no array.
      OSError: the file cannot be read, or is no regular file.
    """
    with open_regular(path) as file:
        return read_array(file, os.fstat(file.fileno()).st_size, mapped=mapped)


def read_member(archive: zipfile.ZipFile, item: zipfile.ZipInfo) -> Array:
    """The array of a member of an `.npz` archive.

    Raises:
      ValueError: the member is damaged, or is no array.
      OSError: the file cannot be read.
    """
    try:
        with archive.open(item) as member:
            array = read_array(member, item.file_size)  # pyright: ignore[reportArgumentType] # reads like a file
            member.read(1)  # the end of the member has its checksum
            return array
    except (OSError, ValueError, MemoryError):
        raise
    except Exception as error:  # readers of archives raise exceptions of any kind
        raise ValueError(f"{item.filename}: {str(error) or type(error).__name__}") from None


def read_archive(path: str, names: Iterable[str]) -> dict[str, Array]:
    """Arrays of an `.npz` file by name.

    Raises:
      ValueError: the file is damaged, is no archive, or lacks an array.
      OSError: the file cannot be read, or is no regular file.
    """
    with open_regular(path) as file, open_archive(file) as archive:
        members = {item.filename.removesuffix(".npy"): item for item in archive.infolist()}
        for name in names:
            if name not in members:
                raise ValueError(f"there is no array '{name}'")
        return {name: read_member(archive, members[name]) for name in names}


def open_archive(file: BinaryIO) -> zipfile.ZipFile:
    """An `.npz` archive that does not expand to gigabytes. NumPy's archives are stored or deflated, once.

    Raises:
      ValueError: the file is no archive, has another compression than NumPy's, or expands too much.
    """
    from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile  # slow to import

    try:
        archive = ZipFile(file)
    except (BadZipFile, NotImplementedError, UnicodeError) as error:
        raise ValueError(str(error)) from None
    if any(item.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for item in archive.infolist()):
        raise ValueError("compression must be deflate, or none")
    packed, unpacked = file.seek(0, os.SEEK_END), sum(item.file_size for item in archive.infolist())
    if unpacked > _MOST_DEFLATED * packed:  # its parts overlap
        raise ValueError(f"{packed} bytes cannot hold {unpacked}")
    check_expansion(packed, unpacked)
    return archive
