"""A program without Python, in C, loads the plugin."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from hlokit.clients.pjrt import library_path

ROOT = Path(__file__).parents[4]
SOURCE = ROOT / "examples" / "clients" / "c" / "pjrt.c"
COMPILER = shutil.which("cc")
pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="needs a C compiler"),
    pytest.mark.skipif(
        not sysconfig.get_config_var("Py_ENABLE_SHARED"), reason="Python has no shared library"
    ),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> str:
    program = str(tmp_path_factory.mktemp("client") / "pjrt")
    options = ["-Wall", "-Wextra", "-Werror", "-std=c11", "-I", ROOT / "lib" / "vendored"]
    subprocess.run([str(COMPILER), *options, SOURCE, "-ldl", "-o", program], check=True)
    return program


def run(client: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = library_path()
    assert path is not None
    library = str(Path(path).parent / "lib" / "libhlokit_pjrt.so")
    environment = {"PATH": os.environ["PATH"], "HLOKIT_PYTHON": sys.executable} | variables
    command = [client, library, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment, timeout=120)


def test_the_client_prints_the_product(client: str) -> None:
    ended = run(client)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "321 654\n", "")


def test_the_client_prints_errors(client: str, tmp_path: Path) -> None:
    file = tmp_path / "program.mlir"
    file.write_text(
        "func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.custom_call @nothing(%x) : (tensor<2x3xf32>) -> tensor<2xf32>\n  return %0 : tensor<2xf32>\n}\n"
    )
    ended = run(client, str(file))
    assert ended.returncode == 1
    assert "no function is registered for custom call @nothing" in ended.stderr
    file.write_text("func.func @main(")
    assert "error: " in run(client, str(file)).stderr


def test_a_python_without_hlokit(client: str) -> None:
    ended = run(client, HLOKIT_PYTHON="/bin/false")
    assert ended.returncode == 1
    assert (
        "HLOKIT_PYTHON must be a Python that has hlokit with its PJRT plugin, got /bin/false" in ended.stderr
    )
