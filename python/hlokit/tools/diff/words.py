"""Titles and texts as lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

WIDTH = 80


def wrapped(title: str, text: str) -> Iterator[str]:
    """A title and text, in lines of 80 columns."""
    lines = textwrap.wrap(text, WIDTH - 10, break_long_words=False, break_on_hyphens=False) or [""]
    for number, line in enumerate(lines):
        yield f"{title if not number else '':10}{line}"
