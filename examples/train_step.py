"""Export one training step: the gradients of a small convolutional net and an Adam update.

Nothing is trained here. The exported program is the step itself; whoever runs it in a loop
trains the net. Its arguments and results are flat lists of arrays:

    main(8 parameters, i32 step count, 8 first moments, 8 second moments,
         images: ui8[64, 8, 8], labels: i32[64])
      -> (8 parameters, count, 8 first moments, 8 second moments, loss: f32)

so that results[:-1] are the leading arguments of the next step.

Writes models/train_step.mlirbc
       models/train_step.npz           the arguments of the first step, by the names of the parameters
       models/train_step_batches.npz   the training images and labels
       models/train_step_expected.npz  XLA's losses for 30 steps, and the state they end in
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from common import Adam, adam_init, adam_update, digits_split, export_model, named, save
from jax import lax

STEPS, BATCH, RATE = 30, 64, 1e-2


def init(key: jax.Array) -> dict[str, jax.Array]:
    keys = jax.random.split(key, 4)
    params = {}
    shapes = [(3, 3, 1, 8), (3, 3, 8, 16), (2 * 2 * 16, 32), (32, 10)]
    for index, (each, shape) in enumerate(zip(keys, shapes, strict=True), start=1):
        scale = np.sqrt(2 / np.prod(shape[:-1]))
        params[f"weight{index}"] = scale * jax.random.normal(each, shape)
        params[f"bias{index}"] = jnp.zeros(shape[-1])
    return params


def convolution(x: jax.Array, kernel: jax.Array, stride: int) -> jax.Array:
    layout = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(x, kernel, (stride, stride), "SAME", dimension_numbers=layout)


def loss_of(params: dict[str, jax.Array], images: jax.Array, labels: jax.Array) -> jax.Array:
    """Mean cross-entropy. The label's logit is gathered, so the gradient is a scatter."""
    x = images.astype(params["weight1"].dtype)[..., None] / 16
    x = jax.nn.relu(convolution(x, params["weight1"], stride=1) + params["bias1"])
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
    x = jnp.tanh(convolution(x, params["weight2"], stride=2) + params["bias2"])
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ params["weight3"] + params["bias3"])
    logits = x @ params["weight4"] + params["bias4"]
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)
    return -chosen.mean()


def train_step(params: Any, state: Adam, images: jax.Array, labels: jax.Array) -> tuple[Any, Adam, jax.Array]:
    loss, grads = jax.value_and_grad(loss_of)(params, images, labels)
    # A wide epsilon, so that gradients that are zero but for rounding stay without effect.
    return *adam_update(grads, state, params, RATE, epsilon=1e-6), loss


def main() -> None:
    train, _ = digits_split()
    images, labels = (part[: len(part) // BATCH * BATCH] for part in train)
    params = init(jax.random.key(0))
    start = jax.tree.map(np.asarray, (params, adam_init(params)))

    def run(step: Any) -> tuple[list[np.ndarray], list[float]]:
        """(final state, losses) of STEPS steps over consecutive batches."""
        state, losses = start, []
        for index in range(STEPS):
            first = index * BATCH % len(images)
            batch = slice(first, first + BATCH)
            *state, loss = step(*state, images[batch], labels[batch])
            losses.append(float(loss))
        return [np.asarray(leaf) for leaf in jax.tree.leaves(state)], losses

    exported = export_model("train_step", train_step, *start, images[:BATCH], labels[:BATCH])
    final, losses = run(exported.call)
    print("loss", " ".join(f"{loss:.3f}" for loss in losses))

    # The effect of rounding alone on the result: the same steps in double precision.
    with jax.enable_x64(True):
        start = jax.tree.map(lambda leaf: leaf.astype(np.float64) if leaf.ndim else leaf, start)
        wide, wide_losses = run(jax.jit(train_step))
    print(f"losses differ from f64's by {np.abs(np.subtract(losses, wide_losses)).max():.1e}")
    drift = max(np.abs(a - b).max() for a, b in zip(final, wide, strict=True))
    print(f"the final state differs from f64's by {drift:.1e}")

    arguments = (params, adam_init(params), images[:BATCH], labels[:BATCH])
    save("train_step", **named(train_step, *arguments))
    save("train_step_batches", images=images, labels=labels)
    save(
        "train_step_expected",
        losses=np.array(losses, np.float32),
        **{f"state{index:02}": leaf for index, leaf in enumerate(final)},
    )


if __name__ == "__main__":
    main()
