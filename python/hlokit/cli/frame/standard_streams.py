"""The standard streams of a command: in any state of the streams, the command works or reports an error.

The output of a command contains names and messages from untrusted programs: the streams print control
characters as text (`hlokit.display.printable`). A stream may be closed, its reader gone, its disk full.
"""

from __future__ import annotations

import io
import os
import select
import sys
from typing import TextIO

from hlokit.display.printable import printable
from hlokit.errors import ResourceError

# Replaces a closed descriptor by one that rejects the stream's use. Otherwise the next opened file would get
# the number of the descriptor, and messages, for instance, would go into this file.
_REFUSING = (os.O_WRONLY, os.O_RDONLY, os.O_RDWR)


def prepare() -> None:
    """Replace `sys.stdin`, `sys.stdout` and `sys.stderr` by streams on the same descriptors."""
    for descriptor, mode in enumerate(_REFUSING):
        try:
            os.fstat(descriptor)
        except OSError:
            os.dup2(os.open(os.devnull, mode), descriptor)
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison] # None if it was closed
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 # until the process ends
    sys.stdout = _text(_Output(1), sys.stdout)
    sys.stderr = _text(_Messages(2), sys.stderr)


def write_styled(stream: TextIO, text: str) -> None:
    """Write text with hlokit's own control characters: colours, and lines that are overwritten."""
    if isinstance(stream, _Text):
        stream.write_as_it_is(text)
    else:
        stream.write(text)


class _Output(io.FileIO):
    """The standard output."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)

    def write(self, data: object) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] # any buffer
        try:
            while (count := super().write(data)) is None:  # pyright: ignore[reportArgumentType, reportUnnecessaryComparison] # stubs: bytes, never None
                select.select([], [self], [])  # the pipe is non-blocking: wait here
            return count
        except BrokenPipeError:
            raise
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise ResourceError(f"cannot write to the standard output: {reason}") from None


class _Messages(io.FileIO):
    """The standard error. Failures to write messages are ignored."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "w", closefd=False)

    def write(self, data: object) -> int:  # pyright: ignore[reportIncompatibleMethodOverride] # any buffer
        try:
            while (count := super().write(data)) is None:  # pyright: ignore[reportArgumentType, reportUnnecessaryComparison] # stubs: bytes, never None
                select.select([], [self], [])
            return count
        except OSError:
            return memoryview(data).nbytes  # pyright: ignore[reportArgumentType] # any buffer


class _Text(io.TextIOWrapper):
    def write(self, text: str, /) -> int:
        return super().write(printable(text))

    def write_as_it_is(self, text: str) -> None:
        super().write(text)


def _text(raw: io.FileIO, old: TextIO | None) -> TextIO:
    encoding = "utf-8" if old is None else old.encoding
    is_line_buffered = raw.fileno() == 2 or raw.isatty()
    return _Text(
        io.BufferedWriter(raw), encoding=encoding, errors="backslashreplace", line_buffering=is_line_buffered
    )
