"""The only code that opens input files: programs, requests, arrays of arguments.

Every input of a command or of a call comes through here, so that there is one place for the rules about
paths, for the name that stands in messages, and for what a user reads when an input cannot be opened.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO, TypeGuard

from hlokit.errors import Diagnostic, ParseError

if TYPE_CHECKING:
    import mmap

STANDARD_INPUT = "-"
# What messages call input that came from no file, as MLIR does.
NO_FILE = "-"


def read(path: str) -> tuple[str, bytes]:
    """An input of a command: its name in messages, and its bytes. `-` is the standard input.

    Raises:
      ParseError: the file cannot be read.
    """
    if path == STANDARD_INPUT:
        try:
            return "<stdin>", sys.stdin.buffer.read()
        except OSError as error:
            raise cannot_open("<stdin>", error) from None
    return path, read_file(path)


def read_file(path: str) -> bytes:
    """The bytes of a file.

    Raises:
      ParseError: the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise cannot_open(path, error) from None


def open_file(path: str) -> BinaryIO:
    """An open file, for callers that say in their own words what failed.

    Raises:
      OSError, ValueError: the file cannot be opened.
    """
    return open(path, "rb")


@contextmanager
def mapped(path: str) -> Generator[mmap.mmap | bytes]:
    """The bytes of a file as a map of its pages: looking at a header does not read gigabytes.

    Raises:
      ParseError: the file cannot be read.
    """
    import mmap  # only one command looks at files without reading them

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
            # Views of the pages may live in the traceback of an error; the map then goes with them.
            with suppress(BufferError):
                data.close()


def is_text(source: object) -> TypeGuard[str]:
    """`source` is MLIR text rather than a path: no path is empty or has a line break or a brace."""
    return isinstance(source, str) and (not source.strip() or "\n" in source or "{" in source)


def cannot_open(path: str, error: OSError | ValueError) -> ParseError:
    """What a user is told about a file that cannot be opened or read."""
    from hlokit.printable import printable_name  # most files can be opened

    message = f"cannot open input file '{printable_name(path)}': {reason(error)}"
    return ParseError((Diagnostic("error", message, path),))


def reason(error: Exception) -> str:
    """Why the system refused, without numbers and names of files."""
    text = str(getattr(error, "strerror", None) or error)
    return text[:1].lower() + text[1:]
