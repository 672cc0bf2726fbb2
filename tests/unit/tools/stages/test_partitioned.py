"""Dumps of a compilation for several devices: pieces before, as well as after, XLA's SPMD partitioner."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.tools.stages.dumps import read_folder
from hlokit.tools.stages.partitioned import Partitioned
from hlokit.tools.stages.run import certify_dumps

# The rows of x are on two devices, which add the products of their columns of y; 3 rows are cut into 2 and 1.
PROGRAM = """
module attributes {
  mhlo.spmd_parameters_shardings = ["{devices=[2,1]<=[2]}", "{replicated}"],
  mhlo.spmd_output_sharding = "{{devices=[2]<=[2]}, {replicated}}"
} {
  func.func @main(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>) {
    %d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    return %d, %y : tensor<2xf32>, tensor<3xf32>
  }
}
"""
COMPILE = """
import sys
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.sharding.Mesh(np.array(jax.devices()), ("x",))
cut = NamedSharding(mesh, P("x"))
def f(a, w):
    h = jnp.tanh(a @ w)
    return h, h.sum(0)
shapes = [jax.ShapeDtypeStruct(shape, np.float32) for shape in ((4, 6), (6, 3))]
jax.jit(f, in_shardings=(cut, NamedSharding(mesh, P()))).lower(*shapes).compile()
"""


def test_arguments_are_cut_and_results_joined() -> None:
    program = hlokit.load(PROGRAM)
    partitioned = Partitioned.read(program, "main")
    assert partitioned is not None
    assert partitioned.devices == 2
    y = np.array([1, -2, 3], np.float32)
    for rows, shapes in ((4, None), (3, [(3,), (3,)])):
        x = np.arange(3.0 * rows, dtype=np.float32).reshape(rows, 3)
        product, copy = partitioned.evaluated([x, y], shapes)
        assert np.array_equal(product, x @ y)
        assert np.array_equal(copy, y)
    lists = np.ones((4, 3)).tolist(), y.tolist()  # regression: they were arrays of f64
    assert np.array_equal(partitioned.evaluated(lists, None)[0], np.full(4, 2, np.float32))
    with pytest.raises(hlokit.ArgumentError, match="argument 1 must have type tensor<3xf32>"):
        partitioned.evaluated([x, y.astype(np.float64)], None)
    with pytest.raises(hlokit.UnsupportedError, match="must take 2 and return 2 values"):
        partitioned.evaluated([x], None)
    with pytest.raises(hlokit.UnsupportedError, match="must be cut into pieces of tensor<2x3xf32>"):
        partitioned.evaluated([np.ones((6, 3), np.float32), y], None)


def test_programs_of_one_device_are_not_partitioned() -> None:
    plain = PROGRAM.replace("devices=[2,1]<=[2]", "replicated").replace("devices=[2]<=[2]", "replicated")
    assert Partitioned.read(hlokit.load(plain), "main") is None


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dumps")
    flags = f"--xla_force_host_platform_device_count=2 --xla_dump_to={folder} --xla_dump_hlo_pass_re=.*"
    flags += " --xla_dump_hlo_as_proto --xla_dump_hlo_as_text=false"
    command = [sys.executable, "-c", COMPILE]
    subprocess.run(command, env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}, check=True)
    return folder


@pytest.mark.deep
def test_a_compilation_for_two_devices(dumps: Path) -> None:
    """All stages keep the meaning; a fault after the partitioner is named at its stage."""
    x, w = np.random.default_rng(2).normal(size=(2, 24)).astype(np.float32)
    arguments = x.reshape(4, 6), w[:18].reshape(6, 3)
    report = certify_dumps(str(dumps), None, *arguments)
    assert report.status == 0, report
    assert {"same", "equal"} <= {stage.verdict for stage in report.stages}
    snapshots = read_folder(str(dumps))
    after = [number for number, snapshot in enumerate(snapshots) if snapshot.stage == "spmd-partitioning"]
    target = next(s for s in snapshots[after[0] + 1 :] if b"\x12\x04tanh" in s.read())
    path = dumps / target.source
    path.write_bytes(path.read_bytes().replace(b"\x12\x04tanh", b"\x12\x04sqrt"))
    report = certify_dumps(str(dumps), None, *arguments)
    assert report.first is not None
    assert report.first.source == target.source
