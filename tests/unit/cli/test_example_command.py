"""`hlokit example`: the shipped models run with the inputs that it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.cli import main
from hlokit.cli.commands import example


def test_models_are_written_and_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main.main(["example"]) == 0
    assert capsys.readouterr().out.startswith("digits ")
    assert main.main(["example", "digits"]) == 0
    assert "hlokit run digits.mlirbc digits.npz" in capsys.readouterr().out
    assert main.main(["run", "digits.mlirbc", "digits.npz"]) == 0
    assert capsys.readouterr().out.startswith("tensor<360x10xf32> {")
    folder = Path("deep/my folder")
    assert main.main(["example", "train_step", "-o", str(folder)]) == 0
    assert "cd 'deep/my folder'" in capsys.readouterr().out
    assert main.main(["run", str(folder / "train_step.mlirbc"), str(folder / "train_step.npz")]) == 0


def test_other_files_are_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("digits_expected.npz").write_text("mine")
    for arguments, message in (
        (["example", "digits"], "'digits_expected.npz' is another file"),
        (["example", "dogits"], "must be one of digits, gpt, train_step"),
        (["example", "digits", "-o", "digits_expected.npz"], "cannot write to 'digits_expected.npz'"),
        (["example", "digits", "-o", "x" * 300], "file name too long"),
    ):
        assert main.main(arguments) != 0
        assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["digits_expected.npz"]


def test_an_installation_without_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(example, "_folder", lambda: tmp_path / "nothing")
    assert main.main(["example", "digits"]) == 1
    assert "this installation lacks its models" in capsys.readouterr().err
