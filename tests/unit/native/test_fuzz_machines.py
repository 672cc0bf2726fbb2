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


# Program -> what it is made of besides the kernels.
PROGRAMS = {
    "fuzz_machines": [
        f"{name}.cpp"
        for name in (
            *("vm", "vm_chain", "vm_chain_run", "vm_dot", "vm_loop", "vm_reduce", "vm_strided"),
            *("vm_sweeps", "vm_windows"),
            *("pool", "matmul", "matmul_kernels", "matmul_kernels_avx2", "matmul_kernels_avx512"),
        )
    ],
    "fuzz_regions": [
        f"{name}.cpp"
        for name in (
            *("vm", "pool", "bodies", "index_vectors", "combinations", "reduce", "rows", "scatter", "sort"),
            "windows",
        )
    ],
}
ROUNDS = {"fuzz_machines": "10000", "fuzz_regions": "2000"}


def compile_all(commands: list[list[str | Path]]) -> None:
    running = [subprocess.Popen([COMPILER, *FLAGS, *SANITIZE, *command]) for command in commands]
    assert [each.wait() for each in running] == [0] * len(commands)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs, compiled."""
    folder = tmp_path_factory.mktemp("machines")
    is_x86 = platform.machine() in ("x86_64", "AMD64")
    vectors = ["-mavx2"] if is_x86 else []
    longer = [f"-mavx512{name}" for name in ("f", "dq", "bw", "vl")] if is_x86 else []
    flags = {
        **{f"vm_{name}": [] for name in ("kernels", "complex")},
        **{f"vm_{name}_avx2": vectors for name in ("kernels", "complex")},
        **{f"vm_{name}_avx512": longer for name in ("kernels", "complex")},
        "combinations_avx2": vectors,
    }
    compile_all(
        [[*own, "-c", LIBRARY / f"{name}.cpp", "-o", folder / f"{name}.o"] for name, own in flags.items()]
    )
    kernels = [*[folder / f"{name}.o" for name in flags], "-pthread", "-o"]
    compile_all(
        [
            [*[LIBRARY / source for source in sources], HERE / f"{name}.cpp", *kernels, folder / name]
            for name, sources in PROGRAMS.items()
        ]
    )
    return folder


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason=f"needs {COMPILER}")
@pytest.mark.parametrize("name", PROGRAMS)
def test_random_programs_do_no_harm(name: str, programs: Path) -> None:
    run = subprocess.run([programs / name, ROUNDS[name], "1"], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout + run.stderr
