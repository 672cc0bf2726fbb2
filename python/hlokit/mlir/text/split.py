"""Inputs with several modules, in the format of `--split-input-file` of the MLIR tools."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A marker ends its line, as in MLIR; longer rows of dashes are comments.
_MARKER = re.compile(r"// -----[ \t\r]*$", re.MULTILINE)


def split_input(text: str) -> Iterator[str]:
    """The chunks of a text between `// -----` markers, one at a time.

    Each chunk begins with one newline for each line that precedes it, so that its positions are those in the
    whole text. Chunks may be empty.
    """
    start = 0
    line = 0
    for marker in _MARKER.finditer(text):
        yield "\n" * line + text[start : marker.start()]
        line += text.count("\n", start, marker.end())
        start = marker.end()
    yield "\n" * line + text[start:]
