"""Errors as the MLIR tools print them."""

from __future__ import annotations

from hlokit.cli.streams.diagnostics import Source, diagnostics_of, position_of, render
from hlokit.errors import (
    ArgumentError,
    Diagnostic,
    EvaluationError,
    Frame,
    HlokitError,
    InternalError,
    ParseError,
)

SOURCE = Source("f.mlir", "first\n\tsecond line\n")


def text_of(error: HlokitError) -> str:
    return render(diagnostics_of(error, SOURCE), SOURCE)


def test_position_source_line_and_caret() -> None:
    error = ParseError((Diagnostic("error", "wrong", "f.mlir", 2, 9),))
    assert text_of(error) == "f.mlir:2:9: error: wrong\n\tsecond line\n\t       ^\n"


def test_details_come_after_the_caret_and_notes_last() -> None:
    note = Diagnostic("note", "here", "f.mlir", 1, 1)
    error = ParseError((Diagnostic("error", "wrong\n  more", "f.mlir", 1, 2, (note,)),))
    expected = "f.mlir:1:2: error: wrong\nfirst\n ^\n  more\nf.mlir:1:1: note: here\nfirst\n^\n"
    assert text_of(error) == expected


def test_other_files_and_lines_beyond_the_end_have_no_source_line() -> None:
    for file, line in (("g.mlir", 1), ("f.mlir", 99)):
        error = ParseError((Diagnostic("error", "wrong", file, line, 1),))
        assert text_of(error) == f"{file}:{line}:1: error: wrong\n"


def test_long_source_lines_are_cut() -> None:
    source = Source("f.mlir", "x" * 5000 + "y" + "x" * 5000)
    text = render([Diagnostic("error", "wrong", "f.mlir", 1, 5001)], source)
    _, excerpt, caret = text.splitlines()
    assert len(excerpt) == 200
    assert excerpt[caret.index("^")] == "y"


def test_evaluation_error_shows_the_call_path() -> None:
    error = EvaluationError("it trapped")
    error.frames = (
        Frame("func.call", "main", 'loc("-":2:2)'),
        Frame("stablehlo.add", "callee", 'loc("add"("-":1:3))', ("tensor<f32>", "tensor<f32>")),
    )
    assert text_of(error) == (
        "f.mlir:1:3: error: stablehlo.add: it trapped\n"
        "first\n  ^\n"
        "  in @callee, stablehlo.add (tensor<f32>, tensor<f32>)\n"
        "f.mlir:2:2: note: called from @main, func.call\n"
        "\tsecond line\n\t^\n"
    )


def test_callers_are_listed_from_the_innermost_outwards() -> None:
    error = EvaluationError("it trapped")
    names = ("main", "outer", "inner")
    error.frames = tuple(Frame("func.call", name, f'loc("g":{line}:1)') for line, name in enumerate(names, 1))
    assert text_of(error) == (
        "g:3:1: error: func.call: it trapped\n  in @inner, func.call\n"
        "g:2:1: note: called from @outer, func.call\n"
        "g:1:1: note: called from @main, func.call\n"
    )


def test_errors_without_a_position() -> None:
    assert text_of(ArgumentError("no such function")) == "f.mlir: error: no such function\n"
    assert text_of(InternalError("oops")) == "f.mlir: error: internal error of hlokit: oops\n"


def test_locations() -> None:
    def position(location: str) -> tuple[str, int, int]:
        found = position_of(location, "note", "", SOURCE)
        return found.file, found.line, found.column

    assert position('loc("-":3:4)') == ("f.mlir", 3, 4)
    assert position('loc("a.py":3:4)') == ("a.py", 3, 4)
    assert position('loc(callsite("f"("a.py":1:2) at "b.py":3:4))') == ("a.py", 1, 2)
    assert position("loc(unknown)") == ("f.mlir", 0, 0)
