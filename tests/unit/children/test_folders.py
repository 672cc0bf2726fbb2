"""Temporary folders go with their processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hlokit.children.folders import TemporaryFolder, remove_abandoned

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no locks of folders")


def test_a_folder_is_removed_when_it_is_closed() -> None:
    folder = TemporaryFolder()
    path = Path(folder.name)
    (path / "inner").mkdir()
    (path / "inner" / "file").write_text("words")
    folder.close()
    folder.close()
    assert not path.exists()


def test_the_folder_of_a_killed_process_is_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "from hlokit.children.folders import TemporaryFolder; folder = TemporaryFolder(); print(flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdout is not None
    process.stdout.readline()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (left,) = tmp_path.iterdir()
    with TemporaryFolder() as own:
        assert left.exists(), "its process lives"
        process.kill()
        process.wait()
        assert remove_abandoned()
        assert [str(path) for path in tmp_path.iterdir()] == [own]
    assert not list(tmp_path.iterdir())


def test_folders_of_others_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (target := tmp_path / "target").mkdir()
    (tmp_path / "hlokit-folder-link").symlink_to(target)
    (tmp_path / "hlokit-folder-file").write_text("words")
    assert remove_abandoned()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "hlokit-folder-file",
        "hlokit-folder-link",
        "target",
    ]
