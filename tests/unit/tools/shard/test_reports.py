"""Reports of sharded programs: what is asked for, files and axes by name, the costs of the whole program."""

from __future__ import annotations

import re

import jaxlib
import pytest

import hlokit
from hlokit.tools.shard.comparison.faults import refused_at
from hlokit.tools.shard.lint import lint_spmd
from hlokit.tools.shard.partitioners.partition import PartitionerFailed, request
from unit.tools.shard.test_shard import ARGUMENTS, MEGATRON, MESH, MLP

CONSTRAINED = """sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w1: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>},
    %w2: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"data"}, {}]> : tensor<8x32xf32>
  %3 = stablehlo.dot_general %2, %w2, contracting_dims = [1] x [0]
    : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}"""
MESHES = """sdy.mesh @one = <["a"=4, "b"=2]>
sdy.mesh @two = <["x"=2, "y"=4]>
func.func @main(%x: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@one, [{"a"}, {}]>},
    %y: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@two, [{"x"}, {}]>}) -> tensor<12x12xf32> {
  %0 = stablehlo.add %x, %y : tensor<12x12xf32>
  return %0 : tensor<12x12xf32>
}"""
MANUAL = """sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {}]>]
      out_shardings=[<@mesh, [{"data"}, {}]>] manual_axes={"data"}
      (%a: tensor<4x16xf32>, %b: tensor<16x32xf32>) {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
    %2 = stablehlo.tanh %1 : tensor<4x32xf32>
    sdy.return %2 : tensor<4x32xf32>
  } : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}"""


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_reshards_of_a_constraint_are_requested(partitioner: str) -> None:
    report = hlokit.shard(hlokit.load(CONSTRAINED), partitioner=partitioner).report()
    assert [each.kind for each in report.collectives] == ["all_gather", "all_reduce"]
    gathered = [each for each in report.reshards if each.after == "P('data', None)"]
    assert [each.is_requested for each in gathered] == [True]
    # What the product needs again is not what the constraint asks for. (XLA slices, and states no reshard.)
    back = {"shardy": [("P('data', None)", "P('data', 'model')")], "xla": []}
    assert [(each.before, each.after) for each in report.unrequested] == back[partitioner]


def test_reshards_name_lines_of_the_file() -> None:
    report = hlokit.shard(hlokit.load(MESHES, filename="two.mlir")).report()
    assert "reshards that the program does not request" in str(report)
    (reshard,) = report.as_dict()["reshards"]
    assert reshard["at"].startswith("two.mlir:")
    assert "a is x * a0, b is b" in str(report) and "y is a0 * b" in str(report)


LOOP = """func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8x16xf32> cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.tanh %y : tensor<8x16xf32>
    stablehlo.return %j, %z : tensor<i32>, tensor<8x16xf32>
  }
  return %r#1 : tensor<8x16xf32>
}"""


@pytest.mark.skipif(not jaxlib.__version__.startswith("0.10."), reason="later versions of Shardy split loops")
def test_refusals_name_the_operation_and_its_line() -> None:
    with pytest.raises(PartitionerFailed, match=r"at stablehlo.while \(loop.mlir:5:10\): "):
        hlokit.shard(hlokit.load(LOOP, filename="loop.mlir"), "data=4", {0: "P('data')"})


@pytest.mark.parametrize(
    ("reason", "name"),
    [("'stablehlo.add' op is wrong", "add"), ("is wrong", "while"), ("'stablehlo.tanh' op", "tanh")],
)
def test_of_operations_at_one_place_the_one_of_the_message_is_named(reason: str, name: str) -> None:
    here = re.sub(
        r"(stablehlo\.add.*|stablehlo\.tanh.*|^  \}$)", r'\1 loc("f.py":7:1)', LOOP, flags=re.MULTILINE
    )
    asked = request(hlokit.load(here), "data=4", {0: "P('data')"})
    assert refused_at(asked, "shardy", '"f.py":7:1', reason) == f"stablehlo.{name} (f.py:7:1)"


PARTS = """sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model":(1)2}, {"model":(2)2}]>},
    %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model":(2)2}, {"data"}]>}) -> tensor<8x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}"""


@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_parts_of_axes_and_lines_of_what_the_partitioner_inserts(partitioner: str) -> None:
    sharded = hlokit.shard(hlokit.load(PARTS, filename="parts.mlir"), partitioner=partitioner)
    assert sharded.specs[0] == ["P('model':(1)2, 'model':(2)2)", "P('model':(2)2, 'data')"]
    report = sharded.report()
    assert {each.line for each in report.collectives} == {"parts.mlir:4"}
    (reshard,) = report.unrequested
    assert (reshard.before, reshard.after) == ("P('model':(1)2, 'data')", "P(None, 'data')")
    assert report.as_dict()["reshards"][0]["at"] == "parts.mlir:4:8"


def test_a_shard_map_counts_for_the_whole_program() -> None:
    whole = hlokit.shard(hlokit.load(MANUAL)).report().whole
    # Two devices along the manual axis: 4 x 16 x 32 multiplications and additions, and 4 x 32 functions each.
    assert whole.flops == 2 * (2 * 4 * 16 * 32 + 4 * 32)
    # The parameters and the result, and on both devices a product and a function.
    assert whole.peak == 4 * (8 * 16 + 16 * 32 + 8 * 32 + 2 * 2 * 4 * 32)


def test_collectives_have_axes_and_bytes_of_each_device() -> None:
    sharded = hlokit.shard(hlokit.load(MLP), MESH, MEGATRON)
    sharded.check(*ARGUMENTS).require()
    report = sharded.report()
    (only,) = report.as_dict()["collectives"]
    assert only["axes"] == ["model"] and only["sent_bytes"] == only["received_bytes"] == [240] * 8
    assert "1 x all_reduce of 4 along model" in str(report)
    estimate = str(report).splitlines()[-2:]
    assert estimate[0].startswith("estimate: ") and max(map(len, estimate)) <= 80


def test_problems_of_collectives_name_the_file() -> None:
    text = """module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
      func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
        %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}
          : (tensor<4xf32>) -> tensor<8xf32>
        return %0 : tensor<8xf32>
      }
    }"""
    (problem,) = lint_spmd(hlokit.load(text, filename="gather.mlir"))
    assert problem.rule == "spmd-group-size" and '"gather.mlir":3' in problem.location
