"""Sharded programs of JAX: partitioned, run on the process grid, compared with the whole program and with JAX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jaxlib
import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.tools.shard.partitioners.partition import PartitionerFailed, Workers
from unit.tools.shard.exports import Exported, export, flat
from unit.tools.shard.hlo_collectives import Sums, sums

MODELS = (
    *("mlp_data", "mlp_fsdp", "mlp_megatron", "mlp_2d", "attention_data", "attention_megatron"),
    *("block_data", "block_megatron", "sequence_parallel", "expert_parallel", "pipeline", "conv_net"),
    *("block_fsdp", "block_sequence", "block_expert", "block_pipeline"),
    *("conv_net_data", "conv_net_fsdp", "conv_net_megatron"),
    *("shard_map", "partly_manual", "reversed"),
)
HARDER_MODELS = (
    *("attention_grouped", "attention_ring", "attention_decoding", "experts_best_two", "layers_fsdp"),
    *("layers_checkpointed", "layers_pipeline", "optimizer_sharded", "batch_norm", "nested_maps", "mlp_bf16"),
    *(
        "mlp_i8",
        "shuffled",
        "cube",
        "cross_entropy",
        "conv_net_space",
        "conv_net_expert",
        "conv_net_pipeline",
    ),
)
OPERATIONS = (
    *("conv_batch", "conv_space", "conv_channels", "scan", "rng", "sort", "embedding", "softmax", "scatter"),
    *("uneven", "uneven_inside", "update_slice", "cumulative", "top_k", "transpose", "norm", "reshape"),
    *(
        "conv_space_gradients",
        "conv_strided",
        "pool",
        "batched_factors",
        "cache_of_rows",
        "dropout",
        "turned",
    ),
    *("best_places", "fourier", "loop_until"),
)
# Programs that partitioners do not support, and a part of the message: docs/sharding.md has the table.
FAILS_IN_EACH = {
    ("shardy", "conv_space"): "wrong convolution",
    ("shardy", "conv_strided"): "wrong convolution",
    ("shardy", "conv_net_space"): "wrong convolution",
    ("shardy", "conv_space_gradients"): "wrong convolution",
    ("shardy", "cumulative"): "crash reduce_window",
    ("shardy", "turned"): "crash concatenate",
    ("shardy", "uneven_inside"): "refused slice",
    # XLA adds up over all devices, those that hold copies too. So does JAX.
    ("xla", "conv_space_gradients"): "wrong convolution",
}
FAILS = {
    "0.10.2": {
        ("shardy", "best_places"): "wrong reduce",
        ("shardy", "block_expert"): "crash dot_general",
        ("shardy", "cache_of_rows"): "wrong dynamic_update_slice",
        ("shardy", "cross_entropy"): "wrong reduce",
        ("shardy", "dropout"): "refused while",
        ("shardy", "embedding"): "wrong gather",
        ("shardy", "layers_checkpointed"): "refused while",
        ("shardy", "layers_fsdp"): "refused while",
        ("shardy", "loop_until"): "refused while",
        ("shardy", "pool"): "crash reduce_window",
        ("shardy", "rng"): "refused while",
        ("shardy", "scan"): "refused while",
        ("shardy", "top_k"): "wrong reduce",
        ("shardy", "transpose"): "wrong add",
        ("shardy", "update_slice"): "wrong dynamic_update_slice",
    },
    "0.12.0.1": {
        ("shardy", "pool"): "refused select_and_scatter",
        ("shardy", "update_slice"): "refused dynamic_update_slice",
    },
}

# Right programs for which Shardy chooses other collectives than XLA, as docs/sharding.md explains.
OTHER_COLLECTIVES = (
    *("mlp_2d", "mlp_fsdp", "block_fsdp", "block_sequence", "conv_net_fsdp", "cube", "experts_best_two"),
    *("fourier", "optimizer_sharded", "shuffled"),
    *{
        "0.12.0.1": (
            *("block_expert", "scan", "top_k", "best_places", "layers_checkpointed", "layers_fsdp"),
            "loop_until",
        )
    }.get(jaxlib.__version__, ()),
)
# XLA's compiler for CPUs adds bf16 in f32, after it has partitioned.
WIDENED = ("mlp_bf16",)


def collectives(sharded: hlokit.Sharded) -> Sums:
    """Bytes of each kind and size of groups, as `sums` has them."""
    found: dict[tuple[str, int], int] = {}
    for each in sharded.report().collectives:
        size = len(each.groups) if each.kind == "collective_permute" else each.group_size
        found[each.kind, size] = found.get((each.kind, size), 0) + each.bytes
    return found


def outcome(made: Exported, partitioner: str, workers: Workers) -> str:
    """`right`, or how it failed."""
    try:
        sharded = hlokit.shard(made.program, partitioner=partitioner, workers=workers)
        check = sharded.check_values(made.arguments)
        check.require()
    except PartitionerFailed as failure:
        words = failure.operation.partition(" ")[0].partition(".")[2]
        return f"{failure.kind} {words}".strip()
    signature = sharded.whole.signature()
    assert len(made.arguments) == len(signature.inputs)
    exact = sharded.whole.runs.evaluate(made.arguments, "main", precision="high")
    for compared, result, *others in zip(
        check.compared, flat(sharded(*made.arguments)), made.expected, exact, strict=True
    ):
        rounding = max(map(unit, (result, *made.arguments)))
        agree(np.asarray(result), *map(np.asarray, others), rounding)
        # Proven, and near enough to tell right from wrong.
        assert compared.is_same or compared.is_proven, (made.name, partitioner, check)
        assert compared.bound <= 32 * rounding * np.abs(np.asarray(result)).max(), (made.name, str(compared))
    # Kinds, sizes of groups and bytes of what XLA compiles for the devices.
    is_other = made.name in (*WIDENED, *(OTHER_COLLECTIVES if partitioner == "shardy" else ()))
    assert (collectives(sharded) != sums(made.hlo)) == is_other, (made.name, partitioner)
    return "right"


def unit(value: Any) -> float:
    dtype = np.asarray(value).dtype
    return 0.0 if dtype.kind in "biu" else float(ml_dtypes.finfo(dtype).eps)


def agree(result: Any, expected: Any, exact: Any, rounding: float) -> None:
    """The result is JAX's, as far as JAX is exact."""
    if not unit(exact):
        np.testing.assert_array_equal(result, expected)
        return
    result, expected, exact = (each.astype(np.float64) for each in (result, expected, exact))
    error = np.abs(expected - exact).max(initial=0)
    assert error <= 64 * rounding * np.abs(exact).max(initial=0)
    # Sums of bf16 are as exact as their largest elements.
    near = max(2e-6, rounding * np.abs(exact).max(initial=0)) + error
    np.testing.assert_allclose(result, expected, rtol=max(2e-5, 2 * rounding), atol=near)


FEW = ("mlp_megatron", "shard_map", "conv_space")
_SIZE = 8  # programs that a test exports in one process
PARTS = [
    names[start : start + _SIZE]
    for names in (MODELS, HARDER_MODELS, OPERATIONS)
    for start in range(0, len(names), _SIZE)
]


@pytest.mark.sample("mlp_megatron and others")
@pytest.mark.parametrize("names", [FEW, *PARTS], ids=lambda names: f"{names[0]} and others")
def test_programs_agree_with_the_whole_program_and_jax(names: tuple[str, ...], tmp_path: Path) -> None:
    found: dict[tuple[str, str], str] = {}
    with Workers(120) as workers:
        for made in export(tmp_path, *names):
            for partitioner in ("shardy", "xla"):
                found[made.name, partitioner] = outcome(made, partitioner, workers)
    known = FAILS_IN_EACH | FAILS.get(jaxlib.__version__, {})
    for (name, partitioner), how in found.items():
        assert how == known.get((partitioner, name), "right"), (name, partitioner)
