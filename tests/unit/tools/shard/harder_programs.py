"""Sharded programs of attention, experts, scans, caches, convolutions and single operations; `programs.py` exports them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from devices import CUBE, LINE, MESH, RANDOM, SHUFFLED, constrain, f32, named
from jax import lax
from jax.sharding import PartitionSpec as P

LAYOUT = ("NHWC", "HWIO", "NHWC")


def value_and_gradients(function: Any, *numbers: int) -> Any:
    """The mean square of a function's result, and its gradients by some arguments."""
    return jax.value_and_grad(lambda *arguments: (function(*arguments) ** 2).mean(), argnums=numbers)


def varying(value: Any) -> Any:
    return lax.pcast(value, "x", to="varying") if hasattr(lax, "pcast") else value


def ring(count: int) -> list[tuple[int, int]]:
    return [(i, (i + 1) % count) for i in range(count)]


def mlp(x: Any, w1: Any, w2: Any) -> Any:
    return jnp.tanh(x @ w1) @ w2


# Attention and experts -----------------------------------------------------------------------------------


def rotated(x: Any) -> Any:
    """Rotary embeddings of positions."""
    half = x.shape[-1] // 2
    frequencies = 100.0 ** (-jnp.arange(half, dtype=jnp.float32) / half)
    angles = jnp.arange(x.shape[1], dtype=jnp.float32)[:, None] * frequencies
    cosine, sine = jnp.cos(angles)[None, :, None, :], jnp.sin(angles)[None, :, None, :]
    one, two = x[..., :half], x[..., half:]
    return jnp.concatenate([one * cosine - two * sine, one * sine + two * cosine], -1)


def grouped_queries(x: Any, q: Any, k: Any, v: Any, o: Any) -> Any:
    """Causal attention whose heads share keys and values in groups."""
    queries, keys = (rotated(jnp.einsum("bsd,dhe->bshe", x, w)) for w in (q, k))
    values = jnp.einsum("bsd,dge->bsge", x, v)
    batch, length, heads, size = queries.shape
    groups = keys.shape[2]
    queries = queries.reshape(batch, length, groups, heads // groups, size)
    scores = jnp.einsum("bsgre,btge->bgrst", queries, keys) / np.sqrt(size)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e30)
    mixed = jnp.einsum("bgrst,btge->bsgre", jax.nn.softmax(scores, -1), values)
    return jnp.einsum("bshe,hed->bsd", mixed.reshape(batch, length, heads, size), o)


def best_two_experts(x: Any, gates: Any, w1: Any, w2: Any) -> Any:
    """Each token goes to two of the experts."""
    best, places = lax.top_k(x @ gates, 2)
    chosen = jax.nn.one_hot(places, gates.shape[1])
    weights = (chosen * jax.nn.softmax(best, -1)[..., None]).sum(1)
    sent = jnp.einsum("te,td->etd", chosen.sum(1), x)
    hidden = jax.nn.gelu(jnp.einsum("etd,edf->etf", sent, w1))
    return jnp.einsum("te,etd->td", weights, jnp.einsum("etf,efd->etd", hidden, w2))


def ring_attention(q: Any, k: Any, v: Any) -> Any:
    """Keys and values move around the devices."""

    def body(q: Any, k: Any, v: Any) -> Any:
        def step(_: Any, state: Any) -> Any:
            largest, total, mixed, k, v = state
            scores = q @ k.T
            larger = jnp.maximum(largest, scores.max(-1, keepdims=True))
            weights, scale = jnp.exp(scores - larger), jnp.exp(largest - larger)
            total, mixed = total * scale + weights.sum(-1, keepdims=True), mixed * scale + weights @ v
            return larger, total, mixed, lax.ppermute(k, "x", ring(8)), lax.ppermute(v, "x", ring(8))

        largest, total = (varying(jnp.full((q.shape[0], 1), each)) for each in (-jnp.inf, 0.0))
        _, total, mixed, _, _ = lax.fori_loop(0, 8, step, (largest, total, jnp.zeros_like(q), k, v))
        return mixed / total

    return jax.shard_map(body, mesh=LINE, in_specs=(P("x"),) * 3, out_specs=P("x"))(q, k, v)


def decoded(cache: Any, new: Any, query: Any, position: Any) -> Any:
    """A step of decoding with a cache of keys."""
    keys = lax.dynamic_update_slice(cache, new, (0, position, 0, 0))
    scores = jnp.einsum("bhe,bthe->bht", query, keys)
    scores = jnp.where(jnp.arange(keys.shape[1]) <= position, scores, -1e30)
    return keys, jnp.einsum("bht,bthe->bhe", jax.nn.softmax(scores), keys)


# Layers ----------------------------------------------------------------------------------------------------


def scanned_layers(x: Any, w1: Any, w2: Any) -> Any:
    return lax.scan(lambda x, w: (x + mlp(x, *w), None), x, (w1, w2))[0]


def scanned_again(x: Any, w1: Any, w2: Any) -> Any:
    """The forward pass runs again in the gradients."""

    @jax.checkpoint
    def layer(x: Any, w: Any) -> Any:
        return constrain(x + mlp(x, *w), "data"), None

    return lax.scan(layer, x, (w1, w2))[0]


def pipeline_of_scans(x: Any, weights: Any) -> Any:
    def body(x: Any, w: Any) -> Any:
        stage, count = lax.axis_index("x"), 8

        def step(state: Any, time: Any) -> Any:
            state = jnp.where(stage == 0, x[jnp.minimum(time, x.shape[0] - 1)], state)
            state = jnp.tanh(state @ w[0])
            return lax.ppermute(state, "x", ring(count)), jnp.where(stage == count - 1, state, 0.0)

        steps = jnp.arange(x.shape[0] + count - 1)
        _, out = lax.scan(step, varying(jnp.zeros_like(x[0])), steps)
        return lax.psum(out[count - 1 :], "x")

    return jax.shard_map(body, mesh=LINE, in_specs=(P(), P("x")), out_specs=P())(x, weights)


def batch_norm(x: Any, scale: Any, offset: Any) -> Any:
    def body(x: Any, scale: Any, offset: Any) -> Any:
        mean = lax.pmean(x.mean(0), "x")
        variance = lax.pmean((x**2).mean(0), "x") - mean**2
        return (x - mean) * lax.rsqrt(variance + 1e-5) * scale + offset

    specs = (P("x"), P(), P())
    return jax.shard_map(body, mesh=LINE, in_specs=specs, out_specs=P("x"))(x, scale, offset)


def nested_maps(x: Any, w: Any) -> Any:
    """A `shard_map` over one axis within one over the other."""

    def inner(x: Any, w: Any) -> Any:
        return lax.psum(x @ w, "model")

    def outer(x: Any, w: Any) -> Any:
        specs = (P(None, "model"), P("model"))
        return jax.shard_map(inner, in_specs=specs, out_specs=P(), axis_names={"model"})(jnp.sin(x), w)

    specs = (P("data"), P())
    return jax.shard_map(outer, mesh=MESH, in_specs=specs, out_specs=P("data"), axis_names={"data"})(x, w)


def adam(x: Any, w: Any, mean: Any, square: Any) -> Any:
    gradient = jax.grad(lambda w: (jnp.tanh(x @ w) ** 2).mean())(w)
    mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
    return w - 1e-2 * mean / (jnp.sqrt(square) + 1e-8), mean, square


# Convolutional nets -------------------------------------------------------------------------------------------


def convolved(x: Any, kernel: Any, stride: int = 1) -> Any:
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=LAYOUT)


def conv_experts(x: Any, gates: Any, kernels: Any) -> Any:
    """Images go to the devices of their experts, which are as many as devices."""

    def body(x: Any, gates: Any, kernels: Any) -> Any:
        weights = jax.nn.softmax(x.mean((1, 2)) @ gates, axis=-1)
        sent = lax.all_to_all(weights.T[:, :, None, None, None] * x[None], "x", 0, 0)
        done = jax.nn.relu(convolved(sent.reshape(-1, *x.shape[1:]), kernels[0]))
        return lax.all_to_all(done.reshape(sent.shape), "x", 0, 0).sum(0)

    specs = (P("x"), P(), P("x"))
    return jax.shard_map(body, mesh=LINE, in_specs=specs, out_specs=P("x"))(x, gates, kernels)


def conv_pipeline(x: Any, kernels: Any) -> Any:
    """8 convolutions, one on each device, through which micro-batches move."""

    def body(x: Any, kernels: Any) -> Any:
        stage, count = lax.axis_index("x"), 8
        state, out = varying((jnp.zeros_like(x[0]), jnp.zeros_like(x)))
        for step in range(x.shape[0] + count - 1):
            state = jnp.where(stage == 0, x[min(step, x.shape[0] - 1)], state)
            state = state + jnp.tanh(convolved(state, kernels[0]))
            if step >= count - 1:
                out = out.at[step - count + 1].set(jnp.where(stage == count - 1, state, 0.0))
            state = lax.ppermute(state, "x", ring(count))
        return lax.psum(out, "x")

    return jax.shard_map(body, mesh=LINE, in_specs=(P(), P("x")), out_specs=P())(x, kernels)


def pooled(x: Any) -> Any:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")


def random_key(data: Any) -> Any:
    return jax.random.wrap_key_data(data)


def harder_programs() -> dict[str, Any]:
    """As `programs.all_programs`."""
    every = ("data", "model")
    heads = named(P("data"), *[P(None, "model")] * 3, P("model"))
    attention = (f32(4, 8, 16), f32(16, 8, 4), f32(16, 4, 4), f32(16, 4, 4), f32(8, 4, 16))
    experts = (f32(16, 8), f32(8, 8), f32(8, 8, 16), f32(8, 16, 8))
    layers = (f32(8, 16), f32(3, 16, 32), f32(3, 32, 16))
    dense, feed = (f32(8, 16), f32(16, 32), f32(32, 16)), named(P("data"), P(None, "model"), P("model"))
    image, kernel, key = f32(2, 8, 8, 4), f32(3, 3, 4, 4), np.array([1, 2], np.uint32)
    split, rows = named(P("data", "model")), named(P("data", "model"), P())
    matrices = f32(8, 6, 6) + 2 * np.eye(6, dtype=np.float32)
    labels = RANDOM.integers(0, 32, 8).astype(np.int32)
    return {
        "attention_grouped": (value_and_gradients(grouped_queries, 1, 2, 3, 4), attention, heads, None),
        "attention_ring": (ring_attention, (f32(16, 8), f32(16, 8), f32(16, 8)), (), None),
        "attention_decoding": (
            decoded,
            (f32(4, 16, 4, 4), f32(4, 1, 4, 4), f32(4, 4, 4), np.int32(5)),
            named(P("data", None, "model"), P("data", None, "model"), P("data", "model"), P()),
            None,
        ),
        "experts_best_two": (
            value_and_gradients(best_two_experts, 1, 2, 3),
            experts,
            named(P("data"), P(), P("model"), P("model")),
            None,
        ),
        "layers_fsdp": (
            value_and_gradients(scanned_layers, 1, 2),
            layers,
            named(P("data"), P(None, None, "data"), P(None, "data")),
            None,
        ),
        "layers_checkpointed": (
            value_and_gradients(scanned_again, 1, 2),
            layers,
            named(P("data"), P(None, None, every), P(None, every)),
            None,
        ),
        "layers_pipeline": (
            value_and_gradients(pipeline_of_scans, 1),
            (f32(4, 2, 8), f32(8, 8, 8)),
            (),
            None,
        ),
        "optimizer_sharded": (
            adam,
            (f32(8, 16), f32(16, 32), f32(16, 32), np.abs(f32(16, 32))),
            named(P("data"), P(None, "model"), P("data", "model"), P("data", "model")),
            None,
        ),
        "batch_norm": (batch_norm, (f32(16, 8), f32(8), f32(8)), (), None),
        "nested_maps": (nested_maps, dense[:2], named(P("data", "model"), P("model")), None),
        "mlp_bf16": (
            value_and_gradients(lambda *each: mlp(*each).astype(jnp.float32), 1, 2),
            tuple(each.astype(jnp.bfloat16) for each in dense),
            feed,
            None,
        ),
        "mlp_i8": (
            lambda x, w: lax.dot(x, w, preferred_element_type=jnp.int32),
            tuple(RANDOM.integers(-99, 99, shape).astype(np.int8) for shape in ((8, 16), (16, 32))),
            named(P("data", "model"), P("model")),
            None,
        ),
        "shuffled": (
            mlp,
            dense,
            named(P(every), P("data", "model"), P("model", "data"), mesh=SHUFFLED),
            None,
        ),
        "cube": (
            value_and_gradients(mlp, 1, 2),
            dense,
            named(P("a", "b"), P("b", "c"), P("c", "a"), mesh=CUBE),
            None,
        ),
        "cross_entropy": (
            jax.value_and_grad(
                lambda x, w, y: -jnp.take_along_axis(jax.nn.log_softmax(x @ w), y[:, None], 1).mean(),
                argnums=(0, 1),
            ),
            (*dense[:2], labels),
            named(P("data"), P(None, "model"), P("data")),
            None,
        ),
        "conv_net_space": (
            value_and_gradients(lambda x, k1, k2: convolved(jax.nn.relu(convolved(x, k1)), k2, 2), 1, 2),
            (image, kernel, f32(3, 3, 4, 8)),
            named(P("data", "model"), P(), P()),
            None,
        ),
        "conv_net_expert": (
            value_and_gradients(conv_experts, 1, 2),
            (f32(64, 4, 4, 4), f32(4, 8), f32(8, 3, 3, 4, 4)),
            (),
            None,
        ),
        "conv_net_pipeline": (
            value_and_gradients(conv_pipeline, 1),
            (f32(2, 2, 4, 4, 4), f32(8, 3, 3, 4, 4)),
            (),
            None,
        ),
        "conv_space_gradients": (
            value_and_gradients(convolved, 1),
            (image, kernel),
            named(P(None, "model"), P()),
            None,
        ),
        "conv_strided": (lambda x, k: convolved(x, k, 2), (f32(2, 16, 16, 4), kernel), rows, None),
        "pool": (value_and_gradients(pooled, 0), (image,), split, None),
        "batched_factors": (
            lambda a: jnp.linalg.cholesky(a @ a.transpose(0, 2, 1)),
            (matrices,),
            named(P("data")),
            None,
        ),
        "cache_of_rows": (
            lambda cache, new, i: lax.dynamic_update_slice(cache, new, (0, i, 0)),
            (f32(4, 16, 4), f32(4, 1, 4), np.int32(5)),
            named(P("data", "model"), P("data"), P()),
            None,
        ),
        "dropout": (
            lambda x, key: jnp.where(jax.random.bernoulli(random_key(key), 0.5, x.shape), x, 0),
            (dense[0], key),
            rows,
            None,
        ),
        "turned": (lambda x: jnp.roll(x[::-1], 3, 1), dense[:1], split, None),
        "best_places": (lambda x: (jnp.argmax(x, 1), jnp.argsort(x, 1)), dense[:1], split, None),
        "fourier": (lambda x: jnp.abs(jnp.fft.fft(x, axis=0)), dense[:1], split, None),
        "loop_until": (
            lambda x: lax.while_loop(lambda c: jnp.abs(c).max() > 0.01, lambda c: c * 0.5, x),
            dense[:1],
            split,
            None,
        ),
    }
