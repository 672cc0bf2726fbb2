"""Train a convolutional classifier of handwritten digits and export it with its weights.

Writes models/digits.mlirbc     main(images: ui8[360, 8, 8]) -> logits: f32[360, 10]
       models/digits.jaxexport  the same model as a `jax.export` blob
       models/digits.npz        the held-back images and their labels
       models/digits_expected.npz  XLA's logits for them
"""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from common import MODELS, adam_init, adam_update, digits_split, export_model, save
from jax import lax

EPOCHS, BATCH, RATE = 60, 64, 3e-3
CHANNELS = (1, 16, 32)
HIDDEN = 64


def init(key: jax.Array) -> tuple[Any, Any]:
    """(params, running batch statistics), He-initialised."""
    keys = iter(jax.random.split(key, 4))

    def weights(*shape: int) -> jax.Array:
        return jax.random.normal(next(keys), shape) * np.sqrt(2 / np.prod(shape[:-1]))

    params: dict[str, Any] = {"stages": []}
    statistics = []
    for fan_in, fan_out in itertools.pairwise(CHANNELS):
        params["stages"].append(
            {
                "kernel": weights(3, 3, fan_in, fan_out),
                "scale": jnp.ones(fan_out),
                "offset": jnp.zeros(fan_out),
            }
        )
        statistics.append((jnp.zeros(fan_out), jnp.ones(fan_out)))
    params["hidden"] = (weights(2 * 2 * CHANNELS[-1], HIDDEN), jnp.zeros(HIDDEN))
    params["output"] = (weights(HIDDEN, 10), jnp.zeros(10))
    return params, statistics


def network(params: Any, images: jax.Array, statistics: Any) -> tuple[jax.Array, Any]:
    """(logits, the statistics used): those given, or without them those of this batch."""
    x = images.astype(jnp.float32)[..., None] / 16
    seen = []
    for index, stage in enumerate(params["stages"]):
        x = lax.conv_general_dilated(
            x, stage["kernel"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        if statistics is None:
            mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        else:
            mean, variance = statistics[index]
        x = (x - mean) * lax.rsqrt(variance + 1e-5) * stage["scale"] + stage["offset"]
        x = jax.nn.relu(x)
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        seen.append((mean, variance))
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ params["hidden"][0] + params["hidden"][1])
    return x @ params["output"][0] + params["output"][1], seen


def loss_of(params: Any, images: jax.Array, labels: jax.Array) -> tuple[jax.Array, Any]:
    logits, seen = network(params, images, None)
    return -(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, 10)).sum(1).mean(), seen


@jax.jit
def train_step(
    params: Any, state: Any, statistics: Any, images: jax.Array, labels: jax.Array, rate: jax.Array
) -> tuple[Any, Any, Any]:
    grads, seen = jax.grad(loss_of, has_aux=True)(params, images, labels)
    params, state = adam_update(grads, state, params, rate, weight_decay=1e-2)
    statistics = jax.tree.map(lambda old, new: 0.95 * old + 0.05 * new, statistics, seen)
    return params, state, statistics


def shifted(images: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Every image moved by up to one pixel in each direction."""
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1)))
    offsets = rng.integers(0, 3, (len(images), 2))
    return np.stack([image[y : y + 8, x : x + 8] for image, (y, x) in zip(padded, offsets, strict=True)])


def main() -> None:
    train, held_back = digits_split()
    params, statistics = init(jax.random.key(0))
    state = adam_init(params)
    rng = np.random.default_rng(0)
    for epoch in range(EPOCHS):
        rate = jnp.float32(RATE * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS)))
        order = rng.permutation(len(train.images))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            pick = order[start : start + BATCH]
            images = shifted(train.images[pick], rng)
            params, state, statistics = train_step(
                params, state, statistics, images, train.labels[pick], rate
            )

    # NumPy arrays that the function closes over become constants of the program.
    params, statistics = jax.tree.map(np.asarray, (params, statistics))

    def classify(images: jax.Array) -> jax.Array:
        return network(params, images, statistics)[0]

    exported = export_model("digits", classify, held_back.images)
    (MODELS / "digits.jaxexport").write_bytes(exported.serialize())
    logits = np.asarray(exported.call(held_back.images))
    accuracy = np.mean(logits.argmax(1) == held_back.labels)
    print(f"held-back accuracy {accuracy:.2%}")
    if accuracy < 0.975:
        raise SystemExit("the classifier must reach 97.5 %")
    save("digits", images=held_back.images, labels=held_back.labels)
    save("digits_expected", logits=logits)


if __name__ == "__main__":
    main()
