"""Sharded programs of JAX: partitioned, run on the process grid, compared with the whole program and with JAX."""

from __future__ import annotations

from pathlib import Path

import jaxlib
import numpy as np
import pytest

import hlokit
from hlokit.sharding.partition import PartitionerFailed, Workers
from unit.sharding.exports import Exported, export, flat
from unit.sharding.hlo_collectives import Sums, sums

MODELS = (
    *("mlp_data", "mlp_fsdp", "mlp_megatron", "mlp_2d", "attention_data", "attention_megatron"),
    *("block_data", "block_megatron", "sequence_parallel", "expert_parallel", "pipeline", "conv_net"),
    *("block_fsdp", "block_sequence", "block_expert", "block_pipeline", "conv_net_fsdp", "conv_net_megatron"),
    *("shard_map", "partly_manual", "reversed"),
)
OPERATIONS = (
    *("conv_batch", "conv_space", "conv_channels", "scan", "rng", "sort", "embedding", "softmax", "scatter"),
    *("uneven", "uneven_inside", "update_slice", "cumulative", "top_k", "transpose", "norm", "reshape"),
)
# Programs that Shardy's pipelines do not support, and a part of the message: docs/sharding.md has the table.
FAILS_IN_EACH = {
    "conv_space": "wrong convolution",
    "cumulative": "crash reduce_window",
    "uneven_inside": "refused slice",
}
FAILS = {
    "0.10.2": {
        "block_expert": "crash dot_general",
        "rng": "refused while",
        "scan": "refused while",
        "embedding": "wrong gather",
        "top_k": "wrong reduce",
        "transpose": "wrong add",
        "update_slice": "wrong dynamic_update_slice",
    },
    "0.12.0.1": {"update_slice": "refused dynamic_update_slice"},
}


# Right programs for which Shardy chooses other collectives than XLA: docs/sharding.md has which, and why.
OTHER_COLLECTIVES = (
    *("mlp_2d", "mlp_fsdp", "block_fsdp", "block_sequence", "conv_net_fsdp"),
    *{"0.12.0.1": ("block_expert", "scan", "top_k")}.get(jaxlib.__version__, ()),
)


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
    results = flat(sharded(*made.arguments))
    for result, expected in zip(results, made.expected, strict=True):
        np.testing.assert_allclose(np.asarray(result), expected, rtol=2e-5, atol=2e-6)
    # Kinds, sizes of groups and bytes of what XLA compiles for the devices.
    is_other = partitioner == "shardy" and made.name in OTHER_COLLECTIVES
    assert (collectives(sharded) != sums(made.hlo)) == is_other, (made.name, partitioner)
    return "right"


@pytest.mark.parametrize("names", [MODELS, OPERATIONS], ids=["models", "operations"])
def test_programs_agree_with_the_whole_program_and_jax(names: tuple[str, ...], tmp_path: Path) -> None:
    found: dict[tuple[str, str], str] = {}
    with Workers(120) as workers:
        for made in export(tmp_path, *names):
            for partitioner in ("shardy", "xla"):
                found[made.name, partitioner] = outcome(made, partitioner, workers)
    known = FAILS_IN_EACH | FAILS.get(jaxlib.__version__, {})
    for (name, partitioner), how in found.items():
        expected = known.get(name, "right") if partitioner == "shardy" else "right"
        if how.startswith("refused"):
            assert expected.startswith("refused"), (name, partitioner, how)
        else:
            assert how == expected, (name, partitioner)
