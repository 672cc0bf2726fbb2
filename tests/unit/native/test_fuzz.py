"""The reader under AddressSanitizer and UndefinedBehaviorSanitizer, on mutants of real bytecode."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .campaign import LIBRARY, READER, unpack
from .samples import SAMPLE, VERSIONS, artifacts, to_bytecode

HERE = Path(__file__).parent
SOURCES = [*READER, *(HERE / name for name in ("fuzz_bytecode.cpp", "mutate.cpp"))]
FLAGS = ["-std=c++17", "-g", "-O1", "-Wall", "-Wextra", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILER = os.environ.get("CXX", "g++")


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"needs {COMPILER}")
def test_mutants_do_no_harm(tmp_path: Path) -> None:
    program = tmp_path / "mutate"
    subprocess.run([COMPILER, *FLAGS, *SANITIZE, f"-I{LIBRARY}", *SOURCES, "-o", program], check=True)
    for version in VERSIONS:
        (tmp_path / f"v{version}.mlirbc").write_bytes(to_bytecode(SAMPLE, version))
    for name, data in artifacts().items():
        (tmp_path / f"artifact{name}.mlirbc").write_bytes(data)

    inputs = [*sorted(tmp_path.glob("*.mlirbc")), *unpack(tmp_path / "corpus")]
    run = subprocess.run(
        [program, "20000", "1", *inputs],
        capture_output=True,
        text=True,
        check=False,
    )

    assert run.returncode == 0, run.stderr
