"""Every command line of the pages runs, on files that the pages assume, and so does their Python.

`test_examples_in_docs` compares what command lines print with the pages; here they only have to run.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit

from .pages import BUILT, ROOT, text_of
from .pages import PAGES as DOC_PAGES
from .test_examples_in_docs import ADD, ALL_REDUCE, COMMANDS, FILES, TAN, blocks, pattern, python_block

sys.path.insert(0, str(ROOT / "docs" / "generators"))

import make_live  # after its directory is on the path

MODEL = """\
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.tanh %x : tensor<4x8xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32> loc("model.py":12:3)
  return %1 : tensor<4x4xf32>
}
"""
MLP = """\
func.func @main(%x: tensor<16x8xf32>, %w1: tensor<8x64xf32>, %w2: tensor<64x5xf32>) -> tensor<16x5xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x64xf32>) -> tensor<16x64xf32>
  %1 = stablehlo.tanh %0 : tensor<16x64xf32>
  %2 = stablehlo.dot_general %1, %w2, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x5xf32>) -> tensor<16x5xf32>
  return %2 : tensor<16x5xf32>
}
"""
HALF = """\
func.func @main(%x: tensor<4xi8>) -> tensor<4xi8> {
  %two = stablehlo.constant dense<2> : tensor<4xi8>
  %half = stablehlo.divide %x, %two : tensor<4xi8>
  return %half : tensor<4xi8>
}
"""
RELU6 = """\
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %low = stablehlo.constant dense<0.0> : tensor<4x4xf32>
  %high = stablehlo.constant dense<6.0> : tensor<4x4xf32>
  %y = stablehlo.clamp %low, %x, %high : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
"""
VHLO = """\
vhlo.func_v1 @main(%arg0: !vhlo.tensor_v1<2x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
  "vhlo.return_v1"(%arg0) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
"""
X = np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8)
PROGRAMS = {
    "add.mlir": ADD.replace("2xi32", "4xf32"),
    "model.mlir": MODEL,
    "before.mlir": MODEL,
    "training.mlir": MODEL,
    "after.mlir": MODEL.replace("tanh", "sine"),
    "half.mlir": HALF,
    "shift.mlir": HALF.replace("dense<2>", "dense<1>").replace("divide", "shift_right_arithmetic"),
    "relu6.mlir": RELU6,
    "relu8.mlir": RELU6.replace("6.0", "8.0"),
    "mlp.mlir": MLP,
    "program.mlir": ALL_REDUCE,
    "model.vhlo.mlir": VHLO,
}
# Lines that other tests run, or that are not command lines, with the reason.
NOT_RUN = {
    "hlokit run loss.mlir x.npy --shadow": "the model of its figures is not on the page",
    "hlokit reduce model.mlir": "tests/unit/tools/reduce/test_findings.py runs the programs that it found",
    "hlokit diff docs/findings/": "tests/unit/tools/reduce/test_findings.py runs all of them",
    "hlokit passes docs/findings/": "tests/unit/tools/stages/test_xla.py runs them",
    "hlokit diff run --against=iree": "IREE is not on every machine",
    "hlokit mcp": "it answers requests; tests/unit/clients/mcp sends them",
    "hlokit conformance --backend=xla --budget": "takes minutes",
    "hlokit conformance --suite": "the checkout is another project's",
    "hlokit conformance --read": "a runner has written results before",
}
# Of the built pages, that of the passes has command lines; the others take long to build.
PAGES = [page for page in DOC_PAGES if page not in BUILT or page == "docs/reference/passes.md"]
TUTORIAL = "docs/howto/tutorial.md"
# Command lines that find something, so that their status is 1.
FINDINGS = (
    "hlokit diff ",
    "hlokit equal ",
    "hlokit invariance ",
    "hlokit judge ",
    "hlokit conformance ",
    "hlokit run attention.mlirbc inputs.npz --stop-on-nan",
)
# Those that compile with XLA, or partition, several times.
SLOW = tuple(f"docs/howto/{page}.md" for page in ("backend", "debug", "shard", "tutorial"))
HOW_TO = [page for page in PAGES if page.startswith("docs/howto/")]
_COMMAND = re.compile(r"^(?:\$ )?((?:hlokit|stablehlo-opt|stablehlo-translate) \S.*)$", re.MULTILINE)
# Placeholders and optional parts: a line with one of these is a summary.
_SUMMARY = re.compile(r"(?<![\w=-])(?:[A-Z]{2,}\b|\[[A-Z-])|\|")


def command_lines(page: str) -> list[str]:
    found = [
        command
        for block in blocks(page)
        if page not in FILES or not block.startswith("$ ")  # `test_examples_in_docs` runs those
        for command in _COMMAND.findall(block)
    ]
    quoted = re.compile(r"'[^']*'|\"[^\"]*\"")
    return [
        command
        for command in (line.partition(" #")[0].strip() for line in found)
        if not command.startswith(tuple(NOT_RUN)) and not _SUMMARY.search(quoted.sub("", command))
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with the files that pages assume."""
    monkeypatch.chdir(tmp_path)
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "kernels.py").write_text(
        "import numpy\n\n\ndef my_function(x):\n    return numpy.tanh(x) @ x.T\n"
    )
    np.save(tmp_path / "x.npy", X)
    np.save(tmp_path / "images.npy", X)
    np.savez(tmp_path / "xw.npz", x=X)
    (tmp_path / "model.mlirbc").write_bytes(hlokit.load(MODEL).serialize("1.9.0"))
    return tmp_path


PAGES_WITH_COMMANDS = [page for page in PAGES if command_lines(page) and page not in HOW_TO]
# Pages whose commands start other compilers several times.
COMPILERS = tuple(f"docs/{page}.md" for page in ("invariance", "kit", "view"))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.deep] * (page in COMPILERS)) for page in PAGES_WITH_COMMANDS],
)
def test_command_lines_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax")
    for command in command_lines(page):
        name, *arguments = shlex.split(command)
        status = COMMANDS[name](arguments)
        printed = "".join(capsys.readouterr())
        # The message about a wrong command line begins with the command's name.
        assert status == 0 or (status == 1 and command.startswith(FINDINGS)), f"{command}\n{printed}"
        assert "error:" not in printed, f"{command}\n{printed}"


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=[pytest.mark.deep] * (page in SLOW)) for page in HOW_TO]
)
def test_steps_of_how_to_pages(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands and Python in their order, in an empty folder: a step uses the files of earlier ones."""
    pytest.importorskip("jax")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    steps = [step for step in make_live.steps(text_of(page)) if not step[1].startswith(tuple(NOT_RUN))]
    assert len(steps) >= 4
    errors = 0
    for code, command, output in steps:
        if code:
            exec(compile(code, "model.py", "exec"), names)
            continue
        name, *arguments = shlex.split(command)
        status = COMMANDS[name](arguments)
        printed = capsys.readouterr()
        assert status == 0 or command.startswith(FINDINGS), f"{command}\n{printed.err}"
        assert pattern(re.sub(r"^\S+:\d+:\d+", "...", output)).search(printed.out + printed.err), command
        errors += printed.err.count("error:")
    assert errors == (page == TUTORIAL)


def test_pages_have_command_lines() -> None:
    assert {"docs/diff.md", "docs/reference/passes.md", "docs/sharding.md", "docs/view.md"} <= set(
        PAGES_WITH_COMMANDS
    )
    assert "hlokit lint-spmd program.mlir" in command_lines("docs/sharding.md")
    assert "hlokit infer --json [REQUEST | FILE | -]" not in command_lines("docs/service.md")


def test_reasons_not_to_run_are_of_command_lines() -> None:
    lines = [command for page in PAGES for block in blocks(page) for command in _COMMAND.findall(block)]
    assert [start for start in NOT_RUN if not any(line.startswith(start) for line in lines)] == []


@pytest.mark.usefixtures("folder")
@pytest.mark.deep
def test_python_of_the_page_on_traces() -> None:
    pytest.importorskip("pandas")
    text = MODEL.replace("func.func @main", "func.func private @relu")
    main = """
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.abs %x : tensor<4x8xf32>
  %1 = stablehlo.abs %0 : tensor<4x8xf32>
  %2 = stablehlo.abs %1 : tensor<4x8xf32>
  %3 = stablehlo.abs %2 : tensor<4x8xf32>
  %4 = stablehlo.abs %3 : tensor<4x8xf32>
  %5 = call @relu(%4) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}
"""
    names: dict[str, Any] = {"program": hlokit.load(text + main), "x": X}
    exec(python_block("docs/view.md", "t = program.trace"), names)
    np.testing.assert_array_equal(names["t"]["%5"], names["program"](X))


@pytest.mark.usefixtures("folder")
def test_python_of_the_page_on_shardings(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax")
    from jax.sharding import PartitionSpec

    generator = np.random.default_rng(0)
    arrays = {
        name: generator.standard_normal(shape, np.float32)
        for name, shape in (("x", (16, 8)), ("w1", (8, 64)), ("w2", (64, 5)))
    }
    named = MLP
    for name in arrays:
        named = re.sub(rf"(%{name}: tensor<\w+>)", rf'\1 loc("{name}")', named, count=1)
    names: dict[str, Any] = {"hlokit": hlokit, "program": hlokit.load(named), "P": PartitionSpec, **arrays}
    exec(python_block("docs/sharding.md", "sharded ="), names)
    np.testing.assert_allclose(
        names["sharded"](*arrays.values()), names["program"](*arrays.values()), atol=1e-4
    )
    assert "8 devices" in capsys.readouterr().out


def test_python_of_the_page_on_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.mlir").write_text(TAN)
    (block,) = [block for block in blocks("docs/compatibility.md") if "hlokit.load" in block]
    command, python = block.splitlines()
    assert COMMANDS["stablehlo-translate"](shlex.split(command)[1:]) == 0
    assert eval(python, {"hlokit": hlokit}) == (tmp_path / "model.mlirbc").read_bytes()
