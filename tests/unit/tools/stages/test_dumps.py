"""Dumps of XLA's passes, as XLA writes them and with faults in them: the stage at fault is named, no other one."""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from hlokit.tools.stages.dumps import is_folder_of_dumps, read_folder
from hlokit.tools.stages.report import StagesReport
from hlokit.tools.stages.run import certify_dumps, first_program
from hlokit.tools.stages.settings import Settings

TEXT = """
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x3xf32>, %b: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>) {
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %s = stablehlo.subtract %d, %b : tensor<4x3xf32>
  %t = stablehlo.tanh %s : tensor<4x3xf32>
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %r = stablehlo.reduce(%t init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %t, %r : tensor<4x3xf32>, tensor<3xf32>
}
"""
# Where in the sequence of dumps, what stands in the text of a dump, and a wrong program instead.
FAULTS = [
    (0.1, r"subtract\((%\S+), (%\S+)\)", r"subtract(\2, \1)"),
    (0.3, r"constant\(1\)", "constant(2)"),
    (0.6, r" tanh\(", " sine("),
    (0.8, r"f32\[\] add\(", "f32[] multiply("),
]


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The text that XLA dumps while it compiles the program."""
    folder = tmp_path_factory.mktemp("dumps")
    (folder / "program.mlir").write_text(TEXT)
    flags = f"--xla_dump_to={folder}/hlo --xla_dump_hlo_pass_re=.* --xla_dump_large_constants"
    run = [sys.executable, "-m", "hlokit", "run", str(folder / "program.mlir"), "--random", "--backend=xla"]
    environment = {**os.environ, "XLA_FLAGS": flags}
    subprocess.run(run, env=environment, check=True, stdout=subprocess.DEVNULL, timeout=120)
    return folder / "hlo"


def certified(folder: Path) -> StagesReport:
    program = hlokit.load(TEXT)
    return certify_dumps(str(folder), program, *program.example_inputs(1))


def test_right_dumps_accuse_no_stage(dumps: Path) -> None:
    report = certified(dumps)
    assert report.status == 0
    assert report.first is None
    assert len(report.stages) > 15
    assert {stage.verdict for stage in report.stages} <= {"equal", "same", "within"}
    assert report.headline == f"all {len(report.stages)} stages keep the meaning on these inputs"
    assert report.stages[0].name == "conversion"
    assert report.stages[0].changes == "-dot_general +dot"


@pytest.mark.parametrize(("part", "right", "wrong"), FAULTS)
def test_a_fault_is_named_at_its_stage(
    dumps: Path, tmp_path: Path, part: float, right: str, wrong: str
) -> None:
    folder = tmp_path / "hlo"
    shutil.copytree(dumps, folder)
    snapshots = read_folder(str(folder))
    number = int(part * len(snapshots))
    stage = snapshots[number].stage
    file = folder / snapshots[number].source
    text, count = re.subn(right, wrong, file.read_text())
    assert count > 0
    file.write_text(text)
    report = certified(folder)
    assert report.status == 1
    assert report.first is not None
    assert report.stages.index(report.first) == number
    before = report.stages[:number]
    assert {stage.verdict for stage in before} <= {"equal", "same", "within"}
    lines = str(report).splitlines()
    assert report.headline == f"{stage} changed the meaning"
    assert lines[lines.index("") + 1].startswith(f"stage     {stage} (pipeline")
    assert max(map(len, lines)) <= 80
    assert f'failures="{sum(stage.verdict == "changed" for stage in report.stages)}"' in report.junit()


def test_the_counterexample_has_inputs_and_values(dumps: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hlo"
    shutil.copytree(dumps, folder)
    last = folder / read_folder(str(folder))[-1].source
    last.write_text(last.read_text().replace(" tanh(", " negate("))
    program = hlokit.load(TEXT)
    x, w, b = (np.full(shape, 0.5, np.float32) for shape in ((4, 8), (8, 3), (4, 3)))
    report = certify_dumps(str(folder), program, x, w, b)
    assert report.first is not None
    assert report.first.name == "optimized"
    assert report.first.report is not None
    comparison = report.first.report.results[0]
    assert float(comparison.expected) == pytest.approx(math.tanh(1.5), rel=1e-6)
    assert float(comparison.actual) == -1.5
    assert "input 1   tensor<8x3xf32> in [0.5, 0.5], mean 0.5" in str(report)
    assert "input 2   tensor<4x3xf32> [[0.5, 0.5, 0.5]," in str(report)


def test_a_snapshot_that_cannot_be_evaluated_is_named(dumps: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hlo"
    shutil.copytree(dumps, folder)
    snapshot = next(
        snapshot for snapshot in read_folder(str(folder)) if snapshot.stage == "layout-assignment"
    )
    file = folder / snapshot.source
    call = r'custom-call(\1), custom_call_target="nobody"'
    file.write_text(re.sub(r" tanh\((%\S+)\)", f" {call}", file.read_text()))
    report = certified(folder)
    assert report.status == 2
    assert [stage.name for stage in report.unknown] == ["layout-assignment"]
    assert "nobody" in report.unknown[0].note
    file.unlink()
    os.mkfifo(file)  # nobody writes to it
    assert "it must be a file" in certified(folder).unknown[0].note


def test_dumps_without_program_begin_with_the_first(dumps: Path) -> None:
    program = first_program(str(dumps))
    report = certify_dumps(str(dumps), None, *program.example_inputs())
    assert report.status == 0
    assert report.stages[0].verdict == "start"
    alone = replace(report, stages=report.stages[:1])
    assert (alone.status, alone.headline.split(",")[0]) == (2, "the one stage is the first")


def test_of_several_modules_one_is_chosen(dumps: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hlo"
    shutil.copytree(dumps, folder)
    for file in list(folder.iterdir()):
        if file.is_file():
            shutil.copy(file, folder / file.name.replace("module_0000.main", "module_0001.other"))
    with pytest.raises(ArgumentError, match=r"needs --module: one of module_0000.main, module_0001.other"):
        read_folder(str(folder))
    with pytest.raises(ArgumentError, match="got othr"):
        read_folder(str(folder), "othr")
    program = hlokit.load(TEXT)
    settings = Settings(module="other")
    report = certify_dumps(str(folder), program, *program.example_inputs(), settings=settings)
    assert report.status == 0
    assert "module_0001.other" in report.stages[0].source


def test_folders_without_dumps_are_refused(tmp_path: Path) -> None:
    assert not is_folder_of_dumps(str(tmp_path))
    with pytest.raises(ArgumentError, match="must have dumps of HLO"):
        read_folder(str(tmp_path))
    with pytest.raises(ArgumentError, match="cannot read the folder"):
        read_folder(str(tmp_path / "none"))


def test_names_of_dumps_of_other_platforms(tmp_path: Path) -> None:
    names = [
        "module_0013.jit_f.before_optimizations.txt",
        "module_0013.jit_f.0010.fusion.after_priority-fusion.before_x.txt",
        "module_0013.jit_f.0002.simplification.after_algsimp<gpu>.before_dce.txt",
        "module_0013.jit_f.0002.simplification.after_algsimp<gpu>.before_dce.hlo.pb",
        "module_0013.jit_f.sm_8.0_gpu_after_optimizations.txt",
        "module_0013.jit_f.sm_8.0_gpu_after_optimizations-buffer-assignment.txt",
        "module_0013.jit_f.thunk_sequence.txt",
    ]
    for name in names:
        (tmp_path / name).write_text("")
    snapshots = read_folder(str(tmp_path))
    assert [snapshot.source for snapshot in snapshots] == [names[0], names[3], names[1], names[4]]
    assert [snapshot.stage for snapshot in snapshots] == [
        "conversion",
        "algsimp<gpu>",
        "priority-fusion",
        "optimized",
    ]
    assert [snapshot.pipeline for snapshot in snapshots] == ["", "simplification", "fusion", ""]


def test_compressed_dumps_and_those_with_times(tmp_path: Path) -> None:
    name = "1795970410386498.module_0000.jit_f.before_optimizations.hlo.pb.gz"
    (tmp_path / name).write_bytes(gzip.compress(b"a proto"))
    for module in (None, "jit_f", "module_0000.jit_f", name.partition(".before")[0]):
        (snapshot,) = read_folder(str(tmp_path), module)
        assert snapshot.stage == "conversion"
        assert snapshot.read() == b"a proto"
    (tmp_path / name.replace("1795970410386498", "1795970410386499")).write_bytes(b"")
    with pytest.raises(ArgumentError, match="must be one of"):
        read_folder(str(tmp_path), "jit_f")


def test_the_command(dumps: Path, tmp_path: Path) -> None:
    run = [sys.executable, "-m", "hlokit", "passes"]
    (tmp_path / "program.mlir").write_text(TEXT)
    arguments = ["program.mlir", "--random=1", f"--dumps={dumps}", "--json", "--junit=cases.xml"]
    done = subprocess.run(
        [*run, *arguments], check=False, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["status"] == 0
    assert report["first"] is None
    assert len(ET.parse(tmp_path / "cases.xml").getroot()) == len(report["stages"])
    done = subprocess.run(
        [*run, "program.mlir"], check=False, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert "--of=COMPILER or --dumps=DIR must be given" in done.stderr
