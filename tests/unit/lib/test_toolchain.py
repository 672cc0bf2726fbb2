"""The toolchain file of Zig's compiler names the system and the processor of each target."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOOLCHAIN = Path(__file__).parents[3] / "cmake" / "zig.cmake"
SCRIPT = """
include(TOOLCHAIN)
message("${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_CXX_COMPILER}")
"""


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
@pytest.mark.parametrize(
    ("target", "system"),
    [
        ("", "Linux x86_64"),
        ("aarch64-linux-gnu.2.17", "Linux aarch64"),
        ("x86_64-windows-gnu", "Windows x86_64"),
        ("aarch64-macos", "Darwin aarch64"),
    ],
)
def test_targets(target: str, system: str, tmp_path: Path) -> None:
    zig = tmp_path / "python-zig"
    zig.write_text("#!/bin/sh\n")
    zig.chmod(0o755)
    script = tmp_path / "script.cmake"
    script.write_text(SCRIPT.replace("TOOLCHAIN", TOOLCHAIN.as_posix()))
    given = [f"-DHLOKIT_ZIG_TARGET={target}"] if target else []
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(
        ["cmake", *given, "-P", script], capture_output=True, text=True, check=True, env=environment
    )
    compiler = f"{zig};c++;-target;{target or 'x86_64-linux-gnu.2.17'}"
    assert run.stderr.strip() == f"{system} {compiler}"
