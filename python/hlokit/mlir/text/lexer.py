"""Tokens of MLIR text with their offsets. The lexer knows no grammar and accepts any text.

Every step is one match of a regular expression without backtracking, so time is linear in the length of
the text, and a large `dense<"0x...">` is one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A string ends at its quote or, unterminated, at the end of its line: MLIR strings do not span lines.
_STRING = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?'
_COMMENT = r"//[^\n]*+"
_NAME = r"[\w$.\-]++"

_TOKEN = re.compile(
    rf"""\s*+(?:
      (?P<comment>{_COMMENT})
    | (?P<string>{_STRING})
    | (?P<value>%{_NAME}(?:\#\d++)?)
    | (?P<symbol>@(?:{_STRING}|{_NAME}))
    | (?P<block>\^{_NAME})
    | (?P<type>![A-Za-z_][\w$.]*+)
    | (?P<attribute>\#[A-Za-z0-9_][\w$.]*+)
    | (?P<id>[A-Za-z_][\w$.]*+)
    | (?P<number>0x[0-9a-fA-F]++|\d++(?:\.\d*+(?:[eE][+-]?\d++)?)?)
    | (?P<punctuation>->|::|\{{-\#|\#-\}}|[-<>\[\]{{}}(),:=+*?/|])
    | (?P<unknown>[^\s])
    )""",
    re.VERBOSE,
)
_BRACKET = re.compile(rf"{_STRING}|{_COMMENT}|->|[<>\[\]{{}}()]")
_CLOSING = {"<": ">", "[": "]", "{": "}", "(": ")"}


class Token(NamedTuple):
    """A piece of text.

    `kind` is `value` (`%x`, `%x#1`), `symbol` (`@f`), `block` (`^bb0`), `type` (`!t`), `attribute` (`#a`),
    `id` (`func.func`, `dense`, `tensor`), `string` (with its quotes), `number`, `comment`, `punctuation`,
    `unknown` (a character that MLIR does not use) or `end`.
    """

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def token_at(text: str, offset: int, end: int | None = None) -> Token:
    """The first token at or after `offset` that begins before `end`, comments included."""
    limit = len(text) if end is None else end
    match = _TOKEN.match(text, offset, limit)
    if match is None:
        return Token("end", "", limit)
    kind = match.lastgroup or "unknown"
    return Token(kind, match[kind], match.start(kind))


def tokens(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """Tokens of `text[start:end]`, comments included; offsets refer to `text`."""
    token = token_at(text, start, end)
    while token.kind != "end":
        yield token
        token = token_at(text, token.end, end)


def skip_balanced(text: str, offset: int) -> int | None:
    """The offset after the bracket that closes the bracket at `offset`; None if no bracket closes it.

    Only brackets, strings and comments matter; any other text is skipped.
    """
    expected: list[str] = []
    for match in _BRACKET.finditer(text, offset):
        bracket = match[0]
        if bracket in _CLOSING:
            expected.append(_CLOSING[bracket])
        elif bracket in (">", "]", "}", ")"):
            if not expected or expected.pop() != bracket:
                return None
            if not expected:
                return match.end()
    return None


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
