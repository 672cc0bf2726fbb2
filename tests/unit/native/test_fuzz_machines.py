"""The native machines under AddressSanitizer and UndefinedBehaviorSanitizer, on random programs."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIBRARY = HERE.parents[2] / "lib"
# Without optimisation: compiling takes most of the time.
FLAGS = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", f"-I{LIBRARY}"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILER = os.environ.get("CXX", "g++")


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"needs {COMPILER}")
def test_random_programs_do_no_harm(tmp_path: Path) -> None:
    is_x86 = platform.machine() in ("x86_64", "AMD64")
    vectors = ["-mavx2"] if is_x86 else []
    longer = [f"-mavx512{name}" for name in ("f", "dq", "bw", "vl")] if is_x86 else []
    objects = {
        tmp_path / "kernels.o": [LIBRARY / "vm_kernels.cpp"],
        tmp_path / "kernels_avx2.o": [*vectors, LIBRARY / "vm_kernels_avx2.cpp"],
        tmp_path / "kernels_avx512.o": [*longer, LIBRARY / "vm_kernels_avx512.cpp"],
    }
    compilers = [
        subprocess.Popen([COMPILER, *FLAGS, *SANITIZE, "-c", *sources, "-o", target])
        for target, sources in objects.items()
    ]
    assert [compiler.wait() for compiler in compilers] == [0, 0, 0]
    program = tmp_path / "fuzz_machines"
    rest = [LIBRARY / "vm.cpp", LIBRARY / "vm_chain.cpp", LIBRARY / "vm_loop.cpp", HERE / "fuzz_machines.cpp"]
    subprocess.run([COMPILER, *FLAGS, *SANITIZE, *rest, *objects, "-o", program], check=True)

    run = subprocess.run([program, "10000", "1"], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
