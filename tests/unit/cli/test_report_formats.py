"""`--format=sarif|github|junit`, `[tool.hlokit]` of pyproject.toml, and the formats of files that commands write."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.cli.upstream import opt, translate

BAD = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { %0 = stablehlo.exp %x : tensor<2xf32> }"
GOOD = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
DEADLOCK = """
module attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 5]]> : tensor<1x2xi64>}
      : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("bad", BAD), ("good", GOOD), ("spmd", DEADLOCK)):
        (tmp_path / f"{name}.mlir").write_text(text)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 1) -> str:
    assert main([*arguments]) == status
    return capsys.readouterr().out


def test_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    log = json.loads(printed(capsys, "verify", "bad.mlir", "good.mlir", "--format=sarif"))
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (log["version"], result["level"]) == ("2.1.0", "error")
    assert place["artifactLocation"]["uri"] == "bad.mlir"
    assert place["region"] == {"startLine": 1, "startColumn": BAD.index("stablehlo.exp") + 1}
    log = json.loads(printed(capsys, "lint-spmd", "spmd.mlir", "--format=sarif"))
    rules = {result["ruleId"] for result in log["runs"][0]["results"]}
    assert rules == {rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert all(rule.startswith("spmd-") for rule in rules)
    assert rules


def test_github_and_junit(capsys: pytest.CaptureFixture[str]) -> None:
    line = printed(capsys, "verify", "bad.mlir", "good.mlir", "--format=github")
    assert line.startswith(f"::error file=bad.mlir,line=1,col={BAD.index('stablehlo.exp') + 1}::custom op")
    assert line.count("\n") == 1
    assert ",title=spmd-" in printed(capsys, "lint-spmd", "spmd.mlir", "--format=github")
    lines = printed(capsys, "lint-spmd", "none.mlir", "bad.mlir", "spmd.mlir", "--format=github").splitlines()
    assert [line.partition("::")[2].partition(",")[0] for line in lines][:2] == [
        "error file=none.mlir::cannot open input file 'none.mlir': no such file or directory",
        "error file=bad.mlir",
    ]
    assert "error file=spmd.mlir" in lines[2]
    assert (
        json.loads(printed(capsys, "lint-spmd", "bad.mlir", "--json"))["findings"][0]["severity"] == "error"
    )
    suite = ElementTree.fromstring(printed(capsys, "verify", "bad.mlir", "good.mlir", "--format=junit"))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite if case.find("failure") is not None] == ["bad.mlir"]
    assert printed(capsys, "verify", "good.mlir", "--format=github", status=0) == ""


def test_a_project_states_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "pyproject.toml"
    project.write_text('[tool.hlokit]\nformat = "github"\n[tool.hlokit.verify]\nstrict = true\n')
    assert printed(capsys, "verify", "bad.mlir").startswith("::error")
    assert printed(capsys, "verify", "bad.mlir", "--format=text").startswith("bad.mlir:1:")
    assert json.loads(printed(capsys, "verify", "bad.mlir", "--json"))["version"] == 1
    assert printed(capsys, "info", "good.mlir", status=0).startswith(
        "kind"
    )  # other subcommands have no settings
    for text, message in (
        ("[tool.hlokit]\nstrct = true", "has no setting strct; did you mean strict?"),
        ("[tool.hlokit]\nstrict = 'yes'", "strict of [tool.hlokit] must be true or false, got 'yes'"),
        ("[tool.hlokit]\nverify = true", "tool.hlokit.verify must be a table, got True"),
        ("[tool]\nhlokit = 'strict'", "tool.hlokit must be a table, got 'strict'"),
        ("tool = 'hlokit'", "tool must be a table, got 'hlokit'"),
        ("[tool.hlokit", "pyproject.toml: "),
    ):
        project.write_text(text)
        assert main(["verify", "bad.mlir"]) == 2
        assert message in capsys.readouterr().err
        printed(capsys, "info", "good.mlir", status=0)  # does not read the file
    project.write_text("[project]\nname = 'x'\n")
    assert printed(capsys, "verify", "good.mlir", status=0) == ""


def test_files_have_the_format_of_their_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "run", "good.mlir", "--ones", "-o", "r.npy", status=0)
    assert np.load("r.npy").tolist() == [1, 1]
    printed(capsys, "upgrade", "good.mlir", "--output=u.mlirbc", status=0)
    assert (tmp_path / "u.mlirbc").read_bytes().startswith(b"ML\xefR")
    assert hlokit.load("u.mlirbc").functions == ("main",)
    printed(capsys, "view", "good.mlir", "-o", "g.dot", status=0)
    assert (tmp_path / "g.dot").read_text().startswith("digraph")
    for arguments, message in (
        (["run", "good.mlir", "--ones", "-o", "r.txt"], "--output must be an .npz or .npy file, got 'r.txt'"),
        (["view", "good.mlir", "-o", "g.dot", "--format=html"], "--format must be dot for 'g.dot', got html"),
    ):
        assert main(arguments) == 2
        assert message in capsys.readouterr().err


def test_a_file_that_cannot_hold_the_results_is_refused_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two.mlir").write_text(
        """func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
        check.expect_eq_const %x, dense<7.0> : tensor<2xf32>
        return %x, %x : tensor<2xf32>, tensor<2xf32> }"""
    )
    assert main(["run", "two.mlir", "--ones", "-o", "r.npy"]) == 1
    assert capsys.readouterr().err.endswith("--output must be an .npz file for 2 results, got 'r.npy'\n")
    assert not Path("r.npy").exists()


def test_help_of_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "help", "--help", status=0) == printed(capsys, "help", status=0)


def test_quiet_and_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    np.savez("x.npz", x=np.ones(2, np.float32), y=np.ones(2, np.float32))
    assert main(["run", "good.mlir", "x.npz"]) == 0
    assert capsys.readouterr().err == "note: no parameter has the names of these arrays: y\n"
    assert main(["run", "good.mlir", "x.npz", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["run", "good.mlir", "x.npz", "-q", "-v"]) == 0
    assert "StableHLO" in capsys.readouterr().err


def test_both_spellings_of_upstreams_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "%0 = stablehlo.constant dense<7> : tensor<i8>"
    (tmp_path / "c.mlir").write_text(f"func.func @main() -> tensor<i8> {{ {line} return %0 : tensor<i8> }}")
    for flags in (["-o", "r.npz"], ["--output=r.npz"], ["-o", "r.npz", "--output", "t.txt"]):
        assert translate.main(["--interpret", "c.mlir", *flags]) == 0
        assert np.load("r.npz")["result_0"] == 7
        Path("r.npz").unlink()
    assert Path("t.txt").read_text().startswith("tensor<i8>")
    assert translate.main(["--serialize", "--target=1.0.0", "c.mlir", "--output=c.mlirbc"]) == 0
    assert opt.main(["c.mlirbc", "--output=o.mlir"]) == 0
    assert "vhlo" in Path("o.mlir").read_text()
    assert translate.main(["--interpret", "c.mlir", "-o", "a.npz", "--output=b.npz"]) == 1
    assert "must be a text and an array file" in capsys.readouterr().err
