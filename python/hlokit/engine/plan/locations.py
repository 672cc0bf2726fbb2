"""Source positions in MLIR's locations.

Front ends nest locations: `loc("name"(callsite("f"("model.py":4:5) at "main"("run.py":9:1))))`. The first
position is the innermost: the line of the user's or framework's source that wrote the operation.
"""

from __future__ import annotations

import re

from hlokit.display.locations import source_of, unescaped
from hlokit.display.printable import printable_name

_POSITION = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')


def source_position(location: str) -> tuple[str, int, int] | None:
    """(file, line, column) of the innermost position; None if a location has no position."""
    position = _POSITION.search(location)
    return None if position is None else (unescaped(position[1]), int(position[2]), int(position[3]))


def source_text(location: str) -> str:
    """A location for display: `model.py:4:5 (name)`, or a part of this text; "" if the location is unknown.

    The line is the innermost line outside of installed packages; in a notebook, `In [7] line 4`.

    The name is the outermost name: in programs from JAX the path of transformations, which ends with the
    primitive.
    """
    source = source_of(location)
    frame, name = source.user_frame, printable_name(source.name)
    where = "" if frame is None else frame.text_with_column
    return f"{where} ({name})" if where and name else where or name
