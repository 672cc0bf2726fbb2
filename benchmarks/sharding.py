"""The time of partitioning and reporting: a transformer of some 2,000 operations on 256 devices.

python -m benchmarks.sharding [--devices=DATAxMODEL] [--blocks=N] [--partitioner=NAME]
"""

from __future__ import annotations

import argparse
import os
import re
import time

import hlokit

# A block of attention and MLP on a batch of sequences: matrices split as Megatron does.
_BLOCK = """
  %s{i} = stablehlo.multiply %x{i}, %x{i} : tensor<BxSxDxf32>
  %m{i} = stablehlo.reduce(%s{i} init: %zero) applies stablehlo.add across dimensions = [2]
    : (tensor<BxSxDxf32>, tensor<f32>) -> tensor<BxSxf32>
  %r{i} = stablehlo.rsqrt %m{i} : tensor<BxSxf32>
  %rb{i} = stablehlo.broadcast_in_dim %r{i}, dims = [0, 1] : (tensor<BxSxf32>) -> tensor<BxSxDxf32>
  %n{i} = stablehlo.multiply %x{i}, %rb{i} : tensor<BxSxDxf32>
  %q{i} = stablehlo.dot_general %n{i}, %wq, contracting_dims = [2] x [0]
    : (tensor<BxSxDxf32>, tensor<DxHxExf32>) -> tensor<BxSxHxExf32>
  %k{i} = stablehlo.dot_general %n{i}, %wk, contracting_dims = [2] x [0]
    : (tensor<BxSxDxf32>, tensor<DxHxExf32>) -> tensor<BxSxHxExf32>
  %v{i} = stablehlo.dot_general %n{i}, %wv, contracting_dims = [2] x [0]
    : (tensor<BxSxDxf32>, tensor<DxHxExf32>) -> tensor<BxSxHxExf32>
  %a{i} = stablehlo.dot_general %q{i}, %k{i}, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
    : (tensor<BxSxHxExf32>, tensor<BxSxHxExf32>) -> tensor<BxHxSxSxf32>
  %e{i} = stablehlo.exponential %a{i} : tensor<BxHxSxSxf32>
  %t{i} = stablehlo.reduce(%e{i} init: %zero) applies stablehlo.add across dimensions = [3]
    : (tensor<BxHxSxSxf32>, tensor<f32>) -> tensor<BxHxSxf32>
  %tb{i} = stablehlo.broadcast_in_dim %t{i}, dims = [0, 1, 2] : (tensor<BxHxSxf32>) -> tensor<BxHxSxSxf32>
  %p{i} = stablehlo.divide %e{i}, %tb{i} : tensor<BxHxSxSxf32>
  %o{i} = stablehlo.dot_general %p{i}, %v{i}, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1]
    : (tensor<BxHxSxSxf32>, tensor<BxSxHxExf32>) -> tensor<BxHxSxExf32>
  %d{i} = stablehlo.dot_general %o{i}, %wo, contracting_dims = [1, 3] x [0, 1]
    : (tensor<BxHxSxExf32>, tensor<HxExDxf32>) -> tensor<BxSxDxf32>
  %y{i} = stablehlo.add %x{i}, %d{i} : tensor<BxSxDxf32>
  %h{i} = stablehlo.dot_general %y{i}, %w1, contracting_dims = [2] x [0]
    : (tensor<BxSxDxf32>, tensor<DxFxf32>) -> tensor<BxSxFxf32>
  %g{i} = stablehlo.tanh %h{i} : tensor<BxSxFxf32>
  %u{i} = stablehlo.dot_general %g{i}, %w2, contracting_dims = [2] x [0]
    : (tensor<BxSxFxf32>, tensor<FxDxf32>) -> tensor<BxSxDxf32>
  %x{next} = stablehlo.add %y{i}, %u{i} : tensor<BxSxDxf32>
"""
_SIZES = {"B": 256, "S": 64, "D": 256, "H": 16, "E": 16, "F": 1024}


def program_text(blocks: int) -> str:
    """A transformer whose blocks share their weights, with 20 operations per block."""
    body = "".join(_BLOCK.format(i=i, next=i + 1) for i in range(blocks))
    text = f"""func.func @main(%x0: tensor<BxSxDxf32>, %wq: tensor<DxHxExf32>, %wk: tensor<DxHxExf32>,
    %wv: tensor<DxHxExf32>, %wo: tensor<HxExDxf32>, %w1: tensor<DxFxf32>, %w2: tensor<FxDxf32>)
    -> tensor<BxSxDxf32> {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
{body}
  return %x{blocks} : tensor<BxSxDxf32>
}}"""
    return re.sub(r"(?<=[<x])([BSDHEF])(?=x)", lambda found: str(_SIZES[found[1]]), text)


MEGATRON = {
    "0": "P('data')",
    **{str(i): "P(None, 'model')" for i in (1, 2, 3, 5)},
    **{str(i): "P('model')" for i in (4, 6)},
}


def main() -> None:
    """Print the seconds of each part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", default="16x16", help="DATAxMODEL")
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--partitioner", default="shardy")
    options = parser.parse_args()
    data, model = options.devices.split("x")
    start = time.perf_counter()
    program = hlokit.load(program_text(options.blocks))
    loaded = time.perf_counter()
    sharded = hlokit.shard(program, f"data={data},model={model}", MEGATRON, partitioner=options.partitioner)
    partitioned = time.perf_counter()
    report = sharded.report()
    text = str(report)
    done = time.perf_counter()
    print(text)
    print(
        f"\n{report.whole.operations} operations, {sharded.mesh.count} devices: load {loaded - start:.2f} s, "
        f"partition {partitioned - loaded:.2f} s, report {done - partitioned:.2f} s, "
        f"all {done - start:.2f} s; "
        f"{sum(os.times()[:4]):.2f} s of processors, imports and the child process included"
    )


if __name__ == "__main__":
    main()
