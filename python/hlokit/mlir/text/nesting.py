"""Limits on text: on its nesting, and on the expansion of its aliases.

The bindings read, print and write types, attributes, locations and regions recursively, and print without
aliases: text of a few kilobytes could overrun the stack, or print gigabytes.
"""

from __future__ import annotations

import re

from hlokit import _bytecode
from hlokit.errors import Diagnostic, ParseError

# Levels of brackets, aliases included. With at most 2.2 KB of stack per level (measured for nested regions,
# of two levels each), this depth takes half of a thread's stack of 1 MiB. Programs have some ten levels.
DEEPEST = 256
# A level of a location takes a quarter of the stack; the locations of programs have up to a hundred calls.
DEEPEST_LOCATIONS = 4 * DEEPEST
# Types, attributes and locations after the expansion of aliases: a constant, plus a number for each byte of
# text.
LARGEST_EXPANSION = 1 << 17
_EXPANSION_PER_BYTE = 16
# Dimension numbers of a convolution that exceed any rank: the parser makes a list of all dimensions up to the
# largest. Comments may occur between any two words.
_GAP = r"(?:\s|//[^\n]*\n)*"
_DISTANT = (
    rf"\b(?:conv{_GAP}<|dim_numbers{_GAP}=)"
    r"(?:[\[\]\w?,\s>-]|//[^\n]*\n)*?(?<!\w)(?P<number>0*[1-9]\d{5,}|0x0*[1-9a-fA-F][\da-fA-F]{4,})"
)
_DISTANT_OR_STRING = rf'"(?:[^"\\\n]|\\.)*"|//[^\n]*|{_DISTANT}'


def require_shallow(text: str, filename: str = "-", *, searched: str | None = None) -> None:
    """Return if the bindings can read the text, and print the result; `searched` is the text without digits.

    Raises:
      ParseError: the text is nested too deep, its aliases expand too far, or the text is not UTF-8.
    """
    try:
        excess = excess_of(text, searched)
    except UnicodeEncodeError as error:  # of a lone surrogate, which JSON and command lines may contain
        raise ParseError((Diagnostic("error", f"text must be UTF-8: {error.reason}", filename),)) from None
    if excess is not None:
        line, column, message = excess
        raise ParseError((Diagnostic("error", message, filename, line, column),))


def excess_of(text: str, searched: str | None = None) -> tuple[int, int, str] | None:
    """The part of a text that is too deep or too large: line, column, and a message; None if there is no such
    part."""
    largest = LARGEST_EXPANSION + _EXPANSION_PER_BYTE * len(text)
    searched = _bytecode.without_digits(text) if searched is None else searched
    excess = _bytecode.excess(searched, DEEPEST, largest)
    if excess is None:
        return _distant_dimension(text) if _has_distant_dimension(searched) else None
    if searched is not text:  # the offset in the whole text
        excess = _bytecode.excess(text, DEEPEST, largest)
        assert excess is not None, "digits do not nest"
    from hlokit.mlir.text.lexer import line_and_column  # few texts are deep

    offset, is_depth = excess
    message = (
        f"nested more than {DEEPEST} levels deep (locations: {DEEPEST_LOCATIONS})"
        if is_depth
        else f"aliases expand to more than {largest} types, attributes and locations"
    )
    return *line_and_column(text, len(text.encode()[:offset].decode())), message


def _has_distant_dimension(text: str) -> bool:
    """Whether a dimension number of a convolution may be beyond any rank."""
    for word in ("conv", "dim_numbers"):
        start = text.find(word)
        while start >= 0:
            goes_on = text[start + len(word) : start + len(word) + 1].isalpha()  # `convert`, `convolution`
            if not goes_on and re.compile(_DISTANT).match(text, start):
                return True
            start = text.find(word, start + 1)
    return False


def _distant_dimension(text: str) -> tuple[int, int, str] | None:
    """A dimension number of a convolution that is beyond any rank."""
    from hlokit.mlir.text.lexer import line_and_column

    for match in re.finditer(_DISTANT_OR_STRING, text):
        number = match["number"]
        if number is not None:
            message = f"a dimension number must be less than the rank, got {number}"
            return *line_and_column(text, match.start("number")), message
    return None
