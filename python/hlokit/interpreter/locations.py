"""Source positions in locations, which come spelled as MLIR does.

A front end nests them: `loc("name"(callsite("f"("model.py":4:5) at "main"("run.py":9:1))))`. The first
position is the innermost, the line of the framework's source that the operation comes from.
"""

from __future__ import annotations

import re

_POSITION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
# A name is a string that is no file: no line follows.
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"(?!:\d)')


def source_position(location: str) -> tuple[str, int, int] | None:
    """(file, line, column) of the innermost position; None if a location has none."""
    found = _POSITION.search(location)
    return None if found is None else (_unescaped(found[1]), int(found[2]), int(found[3]))


def _unescaped(text: str) -> str:
    """A string as it was before MLIR spelled it, as far as file names go."""
    return re.sub(r"\\([0-9A-F]{2}|[\\\"])", lambda found: _character(found[1]), text)


def _character(escaped: str) -> str:
    return escaped if len(escaped) == 1 else chr(int(escaped, 16))


def source_text(location: str) -> str:
    """A location for people: `model.py:4:5 (name)`, as far as it has these; "" if it is unknown.

    The name is the outermost one: JAX's is the path of transformations, which ends in the primitive.
    """
    position, name = source_position(location), _NAME.search(location)
    where = "" if position is None else f"{position[0]}:{position[1]}:{position[2]}"
    if name is None:
        return where
    return f"{where} ({name[1]})" if where else name[1]
