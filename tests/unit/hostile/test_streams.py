"""Standard streams that are closed, full or gone; control characters; output files and links."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import hlokit
from hlokit.cli.streams.outputs import open_bytes
from hlokit.display.printable import printable, printable_line

HLOKIT = f"{sys.executable} -c 'import sys; from hlokit.cli import hlokit; sys.exit(hlokit())'"
CONSTANT = """func.func @main() -> tensor<i8> {
  %0 = stablehlo.constant dense<3> : tensor<i8> loc("a\\0Aforged\\1B[2J":3:4)
  %1 = stablehlo.add %0, %0 : tensor<i8> loc("a\\0Aforged\\1B[2J":3:4)
  return %1 : tensor<i8>
}"""


def shell(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        f'hlokit() {{ {HLOKIT} "$@"; }}; {command}',
        shell=True,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "f.mlir").write_text(CONSTANT)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "status", "output", "errors"),
    [
        (
            "hlokit run f.mlir >&-",
            1,
            "",
            "hlokit: error: cannot write to the standard output: bad file descriptor\n",
        ),
        ("hlokit run f.mlir <&-", 0, "tensor<i8> {6}\n", ""),
        (
            "hlokit run - <&-",
            1,
            "",
            "<stdin>: error: cannot open input file '<stdin>': bad file descriptor\n",
        ),
        (
            "hlokit serve <&-",
            1,
            "",
            "hlokit: error: serve: cannot read the standard input: bad file descriptor\n",
        ),
        (
            "hlokit serve </dev/null >&-",
            1,
            "",
            "hlokit: error: serve: cannot write to the standard output: bad file descriptor\n",
        ),
        ("hlokit run missing.mlir 2>&-", 1, "", ""),
        ("hlokit run missing.mlir 2>/dev/full", 1, "", ""),
        (
            "hlokit run f.mlir >/dev/full",
            1,
            "",
            "hlokit: error: cannot write to the standard output: no space left on device\n",
        ),
        (
            "hlokit run f.mlir --trace --trace-output=/dev/full >/dev/null",
            1,
            "",
            "hlokit: error: cannot write trace file '/dev/full': no space left on device\n",
        ),
    ],
)
def test_streams_that_do_not_work(folder: Path, command: str, status: int, output: str, errors: str) -> None:
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("this system has no full device")
    done = shell(command, folder)
    assert (done.returncode, done.stdout, done.stderr) == (status, output, errors)


def test_terminals_obey_no_strangers(folder: Path) -> None:
    done = shell("hlokit run f.mlir --trace; hlokit run 'no\x1b[2J\nsuch.mlir' 2>&1", folder)
    assert "\x1b" not in done.stdout + done.stderr
    assert "a\\0Aforged\\1B[2J:3:4\n" in done.stderr
    assert done.stdout.endswith(
        "no\\1B[2J\\0Asuch.mlir: error: cannot open input file 'no\\1B[2J\\0Asuch.mlir': no such file or directory\n"
    )


def test_names_of_files_need_not_be_utf_8(folder: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.mlir")
    (folder / name).write_bytes((folder / "f.mlir").read_bytes())
    done = shell(f"hlokit view {name} -o page.html && hlokit run {name} --trace --trace-output=trace", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\udcff" in (folder / "page.html").read_text()


def test_printable_characters() -> None:
    assert printable("a\tb\nc é 中") == "a\tb\nc é 中"
    assert printable("\x1b]0;x\x07 \x9b1m \x7f \r \u202e") == "\\1B]0;x\\07 \\9B1m \\7F \\0D \\u202E"
    assert printable_line("a\nb\tc\u2028") == "a\\0Ab\\09c\\u2028"


def test_probe_ids_forge_no_rows(tmp_path: Path) -> None:
    text = """func.func @main(%x: tensor<i8>) -> tensor<i8> {
      %0 = interpreter.probe %x, probe_id = "a,b\\0Ac,tensor<i8>,/etc/passwd" : tensor<i8>
      return %0 : tensor<i8>
    }"""
    (tmp_path / "f.mlir").write_text(text)
    command = "from hlokit.cli import stablehlo_translate as run; import sys; sys.exit(run())"
    flags = [f"--probe-output-dir={tmp_path}", "--args=[dense<1> : tensor<i8>]", str(tmp_path / "f.mlir")]
    subprocess.run([sys.executable, "-c", command, "--interpret", *flags], check=True, capture_output=True)
    expected = f"a\\2Cb\\0Ac\\2Ctensor<i8>\\2C/etc/passwd,tensor<i8>,{tmp_path}/probe1.npy\n"
    assert (tmp_path / "index.csv").read_text() == expected


def write(path: Path, data: bytes) -> None:
    with open_bytes(str(path)) as file:
        file.write(data)


def test_links_stay_links_and_modes_stay(tmp_path: Path) -> None:
    target = tmp_path / "there" / "target"
    target.parent.mkdir()
    target.write_bytes(b"old")
    target.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(target)
    write(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "later")
    write(dangling, b"new")
    assert dangling.is_symlink() and (tmp_path / "later").read_bytes() == b"new"


def test_the_longest_name(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write(path, b"new")
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_a_file_in_a_directory_that_may_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tempfile

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    write(path, b"new")
    assert path.read_bytes() == b"new"
    with pytest.raises(hlokit.ArgumentError, match="permission denied"):
        write(tmp_path / "other", b"new")


def test_a_link_across_file_systems(tmp_path: Path) -> None:
    elsewhere = Path("/dev/shm")
    if not elsewhere.is_dir() or elsewhere.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("this system has one file system")
    target = elsewhere / f"hlokit-test-{os.getpid()}"
    link = tmp_path / "link"
    link.symlink_to(target)
    try:
        write(link, b"new")
        assert target.read_bytes() == b"new"
    finally:
        target.unlink()
