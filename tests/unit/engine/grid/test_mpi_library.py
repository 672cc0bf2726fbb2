"""MPI libraries under names that mpi4py's wheels do not search."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from hlokit.engine.grid.mpi import library

pytestmark = pytest.mark.deep

MACHINES = {"x86_64": 62, "aarch64": 183}
needs_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux") or platform.machine() not in MACHINES,
    reason="hlokit writes ELF files for Linux on x86_64 and aarch64 only",
)


# Libraries are loaded in processes of their own: this one cannot unload them.
LOADING = """
import ctypes, sys
cosine = ctypes.CDLL(sys.argv[1]).cos
cosine.restype, cosine.argtypes = ctypes.c_double, [ctypes.c_double]
assert cosine(0.0) == 1.0
# The loader knows the library by its name from now on, and looks for no file.
assert ctypes.CDLL("libcosines.so.3").cos is not None
"""


def can_load(name: str) -> bool:
    script = f"import ctypes; ctypes.CDLL({name!r})"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0


@needs_linux
def test_another_name_of_a_library(tmp_path: Path) -> None:
    file = tmp_path / "any_name.so"
    file.write_bytes(library.alias("libcosines.so.3", "libm.so.6", MACHINES[platform.machine()]))
    done = subprocess.run([sys.executable, "-c", LOADING, str(file)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@needs_linux
def test_debians_mpich() -> None:
    if not can_load("libmpich.so.12"):
        pytest.skip("needs Debian's libmpich12")
    # A path that leads nowhere hides all other libraries from mpi4py.
    hidden = os.environ | {"MPI4PY_LIBMPI": "/nowhere/libmpi.so"}
    done = subprocess.run(
        [sys.executable, "-c", "from hlokit.cli import hlokit; hlokit()", "doctor", "--json"],
        capture_output=True,
        text=True,
        check=True,
        env=hidden,
    )
    (found,) = [item for item in json.loads(done.stdout)["findings"] if item["what"] == "MPI library"]
    assert found["level"] == "ok"
    assert "MPICH Version" in found["text"]
    assert "libmpich.so.12" in found["text"]


def test_no_library_is_provided_where_mpi4py_finds_one() -> None:
    pytest.importorskip("mpi4py")
    script = (
        "import ctypes; from hlokit.engine.grid.mpi import library; real = ctypes.CDLL\n"
        "ctypes.CDLL = lambda name, *rest: print(name) or real(name, *rest)\n"
        "library.provide()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "libmpich" not in done.stdout
