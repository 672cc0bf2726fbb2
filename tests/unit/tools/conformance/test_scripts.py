"""Scripts of RUN lines, and the tool that splits their files."""

from __future__ import annotations

from pathlib import Path

from hlokit.cli.main import main
from hlokit.tools.conformance.scripts import run_script
from hlokit.tools.conformance.split_file import main as split_file
from hlokit.tools.conformance.split_file import split


def test_parts_keep_their_lines() -> None:
    text = "// RUN: x\n//--- a.mlir\none\ntwo\n//--- b.mlir\nthree\n"
    assert list(split(text)) == [("a.mlir", "\n\none\ntwo\n"), ("b.mlir", "\n\n\n\n\nthree\n")]


def test_split_file(tmp_path: Path) -> None:
    source, folder = tmp_path / "x", tmp_path / "parts"
    source.write_text("//--- a\none\n")
    assert split_file([str(source), str(folder)]) == 0
    assert (folder / "a").read_text() == "\none\n"
    assert split_file([]) == 1


def test_tools_of_a_script(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text('"$SPLIT_FILE" "$1" "$2" && stablehlo-opt "$2/a.mlir"\n')
    source = tmp_path / "x"
    source.write_text("//--- a.mlir\nfunc.func @f() {\n  return\n}\n")
    outcome = run_script([str(script), str(source), str(tmp_path / "parts")], b"")
    assert outcome.status == 0, outcome.errors
    assert b"func.func @f()" in outcome.output


def test_a_shardy_checkout(tmp_path: Path) -> None:
    folder = tmp_path / "shardy/dialect/sdy/transforms/export/test/executable_convert_global_to_local"
    folder.mkdir(parents=True)
    lines = "// RUN: cat %s | sed 's/wrong/f/' > %t\n// RUN: echo.sh >> %t\n// RUN: sdy_opt %t\n"
    (folder / "a.mlir").write_text(f"{lines}func.func @wrong() {{\n  return\n}}\n")
    (tmp_path / "echo.sh").write_text("echo // appended\n")
    text = (folder / "a.mlir").read_text().replace("echo.sh", str(tmp_path / "echo.sh"))
    (folder / "a.mlir").write_text(text)
    assert main(["conformance", "--upstream", str(tmp_path), "--jobs=1"]) == 0


def test_a_checkout_of_jax(tmp_path: Path) -> None:
    folder = tmp_path / "jax/_src/internal_test_util/export_back_compat_test_data"
    folder.mkdir(parents=True)
    (folder / "tpu_Sharding.py").write_text("data = {}\n")
    text = "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    (folder / "copy.py").write_text(
        f"import numpy as np\nx = np.float32(1)\ndata = [dict(mlir_module_serialized={text!r}, "
        "inputs=(x,), expected_outputs=(x + 1,))]\n"
    )
    expected = tmp_path / "expected.txt"
    expected.write_text("")
    results = tmp_path / "results.json"
    arguments = [
        "conformance",
        "--upstream",
        str(tmp_path),
        "--jobs=1",
        f"--expected-failures={expected}",
        f"-o={results}",
    ]
    assert main(arguments) == 1
    assert "copy.data.0: result 0 differs by 1 where values reach 2" in results.read_text()
    assert "the file holds no program" in results.read_text()
