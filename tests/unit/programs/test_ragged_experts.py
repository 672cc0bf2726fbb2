"""A mixture of experts with `ragged_all_to_all` equals its dense form, with gradients."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
import os
count = int(sys.argv[1])
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={count}"
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, PartitionSpec as P
import hlokit

tokens, width = 6, 4
mesh = jax.make_mesh((count,), ("x",), axis_types=(AxisType.Auto,))
draw = np.random.default_rng(0)
x = draw.standard_normal((count * tokens, width)).astype(np.float32)
expert = np.sort(draw.integers(0, count, (count, tokens)), axis=1).astype(np.int32)  # of each token
weights = draw.standard_normal((count, width, width)).astype(np.float32)  # one expert a device
sizes = np.stack([np.bincount(row, minlength=count) for row in expert]).astype(np.int32)
sent = np.cumsum(sizes, 1, dtype=np.int32) - sizes  # [sender, receiver]
placed = np.cumsum(sizes, 0, dtype=np.int32) - sizes
most = int(sizes.sum(0).max())
tables = [table.reshape(-1) for table in (sent, sizes, placed, sizes.T, placed.T, sent.T)]


def layer(x, weights, sent, sizes, placed, received, back_from, back_to):
    space = jnp.zeros((most, width), x.dtype)
    mine = jax.lax.ragged_all_to_all(x, space, sent, sizes, placed, received, axis_name="x")
    y = jnp.tanh(mine @ weights[0])
    return jax.lax.ragged_all_to_all(y, jnp.zeros_like(x), back_from, received, back_to, sizes, axis_name="x")


sharded = jax.shard_map(layer, mesh=mesh, in_specs=(P("x"),) * 8, out_specs=P("x"), check_vma=False)


def loss(x, weights):
    return (sharded(x, weights, *tables) ** 2).sum()


def dense(x, weights):
    return (jnp.tanh(jnp.einsum("ti,tij->tj", x, weights[expert.reshape(-1)])) ** 2).sum()


program = hlokit.load(jax.jit(jax.value_and_grad(loss, (0, 1))).lower(x, weights))
value, gradients = program(x, weights)
expected, expected_gradients = jax.value_and_grad(dense, (0, 1))(x, weights)
np.testing.assert_allclose(value, expected, rtol=1e-5)
for gradient, other in zip(gradients, expected_gradients):
    np.testing.assert_allclose(gradient, other, rtol=1e-4, atol=1e-5)
print("equal")
"""


@pytest.mark.deep
@pytest.mark.parametrize("count", ["2", "4", "8"])
def test_mixture_of_experts(count: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, count], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.strip() == "equal", done.stderr[-2000:]
