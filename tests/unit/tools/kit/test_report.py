"""Reports, profiles, baselines, and the command."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hlokit.cli.commands.judging.conformance import add_row
from hlokit.cli.main import main
from hlokit.errors import ArgumentError
from hlokit.tools.kit import history
from hlokit.tools.kit.history import HEAD, row, with_row
from hlokit.tools.kit.judging import Outcome, histogram
from hlokit.tools.kit.outputs import badge, junit, markdown, page, sarif
from hlokit.tools.kit.profiles import NAMES, read_profile
from hlokit.tools.kit.recipes import VERSION
from hlokit.tools.kit.report import KitReport, baseline_of, lines
from hlokit.tools.kit.run import Selection

OUTCOMES = [
    Outcome("stablehlo.add/f32/plain.values.alone", "passed", ulps=1.0, mean=0.25, histogram=(3, 0, 1)),
    Outcome(
        "stablehlo.add/f32/plain.values.fused",
        "failed",
        "3 instead of <2>",
        9.0,
        1.0,
        "rounded",
        (0, 0, 1),
        program="// why\nfunc.func @main() {return}\n",
    ),
    Outcome("stablehlo.add/i8/plain.values.alone", "passed"),
    Outcome("stablehlo.sort/f32/tile.random.alone", "unsupported", "no sort"),
    Outcome("stablehlo.sort/i8/tile.random.alone", "not run", "no time"),
]


def test_a_case_that_was_not_run_is_no_pass() -> None:
    assert KitReport("x", outcomes=OUTCOMES[4:]).status == 2
    assert KitReport("x", outcomes=OUTCOMES[3:4]).status == 2
    assert KitReport("x", outcomes=OUTCOMES[:1]).status == 0
    assert KitReport("x", outcomes=OUTCOMES).status == 1
    # What a profile claims must be supported.
    assert KitReport("x", "integer", [OUTCOMES[0], OUTCOMES[3]]).status == 1


def test_forms() -> None:
    report = KitReport("side", outcomes=OUTCOMES)
    text = "\n".join(lines(report))
    assert "failed  stablehlo.add/f32/plain.values.fused" in text
    assert "2 passed, 0 open, 1 failed, 1 unsupported, 1 not run of 5 cases" in text
    assert "| stablehlo.add | ✓ | ✗ |" in markdown(report)
    assert "- `stablehlo.add/f32/plain.values.fused`: 3 instead of &lt;2> (rounded)" in markdown(report)
    assert "#### add, float\n" in markdown(report) and "```mlir\n// why\nfunc.func" in markdown(report)
    assert "    // why\n" in text and "<pre>// why" in page(report) and "// why" in junit(report)
    suite = ElementTree.fromstring(junit(report))  # written by us
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("5", "1", "2")
    (result,) = json.loads(sarif(report))["runs"][0]["results"]
    assert result["ruleId"] == "stablehlo.add"
    assert "66.6 %" in badge(report)
    assert "&lt;2&gt;" in page(report) and "http" not in page(report).replace("http://www.w3.org", "")
    document = json.loads(report.json())
    assert document["counts"] == {"passed": 2, "open": 0, "failed": 1, "unsupported": 1, "not run": 1}
    assert document["cells"][0]["histogram"] == [3, 0, 2]


def test_histograms() -> None:
    import numpy as np

    assert histogram(np.array([0, 0.5, 0.7, 1, 3, 1e9])) == (1, 1, 2, 0, 1, 0, 0, 0, 0, 1)


def test_a_rise_is_a_failure() -> None:
    before = baseline_of(KitReport("x", outcomes=OUTCOMES[:1]).json())
    same = KitReport("x", outcomes=OUTCOMES[:1])
    same.compare_with(before)
    assert (same.risen, same.status) == ([], 0)
    higher = KitReport("x", outcomes=[Outcome(OUTCOMES[0].id, "passed", ulps=2.0, histogram=(1,))])
    higher.compare_with(before)
    assert higher.risen == ["stablehlo.add/f32: 2 ULP, was 1"]
    lost = KitReport("x", outcomes=[Outcome(OUTCOMES[0].id, "unsupported"), OUTCOMES[2]])
    lost.compare_with(before)
    assert lost.risen == [f"{OUTCOMES[0].id}: unsupported, was passed"]
    assert lost.status == 1
    for text in ("{}", "[" * 100_000):
        with pytest.raises(ArgumentError, match="must be a report of this command"):
            baseline_of(text)


def test_rows_of_a_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = KitReport("cmd:mine", outcomes=OUTCOMES, processor_seconds=7.6)
    added = row(report, "60s", "2026-11-29")
    assert added == f"| 2026-11-29 | cmd:mine | {VERSION} | 60s | 5 | 2 | 0 | 1 | 1 | 1 | 8 s |"
    first = with_row("# Runs\n", added)
    assert first.startswith(f"# Runs\n\n{HEAD}\n|---|") and first.endswith(f"|\n{added}\n")
    assert with_row(first + "\nEnd.\n", "| second |") == f"{first}| second |\n\nEnd.\n"
    assert with_row("", added).startswith(HEAD)
    (tmp_path / "bad.md").write_bytes(b"\xff")
    assert main(["conformance", "--backend=xla", f"--history={tmp_path / 'bad.md'}"]) == 2
    assert "--history: cannot read" in capsys.readouterr().err


def test_rows_that_end_in_the_same_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run reads the table, waits, and writes the table with its row."""
    path = tmp_path / "rows.md"

    def slow(text: str, added: str) -> str:
        time.sleep(0.02)
        return with_row(text, added)

    monkeypatch.setattr(history, "with_row", slow)
    report = KitReport("cmd:mine", outcomes=OUTCOMES)
    with ThreadPoolExecutor() as pool:
        for _ in pool.map(lambda _: add_row(str(path), report, Selection()), range(6)):
            pass
    assert path.read_text().count("cmd:mine") == 6


def test_profiles(tmp_path: Path) -> None:
    assert set(NAMES) == {"all", "distributed", "float-inference", "integer", "quantized", "training"}
    assert all(read_profile(name).name == name for name in NAMES)
    integer = read_profile("integer")
    assert integer.claims("stablehlo.add", "i32") and not integer.claims("stablehlo.add", "f32")
    path = tmp_path / "own.toml"
    path.write_text(
        'operations = ["stablehlo.t*"]\nwithout = ["elementwise"]\n[limits]\n"*" = 4\n"*/bf16" = 1\n'
    )
    own = read_profile(str(path))
    assert own.claims("stablehlo.transpose", "f32")
    assert not own.claims("stablehlo.tanh", "f32") and not own.claims("stablehlo.add", "f32")
    assert (own.limit("a", "f32"), own.limit("a", "bf16")) == (4, 1)
    outcome = Outcome("stablehlo.tanh/bf16/x", "passed", ulps=2.0)
    assert own.judged(outcome).reason == "2 ULP apart; the limit of profile own is 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('flush = "some"', "flush must be among none, results, all, got 'some'"),
        ('types = ["f31"]', "types must be among"),
        ('without = ["wrong"]', "without must be among"),
        ('types = "f32"', "types must be a list of words, got 'f32'"),
        ("limits = 3", "limits must be numbers of ULP"),
        ("x = 3", "a key must be one of"),
        ("x = ", "must be TOML"),
        ("x = " + "[" * 5000, "must be TOML"),
        ('[limits]\n"*" = -1', "limits must be numbers of ULP, at least 0"),
        ('[limits]\n"*" = nan', "limits must be numbers of ULP, at least 0"),
        ('[limits]\n"*" = true', "limits must be numbers of ULP, at least 0"),
    ],
)
def test_wrong_profiles(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(ArgumentError, match=message):
        read_profile(str(path))


def damage(folder: Path) -> None:
    """A folder and a pipe without a writer, where a runner should have written why it has no results."""
    first, second, *_ = sorted(folder.rglob("*.run.mlir"))
    Path(str(first).replace(".run.mlir", ".txt")).mkdir()
    os.mkfifo(str(second).replace(".run.mlir", ".txt"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, report = tmp_path / "kit", tmp_path / "r.json"
    assert main(["conformance", f"--write={folder}", "--operation=not", "--type=i1", "--budget=1s"]) == 0
    assert "20 cases in" in capsys.readouterr().out
    damage(folder)
    # Of all operations, but only the cases of the folder are evaluated.
    assert main(["conformance", f"--read={folder}", "-o", str(report)]) == 1
    counts = json.loads(report.read_text())["counts"]
    assert (counts["failed"], counts["not run"]) == (2, 18)
    (folder / "kit.json").write_text("[" * 100_000)
    for arguments, message in (
        ([], "--backend=SIDE, --write=DIR, --read=DIR or --upstream=PATH must be given"),
        (["--backend=xla", f"--read={folder}"], "one of --backend=SIDE"),
        (["--backend=nothing"], "a side must be one of xla"),
        (["--backend=xla", "--operation=ad"], "there are no cases of 'ad'"),
        (["--backend=xla", "--type=f31"], "a type must be one of"),
        (["--backend=xla", "--profile=none"], "cannot read 'none'"),
        (["--backend=xla", "--baseline=none"], "--baseline: cannot read 'none': no such file or directory"),
        (["--backend=xla", f"--reports={report}"], "cannot write reports to"),
        (["--backend=xla", "--baseline=/dev/zero"], "a device must end within"),
        ([f"--read={tmp_path / 'none'}"], "cannot read the kit"),
        ([f"--read={folder}"], "must be an index of a kit"),
    ):
        assert main(["conformance", *arguments]) == 2
        assert message in capsys.readouterr().err
