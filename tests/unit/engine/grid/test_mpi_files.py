"""Arguments, results and files of programs on ranks, and command lines that are wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.unit.engine.grid.mpi_programs import (
    ADD,
    ALL,
    RANKS,
    RUN,
    TRANSLATE,
    mpiexec,
    program,
    threads,
)

pytestmark = pytest.mark.deep


def test_input_that_there_is_not(tmp_path: Path) -> None:
    path = tmp_path / "none.mlir"
    status, out, err = mpiexec(RUN, "run", "--engine=mpi", str(path), ranks=2)
    assert (status, out) == (1, "")
    assert err == f"{path}: error: cannot open input file '{path}': no such file or directory\n"


IDENTITY = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  interpreter.print %x : tensor<2xf32>
  %0 = interpreter.probe %x, probe_id = "x" : tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def test_arguments_and_files_of_ranks(tmp_path: Path) -> None:
    path = tmp_path / "identity.mlir"
    path.write_text(IDENTITY)
    for rank in range(RANKS):
        np.save(tmp_path / f"x{rank}.npy", np.float32([rank, -rank]))
    flags = ["--interpret", "--engine=mpi", f"--args={tmp_path}/x{{rank}}.npy", str(path)]
    outputs = [f"--output={tmp_path / 'y.npz'}", f"--probe-output-dir={tmp_path / 'probes'}"]
    status, out, err = mpiexec(TRANSLATE, *outputs, f"-o={tmp_path / 'out.txt'}", *flags)
    assert (status, out, err) == (0, "", "")
    with np.load(tmp_path / "y.npz") as results:
        assert [list(results[f"result_{rank}"]) for rank in range(RANKS)] == [
            [0, 0],
            [1, -1],
            [2, -2],
            [3, -3],
        ]
    printed = (tmp_path / "out.txt").read_text()
    assert printed.count("%arg0 = tensor<2xf32>") + printed.count("%x = tensor<2xf32>") == RANKS
    for rank in range(RANKS):
        assert "x,tensor<2xf32>," in (tmp_path / "probes" / f"rank_{rank}" / "index.csv").read_text()
    (tmp_path / "x1.npy").unlink()
    status, out, err = mpiexec(TRANSLATE, *flags, ranks=2)
    assert (status, out) == (1, "")
    assert err.endswith(f"cannot read arguments from '{tmp_path}/x1.npy': no such file or directory\n")


def test_ranks_end_with_their_exit_handlers(tmp_path: Path) -> None:
    # In one of them, MPICH reports the end of the rank to the launcher, which otherwise kills the other ranks.
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    handler = "import atexit, os; atexit.register(os.write, 1, b'goodbye '); "
    status, out, err = mpiexec(handler + TRANSLATE, "--interpret", "--engine=mpi", "-o=-", str(path))
    assert (status, out.count("goodbye "), err) == (0, RANKS, "")


def test_wrong_number_of_ranks(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    flags = ["--interpret", "--engine=mpi", "--num-replicas=2", "--num-partitions=2", str(path)]
    status, out, err = mpiexec(TRANSLATE, *flags, ranks=2)
    assert (status, out) == (1, "")
    assert err == f"{path}: error: a process grid of 2 x 2 must run on 4 ranks, got 2\n"


def test_output_that_rank_0_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(program("all_reduce", ALL, "f32", (2,), (2,), ADD))
    target = tmp_path / "none" / "out.txt"
    status, out, err = mpiexec(TRANSLATE, "--interpret", "--engine=mpi", f"-o={target}", str(path), ranks=2)
    message = f"stablehlo-translate: error: cannot open output file '{target}': no such file or directory\n"
    assert (status, out, err) == (1, "", message)


def test_engine_that_there_is_not(tmp_path: Path) -> None:
    path = tmp_path / "program.mlir"
    path.write_text(IDENTITY)
    assert threads("--engine=pvm", str(path)) == (
        1,
        "",
        "stablehlo-translate: error: --engine must be threads or mpi, got 'pvm'\n",
    )
    hidden = (
        "import sys; sys.modules['mpi4py'] = None; from hlokit.cli.upstream.translate import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden, "--interpret", "--engine=mpi", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "the MPI engine needs mpi4py and an MPI library: pip install 'hlokit[mpi]' mpich" in done.stderr
