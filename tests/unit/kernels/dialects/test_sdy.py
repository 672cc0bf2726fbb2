"""Computations on the devices of a mesh: programs that are not partitioned yet, and their errors."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import hlokit

SHARDED = """
module attributes {{mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32}} {{
  sdy.mesh @mesh = <["x"={devices}]>
  func.func @main(%x: tensor<{whole}xf32>) -> tensor<{whole}xf32> {{
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{{"x"}}]>] out_shardings=[<@mesh, [{{"x"}}]>]
        manual_axes={{"x"}} (%a: tensor<{part}xf32>) {{
      %1 = "stablehlo.collective_permute"(%a) {{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}} : (tensor<{part}xf32>) -> tensor<{part}xf32>
      sdy.return %1 : tensor<{part}xf32>
    }} : (tensor<{whole}xf32>) -> tensor<{whole}xf32>
    return %0 : tensor<{whole}xf32>
  }}
}}
"""

# In a process of its own: JAX makes its devices when it first needs one.
JAX = """
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.sharding import Mesh, PartitionSpec as P
import hlokit

devices = np.array(jax.devices()).reshape(2, 2)
x = np.arange(24, dtype=np.float32).reshape(4, 6) / 7

def product(mesh):
    def local(a, b):
        return lax.psum(a @ b, "y") + lax.axis_index("x")
    return jax.shard_map(local, mesh=mesh, in_specs=(P("x", "y"), P("y", None)), out_specs=P("x"))

def steps(mesh):
    def local(a):
        return lax.scan(lambda c, row: (lax.ppermute(c, "x", [(0, 1), (1, 0)]) + row, c), a[0], a)
    return jax.shard_map(local, mesh=mesh, in_specs=P(None, "x"), out_specs=(P("x"), P(None, "x")))

def partly(mesh):
    def local(a):
        return lax.psum(a, "x") * 2
    return jax.shard_map(local, mesh=mesh, in_specs=P("x"), out_specs=P(), axis_names={"x"})

for mesh in (Mesh(devices, ("x", "y")), Mesh(devices[::-1, ::-1], ("x", "y"))):
    for function in (jax.grad(lambda a, mesh=mesh: product(mesh)(a, a.T @ a).sum()), steps(mesh), partly(mesh)):
        compiled = jax.jit(function)
        lowered = compiled.lower(x)
        results = hlokit.load(lowered.as_text())(x)
        for got, want in zip(jax.tree.leaves(results), jax.tree.leaves(compiled(x)), strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-5)

mapped = jax.pmap(lambda row: (lax.pmean(row, "i"), lax.all_gather(row, "i"), lax.axis_index("i")), axis_name="i")
results = hlokit.load(mapped.lower(x).as_text())(x)
for got, want in zip(results, mapped(x), strict=True):
    np.testing.assert_allclose(got, want, rtol=1e-6)
print("agreed")
"""


@pytest.mark.deep
def test_jax_on_four_devices() -> None:
    pytest.importorskip("jax")
    environment = os.environ | {
        "XLA_FLAGS": "--xla_force_host_platform_device_count=4",
        "JAX_PLATFORMS": "cpu",
    }
    run = subprocess.run(
        [sys.executable, "-c", JAX], capture_output=True, text=True, env=environment, check=False
    )
    assert run.stdout == "agreed\n", run.stderr


def test_the_program_is_for_one_process_which_makes_the_grid() -> None:
    program = hlokit.load(SHARDED.format(devices=2, whole=4, part=2))
    assert program.grid == (1, 1)
    assert program.makes_grid
    assert program(np.arange(4, dtype=np.float32)).tolist() == [2, 3, 0, 1]


def test_each_process_of_a_grid_may_run_it() -> None:
    program = hlokit.load(SHARDED.format(devices=2, whole=4, part=2))
    whole = np.arange(4, dtype=np.float32)
    results = program.run_parallel([(whole,), (whole,)], num_partitions=2)
    assert [result.tolist() for result in results] == [[2, 3, 0, 1]] * 2


def test_a_grid_of_another_size_is_an_error() -> None:
    program = hlokit.load(SHARDED.format(devices=2, whole=4, part=2))
    with pytest.raises(hlokit.EvaluationError, match="a device for each of 3 partitions, got 2"):
        program.run_parallel([([0.0] * 4,)] * 3, num_replicas=1, num_partitions=3)


@pytest.mark.parametrize("size", [4, 5])
def test_pieces_of_a_dynamic_dimension(size: int) -> None:
    program = hlokit.load(SHARDED.format(devices=2, whole="?", part="?"))
    whole = np.arange(size, dtype=np.float32)
    if size % 2:
        with pytest.raises(hlokit.EvaluationError, match="5 elements must be split into equal pieces, got 2"):
            program(whole)
    else:
        assert program(whole).tolist() == [2, 3, 0, 1]


SUMS = """
sdy.mesh @mesh = <["y"=2, "x"=2]>
func.func @main(%x: tensor<4xTYPE>) -> tensor<4xTYPE> {{
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, {operand}>] out_shardings=[<@mesh, {result}>]
      manual_axes={{"x", "y"}} (%a: tensor<{size}xTYPE>) {{
    {body}
    sdy.return %1 : tensor<{returned}xTYPE>
  }} : (tensor<4xTYPE>) -> tensor<4xTYPE>
  return %0 : tensor<4xTYPE>
}}
"""
TWICE = "%1 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xTYPE>, tensor<2xTYPE>) -> tensor<4xTYPE>"
SUM = """%1 = "stablehlo.all_reduce"(%a) ({{ ^bb0(%l: tensor<TYPE>, %r: tensor<TYPE>):
  %s = stablehlo.add %l, %r : tensor<TYPE> stablehlo.return %s : tensor<TYPE> }})
  {{replica_groups = dense<[{groups}]> : tensor<{shape}xi64>, use_global_device_ids,
    channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>}} : (tensor<4xTYPE>) -> tensor<4xTYPE>"""


@pytest.mark.parametrize("type_", ["f32", "bf16", "i8", "complex<f32>"])
def test_sums_of_devices(type_: str) -> None:
    along_x, along_both = '[{}], unreduced={"x"}', '[{}], unreduced={"y", "x"}'
    pieces, double = '[{"y"}], unreduced={"x"}', "%1 = stablehlo.add %a, %a : tensor<2xTYPE>"
    rows = [
        # Halves along x, the terms of a sum: each device returns its half twice.
        ('[{"x"}]', along_x, 2, 4, TWICE, [2, 4, 2, 4]),
        # The whole on one device along x, and along both axes.
        (along_x, "[{}]", 4, 4, SUM.format(groups="[0, 1], [2, 3]", shape="2x2"), [0, 1, 2, 3]),
        (along_both, "[{}]", 4, 4, SUM.format(groups="[0, 1, 2, 3]", shape="1x4"), [0, 1, 2, 3]),
        # A sum of pieces that are split along the other axis.
        (pieces, pieces, 2, 2, double, [0, 2, 4, 6]),
    ]
    for operand, result, size, returned, body, expected in rows:
        text = SUMS.format(operand=operand, result=result, size=size, returned=returned, body=body).replace(
            "TYPE", type_
        )
        program = hlokit.load(text)
        x = np.arange(4).astype(program.signature().inputs[0].element_type.dtype)
        for tier in ("default", "reference"):
            got = program(x, tier=tier)
            assert got.dtype == x.dtype and got.astype(complex).tolist() == expected, (tier, operand, result)


UNREDUCED = '%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}'
SPLIT = '%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}'
REPLICATED = "%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}"


@pytest.mark.parametrize(
    ("parameter", "body"),
    [
        (UNREDUCED, 'sdy.all_reduce {"x"} %a out_sharding=<@mesh, [{}]>'),
        (UNREDUCED, 'sdy.reduce_scatter [{"x"}] %a out_sharding=<@mesh, [{"x"}]>'),
        (SPLIT, 'sdy.sharded_to_unreduced [{"x"}] %a out_sharding=<@mesh, [{}], unreduced={"x"}>'),
        (REPLICATED, 'sdy.replicated_to_unreduced {"x"} %a out_sharding=<@mesh, [{}], unreduced={"x"}>'),
        (REPLICATED, "sdy.func_data_flow_edge %a"),
    ],
    ids=lambda text: text.split()[0],
)
def test_operations_that_keep_the_whole_tensor(parameter: str, body: str) -> None:
    program = hlokit.load(f"""sdy.mesh @mesh = <["x"=2]>
func.func @main({parameter}) -> tensor<4xf32> {{
  %0 = {body} : tensor<4xf32>
  return %0 : tensor<4xf32>
}}""")
    x = np.arange(4, dtype=np.float32)
    for tier in ("default", "reference"):
        np.testing.assert_array_equal(program(x, tier=tier), x)


def test_constant_with_a_sharding() -> None:
    program = hlokit.load("""sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<2xbf16>) -> (tensor<2xbf16>, tensor<ui4>) {
  %0 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<[1.5, -2.0]> : tensor<2xbf16>
  %1 = stablehlo.multiply %a, %0 : tensor<2xbf16>
  %2 = sdy.constant dense<7> : tensor<ui4>
  return %1, %2 : tensor<2xbf16>, tensor<ui4>
}""")
    for tier in ("default", "reference"):
        product, seven = program(np.array([2, 3], ml_dtypes.bfloat16), tier=tier)
        assert (product.astype(float).tolist(), int(seven)) == ([3.0, -6.0], 7)


def test_programs_of_several_meshes_are_read_and_printed() -> None:
    text = """module {
  func.func @main(%arg0: !mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>> attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>>} {
    %0 = mpmd.fragment<mesh="m1", origin=["f"]> (%arg0) (%arg1: tensor<4xf32>) {
      %1 = stablehlo.add %arg1, %arg1 : tensor<4xf32>
      mpmd.return %1 : tensor<4xf32>
    } : (!mpmd.mesh_tensor<"m1", tensor<4xf32>>) -> !mpmd.mesh_tensor<"m1", tensor<4xf32>>
    return %0 : !mpmd.mesh_tensor<"m1", tensor<4xf32>>
  }
}
"""
    assert hlokit.load(text).text() == text
    assert hlokit.verify(text) == []
    data = io.BytesIO()
    hlokit.load(text).module.operation.write_bytecode(data)
    assert hlokit.load(data.getvalue()).text() == text
    (message,) = [item.message for item in hlokit.verify(text.replace('"m1"', '"m2"', 1))]
    assert "m2" in message
