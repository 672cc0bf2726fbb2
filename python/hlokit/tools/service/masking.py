"""Masks errors in text, so that the bindings also find later errors.

The bindings stop at the first error of the parser, or else at the first invalid operation. A valid operation
of the same types replaces the invalid one, and the bindings read the text again. Lines keep their numbers.
This module knows little of the syntax: callers must not trust errors that a replacement may have caused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from hlokit.mlir.text.lexer import Token, skip_balanced, token_at, tokens

_CURRENT = "see current operation: "
_TERMINATORS = re.compile(r'"?[\w.]*\b(?:return|br|cond_br|yield|unreachable)"?')
# Operations that are valid in every function: one with any results and no operands, and a terminator.
_VALUES = '"builtin.unrealized_conversion_cast"() : () -> ({types})'
_TERMINATOR = '"llvm.unreachable"() : () -> ()'
_OPENING = ("{", "(", "[", "<")
_CLOSING = ("}", ")", "]", ">")


def without_operation(text: str, line: int, column: int, notes: Iterable[str]) -> str | None:
    """The text without the operation at a position; None if the operation cannot be removed.

    Args:
      notes: the bindings' notes about the operation, perhaps with its generic form.
    """
    start = _offset(text, line, column)
    if start is None:
        return None
    name = next(tokens(text, start), None)
    if name is None or name.start != start or name.kind not in ("id", "string"):
        return None
    if name.text.strip('"') in ("module", "builtin.module", "func.func"):
        return None
    end = _end_of_operation(text, start)
    if end is None:
        return None
    forms = [note.removeprefix(_CURRENT) for note in notes if note.startswith(_CURRENT)]
    types = _result_types(forms[0]) if forms else _written_types(text, start, end)
    if types is None:
        return None
    if _TERMINATORS.fullmatch(name.text):
        replacement = _TERMINATOR
    else:
        replacement = _VALUES.format(types=types) if types else ""
    return text[:start] + replacement + "\n" * text.count("\n", start, end) + text[end:]


def without_body(text: str, line: int, column: int) -> str | None:
    """The text without the body of the function at a position; None outside of functions."""
    offset = _offset(text, line, column)
    if offset is None:
        return None
    for start, end in _bodies(text):
        if start < offset < end:
            return f"{text[:start]}{{ {_TERMINATOR} }}{chr(10) * text.count(chr(10), start, end)}{text[end:]}"
    return None


def _offset(text: str, line: int, column: int) -> int | None:
    if line < 1 or column < 1:
        return None
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if start == 0:
            return None
    # The bindings count bytes.
    before = text[start : start + column].encode()[: column - 1].decode(errors="replace")
    return min(start + len(before), len(text))


def _result_types(form: str) -> str | None:
    """The text after the last arrow of an operation, without the parentheses."""
    arrow = _last(form, "->")
    if arrow is None:
        return None
    types = form[arrow.end :].strip().split("\n", 1)[0].strip()
    return types[1:-1] if types.startswith("(") else types


def _written_types(text: str, start: int, end: int) -> str | None:
    """The result types in the text of an operation: after the arrow, or the one type after the colon."""
    form = text[start:end]
    types = _result_types(form)
    if types is not None:
        return types
    # `%a, %b = ` would require two types; an operation without results has none.
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if "=" not in before:
        return ""
    colon = _last(form, ":")
    if colon is None or "," in before or ":" in before:
        return None
    return form[colon.end :].strip().split("\n", 1)[0].split(" loc(", 1)[0]


def _last(form: str, text: str) -> Token | None:
    """The last token of the text outside of all brackets."""
    last: Token | None = None
    depth = 0
    for token in tokens(form):
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth -= 1
        elif token.text == text and depth == 0:
            last = token
    return last


def _end_of_operation(text: str, start: int) -> int | None:
    """The end of the last token before the next operation on a separate line, or the end of the block."""
    depth = 0
    end = start
    for token, begins_line in _with_line_starts(text, start):
        if token.text in _CLOSING and token.kind == "punctuation":
            if depth == 0:
                return end
            depth -= 1
        elif depth == 0 and begins_line and token.start > start and _begins_operation(text, token):
            return end
        elif token.text in _OPENING:
            depth += 1
        end = token.end
    return None


def _with_line_starts(text: str, start: int) -> Iterator[tuple[Token, bool]]:
    end = start
    for token in tokens(text, start):
        if token.kind == "comment":
            continue
        yield token, "\n" in text[end : token.start]
        end = token.end


def _begins_operation(text: str, token: Token) -> bool:
    after = token_at(text, token.end).text
    if token.kind == "value":
        return after in ("=", ",", ":")
    if token.kind == "string":
        return after == "("
    return token.kind == "block" or (token.kind == "id" and ("." in token.text or token.text == "return"))


def _bodies(text: str) -> Iterator[tuple[int, int]]:
    """The positions of function bodies, with their braces."""
    for match in re.finditer(r"^[ \t]*(?:func\.)?func\b", text, re.MULTILINE):
        end = match.end()
        for token in tokens(text, match.end()):
            if token.start < end:
                continue
            if token.kind == "id" and token.text == "attributes":
                brace = text.find("{", token.end)
                end = skip_balanced(text, brace) or len(text) if brace >= 0 else len(text)
            elif token.text in ("(", "<"):
                end = skip_balanced(text, token.start) or len(text)
            elif token.text == "{":
                closed = skip_balanced(text, token.start)
                if closed is not None:
                    yield token.start, closed
                break
