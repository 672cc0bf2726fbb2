"""Command lines as the LLVM tools spell them."""

from __future__ import annotations

import pytest

from hlokit.cli.flags import Flag, help_text, read_command_line
from hlokit.errors import ArgumentError

FLAGS = (
    Flag("interpret", "a switch"),
    Flag("args", "a value", "VALUE", repeatable=True),
    Flag("function", "a value", "NAME"),
    Flag("o", "a value", "FILE"),
)


def test_one_dash_and_two() -> None:
    assert read_command_line(FLAGS, ["-interpret"]) == read_command_line(FLAGS, ["--interpret"])


@pytest.mark.parametrize("arguments", [["--function=f"], ["-function=f"], ["--function", "f"]])
def test_spellings_of_a_value(arguments: list[str]) -> None:
    assert read_command_line(FLAGS, arguments).value("function") == "f"


def test_value_keeps_its_equals_signs_and_may_look_like_a_flag() -> None:
    line = read_command_line(FLAGS, ["--args=a=b", "--args", "--x"])
    assert line.values["args"] == ["a=b", "--x"]


def test_inputs() -> None:
    line = read_command_line(FLAGS, ["a", "-", "-o", "b", "--", "-c"])
    assert line.inputs == ["a", "-", "-c"]
    assert line.value("o") == "b"
    assert line.value("function") is None


@pytest.mark.parametrize(
    ("arguments", "is_on"),
    [(["--interpret=true"], True), (["--interpret=0"], False), (["--interpret", "--interpret=false"], False)],
)
def test_switch_with_a_value(arguments: list[str], is_on: bool) -> None:
    assert ("interpret" in read_command_line(FLAGS, arguments).switches) == is_on


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--interprt"], "unknown command line argument '--interprt'; did you mean '--interpret'?"),
        (["-xyzzy"], "unknown command line argument '-xyzzy'$"),
        (["--interpret=maybe"], "--interpret must be true or false, got 'maybe'"),
        (["--function"], "--function must have a value: --function=NAME"),
        (["-o"], "-o FILE"),
        (["--function=f", "--function=g"], "--function must be given once at most"),
    ],
)
def test_errors(arguments: list[str], message: str) -> None:
    with pytest.raises(ArgumentError, match=message.replace("?", r"\?")):
        read_command_line(FLAGS, arguments)


def test_help_names_every_flag() -> None:
    text = help_text("tool FILE", "Does it.", FLAGS)
    for flag in FLAGS:
        assert f"  {flag.usage} " in text
