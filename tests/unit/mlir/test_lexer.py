"""Tokens of MLIR text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlokit.mlir.text.lexer import line_and_column, skip_balanced, token_at, tokens

SNIPPETS = [
    ("%x", "value"),
    ("%0#1", "value"),
    ("@sym", "symbol"),
    ('@"a b"', "symbol"),
    ("^bb0", "block"),
    ("!quant.uniform", "type"),
    ("#stablehlo.channel", "attribute"),
    ("func.func", "id"),
    ("0x1F", "number"),
    ("1.5e-3", "number"),
    ('"a \\" b"', "string"),
    ("// note", "comment"),
    ("->", "punctuation"),
    ("é", "unknown"),
]


@pytest.mark.parametrize(("text", "kind"), SNIPPETS)
def test_kinds(text: str, kind: str) -> None:
    (token,) = tokens(f"  {text}\n")
    assert (token.kind, token.text, token.start, token.end) == (kind, text, 2, 2 + len(text))


def test_result_pack_is_three_tokens() -> None:
    assert [token.text for token in tokens("%x:2")] == ["%x", ":", "2"]


def test_string_ends_with_its_line() -> None:
    assert [token.text for token in tokens('"open\n}')] == ['"open', "}"]


@given(st.text(alphabet='%@^!#"\\/<>[]{}()-=.:,0x1ae \n\té'))
def test_every_character_is_in_one_token_or_blank(text: str) -> None:
    end = 0
    for token in tokens(text):
        assert not text[end : token.start].strip()
        assert text.startswith(token.text, token.start)
        end = token.end
    assert not text[end:].strip()


def test_end() -> None:
    assert token_at("  ", 0) == ("end", "", 2)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("<a<b>>c", 6),
        ('{"}"}', 5),
        ("(// )\n)", 7),
        ("(a -> b)", 8),
        ("(]", None),
        ("((", None),
    ],
)
def test_skip_balanced(text: str, end: int | None) -> None:
    assert skip_balanced(text, 0) == end


def test_large_literal_is_one_step() -> None:
    text = f'<"0x{"AB" * 20_000_000}">'
    start = time.process_time()
    assert skip_balanced(text, 0) == len(text)
    assert time.process_time() - start < 2


def test_line_and_column() -> None:
    assert line_and_column("ab\ncd", 4) == (2, 2)
    assert line_and_column("ab", 0) == (1, 1)
