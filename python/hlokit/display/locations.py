"""Locations for display: the frames of a location in MLIR's syntax, and the user's frame among them.

Front ends nest locations: `loc("name"(callsite("f"("model.py":4:5) at "main"("run.py":9:1))))`. Frames are
listed from the innermost outward. In a notebook, the file name of a cell is the number of the cell, `In [7]`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from hlokit.display.printable import printable_line, printable_name

_ESCAPES = re.compile(r'(?:\\[0-9A-Fa-f]{2})+|\\[\\"]')


class SourceFrame(NamedTuple):
    """A line of source code in the call stack of an operation.

    Attributes:
      function: the name that the front end gives to the frame, or "".
    """

    function: str
    file: str
    line: int
    column: int

    @property
    def is_user(self) -> bool:
        """Whether the frame belongs neither to an installed package nor to Python itself."""
        return not _INSTALLED.search(self.file)

    @property
    def text(self) -> str:
        """`model.py:4`, or `In [7] line 4`."""
        return self._cell or f"{printable_name(self.file)}:{self.line}"

    @property
    def text_with_column(self) -> str:
        """`model.py:4:5`, or `In [7] line 4`."""
        return self._cell or f"{printable_name(self.file)}:{self.line}:{self.column}"

    @property
    def _cell(self) -> str:
        cell = _cell_of(self.file)
        return "" if cell is None else f"In [{cell}] line {self.line}"


class Source(NamedTuple):
    """The content of a location.

    Attributes:
      name: the outermost name: in programs from JAX, the path of transformations; "" without a name.
      frames: from the innermost outward.
    """

    name: str
    frames: tuple[SourceFrame, ...]

    @property
    def user_frame(self) -> SourceFrame | None:
        """The innermost of the user's frames, or the innermost of all frames; None without frames."""
        return next((frame for frame in self.frames if frame.is_user), next(iter(self.frames), None))

    @property
    def text(self) -> str:
        """The user's line, or else the name; "" if neither is known."""
        frame = self.user_frame
        return printable_name(self.name) if frame is None else frame.text

    @property
    def stack(self) -> str:
        """All frames, one per line."""
        lines = [f"{frame.text}{f' in {frame.function}' * bool(frame.function)}" for frame in self.frames]
        return "\n".join([*([printable_name(self.name)] if self.name else []), *lines])


UNKNOWN = Source("", ())

_INSTALLED = re.compile(
    r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3[.\d]*[/\\]|^<frozen "
    r"|[/\\](?:runpy|ipykernel_launcher)\.py$"
)
_TOKEN = re.compile(
    r'\s*(?:"((?:[^"\\]|\\.)*)"(?::(\d+):(\d+)(?: to [\d:]+)?)?|(#loc\d*)|(\w+)|(.))', re.DOTALL
)
# The most frequent form of location: a name around another location.
_NAMED = re.compile(r'"([^"\\]*)"\((#loc\d*)\)')
# The largest number of frames; recursive programs have endless stacks.
_MOST_FRAMES = 200


def _cell_of(file: str) -> int | None:
    """The number of the notebook cell of a file; None for other files."""
    if "ipy" not in file or "IPython" not in sys.modules:  # /tmp/ipykernel_123/456.py, <ipython-input-7-...>
        return None
    shell: Any = sys.modules["IPython"].get_ipython()
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return numbers.get(file)


@lru_cache(maxsize=4096)
def source_of(location: str) -> Source:
    """The content of a location in MLIR's syntax, with or without `loc(...)` around it."""
    return read(location.removeprefix("loc(").removesuffix(")") if location.startswith("loc(") else location)


def read(text: str, alias: Callable[[str], Source] = lambda name: UNKNOWN) -> Source:
    """The content of a location without `loc(...)` around it.

    Args:
      alias: returns the source of an alias such as `#loc7`.
    """
    named = _NAMED.fullmatch(text)
    try:
        if named is not None:
            name, inner = printable_line(named[1]), alias(named[2])
            frames = _named_frames(inner.name or name, list(inner.frames))
        else:
            name, frames = _Reader(text, alias).location()
    except RecursionError:
        return UNKNOWN
    return Source(name, tuple(frames[:_MOST_FRAMES]))


class _Reader:
    """Reads one location from left to right, and skips unknown parts."""

    def __init__(self, text: str, alias: Callable[[str], Source]) -> None:
        self._tokens = _TOKEN.finditer(text)
        self._alias = alias
        self._token = next(self._tokens, None)

    def _next(self) -> re.Match[str] | None:
        token, self._token = self._token, next(self._tokens, None)
        return token

    def _is(self, character: str) -> bool:
        return self._token is not None and self._token[6] == character

    def location(self) -> tuple[str, list[SourceFrame]]:
        token = self._next()
        if token is None:
            return "", []
        if token[4]:
            source = self._alias(token[4])
            return source.name, list(source.frames)
        if token[2]:
            return "", [SourceFrame("", unescaped(token[1]), int(token[2]), int(token[3]))]
        if token[1] is not None:
            return self._named(unescaped(token[1]))
        if token[5] == "callsite":
            self._next()
            name, frames = self.location()
            self._next()  # at
            outer = self.location()[1]
            self._next()
            return name, _named_frames(name, frames) + outer
        if token[5] == "fused":
            return self._fused()
        return "", []

    def _named(self, name: str) -> tuple[str, list[SourceFrame]]:
        if not self._is("("):
            return name, []
        self._next()
        inner, frames = self.location()
        self._next()
        return name, _named_frames(inner or name, frames)

    def _fused(self) -> tuple[str, list[SourceFrame]]:
        name, frames = "", list[SourceFrame]()
        while self._token is not None and not self._is("["):  # metadata
            name = name or unescaped(self._token[1] or "")
            self._next()
        while self._token is not None and not self._is("]"):
            self._next()
            inner, more = self.location()
            name = name or inner
            frames += more
        self._next()
        return name, frames


def _named_frames(name: str, frames: list[SourceFrame]) -> list[SourceFrame]:
    """The frames; the innermost frame gets the name of its function."""
    if len(frames) == 1 and not frames[0].function and "/" not in name:
        return [frames[0]._replace(function=name)]
    return frames


def unescaped(text: str) -> str:
    """A string of MLIR's syntax as text: bytes are UTF-8. Control characters and other bytes stay escaped."""
    if "\\" not in text:
        return printable_line(text)
    return _ESCAPES.sub(lambda escapes: _characters(escapes[0]), text)


def _characters(escapes: str) -> str:
    if escapes[1] in '\\"':
        return escapes[1]
    return printable_line(bytes.fromhex(escapes.replace("\\", "")).decode(errors="backslashreplace"))
