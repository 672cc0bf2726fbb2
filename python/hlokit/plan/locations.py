"""Source positions in locations, which have MLIR's spelling.

Front ends nest locations: `loc("name"(callsite("f"("model.py":4:5) at "main"("run.py":9:1))))`. The first
position is the innermost one: the line of the user's or framework's source that the operation comes from.
"""

from __future__ import annotations

import re

from hlokit.printable import printable_line

_POSITION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
# A name is a string that no line number follows: it is not a file.
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"(?!:\d)')


def source_position(location: str) -> tuple[str, int, int] | None:
    """(file, line, column) of the innermost position; None if a location has no position."""
    found = _POSITION.search(location)
    return None if found is None else (_unescaped(found[1]), int(found[2]), int(found[3]))


def _unescaped(text: str) -> str:
    """A string without MLIR's escapes, byte by byte: enough for file names in ASCII. Control characters keep
    theirs."""
    return re.sub(r"\\([0-9A-F]{2}|[\\\"])", lambda found: _character(found[1]), text)


def _character(escaped: str) -> str:
    return escaped if len(escaped) == 1 else printable_line(chr(int(escaped, 16)))


def source_text(location: str) -> str:
    """A location for people: `model.py:4:5 (name)`, or a part of that; "" if the location is unknown.

    The name is the outermost one: in programs from JAX the path of transformations, which ends in the
    primitive.
    """
    position, name = source_position(location), _NAME.search(location)
    where = "" if position is None else f"{position[0]}:{position[1]}:{position[2]}"
    if name is None:
        return where
    return f"{where} ({name[1]})" if where else name[1]
