"""`--verify-diagnostics`: the diagnostics that comments announce."""

from __future__ import annotations

import pytest

from hlokit.cli.streams.expectations import differences, expectations
from hlokit.errors import Diagnostic, Severity


def places(text: str) -> list[tuple[str, int, str]]:
    return [(item.severity, item.line, item.message) for item in expectations(text)]


def problems(text: str, *found: Diagnostic, only_expected: bool = False) -> list[str]:
    return [str(item) for item in differences(text, "f", found, only_expected=only_expected)]


def at(line: int, message: str, severity: Severity = "error") -> Diagnostic:
    return Diagnostic(severity, message, "f" if line else "-", line, 1)


@pytest.mark.parametrize(
    ("place", "line"),
    [("", 3), ("@+2", 5), ("@-2", 1), (" @+1", 4), ("@above", 2), ("@below", 4), ("@unknown", 0)],
)
def test_places(place: str, line: int) -> None:
    text = f"one\ntwo\n// expected-warning{place} {{{{x y}}}}\nfour\nfive"
    assert places(text) == [("warning", line, "x y")]


def test_neighbouring_comments_mean_the_same_line() -> None:
    text = "op\n// expected-error@above {{a}}\n// expected-note@above {{b}}\n// expected-error@below {{c}}\n// expected-remark@below {{d}}\nnext"
    assert places(text) == [("error", 1, "a"), ("note", 1, "b"), ("error", 6, "c"), ("remark", 6, "d")]


@pytest.mark.parametrize(
    "text", ["// expected-error {{a}} and more", "// expect-error {{a}}", "// expected-fatal {{a}}"]
)
def test_other_comments(text: str) -> None:
    assert places(text) == []


def test_expected_diagnostics_are_no_problem() -> None:
    assert problems("op // expected-error {{must be 4}}", at(1, "size must be 4, got 3")) == []


def test_one_comment_announces_repeated_diagnostics() -> None:
    assert problems("op // expected-error {{x}}", at(1, "x"), at(1, "x again")) == []


def test_two_comments_need_two_messages() -> None:
    text = "// expected-error@+2 {{x}}\n// expected-error@+1 {{x}}\nop"
    assert len(problems(text, at(3, "x"), at(3, "x"))) == 1


@pytest.mark.parametrize(
    ("found", "problem"),
    [
        ([], 'f:1:7: error: expected error "x" was not produced'),
        ([at(2, "x")], "f:2:1: error: unexpected error: x"),
        ([at(0, "x")], "-: error: unexpected error: x"),
        ([at(1, "y")], "f:1:1: error: unexpected error: y"),
        ([at(1, "x", "remark")], "f:1:7: error: 'remark' diagnostic emitted when expecting a 'error'"),
    ],
)
def test_differences_are_told_with_positions(found: list[Diagnostic], problem: str) -> None:
    assert problem in problems("op // expected-error {{x}}", *found)


def test_only_expected() -> None:
    text = "op // expected-error {{x}}"
    assert problems(text, at(1, "x"), at(7, "other"), only_expected=True) == []
    assert len(problems(text, at(7, "other"), only_expected=True)) == 1


def test_notes_must_be_announced_but_for_that_of_verifiers() -> None:
    note = at(2, "it was here", "note")
    found = Diagnostic("error", "x", "f", 1, 1, (note, at(1, "see current operation: %0", "note")))
    assert problems("op // expected-error {{x}}\n", found) == ["f:2:1: error: unexpected note: it was here"]
    assert problems("op // expected-error {{x}}\n// expected-note {{was here}}", found) == []


@pytest.mark.parametrize(
    ("message", "matches"), [("got 12 of (3)", True), ("got 1x of (3)", False), ("GOT 12 of (3)", False)]
)
def test_regular_expressions(message: str, matches: bool) -> None:
    text = "op // expected-error-re {{got {{[0-9]+}} of (3)}}"
    assert (problems(text, at(1, message)) == []) == matches


@pytest.mark.parametrize(
    ("pattern", "problem"), [("a {{(}} b", "invalid regex"), ("a {{b", "found start of regex with no end")]
)
def test_invalid_regular_expressions(pattern: str, problem: str) -> None:
    (told,) = problems(f"op // expected-error-re {{{{{pattern}}}}}")
    assert problem in told
