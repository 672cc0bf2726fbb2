"""The interface for authors of other libraries: `hlokit.testing` and the plugin for pytest."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.testing import assert_same

jax = pytest.importorskip("jax")
ROOT = Path(__file__).parents[2]
X = np.linspace(-2, 2, 9, dtype=np.float32)


def test_functions_that_are_the_same() -> None:
    found = assert_same(lambda x, *, scale: {"y": jax.nn.gelu(x) * scale, "n": (x > 0).sum()}, X, scale=2.0)
    assert set(found) == {"y", "n"}
    assert_same(jax.numpy.sqrt, X)  # NaNs are equal


def test_functions_that_differ() -> None:
    # A callback that counts its calls gives JAX other numbers than hlokit.
    calls: list[None] = []

    def count(x: np.ndarray) -> np.ndarray:
        calls.append(None)
        return x + len(calls)

    def impure(x: object) -> object:
        return {"a": [jax.pure_callback(count, jax.ShapeDtypeStruct((9,), np.float32), x)]}

    with pytest.raises(AssertionError, match=r"result\['a'\]\[0\]"):
        assert_same(impure, X)


GOOD = """func.func @main() {
  %0 = stablehlo.constant dense<4.0> : tensor<f32>
  %1 = stablehlo.sqrt %0 : tensor<f32>
  check.expect_eq_const %1, dense<2.0> : tensor<f32>
  return
}
"""
# A process of the grid takes part in no group.
DEADLOCK = """module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) {
      replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>
    } : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""
FILES = {
    "good.mlir": GOOD,
    "bad.mlir": GOOD.replace("<2.0>", "<3.0>"),
    'a "quoted" $name.mlir': GOOD,
    "empty.mlir": "// nothing\n",
    "not.mlir": "// RUN: not stablehlo-opt %s 2>&1 | grep error:\nfunc.func @main( {\n",
    "not_bad.mlir": "// RUN: not stablehlo-opt %s\n" + GOOD,
    "expected.mlir": "// XFAIL: *\n" + GOOD.replace("<2.0>", "<3.0>"),
    "unexpected.mlir": "// XFAIL: *\n" + GOOD,
    "required.mlir": "// REQUIRES: cuda\n// RUN: false\n",
    "no_check.mlir": "func.func @main() {\n  return\n}\n",
    "run.mlir": "// RUN: stablehlo-opt %s \\\n// RUN:   -o %t && grep -q sqrt %t\n" + GOOD,
    "run_bad.mlir": "// RUN: stablehlo-opt --strict %s | grep nothing_of_this\n" + GOOD,
    "pipe_bad.mlir": "// RUN: stablehlo-opt --no-such-flag %s | cat\n" + GOOD,
    "filecheck.mlir": "// RUN: stablehlo-opt %s | FileCheck %s\n// CHECK: stablehlo.sqrt\n" + GOOD,
    "filecheck_bad.mlir": "// RUN: stablehlo-opt %s |FileCheck %s\n// CHECK: nothing_of_this\n" + GOOD,
    "test_same.py": """import jax
import numpy as np
from hlokit.testing import assert_same

def test_same():
    shape = jax.ShapeDtypeStruct((), np.float32)
    assert_same(lambda x: jax.pure_callback(lambda _: np.float32(np.random.rand()), shape, x), np.float32(1))
""",
}


def commands(directory: Path) -> str:
    """The value of PATH with the commands of this hlokit."""
    tools = directory / "bin"
    tools.mkdir()
    for name in ("hlokit", "stablehlo-opt", "stablehlo-translate"):
        function = name.replace("-", "_")
        script = tools / name
        script.write_text(
            f"#!{sys.executable}\nimport sys\nsys.path[:0] = {sys.path!r}\nfrom hlokit.cli import {function}\nsys.exit({function}())\n"
        )
        script.chmod(0o755)
    return f"{tools}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.skipif(shutil.which("bash") is None, reason="actions run in bash")
@pytest.mark.parametrize(
    ("files", "error"),
    [
        *[("*.mlir", ""), ("lib/good*.mlir *.mlir", ""), ("none/*.mlir", "")],
        *[("lib/*.mlir", "lib/bad.mlir:3:"), ("**/deadlock.mlir", "spmd-group-cover")],
    ],
)
@pytest.mark.deep
def test_github_action(files: str, error: str, tmp_path: Path) -> None:
    script = textwrap.dedent(
        (ROOT / ".github/actions/verify/action.yml").read_text().rpartition("run: |\n")[2]
    )
    (tmp_path / "lib").mkdir()
    (tmp_path / "good.mlir").write_text(GOOD)
    (tmp_path / "lib" / "good_too.mlir").write_text(GOOD)
    (tmp_path / "lib" / "bad.mlir").write_text(GOOD.replace("tensor<f32>\n  check", "tensor<i32>\n  check"))
    (tmp_path / "grid").mkdir()
    (tmp_path / "grid" / "deadlock.mlir").write_text(DEADLOCK)
    variables = {**os.environ, "PATH": commands(tmp_path), "FILES": files, "STRICT": "false"}
    run = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == bool(error), run.stderr
    assert error in run.stdout + run.stderr
    assert error or "error" not in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("hook", "bad"), [("hlokit-verify", "bad.mlir"), ("hlokit-lint-spmd", "deadlock.mlir")]
)
def test_hooks_of_pre_commit(hook: str, bad: str, tmp_path: Path) -> None:
    entries = (ROOT / ".pre-commit-hooks.yaml").read_text()
    found = re.search(rf"^- id: {hook}\n(?:  .*\n)*?  entry: (.*)$", entries, re.MULTILINE)
    assert found is not None
    (tmp_path / "deadlock.mlir").write_text(DEADLOCK)
    (tmp_path / "good.mlir").write_text(GOOD)
    (tmp_path / "bad.mlir").write_text(GOOD.replace("tensor<f32>\n  check", "tensor<i32>\n  check"))
    variables = {**os.environ, "PATH": commands(tmp_path)}
    for names, status in ((["good.mlir"], 0), (["good.mlir", bad], 1)):
        run = subprocess.run([*shlex.split(found[1]), *names], cwd=tmp_path, env=variables, check=False)
        assert run.returncode == status


@pytest.mark.deep
def test_plugin(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            [str(Path(hlokit.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        ),
        "PATH": commands(tmp_path),
        "PYTEST_ADDOPTS": "",
        "COLUMNS": "120",
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-rA",
        "--hlokit",
        ".",
    ]
    if not any(item.name == "hlokit" for item in entry_points(group="pytest11")):  # not installed
        command += ["-p", "hlokit.clients.pytest_plugin"]
    run = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False)
    lines = run.stdout.splitlines()
    assert {line for line in lines if line.startswith("PASSED")} == {
        "PASSED good.mlir::check",
        "PASSED filecheck.mlir::run",
        "PASSED run.mlir::run",
        "PASSED not.mlir::run",
        'PASSED a "quoted" $name.mlir::check',
    }
    assert any(line.startswith("XFAIL expected.mlir::check") for line in lines)
    assert any(line.endswith("REQUIRES: cuda") for line in lines if line.startswith("SKIPPED"))
    failed = dict(line.removeprefix("FAILED ").split(" - ", 1) for line in lines if line.startswith("FAILED"))
    # The summary shows errors, not commands.
    assert failed.pop("bad.mlir::check").startswith("bad.mlir:4:3: error: check.expect_eq_const")
    assert "evaluated no check operation" in failed.pop("no_check.mlir::check")
    assert "--no-such-flag" in failed.pop("pipe_bad.mlir::run")
    assert failed.pop("empty.mlir::check").startswith("empty.mlir: error: module must have")
    assert "[XPASS(strict)] XFAIL: *" in failed.pop("unexpected.mlir::check", "")
    assert failed.pop("not_bad.mlir::run") and "exit status 1 of: not stablehlo-opt" in run.stdout
    assert failed.keys() == {"filecheck_bad.mlir::run", "run_bad.mlir::run", "test_same.py::test_same"}
    assert "exit status 1 of: stablehlo-opt" in run.stdout
    assert "Mismatched elements" in run.stdout and "hlokit/testing.py" not in run.stdout
    assert "actual 2.0" in run.stdout and "evaluated no check operation" in run.stdout
    without = subprocess.run(
        [item for item in command if item != "--hlokit"],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 failed" in without.stdout and ".mlir" not in without.stdout
