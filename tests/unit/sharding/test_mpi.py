"""The program of a device on ranks of MPI: the same bytes as on threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from tests.unit.grid.mpi_programs import mpiexec
from unit.sharding.test_shard import ARGUMENTS, MEGATRON, MLP

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
    sharded = hlokit.load(MLP).shard("data=2,model=2", MEGATRON, partitioner=partitioner)
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
