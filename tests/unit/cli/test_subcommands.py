"""Properties of every subcommand: its flags, its help, and results as JSON."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from hlokit import Recording, load
from hlokit.cli import main
from hlokit.mlir.printing import write_bytecode
from hlokit.tools.recording.container import PROGRAM

LOG = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  %1 = stablehlo.log %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
"""
X = "dense<[-1.0, 2.0]> : tensor<2xf32>"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "log.mlir"
    path.write_text(LOG)
    return path


@pytest.mark.parametrize("name", main.SUBCOMMANDS)
def test_help_of_a_subcommand(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = main.subcommand(name).parser()
    for arguments in ([name, "--help"], [name, "-h"], ["--help", name], [name, "--help", "--version"]):
        assert main.main(arguments) == 0
        text = capsys.readouterr().out
        assert text.startswith(f"usage: hlokit {name}") and text == parser.format_help()
    shown = re.findall(r"^  (-[\w-]+)", text.partition("flags:\n")[2], re.MULTILINE)
    assert shown == [flag.spelling for flag in parser.flags.values()]
    assert {"help", "version"} <= set(parser.flags)
    assert max(map(len, text.splitlines())) <= 80


def test_help_of_all_subcommands(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--help"], ["-h"], ["help"]):
        assert main.main(arguments) == 0
        text = capsys.readouterr().out
        assert text.startswith(f"usage: {main.USAGE}\n")
        words = re.findall(r"^  (\S+) ", text, re.MULTILINE)
        assert words[: len(main.SUBCOMMANDS)] == list(main.SUBCOMMANDS)
        assert {"-h,", "-V,", "hlokit"} <= set(words)
        assert max(map(len, text.splitlines())) <= 80
        assert len(text.splitlines()) <= 60


OWN = {name: parser.flags for name, parser in main.parsers().items()}
OUTPUTS = {"o", "output"}  # two spellings of one flag
FOREIGN = [
    (name, flag)
    for name in OWN
    for flag in sorted(set().union(*OWN.values()))
    if flag not in OWN[name] and not (flag in OUTPUTS and OUTPUTS & set(OWN[name]))
]


def test_subcommands_have_flags_that_others_lack() -> None:
    assert {name for name, _ in FOREIGN} == set(main.SUBCOMMANDS)
    assert {("view", "json"), ("completion", "json"), ("info", "trace"), ("serve", "format")} <= set(FOREIGN)


@pytest.mark.parametrize("name", main.SUBCOMMANDS)
def test_a_subcommand_refuses_flags_of_others(
    name: str, program: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parsers = main.parsers()
    monkeypatch.setattr(main, "parsers", lambda: parsers)  # making them takes time
    for flag in [flag for subcommand, flag in FOREIGN if subcommand == name]:
        for word in (f"--{flag}", f"--{flag}=json"):
            assert main.main([name, str(program), word]) == 2
            flags = OUTPUTS if flag in OUTPUTS else {flag}
            owners = ", ".join(other for other in OWN if flags & set(OWN[other]))
            shown = "-o" if "o" in flags else f"--{flag}"
            message = f"hlokit: error: {name}: {shown} must not be given: it is a flag of {owners}"
            printed = capsys.readouterr()
            assert printed.out == ""
            assert printed.err.partition(";")[0].rstrip() == message


def test_flags_of_one_name_take_a_value_everywhere_or_nowhere() -> None:
    """The subcommand is found after flags, which may have values."""
    flags = [flag for own in OWN.values() for flag in own.values()]
    takes_value = {(flag.name, flag.value is not None) for flag in flags}
    assert len(takes_value) == len({flag.name for flag in flags})


SAME = (
    ["ops", "log.mlir", "--json"],
    ["ops", "-json", "log.mlir"],
    ["ops", "--format=json", "log.mlir"],
    ["ops", "-format", "json", "--", "log.mlir"],
    ["--json", "ops", "log.mlir"],
    ["--kernels", "ops.py", "ops", "log.mlir", "--json"],
    ["--kernels=ops.py", "--json=TRUE", "--", "ops", "log.mlir"],
    ["ops", "--json=false", "log.mlir", "--json=1"],
)


@pytest.mark.parametrize("arguments", SAME, ids=" ".join)
def test_spellings_of_a_command_line(
    arguments: list[str], program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (program.parent / "ops.py").write_text("")
    assert main.main(arguments) == 0
    assert capsys.readouterr() == ('{\n  "version": 1,\n  "operations": []\n}\n', "")


def test_inputs_and_flags_in_any_order(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program.parent / "-x.mlir").write_text(LOG)
    for arguments in (["log.mlir", "--full", X], ["-full", "log.mlir", X], ["--full", "--", "-x.mlir", X]):
        assert main.main(["run", "--output", "-o.npz", *arguments]) == 0
        assert capsys.readouterr().out.startswith("tensor<2xf32> {")
        Path("-o.npz").unlink()


def test_the_standard_input_is_an_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = tmp_path / "log.mlir"
    stored.write_text(LOG)
    for arguments, output in (
        (["ops", "-"], "every operation can be evaluated\n"),
        (["lint-spmd", "-"], ""),
        (["diff", "-", "--against=high", "--ones"], "<stdin> against high: the same\n"),
        (["record", "-", "--ones", "-o", str(tmp_path / "run")], "2 values of @main recorded"),
        (["run", "-", "--ones"], "tensor<2xf32> {\n"),
        (["equal", "-", str(stored)], "equal"),
        (["equal", str(stored), "-"], "equal"),
        (["invariance", "-", "--ones"], "rows keep their bytes"),
        (["judge", "-", str(stored)], f"{stored} against -: right"),
    ):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG.encode())))
        assert main.main(arguments) == 0, arguments
        assert capsys.readouterr().out.startswith(output), arguments


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main.main([*arguments, "--format=json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed.pop("version") == 1
    return printed


def test_small_programs_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "reduce", str(program), X, "--keep=nan", "-o", "small.mlir")
    assert found["text"] == Path("small.mlir").read_text() and "stablehlo.log" in found["text"]
    assert found["before"] == 2 and found["after"] == 1 and found["is_finished"]
    assert "small.mlir" in found["report"]


def test_self_checking_programs_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "make-test", str(program), X)
    assert "check.expect" in found["text"] and found["left_out"] == {}


def test_recordings_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "record", str(program), X, "-o", "run")
    assert found == {"directory": "run", "function": "main", "values": 2, "summaries": 0}


def test_replays(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, "record", str(program), X, "-o", "run")
    assert as_json(capsys, "replay", "run") == {"results": 1, "differing": []}
    assert main.main(["replay", "run"]) == 0
    assert capsys.readouterr().out == "the same bytes in 1 results\n"
    assert main.main(["replay", "run", X]) == 2
    assert "replay: one run must be given, got run" in capsys.readouterr().err


def test_replays_of_a_program_without_results(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("func.func @main() {\n  return\n}\n")
    as_json(capsys, "record", str(program), "-o", "run")
    assert as_json(capsys, "replay", "run") == {"results": 0, "differing": []}


def test_what_to_type_for_a_function_with_an_odd_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "odd.mlir"
    source.write_text('func.func @"a \'b"() {\n  return\n}\nfunc.func @c() {\n  return\n}\n')
    assert main.main(["run", str(source)]) == 1
    offered = capsys.readouterr().err.partition("--function=")[2].partition(", or function=")[0]
    assert main.main(["run", str(source), f"--function={shlex.split(offered)[0]}"]) == 0


def test_a_replay_with_other_bytes(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json(capsys, "record", str(program), X, "-o", "run")
    module = Recording("run").program().module
    text = str(module).replace("stablehlo.log", "stablehlo.negate")
    (Path("run") / PROGRAM).write_bytes(write_bytecode(load(text).module))
    assert main.main(["replay", "run"]) == 1
    assert capsys.readouterr().out == "other bytes in results 0 of 1\n"


def test_upgrades_as_json(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_json(capsys, "upgrade", str(program)) == {"text": LOG, "changes": []}


MISTAKES = {
    "a list of numbers": (["run", "log.mlir", "[1, 2]"], "'[1, 2]' is no argument"),
    "another kind of file": (["run", "log.mlir", "data.csv"], "an .npy or .npz file"),
    "the flag of stablehlo-translate": (["run", "log.mlir", "--args=data.csv"], "run FILE ARGUMENT..."),
    "an empty file": (["run", "empty.mlir"], "it has no functions"),
    "a switch of another subcommand": (
        ["info", "log.mlir", "--trace"],
        "info: --trace must not be given: it is a flag of run",
    ),
    "a flag of other subcommands": (
        ["ops", "log.mlir", "--shadow", "--time-limit=3"],
        "ops: --shadow must not be given: it is a flag of run, view",
    ),
    "a page as JSON": (
        ["view", "log.mlir", "-o", "x", "--json"],
        "view: --json must not be given: it is a flag",
    ),
    "a script as JSON": (["completion", "bash", "--json"], "completion: --json must not be given"),
    "a misspelt flag": (
        ["run", "log.mlir", "--jso"],
        "run: unknown command line argument '--jso'; did you mean '--json'?",
    ),
    "the beginning of a flag": (
        ["run", "log.mlir", "--back=xla"],
        "unknown command line argument '--back=xla'",
    ),
    "a flag behind another one": (["view", "log.mlir", "-opage"], "unknown command line argument '-opage'"),
    "a flag without its value": (
        ["run", "log.mlir", "--backend"],
        "run: --backend must have a value: --backend=B",
    ),
    "a flag twice": (
        ["run", "log.mlir", "--backend=xla", "-backend=xla"],
        "--backend must be given once at most",
    ),
    "a switch with a wrong value": (
        ["run", "log.mlir", "--json=maybe"],
        "--json must be true or false, got 'maybe'",
    ),
    "a word that is no choice": (
        ["run", "log.mlir", "--backend=gpu"],
        "--backend must be numpy or xla, got 'gpu'",
    ),
    "a word that is no format": (
        ["ops", "log.mlir", "--format=xml"],
        "--format must be text or json, got 'xml'",
    ),
    "no file": (["run"], "run: a file must be given (usage: hlokit run FILE"),
    "two files": (["info", "a", "b"], "info: one file must be given, got a b (usage: hlokit info FILE"),
    "an input of a subcommand without": (["doctor", "x"], "doctor: no input must be given, got x"),
    "no subcommand": (["--json"], "a subcommand must be given"),
    "a misspelt subcommand": (["dif", "log.mlir"], "did you mean hlokit diff?"),
    "a misspelt side": (["diff", "log.mlir", X, "--against=xle"], "did you mean xla?"),
    "a misspelt predicate": (
        ["reduce", "log.mlir", X, "--keep=diverge:xla", "-o", "r.mlir"],
        "did you mean diverges:xla?",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_messages_state_the_correct_form(
    mistake: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (program.parent / "empty.mlir").write_text("")
    arguments, message = MISTAKES[mistake]
    assert main.main(arguments) in (1, 2)
    printed = capsys.readouterr()
    assert message in printed.err
    assert "--args=[" not in printed.err, "a flag that the subcommand lacks"
