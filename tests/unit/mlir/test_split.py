"""Several modules in one text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hlokit.mlir.text.split import split_input


def test_chunks_keep_their_line_numbers() -> None:
    first, second = split_input("a\n// -----\nb\n")
    assert first == "a\n"
    assert second.split("\n")[2] == "b"


def test_one_chunk_is_the_text() -> None:
    assert list(split_input("a\nb")) == ["a\nb"]


def test_empty_chunks() -> None:
    assert [chunk.strip() for chunk in split_input("// -----\n// -----")] == ["", "", ""]


def test_marker_after_code_and_before_blanks() -> None:
    assert [chunk.strip() for chunk in split_input("a } // -----  \r\nb")] == ["a }", "b"]


def test_other_comments_do_not_split() -> None:
    text = "// ------------\n// ----- title\n// ---\n"
    assert list(split_input(text)) == [text]


@given(st.lists(st.sampled_from(["a", "", "// -----", "  b // -----", "// ------"])))
def test_every_line_stays_where_it_is(lines: list[str]) -> None:
    found: dict[int, str] = {}
    for chunk in split_input("\n".join(lines)):
        for number, line in enumerate(chunk.split("\n")):
            if line.strip():
                found[number] = line.strip()
    wanted = {n: line.removesuffix("// -----").strip() for n, line in enumerate(lines)}
    assert found == {n: line for n, line in wanted.items() if line}
