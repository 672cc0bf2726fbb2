"""Programs of JAX, run by the platform that JAX_PLATFORMS names: prints the results as JSON, by name.

`test_results.py` compares what hlokit and XLA:CPU answer.
"""

from __future__ import annotations

import json
import threading
import warnings
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import io_callback, serialize_executable

PROGRAMS: dict[str, Callable[[], Any]] = {}


def program(function: Callable[[], Any]) -> Callable[[], Any]:
    PROGRAMS[function.__name__] = function
    return function


@program
def arithmetic() -> Any:
    return jax.jit(lambda x: x + 1)(1.0), jnp.arange(5) // 2, jnp.ones((3, 4)) @ jnp.arange(8.0).reshape(4, 2)


@program
def gradients() -> Any:
    return jax.grad(lambda x: jnp.sum(jnp.sin(x) ** 2))(jnp.arange(4.0))


@program
def random_numbers() -> Any:
    return jax.random.bits(jax.random.key(3), (5,)), jax.random.permutation(jax.random.key(1), 6)


@program
def control_flow() -> Any:
    carry, sums = jax.lax.scan(lambda c, x: (c + x, c * x), 0.0, jnp.arange(5.0))
    branch = jax.lax.cond(carry > 3, lambda: 1, lambda: 2)
    return carry, sums, branch, jax.lax.while_loop(lambda x: x < 10, lambda x: x * 2, 1)


@program
def linear_algebra() -> Any:
    matrix = jnp.array([[4.0, 1.0], [1.0, 3.0]])
    return jnp.linalg.cholesky(matrix), jnp.linalg.solve(matrix, jnp.ones(2)), jnp.linalg.eigvalsh(matrix)


@program
def element_types() -> Any:
    values = jnp.array([0, 1, 1, 0])
    names = "bool int4 uint4 int8 uint64 float16 bfloat16 float8_e4m3fn float8_e5m2 complex64"
    with jax.enable_x64(True):
        arrays = [values.astype(name) for name in names.split()]
        return [str(array.dtype) for array in arrays], [
            np.asarray(array).astype(complex).real for array in arrays
        ]


@program
def donation() -> Any:
    x = jnp.arange(4.0)
    y = jax.jit(lambda x: x * 2, donate_argnums=0)(x)
    return y, x.is_deleted(), y.is_deleted()


@program
def memory_is_shared() -> Any:
    x = jnp.arange(6.0) + 1
    view = np.asarray(x)
    return view, view.flags.writeable, view.ctypes.data == x.unsafe_buffer_pointer()


@program
def dlpack() -> Any:
    out = np.from_dlpack(jnp.arange(6.0).reshape(2, 3))
    return out, jnp.from_dlpack(np.arange(4, dtype=np.float32)) + 1


@program
def layouts_of_numpy() -> Any:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    return jnp.asarray(array.T), jnp.asarray(array[::-1, ::2]), jnp.asarray(np.zeros((0, 3))).sum(0)


@program
def arrays_are_copied() -> Any:
    array = np.arange(3.0, dtype=np.float32)
    x = jnp.array(array)
    array[:] = 7
    return x


@program
def pure_callback() -> Any:
    shape = jax.ShapeDtypeStruct((3,), np.float32)
    return jax.jit(lambda x: jax.pure_callback(np.negative, shape, x) + 1)(jnp.arange(3.0))


@program
def sparse_solver() -> Any:
    from jax.experimental import (
        sparse,
    )  # whose rule of lowering is registered after the plugin's client is made

    matrix = sparse.BCSR.fromdense(jnp.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]]))
    right = jnp.array([1.0, 2.0, 3.0])
    return jax.jit(lambda b: sparse.linalg.spsolve(matrix.data, matrix.indices, matrix.indptr, b))(right)


@program
def ordered_callbacks() -> Any:
    seen: list[float] = []

    def note(x: Any) -> Any:
        seen.append(float(x))
        return np.float32(len(seen))

    @jax.jit
    def twice(x: Any) -> Any:
        shape = jax.ShapeDtypeStruct((), np.float32)
        first = io_callback(note, shape, x, ordered=True)
        return first + io_callback(note, shape, x + 1, ordered=True)

    results = [twice(1.0), twice(5.0)]
    jax.effects_barrier()
    return results, seen


@program
def debug_callback() -> Any:
    seen: list[float] = []
    jax.jit(lambda x: jax.debug.callback(lambda value: seen.append(float(value)), x))(2.0)
    jax.effects_barrier()
    return seen


@program
def memory_kinds() -> Any:
    device = jax.devices()[0]
    pinned = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")
    x = jax.device_put(jnp.ones(3), pinned)
    y = jax.jit(lambda x: x * 2, out_shardings=pinned)(x)
    there_and_back = jax.jit(lambda x: jax.device_put(jax.device_put(x * 2, pinned), jax.memory.Space.Device))
    kinds = [array.sharding.memory_kind for array in (x, y, there_and_back(x))]
    return [memory.kind for memory in device.addressable_memories()], kinds, x, y


@program
def offloaded_gradient() -> Any:
    policy = jax.checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=[],
        names_which_can_be_offloaded=["sine"],
        offload_src="device",
        offload_dst="pinned_host",
    )
    loss = jax.checkpoint(lambda x: jnp.sum(jnp.sin(checkpoint_name(jnp.sin(x), "sine"))), policy=policy)
    return jax.jit(jax.grad(loss))(jnp.arange(3.0))


@program
def serialized() -> Any:
    compiled = jax.jit(lambda x: x @ x).lower(jnp.ones((4, 4))).compile()
    again = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    return again(jnp.ones((4, 4)))


@program
def analyses() -> Any:
    compiled = jax.jit(lambda x, y: x * y, donate_argnums=0).lower(jnp.ones(4), jnp.ones(4)).compile()
    memory = compiled.memory_analysis()
    flops = jax.jit(lambda x: x @ x).lower(jnp.ones((8, 8))).compile().cost_analysis()["flops"]
    sizes = memory.argument_size_in_bytes, memory.output_size_in_bytes, memory.alias_size_in_bytes
    return flops, *sizes


@program
def threads() -> Any:
    function = jax.jit(lambda x: jnp.sum(x * x))
    results: list[float] = []

    def work(number: int) -> None:
        results.extend(float(function(jnp.full(10, number))) for _ in range(20))

    started = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return sorted(results)


@program
def exported() -> Any:
    blob = jax.export.export(jax.jit(jnp.cos))(jax.ShapeDtypeStruct((2,), np.float32)).serialize()
    return jax.export.deserialize(blob).platforms, jax.export.deserialize(blob).call(jnp.zeros(2))


def plain(value: Any) -> Any:
    """A result as JSON has it."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value if isinstance(value, str | bool) else np.asarray(value).tolist()


if __name__ == "__main__":
    warnings.simplefilter("error")
    print(json.dumps({name: plain(function()) for name, function in PROGRAMS.items()}))
