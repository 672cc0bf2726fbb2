"""RUN lines and their commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hlokit.tools.conformance.shell import Command, NotRunError, Outcome, Stage, parse_line, run_pipeline


def _upper(arguments: Sequence[str], data: bytes) -> Outcome:
    return Outcome(0, data.upper())


def _say(arguments: Sequence[str], data: bytes) -> Outcome:
    return Outcome(0, " ".join(arguments).encode(), b"said\n")


def _fail(arguments: Sequence[str], data: bytes) -> Outcome:
    return Outcome(3, b"out", b"err")


COMMANDS: Mapping[str, Command] = {"upper": _upper, "say": _say, "fail": _fail}


def run(line: str, **substitutions: str) -> Outcome:
    named = {f"%{name}": value for name, value in substitutions.items()}
    return run_pipeline(parse_line(line, named), COMMANDS)


def test_parts_of_a_line() -> None:
    stages = parse_line(
        'tool --args="[dense<1> : tensor<2xi32>]" %s 2>&1 | other > %t.0', {"%s": "f", "%t": "g"}
    )
    assert stages == [
        Stage(("tool", "--args=[dense<1> : tensor<2xi32>]", "f"), None, True),
        Stage(("other",), "g.0", False),
    ]


def test_output_goes_to_the_next_command() -> None:
    assert run("say a b | upper").output == b"A B"


def test_errors_are_merged_on_demand() -> None:
    assert run("say a 2>&1 | upper").output == b"ASAID\n"
    assert run("say a | upper").errors == b"said\n"


def test_a_pipeline_fails_where_a_command_fails() -> None:
    assert run("fail | upper").status == 3
    assert run("say | fail").status == 3


def test_not() -> None:
    assert run("not fail").status == 0
    assert run("not say").status == 1


def test_redirection(tmp_path: Path) -> None:
    assert run("say x > %t.txt", t=str(tmp_path / "a")).output == b""
    assert (tmp_path / "a.txt").read_bytes() == b"x"


def test_xargs() -> None:
    assert run("say DIR | xargs -I{} say --to={} end").output == b"--to=DIR end"


@pytest.mark.parametrize(
    "line", ["unknown", "say < x", "say && say", "say; say", "say x | xargs say", "say | | say"]
)
def test_unknown_commands_are_not_run(line: str) -> None:
    with pytest.raises(NotRunError):
        run(line)
