"""Command lines as the LLVM tools spell them."""

from __future__ import annotations

import pytest

from hlokit.cli.frame.flags import Flag, Values, help_text, natural, one_of, read_command_line
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


def test_values_are_converted() -> None:
    flags = (
        *FLAGS,
        Flag("largest-size", "a number", "N", type=natural),
        Flag("mode", "", "M", type=one_of("a", "b")),
    )
    line = read_command_line(flags, ["--args=x", "--args=y", "-interpret", "--largest-size=3"])
    assert line.typed(flags) == Values(
        interpret=True, args=["x", "y"], function=None, o=None, largest_size=3, mode=None
    )
    with pytest.raises(ArgumentError, match=r"^--mode must be a or b, got 'c'$"):
        read_command_line(flags, ["--mode=c"]).typed(flags)


def test_h_is_help() -> None:
    assert "help" in read_command_line((*FLAGS, Flag("help", "print the flags")), ["-h"]).switches


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
        (["-o"], "^-o must have a value: -o FILE"),
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


@pytest.mark.parametrize(
    ("arguments", "is_on"),
    [([], True), (["--check"], True), (["--check=0"], False), (["--check=false"], False)],
)
def test_switches_that_are_on(arguments: list[str], is_on: bool) -> None:
    flag = Flag("check", "do not check", is_on=True)
    assert ("check" in read_command_line((flag,), arguments).switches) == is_on
    assert flag.usage == "--check=false"


def test_other_flags_are_asked_for_in_order() -> None:
    asked: list[tuple[str, str | None]] = []

    def other(name: str, value: str | None) -> bool:
        asked.append((name, value))
        return name != "check-al"

    read_command_line(FLAGS, ["--b=1", "-interpret", "--a"], other)
    assert asked == [("b", "1"), ("a", None)]
    with pytest.raises(
        ArgumentError, match=r"unknown command line argument '--check-al'; did you mean '--check-all'\?"
    ):
        read_command_line(FLAGS, ["--check-al"], other, lambda: ["check-all"])


def test_a_value_may_be_left_out_where_there_is_a_default() -> None:
    flags = (Flag("mode", "", "MODE", default="all"),)
    assert read_command_line(flags, ["--mode", "x"]).value("mode") == "all"
    assert read_command_line(flags, ["--mode=y"]).value("mode") == "y"
