"""Models: attention, transformers, convolutional and recurrent networks, narrow types, the examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from benchmarks.case import CONTRACTION, Array, Program, case, integers, lower, normal, values

MODELS = Path(__file__).parents[2] / "examples" / "models"
NETWORKS = "models"
EXAMPLES = "example models"
BF16 = ml_dtypes.bfloat16


def _norm(x: Any) -> Any:
    centred = x - jnp.mean(x, -1, keepdims=True)
    return centred * lax.rsqrt(jnp.mean(centred**2, -1, keepdims=True) + 1e-5)


def _attend(query: Any, key: Any, value: Any, mask: Any = None) -> Any:
    """Scaled dot-product attention of [batch, head, position, feature]."""
    scores = jnp.einsum("bhqd,bhkd->bhqk", query, key) / np.sqrt(query.shape[-1]).astype(query.dtype)
    if mask is not None:
        scores = jnp.where(mask, scores, jnp.asarray(-1e9, scores.dtype))
    return jnp.einsum("bhqk,bhkd->bhqd", jax.nn.softmax(scores, axis=-1), value)


@case(
    "attention, 8 heads of 256 positions x 64",
    NETWORKS,
    CONTRACTION,
    reference=False,
    is_quick=True,
    is_model=True,
)
def attention() -> Program:
    shape = (1, 8, 256, 64)
    mask = np.tril(np.ones((256, 256), bool))
    return lower(lambda q, k, v: _attend(q, k, v, mask), *(normal(*shape, seed=seed) for seed in range(3)))


# A transformer ------------------------------------------------------------------------------------

_WIDTH, _HEADS, _LAYERS, _POSITIONS, _WORDS = 256, 4, 4, 128, 1000


def _transformer_parameters(dtype: Any = np.float32) -> dict[str, Array]:
    shapes = {"words": (_WORDS, _WIDTH), "places": (_POSITIONS, _WIDTH)}
    for layer in range(_LAYERS):
        shapes[f"{layer}.attention"] = (_WIDTH, 3 * _WIDTH)
        shapes[f"{layer}.out"] = (_WIDTH, _WIDTH)
        shapes[f"{layer}.up"] = (_WIDTH, 4 * _WIDTH)
        shapes[f"{layer}.down"] = (4 * _WIDTH, _WIDTH)
    return {
        name: normal(*shape, dtype=dtype, scale=shape[0] ** -0.5, seed=seed)
        for seed, (name, shape) in enumerate(shapes.items())
    }


def _heads(x: Any) -> Any:
    batch, positions, _ = x.shape
    return x.reshape(batch, positions, _HEADS, -1).transpose(0, 2, 1, 3)


def _transformer(parameters: Any, tokens: Any) -> Any:
    positions = tokens.shape[1]
    x = parameters["words"][tokens] + parameters["places"][:positions]
    mask = np.tril(np.ones((positions, positions), bool))
    for layer in range(_LAYERS):
        query, key, value = (
            _heads(part) for part in jnp.split(_norm(x) @ parameters[f"{layer}.attention"], 3, -1)
        )
        attended = _attend(query, key, value, mask).transpose(0, 2, 1, 3).reshape(x.shape)
        x = x + attended @ parameters[f"{layer}.out"]
        x = x + jax.nn.gelu(_norm(x) @ parameters[f"{layer}.up"]) @ parameters[f"{layer}.down"]
    return _norm(x) @ parameters["words"].T


def _tokens(batch: int) -> Array:
    return integers(_WORDS, batch, _POSITIONS)


@case(
    "transformer forward, 4 layers of 256, 2x128 tokens",
    NETWORKS,
    CONTRACTION,
    reference=False,
    is_quick=True,
    is_model=True,
)
def transformer_forward() -> Program:
    return lower(_transformer, _transformer_parameters(), _tokens(2))


@case("transformer train step (SGD), 2x128 tokens", NETWORKS, CONTRACTION, reference=False, is_model=True)
def transformer_step() -> Program:
    def loss(parameters: Any, tokens: Any) -> Any:
        chances = jax.nn.log_softmax(_transformer(parameters, tokens)[:, :-1])
        return -jnp.mean(jnp.take_along_axis(chances, tokens[:, 1:, None], -1))

    def step(parameters: Any, tokens: Any) -> Any:
        value, gradients = jax.value_and_grad(loss)(parameters, tokens)
        return value, jax.tree.map(lambda p, g: p - 0.1 * g, parameters, gradients)

    return lower(step, _transformer_parameters(), _tokens(2))


@case("transformer forward in bf16, 2x128 tokens", NETWORKS, CONTRACTION, reference=False, is_model=True)
def transformer_bf16() -> Program:
    return lower(_transformer, _transformer_parameters(BF16), _tokens(2))


@case(
    "transformer with its weights as constants, 2x128 tokens",
    NETWORKS,
    CONTRACTION,
    reference=False,
    is_model=True,
)
def transformer_constants() -> Program:
    parameters = _transformer_parameters()
    return lower(lambda tokens: _transformer(jax.tree.map(jnp.asarray, parameters), tokens), _tokens(2))


@case(
    "decode loop with KV cache, 64 tokens, 4 layers of 256",
    NETWORKS,
    CONTRACTION,
    reference=False,
    is_quick=True,
    is_model=True,
)
def decode() -> Program:
    positions = 64

    def generate(parameters: Any, first: Any) -> Any:
        shape = (_LAYERS, 2, 1, _HEADS, positions, _WIDTH // _HEADS)

        def step(state: Any, place: Any) -> Any:
            token, cache = state
            x = (parameters["words"][token] + parameters["places"][place])[None, None]
            for layer in range(_LAYERS):
                parts = jnp.split(_norm(x) @ parameters[f"{layer}.attention"], 3, -1)
                query, key, value = (_heads(part) for part in parts)
                cache = lax.dynamic_update_slice(
                    cache, jnp.stack([key, value])[None], (layer, 0, 0, 0, place, 0)
                )
                attended = _attend(query, cache[layer, 0], cache[layer, 1], jnp.arange(positions) <= place)
                x = x + attended.transpose(0, 2, 1, 3).reshape(x.shape) @ parameters[f"{layer}.out"]
                x = x + jax.nn.gelu(_norm(x) @ parameters[f"{layer}.up"]) @ parameters[f"{layer}.down"]
            following = jnp.argmax((_norm(x) @ parameters["words"].T)[0, 0]).astype(np.int32)
            return (following, cache), following

        return lax.scan(step, (first, jnp.zeros(shape)), jnp.arange(positions))[1]

    return lower(generate, _transformer_parameters(), np.array(5, np.int32))


# Convolutions -------------------------------------------------------------------------------------

_BLOCKS = ((16, 1), (32, 2), (64, 2))


def _conv(x: Any, kernel: Any, stride: int = 1) -> Any:
    numbers = lax.conv_dimension_numbers(x.shape, kernel.shape, ("NHWC", "HWIO", "NHWC"))
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=numbers)


def _resnet_parameters() -> dict[str, Array]:
    shapes: dict[str, tuple[int, ...]] = {"stem": (3, 3, 3, 16), "head": (64, 10)}
    width = 16
    for number, (features, _) in enumerate(_BLOCKS):
        shapes[f"{number}.first"] = (3, 3, width, features)
        shapes[f"{number}.second"] = (3, 3, features, features)
        shapes[f"{number}.skip"] = (1, 1, width, features)
        width = features
    return {
        name: normal(*shape, scale=float(np.prod(shape[:-1])) ** -0.5, seed=seed)
        for seed, (name, shape) in enumerate(shapes.items())
    }


def _batch_norm(x: Any) -> Any:
    mean = jnp.mean(x, (0, 1, 2), keepdims=True)
    return (x - mean) * lax.rsqrt(jnp.mean((x - mean) ** 2, (0, 1, 2), keepdims=True) + 1e-5)


def _resnet(parameters: Any, images: Any) -> Any:
    x = jax.nn.relu(_batch_norm(_conv(images, parameters["stem"])))
    for number, (_, stride) in enumerate(_BLOCKS):
        inner = jax.nn.relu(_batch_norm(_conv(x, parameters[f"{number}.first"], stride)))
        inner = _batch_norm(_conv(inner, parameters[f"{number}.second"]))
        x = jax.nn.relu(inner + _conv(x, parameters[f"{number}.skip"], stride))
    return jnp.mean(x, (1, 2)) @ parameters["head"]


@case(
    "ResNet-like forward, 8 images of 32x32",
    NETWORKS,
    CONTRACTION,
    reference=False,
    is_quick=True,
    is_model=True,
)
def resnet_forward() -> Program:
    return lower(_resnet, _resnet_parameters(), normal(8, 32, 32, 3))


@case("ResNet-like gradients, 8 images of 32x32", NETWORKS, CONTRACTION, reference=False, is_model=True)
def resnet_backward() -> Program:
    def loss(parameters: Any, images: Any, labels: Any) -> Any:
        chances = jax.nn.log_softmax(_resnet(parameters, images))
        return -jnp.mean(jnp.take_along_axis(chances, labels[:, None], 1))

    return lower(jax.grad(loss), _resnet_parameters(), normal(8, 32, 32, 3), integers(10, 8))


# Recurrent networks, narrow types -----------------------------------------------------------------


@case(
    "LSTM, 100 steps, batch 16, width 128",
    NETWORKS,
    CONTRACTION,
    reference=False,
    is_quick=True,
    is_model=True,
)
def lstm() -> Program:
    width = 128

    def run(weights: Any, recurrent: Any, inputs: Any) -> Any:
        def step(state: Any, x: Any) -> Any:
            hidden, cell = state
            gates = x @ weights + hidden @ recurrent
            forget, keep, out, new = jnp.split(gates, 4, -1)
            cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(keep) * jnp.tanh(new)
            hidden = jax.nn.sigmoid(out) * jnp.tanh(cell)
            return (hidden, cell), hidden

        start = jnp.zeros((16, width))
        return lax.scan(step, (start, start), inputs)[1]

    scale = width**-0.5
    return lower(
        run,
        normal(width, 4 * width, scale=scale),
        normal(width, 4 * width, scale=scale, seed=1),
        normal(100, 16, width, seed=2),
    )


@case("perceptron in bf16, 256x784 to 10", NETWORKS, CONTRACTION, reference=False, is_model=True)
def perceptron_bf16() -> Program:
    def run(first: Any, second: Any, images: Any) -> Any:
        return jax.nn.softmax(jax.nn.relu(images @ first) @ second)

    return lower(
        run,
        normal(784, 512, dtype=BF16, scale=0.03),
        normal(512, 10, dtype=BF16, scale=0.03),
        values(256, 784, dtype=BF16),
    )


@case("perceptron in int8, 256x784 to 10", NETWORKS, CONTRACTION, reference=False, is_model=True)
def perceptron_int8() -> Program:
    def layer(x: Any, weights: Any) -> Any:
        sums = lax.dot(x, weights, preferred_element_type=np.int32)
        scaled = jnp.round(sums.astype(np.float32) * 2e-4)
        return jnp.clip(scaled, 0, 127).astype(np.int8)

    def run(first: Any, second: Any, images: Any) -> Any:
        return lax.dot(layer(images, first), second, preferred_element_type=np.int32)

    return lower(
        run,
        integers(255, 784, 512).astype(np.int8),
        integers(255, 512, 10).astype(np.int8),
        integers(127, 256, 784, dtype=np.int8),
    )


@case("convolution in int8, 4x32x32x32 to 64 features", NETWORKS, CONTRACTION, reference=False, is_model=True)
def convolution_int8() -> Program:
    def run(images: Any, kernel: Any) -> Any:
        numbers = lax.conv_dimension_numbers(images.shape, kernel.shape, ("NHWC", "HWIO", "NHWC"))
        return lax.conv_general_dilated(
            images, kernel, (1, 1), "SAME", dimension_numbers=numbers, preferred_element_type=np.int32
        )

    return lower(run, integers(127, 4, 32, 32, 32, dtype=np.int8), integers(127, 3, 3, 32, 64, dtype=np.int8))


@case("product of constants of 64 MB", NETWORKS, CONTRACTION, reference=False)
def large_constants() -> Program:
    weights = normal(4096, 4096, scale=1 / 64)
    return lower(lambda x: jnp.tanh(x @ weights), normal(1, 4096))


# The models in examples/ --------------------------------------------------------------------------


def _stored(name: str) -> dict[str, Array]:
    with np.load(MODELS / f"{name}.npz") as file:
        return dict(file)


def _digits() -> Sequence[Array]:
    return [_stored("digits")["images"]]


def _gpt() -> Sequence[Array]:
    calls = _stored("gpt_expected")
    return [calls[name][0] for name in ("prompt", "length", "key", "temperature", "count")]


def _train_step() -> Sequence[Array]:
    return list(_stored("train_step").values())


def _example(name: str, arguments: Callable[[], Sequence[Array]]) -> Program:
    return Program((MODELS / f"{name}.mlirbc").read_bytes(), arguments())


for _name, _arguments, _label in (
    ("digits", _digits, "360 images"),
    ("gpt", _gpt, "one call"),
    ("train_step", _train_step, "64 images"),
):
    case(f"{_name}, {_label}", EXAMPLES, CONTRACTION, is_model=True, reference=False)(
        partial(_example, _name, _arguments)
    )
