"""Compiles parts of lib/ with sanitizers, with the flags of CMakeLists.txt otherwise.

Environment variables select other compilers and processors (BUILD.md has commands):

- CXX: the compiler and its options;
- NATIVE_MACHINE: the processor for which CXX compiles;
- NATIVE_RUNNER: the command that runs programs for this processor;
- NATIVE_SANITIZE: flags that replace the flags of the sanitizers;
- NATIVE_DIVISOR: divides the number of rounds, for emulated processors.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FUZZERS = HERE / "fuzzers"
LIBRARY = HERE.parents[2] / "lib"
COMPILER = shlex.split(os.environ.get("CXX", "g++"))
MACHINE = os.environ.get("NATIVE_MACHINE", platform.machine())
RUNNER = shlex.split(os.environ.get("NATIVE_RUNNER", ""))
SANITIZE = shlex.split(
    os.environ.get("NATIVE_SANITIZE", "-fsanitize=address,undefined -fno-sanitize-recover=all")
)
needs_compiler = pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason=f"needs {COMPILER[0]}")

# Level of processor -> its instructions, as in cmake/KernelVariants.cmake.
INSTRUCTIONS: dict[str, tuple[str, ...]] = {"baseline": ()}
if MACHINE in ("x86_64", "AMD64"):
    INSTRUCTIONS |= {
        "avx2": ("-mavx2",),
        "avx512": ("-mavx512f", "-mavx512dq", "-mavx512bw", "-mavx512vl"),
    }
LEVELS = tuple(INSTRUCTIONS)
FLAGS = ("-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{LIBRARY}", "-pthread")
FLAGS += ("-DHLOKIT_X86_VARIANTS",) if len(LEVELS) > 1 else ()


def room(*names: str) -> list[Path]:
    """The C++ files of some folders of lib/, except files that are compiled once for each level."""
    return [
        path for name in names for path in sorted((LIBRARY / name).rglob("*.cpp")) if path not in VARIANTS
    ]


POINTWISE, COMPLEX = (LIBRARY / "vm" / "pointwise" / name for name in ("kernels.cpp", "complex.cpp"))
COMBINATIONS, KEYS, OFFSETS, UPDATES = (
    LIBRARY / "kernels" / "regions" / f"{name}.cpp" for name in ("combinations", "keys", "offsets", "updates")
)
FUNCTIONS, SPECIAL = (LIBRARY / "kernels" / "functions" / f"{name}.cpp" for name in ("functions", "special"))
OF_COMPLEX = LIBRARY / "kernels" / "complex" / "functions.cpp"
MATMUL = tuple(
    LIBRARY / "kernels" / "matmul" / f"{name}.cpp" for name in ("kernels", "direct_kernels", "byte_kernels")
)
FFT = LIBRARY / "kernels" / "fft" / "kernels.cpp"
THREEFRY = LIBRARY / "kernels" / "random" / "threefry.cpp"
VECTORS = LIBRARY / "kernels" / "linalg" / "vectors.cpp"
# Files that are compiled once for each level -> the last level, and flags.
VARIANTS = {
    POINTWISE: ("avx512", ("-ffp-contract=off",)),
    COMPLEX: ("avx512", ("-ffp-contract=off",)),
    COMBINATIONS: ("avx2", ("-ffp-contract=off",)),
    OFFSETS: ("avx512", ()),
    UPDATES: ("avx2", ("-ffp-contract=off",)),
    THREEFRY: ("avx512", ()),
    KEYS: ("avx512", ()),
    FUNCTIONS: ("avx512", ("-ffp-contract=off", "-mfma")),
    SPECIAL: ("avx512", ("-ffp-contract=off", "-mfma")),
    OF_COMPLEX: ("avx512", ("-ffp-contract=off", "-mfma")),
    **dict.fromkeys(MATMUL, ("avx512", ("-mfma",))),
    FFT: ("avx512", ("-ffp-contract=off",)),
    VECTORS: ("avx512", ("-ffp-contract=off",)),
}


# Files that are compiled with optimisation because they run long: functions in wide arithmetic, and a program that
# fills much memory with random bits. Other files take longer to compile than to run.
OPTIMISED = {
    *(
        LIBRARY / "kernels" / "functions" / f"{name}.cpp"
        for name in ("wide", "wide_angles", "exact", "special_exact")
    ),
    *(LIBRARY / "kernels" / "complex" / f"{name}.cpp" for name in ("exact", "limits")),
    FUZZERS / "fuzz_machines.cpp",
}


@cache
def _may_run(level: str) -> bool:
    """Whether this machine can run a level. Variants that it cannot run need no sanitizers, with which some
    take ten times as long to compile."""
    features = Path("/proc/cpuinfo")
    if RUNNER or platform.machine() != MACHINE or not features.exists():
        return True
    return {flag.removeprefix("-m") for flag in INSTRUCTIONS[level]} <= set(features.read_text().split())


def compile_objects(sources: Iterable[Path], folder: Path, flags: Iterable[str] = ()) -> list[Path]:
    """Compile files in parallel, those of VARIANTS once for each level.

    The tests of one session share the objects, so each object is compiled once.
    """
    objects = _shared(folder)
    objects.mkdir(exist_ok=True)
    commands: dict[Path, list[str]] = {}
    for source in sources:
        last, own = VARIANTS.get(source, ("baseline", ()))
        for level in LEVELS[: LEVELS.index(last) + 1 if last in LEVELS else 1]:
            instructions = [
                *INSTRUCTIONS[level],
                *(flag for flag in own if flag != "-mfma" or level != "baseline"),
            ]
            variant = [f"-DHLOKIT_VARIANT={level}", *instructions] if source in VARIANTS else []
            level_of_optimisation = "-O2" if source in OPTIMISED else "-O0"
            command = [
                *COMPILER,
                *FLAGS,
                level_of_optimisation,
                *(SANITIZE if _may_run(level) else ()),
                *flags,
                *variant,
                "-c",
                str(source),
            ]
            name = hashlib.sha256(shlex.join(command).encode()).hexdigest()[:16]
            commands[objects / f"{source.stem}.{level}.{name}.o"] = command
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(_compile, commands.values(), commands))
    return list(commands)


def _shared(folder: Path) -> Path:
    """The folder of objects that all processes of a test session share, from the temporary folder of one test."""
    workers = (parent for parent in folder.parents if parent.name.startswith("popen-gw"))
    session = next(workers, folder).parent
    return session / "objects"


def _compile(command: list[str], target: Path) -> None:
    if not target.exists():
        unfinished = target.with_suffix(f".{os.getpid()}")
        subprocess.run([*command, "-o", unfinished], check=True)
        unfinished.replace(target)


def link(objects: Iterable[Path], program: Path) -> Path:
    """Link objects into a program."""
    subprocess.run([*COMPILER, *FLAGS, *SANITIZE, *objects, "-o", program], check=True)
    return program


def build(sources: Iterable[Path], program: Path, flags: Iterable[str] = ()) -> Path:
    """Compile files and link them into a program."""
    return link(compile_objects(sources, program.parent, flags), program)


def rounds(count: int) -> str:
    """The number of rounds of a program, as an argument."""
    return str(max(1, count // int(os.environ.get("NATIVE_DIVISOR", "1"))))


def run(program: Path, *arguments: str | Path, level: str | None = None) -> None:
    """Run a program, which must succeed; `level` is the level of the processor."""
    variables = os.environ | ({"HLOKIT_CPU": level} if level else {})
    found = subprocess.run(
        [*RUNNER, program, *arguments], capture_output=True, text=True, check=False, env=variables
    )
    assert found.returncode == 0, found.stdout + found.stderr
