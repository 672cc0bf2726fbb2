"""Programs sorted into classes by stage and operation, and pages."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.cli import main
from hlokit.errors import ArgumentError
from hlokit.tools.stages.page import page
from hlokit.tools.stages.run import certify
from hlokit.tools.stages.settings import Settings
from hlokit.tools.stages.triage import Job, programs_of, triage

# A printed program after a pass, which exchanges two operands.
RIGHT = "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {{\n  %c = stablehlo.{} : tensor<2xf32>\n  return %c : tensor<2xf32>\n  }}\n"
PRINTED = "// -----// IR Dump After {}: {} //----- //\nmodule {{\n{}}}\n"


def printed(path: Path) -> str:
    programs = [RIGHT.format(f"subtract %{first}, %{second}") for first, second in ("ab", "ba")]
    names = ("right-pass", "wrong-pass")
    text = "".join(
        [PRINTED.format("X", name, program) for name, program in zip(names, programs, strict=True)]
    )
    file = path / "printed.txt"
    file.write_text(text)
    return str(file)


def test_programs_are_sorted_by_stage_and_operation(tmp_path: Path) -> None:
    folder = tmp_path / "programs"
    (folder / "deeper").mkdir(parents=True)
    for name in ("a", "b", "deeper/c"):
        (folder / f"{name}.mlir").write_text(RIGHT.format("subtract %a, %b"))
    (folder / "same.mlir").write_text(RIGHT.format("subtract %a, %b"))
    np.savez(folder / "same.npz", np.ones(2, np.float32), np.ones(2, np.float32))
    (folder / "bad.mlir").write_text("func.func @main(")
    with ThreadPoolExecutor(1) as executor:
        report = triage(programs_of(str(folder)), executor, Job(by=printed(tmp_path)))
    changed, unknown = report.classes
    assert (changed[0], changed[1], len(changed[2])) == ("wrong-pass", "stablehlo.subtract", 3)
    assert (unknown[0], len(unknown[2])) == ("the program itself", 1)
    assert report.status == 1
    assert "5 programs" in str(report)
    assert "1 keep the meaning, 2 classes" in str(report)
    assert report.as_dict()["classes"][0]["verdict"] == "changed"
    assert 'tests="5" failures="3" skipped="1"' in report.junit()


def test_a_folder_must_have_programs(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mlir")
    with pytest.raises(ArgumentError, match="must be a folder with programs"):
        programs_of(str(tmp_path))


def test_a_page_shows_both_sides_of_a_stage(tmp_path: Path) -> None:
    program = hlokit.load(RIGHT.format("subtract %a, %b"))
    values = np.array([1, 2], np.float32), np.array([5, 7], np.float32)
    report = certify(program, *values, by=printed(tmp_path), settings=Settings(texts=True))
    html = page(report)
    assert "wrong-pass changed the meaning" in html
    assert "class=old>" in html
    assert "stablehlo.subtract %arg1, %arg0" in html
    assert "<details open>" in html
    assert "<script" not in html
    plain = certify(program, *values, by=printed(tmp_path))
    assert "class=sides" not in page(plain)


def test_the_command_reads_arguments_as_other_commands_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "named.mlir").write_text(RIGHT.format("subtract %a, %b").replace("f32", "bf16"))
    half = np.ones(2, ml_dtypes.bfloat16)
    np.savez(folder / "named.npz", b=half, a=half)
    (folder / "damaged.mlir").write_text(RIGHT.format("subtract %a, %b"))
    (folder / "damaged.npz").write_text("no archive")
    command = ["passes", str(folder), "--triage", "--of=stablehlo-opt:cse", "--jobs=1"]
    assert main.main([*command, "--json"]) == 2
    programs = json.loads(capsys.readouterr().out)["programs"]
    assert [program["status"] for program in programs] == [2, 0]
    assert "cannot read arguments" in programs[0]["summary"]
    for flag in ("--zeros", "--size=2", "--flush=none"):
        assert main.main([*command, flag]) == 2
        assert f"--triage does not take {flag.partition('=')[0]}" in capsys.readouterr().err


@pytest.mark.deep
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere its processes stay")
def test_no_process_stays_if_the_command_is_killed(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(RIGHT.format("subtract %a, %b"))
    begun = tmp_path / "begun"
    tool = tmp_path / "tool.py"
    tool.write_text(f"import os, time\nopen({str(begun)!r}, 'w').write(str(os.getppid()))\ntime.sleep(60)\n")
    words = [
        "hlokit",
        "passes",
        str(tmp_path),
        "--triage",
        "--jobs=1",
        f"--of=cmd:{sys.executable} {tool} {{module}}",
    ]
    command = subprocess.Popen([sys.executable, "-m", *words], cwd=tmp_path)
    wait_until(begun.exists)
    spawned = [
        number for number, words, folder in running() if "spawn_main" in words and folder == str(tmp_path)
    ]
    assert spawned
    command.kill()
    command.wait()
    wait_until(lambda: not any(Path(f"/proc/{number}").exists() for number in spawned))


def running() -> Iterator[tuple[int, str, str]]:
    """The numbers, command lines and working directories of processes."""
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            yield int(path.name), (path / "cmdline").read_text(), os.readlink(path / "cwd")


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)
