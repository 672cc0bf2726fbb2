"""The program of a device on ranks of MPI: the same bytes as on threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from tests.unit.engine.grid.mpi_programs import mpiexec
from unit.tools.shard.exports import export
from unit.tools.shard.test_shard import ARGUMENTS, MEGATRON, MLP

pytestmark = pytest.mark.deep

RANKS = 4
# Each rank runs its own piece; all of them get all results, and the first one stores them.
CODE = """
import sys
import numpy as np
from mpi4py import MPI
import hlokit
program, pieces, results = sys.argv[1:]
rank = MPI.COMM_WORLD.Get_rank()
with np.load(pieces) as file:
    own = [file[f"{rank}_{n}"] for n in range(3)]
given = [own if each == rank else None for each in range(MPI.COMM_WORLD.Get_size())]
made = hlokit.load(program).run_parallel(given, engine="mpi")
if rank == 0:
    np.savez(results, *made)
"""


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_the_program_of_a_device_runs_on_ranks(partitioner: str, tmp_path: Path) -> None:
    sharded = hlokit.shard(hlokit.load(MLP), "data=2,model=2", MEGATRON, partitioner=partitioner)
    program, pieces, results = (tmp_path / name for name in ("device.mlirbc", "pieces.npz", "results.npz"))
    program.write_bytes(sharded.program.serialize())
    cut = [layout.cut(value) for layout, value in zip(sharded.inputs, ARGUMENTS, strict=True)]
    arrays = {f"{rank}_{n}": cut[n][rank] for rank in range(RANKS) for n in range(len(cut))}
    np.savez(pieces, **arrays)
    status, out, err = mpiexec(CODE, str(program), str(pieces), str(results), ranks=RANKS)
    assert (status, out, err) == (0, "", "")
    with np.load(results) as file:
        made = [file[name] for name in file.files]
    assert len(made) == RANKS
    (layout,) = sharded.outputs
    joined = layout.joined(made)
    assert joined.tobytes() == np.asarray(sharded(*ARGUMENTS)).tobytes()
    x, w1, w2 = (each.astype(np.float64) for each in ARGUMENTS)
    np.testing.assert_allclose(joined, np.tanh(x @ w1) @ w2, rtol=1e-4, atol=1e-5)


# What a device's program does with collectives of all kinds: see `programs.py`.
CHECK = """
import sys
import numpy as np
from mpi4py import MPI
import hlokit
path, arguments, results = sys.argv[1:4]
with np.load(arguments) as file:
    given = [file[name] for name in file.files]
for partitioner in ("shardy", "xla"):
    sharded = hlokit.shard(hlokit.load(path), partitioner=partitioner, engine="mpi")
    check = sharded.check_values(given)
    check.require()
    joined = [layout.joined(pieces) for layout, pieces in zip(sharded.outputs, sharded._run(given))]
    if MPI.COMM_WORLD.Get_rank() == 0:
        np.savez(results + partitioner, *joined)
"""


@pytest.mark.parametrize("name", ["shard_map", "attention_ring", "mlp_2d"])
def test_the_devices_of_a_sharded_program_are_ranks(name: str, tmp_path: Path) -> None:
    """Programs of JAX on 8 ranks: all-gathers, sums, permutations and exchanges give the bytes of threads."""
    (made,) = export(tmp_path, name)
    arguments = tmp_path / "arguments.npz"
    np.savez(arguments, *made.arguments)
    words = (str(tmp_path / f"{name}.bin"), str(arguments), str(tmp_path / "results_"))
    status, out, err = mpiexec(CHECK, *words, ranks=8)
    assert (status, out, err) == (0, "", "")
    for partitioner in ("shardy", "xla"):
        sharded = hlokit.shard(made.program, partitioner=partitioner)
        expected = [
            layout.joined(pieces)
            for layout, pieces in zip(sharded.outputs, sharded._run(made.arguments), strict=True)
        ]
        with np.load(tmp_path / f"results_{partitioner}.npz") as file:
            assert [file[key].tobytes() for key in file.files] == [each.tobytes() for each in expected]


# Shardy reverses each piece.
REVERSED = """func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<8xf32>
  return %0 : tensor<8xf32>
}"""
COMMAND = "from hlokit.cli.main import main; main()"


def test_the_command_on_ranks(tmp_path: Path) -> None:
    path, output, page = (tmp_path / each for each in ("mlp.mlir", "device.mlir", "page.html"))
    path.write_text(MLP)
    flags = ["shard", str(path), "--mesh=a=2,b=2", "--in=0:P('a')", "--in=1:P(None, 'b')", "--in=2:P('b')"]
    words = [*flags, "--engine=mpi", "-o", str(output), f"--view={page}"]
    status, out, err = mpiexec(COMMAND, *words, ranks=4)
    assert (status, err) == (0, "")
    assert out.count("mesh a=2,b=2: 4 devices") == 1 and "compared with the whole program: right" in out
    assert "all_reduce" in output.read_text() and page.exists()
    status, out, err = mpiexec(COMMAND, *flags, "--engine=mpi", ranks=2)
    assert status == 1 and "the 4 devices of the mesh a=2,b=2 must run on 4 ranks, got 2: mpiexec -n 4" in err
    # Errors are said once.
    status, out, err = mpiexec(COMMAND, *flags, "--engine=mpi", "--in=0:P('b')", ranks=4)
    assert status == 1 and err.count("given once for each name") == 1
    path.write_text(REVERSED)
    words = ["shard", str(path), "--mesh=a=4", "--in=0:P('a')", "--engine=mpi"]
    status, out, err = mpiexec(COMMAND, *words, ranks=4)
    assert (status, err) == (1, "") and out.count("WRONG, made by shardy: first at stablehlo.reverse") == 1


def test_unknown_engines() -> None:
    with pytest.raises(ArgumentError, match="engine must be threads or mpi, got gpus"):
        hlokit.shard(hlokit.load(MLP), "a=2", {"0": "P('a')"}, engine="gpus")
