"""Properties of MLIR text: its nesting depth, the words in it, and what is left for a search."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlokit import _bytecode
from hlokit.mlir.text.lexer import tokens
from tests.unit.lib.building import FUZZERS, HERE, build, needs_compiler, room, rounds, run

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
ENOUGH = 1 << 40
TEXTS = st.lists(PIECES, max_size=40).map("".join)


def depth(text: str) -> int:
    """The nesting depth of a text, counted from its tokens."""
    now = deepest = 0
    for token in tokens(text):
        if token.kind in ("punctuation", "unknown"):
            for character in token.text.replace("->", ""):
                now = max(0, now + (character in "<[{(") - (character in ">]})"))
                deepest = max(deepest, now)
    return deepest


def deepest(text: str) -> int:
    """The smallest limit that a text does not exceed."""
    return next(limit for limit in range(1000) if _bytecode.excess(text, limit, ENOUGH) is None)


@given(TEXTS)
def test_depth_is_that_of_tokens(text: str) -> None:
    assert deepest(text) == depth(text)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_depth_of_programs(path: Path) -> None:
    text = path.read_text()
    assert deepest(text) == depth(text) > 1


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("#a = [[1]]\n#b = [#a]\nf {x = [#b]}", 5),
        ("!a =\n // ( (\n tuple<i1> !b = tuple<!a> f(!b)", 3),
        ("#a = []\n#c = #a.b<[[[[]]]]>\nf", 5),
        ("#a = [1] : tuple<tuple<i1>>\nf {x = #a}", 3),
        ("!f = () -> (tuple<i1>)\nf(tuple<!f>)", 4),
        ('#a = "x" : i1\n"f"() ((((#a))))', 4),
        (
            'loc(#a)\n#b = loc("x")\n#a = loc(callsite(#b at callsite(#b at callsite(#b at callsite(#b at #b)))))',
            1,
        ),
        ("loc(fused<{a = [1]}>[#b])", 3),
        ("affine_map<(d0) -> (- - - -d0)>", 6),
        ("affine_map<(d0) -> (d0 mod 2 mod 2 floordiv 2 + d0 * 2)>", 4),
        ("f(- - - -1)", 1),
    ],
)
def test_depth_through_aliases(text: str, levels: int) -> None:
    assert deepest(text) == levels


def test_where_the_excess_is() -> None:
    doubled = "!a = tuple<i1>\n" + "".join(
        f"!a{i} = tuple<!a{i - 1 or ''}, !a{i - 1 or ''}>\n" for i in range(1, 9)
    )
    assert _bytecode.excess(doubled, 9, ENOUGH) is None
    assert _bytecode.excess(doubled, 8, ENOUGH) == (doubled.index("!a8 ="), True)
    assert _bytecode.excess(doubled, 9, 500) == (doubled.index("!a7 ="), False)
    used = "!a = tuple<i1, i1, i1>\n" + "f(!a)\n" * 100
    assert _bytecode.excess(used, 9, 400) is None
    assert _bytecode.excess(used, 9, 399) == (used.index("(!a") + 1, False)


@given(TEXTS, st.lists(st.lists(PIECES, min_size=3, max_size=4).map("".join), max_size=64))
def test_words_are_found(text: str, words: list[str]) -> None:
    expected = [number for number, word in enumerate(words) if word in text]
    assert _bytecode.words_in(text, tuple(words)) == expected
    everywhere = "".join([text, *words])
    assert _bytecode.words_in(everywhere, tuple(words)) == list(range(len(words)))


@given(
    st.lists(
        st.tuples(TEXTS, st.sampled_from(["0x", '"0x']), st.integers(0, 600), st.sampled_from(['"', "x", ""]))
    )
)
def test_digits_of_large_constants_are_left_out(parts: list[tuple[str, str, int, str]]) -> None:
    text = "".join([before + opening + "0aF9" * count + end for before, opening, count, end in parts])
    expected = re.sub('"0x([0-9a-fA-F]*)', lambda match: match[0] if len(match[1]) < 256 else '"0x', text)
    assert _bytecode.without_digits(text) == expected
    assert (_bytecode.without_digits(text) is text) == (expected == text)


def test_invalid_words_and_texts() -> None:
    assert _bytecode.words_in("text", ()) == []
    assert _bytecode.without_digits("te\ud800t") == "te\ud800t"
    with pytest.raises(ValueError, match="three bytes"):
        _bytecode.words_in("text", ("te",))
    with pytest.raises(ValueError, match="64 words"):
        _bytecode.words_in("text", ("text",) * 65)
    with pytest.raises(UnicodeEncodeError):
        _bytecode.words_in("te\ud800t", ("text",))
    with pytest.raises(UnicodeEncodeError):
        _bytecode.excess("te\ud800t", 1, 1)


@needs_compiler
@pytest.mark.deep
def test_texts_do_no_harm(tmp_path: Path) -> None:
    sources = [*room("text"), FUZZERS / "fuzz_text.cpp", FUZZERS / "mutate.cpp"]
    run(build(sources, tmp_path / "mutate", ["-O1"]), rounds(2_000), "1", *PROGRAMS)
