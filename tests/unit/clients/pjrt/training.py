"""Trains a network of two layers with dropout and shuffled batches on JAX, and prints a hash of the weights.

training.py STEPS [CHECKPOINT]     # begins at the checkpoint if there is one, and writes it at the end
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

SAMPLES, BATCH, CLASSES = 256, 32, 10


def images(key: Any) -> tuple[Any, Any]:
    """Images of 8 x 8 pixels, and the class of each: a pattern for each class, with noise."""
    patterns, noise, labels = jax.random.split(key, 3)
    classes = jax.random.randint(labels, (SAMPLES,), 0, CLASSES)
    means = jax.random.normal(patterns, (CLASSES, 64))
    return means[classes] + 0.5 * jax.random.normal(noise, (SAMPLES, 64)), classes


def initial(key: Any) -> Any:
    first, second = jax.random.split(key)
    layers = {"w": jax.random.normal(first, (64, 32)) / 8, "v": jax.random.normal(second, (32, CLASSES)) / 6}
    return {**layers, "b": jnp.zeros(32), "c": jnp.zeros(CLASSES)}


def loss(weights: Any, x: Any, labels: Any, key: Any) -> Any:
    hidden = jax.nn.gelu(x @ weights["w"] + weights["b"])
    kept = jax.random.bernoulli(key, 0.9, hidden.shape)
    logits = jnp.where(kept, hidden / 0.9, 0) @ weights["v"] + weights["c"]
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(BATCH), labels])


@jax.jit
def step(weights: Any, x: Any, labels: Any, number: Any) -> Any:
    order, dropout = jax.random.split(jax.random.fold_in(jax.random.key(1), number))
    batch = jax.random.permutation(order, SAMPLES)[:BATCH]
    gradients = jax.grad(loss)(weights, x[batch], labels[batch], dropout)
    return jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)


def main() -> None:
    steps, checkpoint = int(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None
    x, labels = images(jax.random.key(0))
    weights, begin = initial(jax.random.key(2)), 0
    if checkpoint is not None and checkpoint.exists():
        stored = dict(np.load(checkpoint))
        begin = int(stored.pop("begin"))
        weights = {name: jnp.asarray(array) for name, array in stored.items()}
    for number in range(begin, steps):
        weights = step(weights, x, labels, number)
    if checkpoint is not None:
        np.savez(checkpoint, begin=steps, **weights)
    data = b"".join(np.asarray(weights[name]).tobytes() for name in sorted(weights))
    print(hashlib.sha256(data).hexdigest())


main()
