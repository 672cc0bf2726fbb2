"""Neural networks: flax, haiku and equinox, trained by optax."""

from __future__ import annotations

from typing import Any

import equinox as eqx
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from benchmarks.libraries.registry import Traced, export


def _integers(high: int, *shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).integers(0, high, shape).astype(np.int32)


def _normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


def _trained(loss: Any, optimizer: Any, weights: Any, *batch: Any) -> Traced:
    """A step of training."""

    def step(weights: Any, state: Any, *batch: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(weights, *batch)
        updates, state = optimizer.update(gradient, state, weights)
        return value, optax.apply_updates(weights, updates), state

    return step, (weights, optimizer.init(weights), *batch)


class _Transformer(nn.Module):
    words: int
    width: int = 64
    heads: int = 4
    layers: int = 2
    dtype: Any = jnp.float32

    @nn.compact
    def __call__(self, tokens: Any) -> Any:
        x = nn.Embed(self.words, self.width, dtype=self.dtype)(tokens)
        x = x + self.param("places", nn.initializers.normal(0.1), (tokens.shape[1], self.width)).astype(
            self.dtype
        )
        mask = nn.make_causal_mask(tokens)
        for _ in range(self.layers):
            x = x + nn.MultiHeadDotProductAttention(self.heads, dtype=self.dtype)(
                nn.LayerNorm(dtype=self.dtype)(x), mask=mask
            )
            y = nn.Dense(4 * self.width, dtype=self.dtype)(nn.LayerNorm(dtype=self.dtype)(x))
            x = x + nn.Dense(self.width, dtype=self.dtype)(nn.gelu(y))
        return nn.Dense(self.words, dtype=self.dtype)(nn.LayerNorm(dtype=self.dtype)(x))


def _token_loss(apply: Any) -> Any:
    def loss(weights: Any, tokens: Any) -> Any:
        logits = apply(weights, tokens[:, :-1]).astype(jnp.float32)
        return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]))

    return loss


@export("networks/transformer", "flax", "transformer of 2 layers, a step of AdamW on 4 texts of 32 words")
def transformer() -> Traced:
    model, tokens = _Transformer(128), _integers(128, 4, 33)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3, eps=1e-4))
    return _trained(
        _token_loss(model.apply), optimizer, model.init(jax.random.key(0), tokens[:, :-1]), tokens
    )


def _narrow(dtype: Any) -> Traced:
    model, tokens = _Transformer(128, dtype=dtype), _integers(128, 2, 32, seed=1)
    weights = jax.tree.map(lambda x: x.astype(dtype), model.init(jax.random.key(0), tokens))
    return lambda weights, tokens: model.apply(weights, tokens).astype(jnp.float32), (weights, tokens)


@export("networks/transformer_bf16", "flax", "transformer of 2 layers in bf16, 2 texts of 32 words", 0.05)
def transformer_bf16() -> Traced:
    return _narrow(jnp.bfloat16)


@export("networks/transformer_f16", "flax", "transformer of 2 layers in f16, 2 texts of 32 words", 0.01)
def transformer_f16() -> Traced:
    return _narrow(jnp.float16)


class _Residual(nn.Module):
    @nn.compact
    def __call__(self, x: Any) -> Any:
        for width, stride in ((8, 1), (16, 2)):
            y = nn.relu(nn.GroupNorm(4)(nn.Conv(width, (3, 3), (stride, stride))(x)))
            y = nn.GroupNorm(4)(nn.Conv(width, (3, 3))(y))
            x = nn.relu(y + nn.Conv(width, (1, 1), (stride, stride))(x))
        x = nn.avg_pool(x, (2, 2), (2, 2))
        return nn.Dense(10)(nn.max_pool(x, (2, 2), (2, 2)).reshape(x.shape[0], -1))


@export(
    "networks/convolutional", "flax", "residual network, a step of SGD with momentum on 8 images of 16x16"
)
def convolutional() -> Traced:
    model, images = _Residual(), _normal(8, 16, 16, 3)

    def loss(weights: Any, images: Any, labels: Any) -> Any:
        logits = model.apply(weights, images)
        return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, labels))

    weights = model.init(jax.random.key(0), images)
    return _trained(loss, optax.sgd(0.1, momentum=0.9, nesterov=True), weights, images, _integers(10, 8))


@export("networks/recurrent", "flax", "long short-term memory over 24 letters, RMSProp on 8 texts")
def recurrent() -> Traced:
    class Letters(nn.Module):
        @nn.compact
        def __call__(self, tokens: Any) -> Any:
            x = nn.RNN(nn.OptimizedLSTMCell(32))(nn.Embed(40, 16)(tokens))
            return nn.Dense(40)(x)

    model, tokens = Letters(), _integers(40, 8, 25)
    weights = model.init(jax.random.key(0), tokens[:, :-1])
    return _trained(_token_loss(model.apply), optax.rmsprop(1e-3), weights, tokens)


@export(
    "networks/decode", "flax", "16 words decoded with a cache of keys and values, drawn from the 5 likeliest"
)
def decode() -> Traced:
    class Decoder(nn.Module):
        @nn.compact
        def __call__(self, tokens: Any) -> Any:
            x = nn.Embed(64, 32)(tokens)
            x = x + nn.MultiHeadDotProductAttention(4, decode=True)(nn.LayerNorm()(x))
            x = x + nn.Dense(32)(nn.gelu(nn.Dense(64)(nn.LayerNorm()(x))))
            return nn.Dense(64)(nn.LayerNorm()(x))

    model = Decoder()
    variables = model.init(jax.random.key(0), jnp.zeros((2, 16), jnp.int32))

    def run(weights: Any, cache: Any, first: Any, key: Any) -> Any:
        def step(carried: Any, key: Any) -> Any:
            cache, token = carried
            logits, changed = model.apply({"params": weights, "cache": cache}, token, mutable=["cache"])
            values, places = jax.lax.top_k(logits[:, 0], 5)
            drawn = jax.random.categorical(key, values)
            token = jnp.take_along_axis(places, drawn[:, None], 1)
            return (changed["cache"], token), token[:, 0]

        keys = jax.random.split(jax.random.wrap_key_data(key), 16)
        return jax.lax.scan(step, (cache, first), keys)[1]

    return run, (variables["params"], variables["cache"], _integers(64, 2, 1), np.array([0, 9], np.uint32))


@export("networks/gru", "dm-haiku", "GRU and attention pooling in f16, 4 sequences of 20", 0.01)
def gru() -> Traced:
    def forward(x: Any) -> Any:
        core = hk.GRU(24)
        outputs, _ = hk.dynamic_unroll(core, x, core.initial_state(x.shape[1]).astype(x.dtype))
        weights = jax.nn.softmax(hk.Linear(1)(outputs), 0)
        return hk.Linear(5)(jnp.sum(weights * outputs, 0))

    model, x = hk.without_apply_rng(hk.transform(forward)), _normal(20, 4, 12).astype(np.float16)
    weights = jax.tree.map(lambda w: w.astype(jnp.float16), model.init(jax.random.key(0), x))
    return model.apply, (weights, x)


@export("networks/mixer", "dm-haiku", "MLP-mixer with dropout, a step of Lion on 8 images of 16x16")
def mixer() -> Traced:
    def forward(images: Any) -> Any:
        x = hk.Conv2D(32, 4, stride=4)(images).reshape(images.shape[0], -1, 32)
        for _ in range(2):
            y = jnp.swapaxes(hk.LayerNorm(-1, True, True)(x), 1, 2)
            y = hk.dropout(hk.next_rng_key(), 0.1, hk.Linear(16)(jax.nn.gelu(hk.Linear(32)(y))))
            x = x + jnp.swapaxes(y, 1, 2)
            y = jax.nn.gelu(hk.Linear(64)(hk.LayerNorm(-1, True, True)(x)))
            x = x + hk.dropout(hk.next_rng_key(), 0.1, hk.Linear(32)(y))
        return hk.Linear(10)(jnp.mean(x, 1))

    model, images = hk.transform(forward), _normal(8, 16, 16, 3)

    def loss(weights: Any, key: Any, images: Any, labels: Any) -> Any:
        logits = model.apply(weights, jax.random.wrap_key_data(key), images)
        return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, labels))

    weights = model.init(jax.random.key(0), images)
    return _trained(loss, optax.lion(1e-3), weights, np.array([0, 2], np.uint32), images, _integers(10, 8))


class _Spectral(eqx.Module):
    real: Any
    imaginary: Any
    local: eqx.nn.Conv1d

    def __init__(self, width: int, modes: int, key: Any) -> None:
        keys = jax.random.split(key, 3)
        self.real = jax.random.normal(keys[0], (width, width, modes)) / width
        self.imaginary = jax.random.normal(keys[1], (width, width, modes)) / width
        self.local = eqx.nn.Conv1d(width, width, 1, key=keys[2])

    def __call__(self, x: Any) -> Any:
        spectrum = jnp.fft.rfft(x)
        modes = self.real.shape[-1]
        mixed = jnp.einsum("im,iom->om", spectrum[:, :modes], jax.lax.complex(self.real, self.imaginary))
        kept = jnp.zeros_like(spectrum).at[:, :modes].set(mixed)
        return jax.nn.gelu(jnp.fft.irfft(kept, x.shape[-1]) + self.local(x))


@export(
    "networks/fourier",
    "equinox",
    "Fourier neural operator of 3 layers, gradients on 4 functions of 64 points",
)
def fourier() -> Traced:
    keys = jax.random.split(jax.random.key(0), 5)
    model = eqx.nn.Sequential(
        [eqx.nn.Conv1d(1, 16, 1, key=keys[0]), *(_Layer(_Spectral(16, 8, key)) for key in keys[1:4]),
         eqx.nn.Conv1d(16, 1, 1, key=keys[4])]
    )  # fmt: skip
    weights, static = eqx.partition(model, eqx.is_array)

    def loss(weights: Any, inputs: Any, wanted: Any) -> Any:
        found = jax.vmap(eqx.combine(weights, static))(inputs)
        return jnp.mean((found - wanted) ** 2)

    return jax.value_and_grad(loss), (weights, _normal(4, 1, 64), _normal(4, 1, 64, seed=1))


class _Layer(eqx.Module):
    inner: Any

    def __call__(self, x: Any, *, key: Any = None) -> Any:
        return self.inner(x)


@export("networks/lbfgs", "optax", "optax's L-BFGS with zoom line search, 3 steps on a small network")
def lbfgs() -> Traced:
    x, y = _normal(32, 4), _normal(32, 1, seed=1)
    weights = [_normal(4, 8, seed=2) * 0.5, _normal(8, 1, seed=3) * 0.3]
    optimizer = optax.lbfgs(memory_size=4)

    def run(weights: Any, state: Any, x: Any, y: Any) -> Any:
        def loss(weights: Any) -> Any:
            return jnp.mean((jnp.tanh(x @ weights[0]) @ weights[1] - y) ** 2)

        def step(carried: Any, _: Any) -> Any:
            weights, state = carried
            value, gradient = optax.value_and_grad_from_state(loss)(weights, state=state)
            updates, state = optimizer.update(
                gradient, state, weights, value=value, grad=gradient, value_fn=loss
            )
            return (optax.apply_updates(weights, updates), state), value

        (weights, state), values = jax.lax.scan(step, (weights, state), None, length=3)
        return weights, values

    return run, (weights, optimizer.init(weights), x, y)
