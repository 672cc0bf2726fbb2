"""Sharded programs, exported by JAX on 8 simulated devices: `python programs.py DIRECTORY [NAME...]`.

For each program `NAME.bin` (a `jax.export` blob) and `NAME.npz`: arguments `in_0`, ... and what JAX computes on the
devices, `out_0`, ...
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from devices import LINE, MESH, RANDOM, REVERSED, constrain, f32, named
from harder_programs import harder_programs
from jax import export, lax
from jax.sharding import PartitionSpec as P


def mlp(x: Any, w1: Any, w2: Any) -> Any:
    return jnp.tanh(x @ w1) @ w2


def loss(x: Any, w1: Any, w2: Any) -> Any:
    return (mlp(x, w1, w2) ** 2).mean()


def gradients(x: Any, w1: Any, w2: Any) -> Any:
    return jax.value_and_grad(loss, argnums=(1, 2))(x, w1, w2)


def attention(x: Any, q: Any, k: Any, v: Any, o: Any) -> Any:
    heads = [jnp.einsum("bsd,dhe->bshe", x, w) for w in (q, k, v)]
    scores = jnp.einsum("bshe,bthe->bhst", heads[0], heads[1]) / 2.0
    mixed = jnp.einsum("bhst,bthe->bshe", jax.nn.softmax(scores, axis=-1), heads[2])
    return jnp.einsum("bshe,hed->bsd", mixed, o)


def norm(x: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def block(x: Any, q: Any, k: Any, v: Any, o: Any, w1: Any, w2: Any) -> Any:
    x = x + attention(norm(x), q, k, v, o)
    return x + mlp(norm(x), w1, w2)


def block_gradients(*arguments: Any) -> Any:
    return jax.value_and_grad(lambda *a: (block(*a) ** 2).mean(), argnums=(1, 4, 5, 6))(*arguments)


def conv_net(x: Any, k1: Any, k2: Any, w: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    x = jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME", dimension_numbers=numbers))
    x = jax.nn.relu(lax.conv_general_dilated(x, k2, (2, 2), "SAME", dimension_numbers=numbers))
    return x.mean((1, 2)) @ w


def conv_gradients(*arguments: Any) -> Any:
    return jax.value_and_grad(lambda *a: (conv_net(*a) ** 2).mean(), argnums=(1, 2, 3))(*arguments)


def sequence_parallel(x: Any, w1: Any, w2: Any) -> Any:
    x = constrain(norm(x), "data", "model", None)
    hidden = constrain(jnp.tanh(constrain(x, "data", None, None) @ w1), "data", None, "model")
    return constrain(hidden @ w2, "data", "model", None)


def expert_parallel(x: Any, gates: Any, experts: Any) -> Any:
    def body(x: Any, gates: Any, experts: Any) -> Any:
        weights = jax.nn.softmax(x @ gates, axis=-1)
        # Tokens of a device go to the devices of their experts, which are as many as devices.
        sent = lax.all_to_all(weights.T[:, :, None] * x[None], "x", 0, 0)
        done = jnp.tanh(jnp.einsum("ptd,df->ptf", sent, experts[0]))
        return lax.all_to_all(done, "x", 0, 0).sum(0)

    return jax.shard_map(body, mesh=LINE, in_specs=(P("x"), P(), P("x")), out_specs=P("x"))(x, gates, experts)


def pipeline(x: Any, weights: Any) -> Any:
    def body(x: Any, w: Any) -> Any:
        stage, count = lax.axis_index("x"), 8
        state, out = jnp.zeros_like(x[0]), jnp.zeros_like(x)
        state, out = lax.pcast((state, out), "x", to="varying") if hasattr(lax, "pcast") else (state, out)
        for step in range(x.shape[0] + count - 1):
            state = jnp.where(stage == 0, x[min(step, x.shape[0] - 1)], state)
            state = jnp.tanh(state @ w[0])
            if step >= count - 1:
                out = out.at[step - count + 1].set(jnp.where(stage == count - 1, state, 0.0))
            state = lax.ppermute(state, "x", [(i, (i + 1) % count) for i in range(count)])
        return lax.psum(out, "x")

    return jax.shard_map(body, mesh=LINE, in_specs=(P(), P("x")), out_specs=P())(x, weights)


def expert_block(x: Any, q: Any, k: Any, v: Any, o: Any, gates: Any, experts: Any) -> Any:
    """The gradients of a block whose feed-forward layer is one of experts."""

    def value(x: Any, q: Any, k: Any, v: Any, o: Any, gates: Any, experts: Any) -> Any:
        x = x + attention(norm(x), q, k, v, o)
        tokens = expert_parallel(norm(x).reshape(-1, x.shape[-1]), gates, experts)
        return ((x + tokens.reshape(x.shape)) ** 2).mean()

    return jax.value_and_grad(value, argnums=(1, 4, 5, 6))(x, q, k, v, o, gates, experts)


def pipeline_of_blocks(x: Any, *weights: Any) -> Any:
    """The gradients of 8 blocks, one on each device, through which micro-batches move."""

    def body(x: Any, *weights: Any) -> Any:
        stage, count = lax.axis_index("x"), 8
        state, out = jnp.zeros_like(x[0]), jnp.zeros_like(x)
        state, out = lax.pcast((state, out), "x", to="varying") if hasattr(lax, "pcast") else (state, out)
        for step in range(x.shape[0] + count - 1):
            state = jnp.where(stage == 0, x[min(step, x.shape[0] - 1)], state)
            state = block(state, *(w[0] for w in weights))
            if step >= count - 1:
                out = out.at[step - count + 1].set(jnp.where(stage == count - 1, state, 0.0))
            state = lax.ppermute(state, "x", [(i, (i + 1) % count) for i in range(count)])
        return lax.psum(out, "x")

    def value(*weights: Any) -> Any:
        specs = (P(), *[P("x")] * len(weights))
        return (jax.shard_map(body, mesh=LINE, in_specs=specs, out_specs=P())(x, *weights) ** 2).mean()

    return jax.value_and_grad(value, argnums=(0, 3, 4, 5))(*weights)


def ring_sum(x: Any, y: Any) -> Any:
    def body(x: Any, y: Any) -> Any:
        return lax.psum(x @ y, "model"), lax.all_gather(x, "data", tiled=True)

    specs = (P("data", "model"), P("model", None))
    outs = (P("data", None), P(None, "model"))
    return jax.shard_map(body, mesh=MESH, in_specs=specs, out_specs=outs, check_vma=False)(x, y)


def partly_manual(x: Any, w: Any) -> Any:
    def body(x: Any, w: Any) -> Any:
        return lax.psum(jnp.tanh(x @ w).sum(), "data")

    specs = (P("data"), P())
    return jax.shard_map(body, mesh=MESH, in_specs=specs, out_specs=P(), axis_names={"data"})(x, w)


def scanned(x: Any, w: Any) -> Any:
    return lax.scan(lambda carry, _: (jnp.tanh(carry @ w), carry.sum()), x, None, length=4)


def conv(x: Any, k: Any) -> Any:
    return lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


Program = tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...], Any]


def all_programs() -> dict[str, Program]:
    """Function, arguments, their shardings, shardings of results (None: the partitioner chooses)."""
    x, w1, w2 = f32(8, 16), f32(16, 32), f32(32, 16)
    b, q, k, v, o = f32(4, 8, 16), f32(16, 4, 4), f32(16, 4, 4), f32(16, 4, 4), f32(4, 4, 16)
    image, k1, k2, head = f32(8, 8, 8, 4), f32(3, 3, 4, 8), f32(3, 3, 8, 8), f32(8, 8)
    megatron = named(P(None, "model", None), P(None, "model", None), P(None, "model", None), P("model"))
    feed = named(P(None, "model"), P("model", None))
    every = ("data", "model")
    both = named(P("data"))
    whole = named(P())
    table, ids = f32(32, 16), RANDOM.integers(0, 32, (8,), np.int32)
    return {
        "mlp_data": (gradients, (x, w1, w2), named(P(("data", "model")), P(), P()), None),
        "mlp_fsdp": (gradients, (x, w1, w2), named(P(("data", "model")), *[P(("data", "model"))] * 2), None),
        "mlp_megatron": (gradients, (x, w1, w2), (*both, *feed), None),
        "mlp_2d": (mlp, (x, w1, w2), named(P("data"), P("data", "model"), P("model", "data")), None),
        "attention_data": (attention, (b, q, k, v, o), (*both, *whole * 4), None),
        "attention_megatron": (attention, (b, q, k, v, o), (*both, *megatron), None),
        "block_data": (block_gradients, (b, q, k, v, o, w1, w2), (*both, *whole * 6), None),
        "block_megatron": (block_gradients, (b, q, k, v, o, w1, w2), (*both, *megatron, *feed), None),
        "block_fsdp": (
            block_gradients,
            (b, q, k, v, o, w1, w2),
            named(P("data"), *[P(every)] * 3, P(None, None, every), P(every), P(every)),
            None,
        ),
        "block_sequence": (
            block_gradients,
            (b, q, k, v, o, w1, w2),
            (*named(P("data", "model")), *whole * 6),
            None,
        ),
        "block_expert": (expert_block, (b, q, k, v, o, f32(16, 8), f32(8, 16, 16)), (), None),
        "block_pipeline": (
            pipeline_of_blocks,
            (f32(2, 2, 4, 8), *[f32(8, 8, 2, 4)] * 3, f32(8, 2, 4, 8), f32(8, 8, 16), f32(8, 16, 8)),
            (),
            None,
        ),
        "sequence_parallel": (sequence_parallel, (b, w1, w2), (*both, *feed), None),
        "expert_parallel": (expert_parallel, (f32(64, 8), f32(8, 8), f32(8, 8, 8)), (), None),
        "pipeline": (pipeline, (f32(6, 4, 8), f32(8, 8, 8)), (), None),
        "shard_map": (ring_sum, (x, f32(16, 8)), (), None),
        "partly_manual": (partly_manual, (x, w1), named(P("data"), P(None, "model")), None),
        "reversed": (
            mlp,
            (x, w1, w2),
            named(P("data"), *[P(None, "model"), P("model", None)], mesh=REVERSED),
            None,
        ),
        "conv_net": (conv_net, (image, k1, k2, head), (*both, *whole * 3), None),
        "conv_net_data": (conv_gradients, (image, k1, k2, head), (*named(P(every)), *whole * 3), None),
        "conv_net_fsdp": (
            conv_gradients,
            (image, k1, k2, head),
            named(P(every), *[P(None, None, None, every)] * 2, P(every)),
            None,
        ),
        "conv_net_megatron": (
            conv_gradients,
            (image, k1, k2, head),
            named(P("data"), P(None, None, None, "model"), P(None, None, "model"), P()),
            None,
        ),
        "conv_batch": (conv, (image, k1), (*both, *whole), None),
        "conv_space": (conv, (image, k1), named(P(None, "model"), P()), None),
        "conv_channels": (conv, (image, k1), named(P("data"), P(None, None, None, "model")), None),
        "scan": (scanned, (x, f32(16, 16)), named(P("data"), P(None, "model")), None),
        "rng": (lambda x: x + jax.random.normal(jax.random.key(3), x.shape), (x,), both, None),
        "sort": (lambda x: jnp.sort(x, axis=0), (x,), both, None),
        "embedding": (lambda t, i: t[i].sum(-1), (table, ids), named(P("model"), P("data")), None),
        "softmax": (jax.nn.softmax, (x,), named(P("data", "model")), None),
        "scatter": (
            lambda t, i, u: t.at[i].add(u),
            (table, ids, x),
            named(P("model"), P("data"), P("data")),
            None,
        ),
        "uneven": (
            lambda x, w: jnp.tanh(x @ w).sum(0),
            (f32(8, 16), f32(16, 10)),
            named(P("data"), P()),
            None,
        ),
        "uneven_inside": (
            lambda x: constrain(jnp.concatenate([x, x[:2]]), "model").sum(0) + x.sum(0),
            (x,),
            both,
            None,
        ),
        "update_slice": (
            lambda x, u: lax.dynamic_update_slice(x, u, (3, 2)),
            (x, f32(2, 4)),
            named(P("data", "model"), P()),
            None,
        ),
        "cumulative": (lambda x: jnp.cumsum(x, axis=0), (x,), both, None),
        "top_k": (lambda x: (lax.top_k(x, 3), jnp.argmax(x, axis=0)), (x,), both, None),
        "transpose": (lambda x: x.T + 1, (x,), both, named(P("data", "model"))[0]),
        "norm": (norm, (x,), named(P("data", "model")), None),
        "reshape": (lambda x: (x.reshape(4, 32) * 2).reshape(2, 64).sum(1), (x,), both, None),
        **harder_programs(),
    }


def exported(program: Program) -> tuple[Any, Any, str]:
    """The `Exported`, what JAX computes on the devices, and the HLO that XLA compiles for each of them."""
    function, arguments, ins, outs = program
    keywords: dict[str, Any] = {}
    if ins:
        keywords["in_shardings"] = ins
    if outs is not None:
        keywords["out_shardings"] = outs
    jitted = jax.jit(function, **keywords)
    made = export.export(jitted)(*arguments)
    compiled = jitted.lower(*arguments).compile()
    return made, jax.tree_util.tree_leaves(compiled(*arguments)), compiled.as_text()


def main(directory: str, names: list[str]) -> None:
    programs = all_programs()
    for name in names or programs:
        made, results, hlo = exported(programs[name])
        Path(directory, f"{name}.hlo").write_text(hlo)
        Path(directory, f"{name}.bin").write_bytes(made.serialize())
        values = {f"in_{i}": np.asarray(each) for i, each in enumerate(programs[name][1])}
        values |= {f"out_{i}": np.asarray(each) for i, each in enumerate(results)}
        # The format knows no bf16.
        stored = {
            f"{key}:{each.dtype}": each.view(np.uint16) if each.dtype == jnp.bfloat16 else each
            for key, each in values.items()
        }
        np.savez(Path(directory, f"{name}.npz"), **stored)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
