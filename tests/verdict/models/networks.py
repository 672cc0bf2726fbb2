"""Neural networks: attention, convolutions, recurrences, experts, integers of eight bits."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.verdict.models import Traced, model, normal


def _normalized(x: Any, scale: Any, shift: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


@model()
def transformer() -> Traced:
    """Loss and gradient of a block: two heads, a causal mask, a perceptron, label smoothing."""
    width, heads = 8, 2

    def block(weights: dict[str, Any], x: Any) -> Any:
        h = _normalized(x, weights["scale"], weights["shift"])
        q, k, v = jnp.split(h @ weights["qkv"], 3, axis=-1)
        q, k, v = (part.reshape(-1, heads, width // heads).transpose(1, 0, 2) for part in (q, k, v))
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(width / heads)
        causal = jnp.tril(jnp.ones(scores.shape[1:], bool))
        mixed = jax.nn.softmax(jnp.where(causal, scores, -1e9)) @ v
        x = x + mixed.transpose(1, 0, 2).reshape(x.shape) @ weights["out"]
        return x + jax.nn.gelu(x @ weights["up"]) @ weights["down"]

    def loss(weights: dict[str, Any], tokens: Any, targets: Any) -> Any:
        logits = block(weights, weights["embedding"][tokens]) @ weights["embedding"].T
        smooth = 0.9 * jax.nn.one_hot(targets, logits.shape[-1]) + 0.1 / logits.shape[-1]
        return -(smooth * jax.nn.log_softmax(logits)).sum(-1).mean()

    shapes = {"qkv": (8, 24), "out": (8, 8), "up": (8, 16), "down": (16, 8), "embedding": (11, 8)}
    weights = {name: normal(*shape, seed=n, scale=0.4) for n, (name, shape) in enumerate(shapes.items())}
    weights |= {"scale": normal(8, seed=8, scale=0.1) + 1, "shift": normal(8, seed=9, scale=0.1)}
    return jax.value_and_grad(loss), (
        weights,
        np.array([1, 5, 2, 10, 0, 7], np.int32),
        np.array([5, 2, 10, 0, 7, 3], np.int32),
    )


@model()
def convolutional() -> Traced:
    """Loss and gradient: a strided and a dilated convolution, batch statistics, pooling, a dense layer."""

    def loss(weights: dict[str, Any], images: Any, labels: Any) -> Any:
        layout = ("NHWC", "HWIO", "NHWC")
        x = jax.lax.conv_general_dilated(images, weights["first"], (1, 1), "SAME", dimension_numbers=layout)
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        x = jax.nn.relu((x - mean) / jnp.sqrt(variance + 1e-3) * weights["scale"])
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = jax.lax.conv_general_dilated(
            x, weights["second"], (1, 2), ((1, 2), (1, 0)), rhs_dilation=(2, 1), dimension_numbers=layout
        )
        logits = jnp.tanh(x).reshape(x.shape[0], -1) @ weights["dense"]
        chosen = jnp.take_along_axis(logits, labels[:, None], axis=1)[:, 0]
        return (jax.scipy.special.logsumexp(logits, axis=1) - chosen).mean()

    weights = {
        "first": normal(3, 3, 2, 3, seed=1, scale=0.4),
        "scale": normal(3, seed=2, scale=0.2) + 1,
        "second": normal(2, 2, 3, 4, seed=3, scale=0.4),
        "dense": normal(40, 5, seed=4, scale=0.3),
    }
    return jax.value_and_grad(loss), (weights, normal(2, 8, 8, 2, seed=5), np.array([3, 1], np.int32))


@model()
def recurrent() -> Traced:
    """Gradient through time of an LSTM with masks, and the last state."""
    hidden = 4

    def step(weights: dict[str, Any], state: Any, row: Any) -> Any:
        cell, output = state
        x, is_valid = row
        gates = x @ weights["x"] + output @ weights["h"] + weights["b"]
        i, f, g, o = jnp.split(gates, 4)
        new = jax.nn.sigmoid(f + 1) * cell + jax.nn.sigmoid(i) * jnp.tanh(g)
        shown = jax.nn.sigmoid(o) * jnp.tanh(new)
        return (jnp.where(is_valid, new, cell), jnp.where(is_valid, shown, output)), shown

    def loss(weights: dict[str, Any], rows: Any, valid: Any, target: Any) -> Any:
        start = (jnp.zeros(hidden), jnp.full(hidden, 0.1))
        last, shown = jax.lax.scan(lambda state, row: step(weights, state, row), start, (rows, valid))
        return ((shown - target) ** 2).sum() + last[0].sum(), last

    weights = {"x": normal(3, 16, seed=1), "h": normal(4, 16, seed=2, scale=0.5), "b": normal(16, seed=3)}
    valid = np.array([1, 1, 0, 1, 1, 0, 1], bool)
    arguments = (weights, normal(7, 3, seed=4), valid, normal(7, 4, seed=5, scale=0.3))
    return jax.value_and_grad(loss, has_aux=True), arguments


@model()
def experts() -> Traced:
    """Tokens sorted by expert, a capacity, two experts a token, and the results scattered back."""
    count, capacity = 4, 4

    def layer(x: Any, gate: Any, up: Any, down: Any) -> Any:
        share, chosen = jax.lax.top_k(jax.nn.softmax(x @ gate), 2)
        expert = chosen.reshape(-1)
        order = jnp.argsort(expert, stable=True)
        token, weight = order // 2, share.reshape(-1)[order] / share.sum(-1)[order // 2]
        sorted_experts = expert[order]
        position = jnp.arange(order.size) - jnp.searchsorted(sorted_experts, sorted_experts)
        slot = jnp.where(position < capacity, sorted_experts * capacity + position, count * capacity)
        rows = jnp.zeros((count * capacity, x.shape[1])).at[slot].set(x[token], mode="drop")
        hidden = jax.nn.silu(jnp.einsum("ecd,edh->ech", rows.reshape(count, capacity, -1), up))
        found = jnp.einsum("ech,ehd->ecd", hidden, down).reshape(count * capacity, -1)
        back = jnp.where((position < capacity)[:, None], found.at[slot].get(mode="clip"), 0)
        load = jax.ops.segment_sum(weight, sorted_experts, count)
        return jnp.zeros_like(x).at[token].add(back * weight[:, None]), load

    weights = (normal(5, 4, seed=2), normal(4, 5, 6, seed=3), normal(4, 6, 5, seed=4))
    return layer, (normal(9, 5, seed=1), *weights)


@model()
def attention() -> Traced:
    """Attention in blocks with a running maximum, products of bf16."""

    def blockwise(q: Any, k: Any, v: Any, length: Any) -> Any:
        q = (q * 0.5).astype(jnp.bfloat16)

        def block(n: Any, state: Any) -> Any:
            most, total, mixed = state
            keys, values = (jax.lax.dynamic_slice_in_dim(part, n * 4, 4) for part in (k, v))
            scores = jnp.einsum("qd,kd->qk", q, keys.astype(jnp.bfloat16)).astype(jnp.float32)
            scores = jnp.where(n * 4 + jnp.arange(4) < length, scores, -jnp.inf)
            higher = jnp.maximum(most, scores.max(1))
            scale, weights = jnp.exp(most - higher), jnp.exp(scores - higher[:, None])
            product = weights.astype(jnp.bfloat16) @ values.astype(jnp.bfloat16)
            return higher, total * scale + weights.sum(1), mixed * scale[:, None] + product

        start = jnp.full(q.shape[0], -1e30), jnp.zeros(q.shape[0]), jnp.zeros((q.shape[0], v.shape[1]))
        most, total, mixed = jax.lax.fori_loop(0, k.shape[0] // 4, block, start)
        return (mixed / total[:, None]).astype(jnp.bfloat16), most + jnp.log(total)

    return blockwise, (normal(5, 8, seed=1), normal(12, 8, seed=2), normal(12, 6, seed=3), np.int32(10))


@model()
def quantized() -> Traced:
    """A perceptron of integers: scales by row, products of i8 in i32, fixed-point multipliers, a table."""

    def requantized(total: Any, multiplier: Any, shift: int) -> Any:
        rounded = (total * multiplier + (1 << (shift - 1))) >> shift
        return jnp.clip(rounded, -128, 127).astype(jnp.int8)

    def layers(x: Any, first: Any, second: Any, bias: Any, table: Any) -> Any:
        scale = jnp.abs(x).max(1, keepdims=True) / 127
        codes = jnp.clip(jnp.round(x / scale), -128, 127).astype(jnp.int8)
        total = jax.lax.dot(codes, first, preferred_element_type=jnp.int32) + bias
        hidden = requantized(jnp.maximum(total, 0), jnp.int32(37), 12)
        packed = hidden[:, ::2].astype(jnp.uint8) & 15 | (hidden[:, 1::2].astype(jnp.uint8) & 15) << 4
        looked = table[packed.astype(jnp.int32)]
        out = jax.lax.dot(looked, second, preferred_element_type=jnp.int32)
        return out.astype(jnp.float32) * scale, jnp.argmax(out, 1), packed

    draw = np.random.default_rng(3).integers
    tables = (draw(-128, 128, (6, 8), np.int8), draw(-128, 128, (4, 5), np.int8))
    return layers, (
        normal(4, 6, seed=2),
        *tables,
        draw(-900, 900, 8, np.int32),
        draw(-128, 128, 256, np.int8),
    )
