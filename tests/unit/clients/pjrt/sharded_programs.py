"""Programs of JAX on eight devices, run by the platform that JAX_PLATFORMS names: prints results and shardings.

`test_devices.py` compares what hlokit and XLA:CPU answer.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

P = PartitionSpec
MESH = jax.make_mesh((4, 2), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
PROGRAMS: dict[str, Callable[[], Any]] = {}


def program(function: Callable[[], Any]) -> Callable[[], Any]:
    PROGRAMS[function.__name__] = function
    return function


def split(array: Any, *spec: Any) -> Any:
    return jax.device_put(array, NamedSharding(MESH, P(*spec)))


def matrix() -> Any:
    return split(jnp.arange(32.0).reshape(8, 4), "x", "y")


@program
def pieces() -> Any:
    return [(shard.device.id, np.asarray(shard.data)) for shard in matrix().addressable_shards]


@program
def stated_shardings() -> Any:
    return jax.jit(lambda x: x * 2, out_shardings=NamedSharding(MESH, P("y", "x")))(matrix())


@program
def propagated_shardings() -> Any:
    return jax.jit(lambda x, y: (x @ x.T, y + 1, x.sum(), x.T))(matrix(), jnp.ones(3))


@program
def constraint() -> Any:
    return jax.jit(lambda x: jax.lax.with_sharding_constraint(x + 1, NamedSharding(MESH, P(("x", "y")))))(
        matrix()
    )


@program
def collectives() -> Any:
    def body(x: Any) -> Any:
        ring = [(i, (i + 1) % 4) for i in range(4)]
        gathered = jax.lax.all_gather(x, "y", axis=1, tiled=True)
        return jax.lax.psum(x, "x"), jax.lax.ppermute(x, "x", ring) + jax.lax.axis_index("y"), gathered

    specs = (P(None, "y"), P("x", "y"), P("x", None))
    return jax.jit(jax.shard_map(body, mesh=MESH, in_specs=P("x", "y"), out_specs=specs, check_vma=False))(
        matrix()
    )


@program
def mapped() -> Any:
    return jax.pmap(lambda x: jax.lax.psum(x, "i") + x, axis_name="i")(jnp.arange(8.0))


@program
def gradient_of_a_sharded_loss() -> Any:
    def loss(w: Any, x: Any) -> Any:
        return jnp.mean(jnp.tanh(x @ w) ** 2)

    w = split(jnp.linspace(-1, 1, 12).reshape(4, 3), "y", None)
    return jax.jit(jax.value_and_grad(loss))(w, matrix() / 32)


@program
def donated_pieces() -> Any:
    x = matrix()
    y = jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    return y, x.is_deleted()


@program
def resharded() -> Any:
    return jax.device_put(matrix(), NamedSharding(MESH, P(None, "x")))


@program
def one_of_the_devices() -> Any:
    x = jax.device_put(jnp.ones(2), jax.devices()[5])
    return (x + 1).devices().pop().id


def plain(value: Any) -> Any:
    """A result as JSON has it; of an array on several devices also the sharding."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, jax.Array) and isinstance(value.sharding, NamedSharding):
        spec = list(map(str, value.sharding.spec))
        return [spec, np.asarray(value).tolist()]
    return np.asarray(value).tolist()


if __name__ == "__main__":
    print(json.dumps({name: plain(function()) for name, function in PROGRAMS.items()}))
