"""The only code that opens input files: programs, requests, arrays of arguments.

Every input of a command or a call is opened by this module, which defines the rules for paths, the file name
in messages, and the message when an input cannot be opened.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, TypeGuard

from hlokit.errors import Diagnostic, ParseError

if TYPE_CHECKING:
    import mmap

STANDARD_INPUT = "-"
# The name of an input without a file in messages; MLIR uses the same name.
NO_FILE = "-"
# Limits in bytes: for a pipe and for the contents of a gzip file; for a device (a terminal, or an endless
# one).
LARGEST_STREAM, LARGEST_OF_DEVICE = 8 << 30, 1 << 26
# Bytes per read of a stream.
_PIECE = 1 << 20
# Compressed files may expand to this number of bytes, or to a hundred bytes for each of their own.
_SMALL, _MOST_EXPANDED = 1 << 30, 100
# Flags to open a pipe without waiting for its writer, and Windows' files as they are.
_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read(path: str, largest_stream: int = LARGEST_STREAM) -> tuple[str, bytes]:
    """The name of a command's input in messages, and the bytes of the input. `-` is the standard input.

    Args:
      largest_stream: the most bytes of the standard input, if it is a pipe.

    Raises:
      ParseError: the file cannot be read.
    """
    if path == STANDARD_INPUT:
        try:
            return "<stdin>", read_whole(sys.stdin.buffer, largest_stream)
        except OSError as error:
            raise cannot_open("<stdin>", error) from None
    return path, read_file(path)


def read_file(path: str, *, is_regular: bool = False) -> bytes:
    """The bytes of a file.

    Args:
      is_regular: it is one of a folder, where nobody expects a pipe or a device.

    Raises:
      ParseError: the file cannot be read.
    """
    try:
        return read_regular(path) if is_regular else read_bytes(path)
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise cannot_open(path, error) from None


def read_bytes(path: str) -> bytes:
    """The bytes of a file, for callers with their own error message.

    Raises:
      OSError, ValueError: the file cannot be read, or has no end.
    """
    with open(path, "rb") as file:
        return read_whole(file)


def read_whole(file: BinaryIO, largest_stream: int = LARGEST_STREAM) -> bytes:
    """All bytes of an open file. Pipes and devices may have no end.

    Raises:
      OSError: the file cannot be read, or is a pipe of more than `largest_stream` or a device of more than
        `LARGEST_OF_DEVICE` bytes.
    """
    try:
        status = os.fstat(file.fileno())
    except OSError:  # an object in memory has no descriptor
        return file.read()
    if stat.S_ISREG(status.st_mode) and status.st_size:
        return file.read()
    is_pipe = stat.S_ISFIFO(status.st_mode) or stat.S_ISSOCK(status.st_mode)
    kind, most = ("pipe", largest_stream) if is_pipe else ("device", LARGEST_OF_DEVICE)
    data = io.BytesIO()  # one growing buffer: joining pieces would take twice the memory
    while piece := file.read(_PIECE):
        data.write(piece)
        if data.tell() > most:
            raise OSError(errno.EFBIG, f"a {kind} must end within {most >> 20} MiB")
    return data.getvalue()


def open_file(path: str) -> BinaryIO:
    """An open file, for callers with their own error message.

    Raises:
      OSError, ValueError: the file cannot be opened.
    """
    if stat.S_ISCHR(os.stat(path).st_mode):  # a device may be endless
        raise OSError(errno.EINVAL, "it is a device")
    return open(path, "rb")


def open_regular(path: str) -> BinaryIO:
    """An open file that something else has written, where nobody expects a pipe, which may never have a
    writer.

    Raises:
      OSError, ValueError: the file cannot be opened, or is a directory, a pipe or a device.
    """
    descriptor = os.open(path, os.O_RDONLY | _WITHOUT_WAITING)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "it must be a file, not a directory, a pipe or a device")
    return os.fdopen(descriptor, "rb")


def member_of(folder: str, *names: str) -> str:
    """The path of a file in a folder from strangers.

    Raises:
      OSError: the file is outside, since a name or a link leads there.
    """
    path, inside = os.path.join(folder, *names), os.path.realpath(folder)
    if not os.path.realpath(path).startswith(os.path.join(inside, "")):
        raise OSError(errno.EINVAL, "it must lie in the folder, and leads out of it")
    return path


def read_member(folder: str, *names: str) -> bytes:
    """The bytes of a file in a folder from strangers.

    Raises:
      OSError, ValueError: the file cannot be read, is outside, or is no regular file.
    """
    return read_regular(member_of(folder, *names))


def read_regular(path: str) -> bytes:
    """The bytes of a file that something else has written (`open_regular`).

    Raises:
      OSError, ValueError: the file cannot be read, or is no regular file.
    """
    with open_regular(path) as file:
        return file.read()


def check_expansion(packed: int, unpacked: int) -> None:
    """Check that a small compressed file does not expand to gigabytes.

    Raises:
      ValueError: it does.
    """
    if unpacked > max(_SMALL, _MOST_EXPANDED * packed):
        raise ValueError(
            f"a compressed file of {packed} bytes must not hold {unpacked} bytes or more: decompress it first"
        )


@contextmanager
def mapped(path: str) -> Generator[mmap.mmap | bytes]:
    """The bytes of a file as a memory map, so that reading a header does not read gigabytes.

    Raises:
      ParseError: the file cannot be read.
    """
    import mmap  # only one command reads parts of files

    data = b""  # an empty file has no pages
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise cannot_open(path, error) from None
    try:
        yield data
    finally:
        if isinstance(data, mmap.mmap):
            # The traceback of an error may hold views of the pages; the map is then released with the
            # traceback.
            with suppress(BufferError):
                data.close()


def is_text(source: object) -> TypeGuard[str]:
    """`source` is MLIR text rather than a path: no path is empty or has a line break or a brace."""
    return isinstance(source, str) and (not source or source.isspace() or "\n" in source or "{" in source)


def cannot_open(path: str, error: OSError | ValueError) -> ParseError:
    """The error for a file that cannot be opened or read."""
    from hlokit.display.printable import printable_name  # most files can be opened

    message = f"cannot open input file '{printable_name(path)}': {reason(error)}"
    return ParseError((Diagnostic("error", message, path),))


def reason(error: Exception) -> str:
    """The reason of a system error, without error numbers and file names."""
    text = str(getattr(error, "strerror", None) or error)
    return text[:1].lower() + text[1:]
