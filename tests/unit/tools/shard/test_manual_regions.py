"""GSPMD's manual regions become `sdy.manual_computation`, which runs as a whole program."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.errors import UnsupportedError
from hlokit.tools.shard.notation.annotations import put_mesh
from hlokit.tools.shard.notation.manual_regions import import_manual_regions
from hlokit.tools.shard.notation.meshes import Mesh

# Three regions, of which one uses another; a constant, a call and a replicated value inside.
PROGRAM = """module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4x4xf32>, %w: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>) {
    %c = stablehlo.constant dense<2.0> : tensor<2x2xf32>
    %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2,2]<=[4]}"}
      : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"}
      : (tensor<4x4xf32>) -> tensor<2x2xf32>
    %2 = stablehlo.custom_call @Sharding(%w) {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {mhlo.sharding = "{manual}"}
      : (tensor<4xf32>) -> tensor<4xf32>
    %4 = stablehlo.multiply %1, %c {mhlo.sharding = "{manual}"} : tensor<2x2xf32>
    %5 = func.call @sum(%4) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %6 = stablehlo.custom_call @Sharding(%5) {mhlo.sharding = "{manual}"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %7 = stablehlo.custom_call @SPMDShardToFullShape(%6) {mhlo.sharding = "{devices=[2,2]<=[4]}"}
      : (tensor<2x2xf32>) -> tensor<4x4xf32>
    %8 = stablehlo.negate %3 : tensor<4xf32>
    %9 = stablehlo.custom_call @SPMDShardToFullShape(%8) {mhlo.sharding = "{replicated}"}
      : (tensor<4xf32>) -> tensor<4xf32>
    %10 = stablehlo.add %7, %x : tensor<4x4xf32>
    %11 = stablehlo.custom_call @Sharding(%10) {mhlo.sharding = "{devices=[4,1]<=[4]}"}
      : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %12 = stablehlo.custom_call @SPMDFullToShardShape(%11) {mhlo.sharding = "{manual}"}
      : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %13 = stablehlo.add %12, %12 : tensor<1x4xf32>
    %14 = stablehlo.custom_call @SPMDShardToFullShape(%13) {mhlo.sharding = "{devices=[4,1]<=[4]}"}
      : (tensor<1x4xf32>) -> tensor<4x4xf32>
    return %14, %9 : tensor<4x4xf32>, tensor<4xf32>
  }
  func.func private @sum(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids,
      replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}"""
MESH = Mesh((("a", 2), ("b", 2)))
X, W = np.arange(16, dtype=np.float32).reshape(4, 4), np.arange(4, dtype=np.float32)


def expected() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    sums = 2 * (X[:, :2] + X[:, 2:])
    return 2 * (np.concatenate([sums, sums], 1) + X)


def convert(program: hlokit.Program) -> None:
    import_manual_regions(program.module, MESH, put_mesh(program.module, MESH))


def test_regions_run_as_a_whole_program() -> None:
    program = hlokit.load(PROGRAM)
    convert(program)
    assert str(program.module).count("sdy.manual_computation") == 3 and "SPMD" not in str(program.module)
    first, second = program(X, W)
    np.testing.assert_array_equal(first, expected())
    np.testing.assert_array_equal(second, -W)


def test_users_of_results_before_the_end_of_the_region() -> None:
    tiled, manual = '{mhlo.sharding = "{devices=[4]<=[4]}"}', '{mhlo.sharding = "{manual}"}'
    whole, piece = "tensor<4xf32>", "tensor<1xf32>"
    text = f"""module attributes {{mhlo.num_partitions = 4 : i32}} {{
      func.func @main(%w: {whole}) -> ({whole}, {whole}) {{
        %0 = stablehlo.custom_call @Sharding(%w) {tiled} : ({whole}) -> {whole}
        %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {manual} : ({whole}) -> {piece}
        %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {tiled} : ({piece}) -> {whole}
        %3 = stablehlo.add %2, %w : {whole}
        %4 = stablehlo.custom_call @Sharding(%3) {tiled} : ({whole}) -> {whole}
        %5 = stablehlo.negate %1 : {piece}
        %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {tiled} : ({piece}) -> {whole}
        return %4, %6 : {whole}, {whole}
      }}
    }}"""
    program = hlokit.load(text)
    convert(program)
    program.module.operation.verify()
    first, second = program(W)
    np.testing.assert_array_equal(first, 2 * W)
    np.testing.assert_array_equal(second, -W)
    own = f"""%e = stablehlo.custom_call @SPMDFullToShardShape(%4) {manual} : ({whole}) -> {piece}
        %5 = stablehlo.multiply %1, %e : {piece}"""
    with pytest.raises(UnsupportedError, match="uses its own results cannot be converted"):
        convert(hlokit.load(text.replace(f"%5 = stablehlo.negate %1 : {piece}", own)))


def test_regions_that_cannot_be_converted_name_what_can() -> None:
    partly = PROGRAM.replace("{devices=[4,1]<=[4]}", "{devices=[2,1,2]<=[4] last_tile_dims={manual}}")
    with pytest.raises(UnsupportedError, match=r"manual along some axes .*--partitioner=xla --no-run"):
        convert(hlokit.load(partly))
    whole = PROGRAM.replace("%13 = stablehlo.add %12, %12 : tensor<1x4xf32>", "")
    slice_ = """%s = stablehlo.slice %x [0:1, 0:4] : (tensor<4x4xf32>) -> tensor<1x4xf32>
    %13 = stablehlo.add %12, %s : tensor<1x4xf32>
    %14 ="""
    with pytest.raises(UnsupportedError, match="uses whole values"):
        convert(hlokit.load(whole.replace("%14 =", slice_)))


@pytest.mark.deep
@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
def test_both_partitioners(partitioner: str) -> None:
    sharded = hlokit.shard(hlokit.load(PROGRAM), partitioner=partitioner)
    np.testing.assert_array_equal(sharded(X, W)[0], expected())
    sharded.check(X, W).require()
