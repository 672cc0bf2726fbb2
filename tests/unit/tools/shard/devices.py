"""8 simulated devices, meshes of them, and shardings: for programs that JAX exports in a process of its own."""

from __future__ import annotations

import os
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

# Before the first use of devices.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
jax.config.update("jax_platforms", "cpu")

MESH = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "model"))
LINE = Mesh(np.array(jax.devices()), ("x",))
REVERSED = Mesh(np.array(jax.devices())[::-1].reshape(2, 4), ("data", "model"))
SHUFFLED = Mesh(np.array(jax.devices())[[3, 1, 4, 0, 5, 7, 2, 6]].reshape(2, 4), ("data", "model"))
CUBE = Mesh(np.array(jax.devices()).reshape(2, 2, 2), ("a", "b", "c"))
RANDOM = np.random.default_rng(7)


def f32(*shape: int) -> Any:
    return (RANDOM.standard_normal(shape) / 4).astype(np.float32)


def named(*specs: Any, mesh: Mesh = MESH) -> tuple[Any, ...]:
    return tuple(NamedSharding(mesh, spec) for spec in specs)


def constrain(x: Any, *spec: Any) -> Any:
    return lax.with_sharding_constraint(x, NamedSharding(MESH, P(*spec)))
