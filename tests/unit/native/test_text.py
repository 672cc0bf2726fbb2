"""What is seen in MLIR text: how deep it is nested, and words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlokit import _bytecode
from hlokit.mlir.text.lexer import tokens

from .building import HERE, build, needs_compiler, room, run

PROGRAMS = sorted((HERE.parents[1] / "interpret").glob("*.mlir"))[::10]
PIECES = st.sampled_from(
    [
        "<",
        "[",
        "{",
        "(",
        ">",
        "]",
        "}",
        ")",
        "->",
        "-",
        "/",
        "//",
        '"',
        "\\",
        '\\"',
        "\n",
        " ",
        "x",
        "é",
        "\0",
    ]
)
TEXTS = st.lists(PIECES, max_size=40).map("".join)


def depth(text: str) -> int:
    """The same by tokens."""
    now = deepest = 0
    for token in tokens(text):
        if token.kind in ("punctuation", "unknown"):
            for character in token.text.replace("->", ""):
                now = max(0, now + (character in "<[{(") - (character in ">]})"))
                deepest = max(deepest, now)
    return deepest


@given(TEXTS)
def test_depth_is_that_of_tokens(text: str) -> None:
    assert _bytecode.bracket_depth(text) == depth(text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_depth_of_programs(path: Path) -> None:
    text = path.read_text()
    assert _bytecode.bracket_depth(text) == depth(text) > 1


@given(TEXTS, st.lists(st.lists(PIECES, min_size=3, max_size=4).map("".join), max_size=32))
def test_words_are_found(text: str, words: list[str]) -> None:
    expected = [number for number, word in enumerate(words) if word in text]
    assert _bytecode.words_in(text, tuple(words)) == expected
    everywhere = "".join([text, *words])
    assert _bytecode.words_in(everywhere, tuple(words)) == list(range(len(words)))


def test_what_words_may_be() -> None:
    assert _bytecode.words_in("text", ()) == []
    with pytest.raises(ValueError, match="three bytes"):
        _bytecode.words_in("text", ("te",))
    with pytest.raises(ValueError, match="32 words"):
        _bytecode.words_in("text", ("text",) * 33)
    with pytest.raises(UnicodeEncodeError):
        _bytecode.words_in("te\ud800t", ("text",))
    with pytest.raises(UnicodeEncodeError):
        _bytecode.bracket_depth("te\ud800t")


@needs_compiler
def test_texts_do_no_harm(tmp_path: Path) -> None:
    sources = [*room("text"), HERE / "fuzz_text.cpp", HERE / "mutate.cpp"]
    run(build(sources, tmp_path / "mutate", ["-O1"]), "2000", "1", *PROGRAMS)
