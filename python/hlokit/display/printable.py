"""Untrusted text for display: without control sequences, and names on one line.

Names, locations and messages come from programs that hlokit did not write. Escape sequences in them would
move the cursor, rename the window or hide a line; line breaks in them would forge lines of a list.
"""

from __future__ import annotations

import re

# Tabs and line breaks, including those of Unicode.
_BREAKS = (0x09, 0x0A, 0x2028, 0x2029)
# Control characters, and characters that change the direction of writing.
_CONTROL = (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x200E, 0x200F, *range(0x202A, 0x202F))
_ISOLATES = range(0x2066, 0x206A)


def _spelled(number: int) -> str:
    return f"\\{number:02X}" if number < 0x100 else f"\\u{number:04X}"


_LONGEST_NAME = 1000
# A word of at least 600 characters, with its beginning and end.
_LONG_WORD = r"(\S{100})\S{400,}+(?<=(\S{100}))"

_SPELLED = {number: _spelled(number) for number in (*_CONTROL, *_ISOLATES)}
_SPELLED_IN_LINES = {**_SPELLED, **{number: _spelled(number) for number in _BREAKS}}


def printable(text: str) -> str:
    """The text with control characters escaped as in MLIR, `\\1B`; tabs and line breaks stay."""
    # `isprintable` is the fastest test, and most output passes it.
    return text if text.isprintable() else text.translate(_SPELLED)


def printable_line(text: str) -> str:
    """The text as `printable` returns it, but also without line breaks and tabs: for names."""
    return text if text.isprintable() else text.translate(_SPELLED_IN_LINES)


def abridged(message: str) -> str:
    """A message whose very long words are reduced to their beginning and end."""
    return re.sub(_LONG_WORD, r"\1...\2", message)


def printable_name(text: str) -> str:
    """A name for messages and tables, on one line; a very long name is reduced to its beginning and end."""
    if len(text) > _LONGEST_NAME:
        part = _LONGEST_NAME // 2
        text = f"{text[:part]}...{text[-part:]}"
    return printable_line(text)
