"""Compiled products and transforms under AddressSanitizer and UndefinedBehaviorSanitizer, for each set of instructions."""

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
FLAGS = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{LIBRARY}"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
COMPILER = os.environ.get("CXX", "g++")
IS_X86 = platform.machine() in ("x86_64", "AMD64")
AVX2 = ["-mavx2", "-mfma"] if IS_X86 else []
AVX512 = ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mfma"] if IS_X86 else []


def objects_of(name: str, fuzzer: str) -> dict[str, tuple[Path, list[str]]]:
    """Object -> its source and flags. Without flags, files for certain processors are empty."""
    return {
        "rest": (HERE / fuzzer, []),
        name: (LIBRARY / f"{name}.cpp", []),
        "pool": (LIBRARY / "pool.cpp", []),
        "baseline": (LIBRARY / f"{name}_kernels.cpp", []),
        "avx2": (LIBRARY / f"{name}_kernels_avx2.cpp", AVX2),
        "no_avx2": (LIBRARY / f"{name}_kernels_avx2.cpp", []),
        "avx512": (LIBRARY / f"{name}_kernels_avx512.cpp", AVX512),
        "no_avx512": (LIBRARY / f"{name}_kernels_avx512.cpp", []),
    }


# What is linked, so that the best of it is what the processor has. Programs take what there is.
PROGRAMS = (("no_avx2", "no_avx512"), ("avx2", "no_avx512"), ("avx2", "avx512"))


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"needs {COMPILER}")
@pytest.mark.parametrize(
    ("name", "fuzzer", "rounds"), [("matmul", "fuzz_products.cpp", 1000), ("fft", "fuzz_fft.cpp", 300)]
)
def test_random_ones_do_no_harm(name: str, fuzzer: str, rounds: int, tmp_path: Path) -> None:
    common = [COMPILER, *FLAGS, *SANITIZE]
    compilers = [
        subprocess.Popen([*common, *flags, "-c", source, "-o", tmp_path / f"{part}.o"])
        for part, (source, flags) in objects_of(name, fuzzer).items()
    ]
    assert [compiler.wait() for compiler in compilers] == [0] * len(compilers)
    for number, names in enumerate(PROGRAMS):
        objects = [tmp_path / f"{part}.o" for part in ("rest", name, "pool", "baseline", *names)]
        program = tmp_path / f"program{number}"
        subprocess.run([*common, *objects, "-pthread", "-o", program], check=True)

        run = subprocess.run([program, str(rounds), "1"], capture_output=True, text=True, check=False)

        assert run.returncode == 0, (names, run.stdout + run.stderr)


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"needs {COMPILER}")
def test_random_triangles_do_no_harm(tmp_path: Path) -> None:
    program = tmp_path / "program"
    sources = [HERE / "fuzz_triangles.cpp", LIBRARY / "triangles.cpp"]
    subprocess.run([COMPILER, *FLAGS, *SANITIZE, *sources, "-o", program], check=True)

    run = subprocess.run([program, "500", "1"], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
