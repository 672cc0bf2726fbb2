"""Common code of the three training scripts: the digits, Adam, and the export of a model.

Only the training scripts import this module; `demo.py` needs neither JAX nor scikit-learn.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

EXAMPLES = Path(__file__).resolve().parent
MODELS = EXAMPLES / "models"


class Digits(NamedTuple):
    """8x8 images of handwritten digits: grey levels 0 to 16 as ui8[N, 8, 8], labels as i32[N]."""

    images: np.ndarray
    labels: np.ndarray


def digits_split(held_back: int = 360) -> tuple[Digits, Digits]:
    """scikit-learn's 1,797 digits as (training set, held-back set), every class in proportion."""
    from sklearn.datasets import load_digits  # who imports the networks alone needs no digits
    from sklearn.model_selection import train_test_split

    data = load_digits()
    train_x, test_x, train_y, test_y = train_test_split(
        data.images.astype(np.uint8),
        data.target.astype(np.int32),
        test_size=held_back,
        stratify=data.target,
        random_state=0,
    )
    return Digits(train_x, train_y), Digits(test_x, test_y)


class Adam(NamedTuple):
    """Optimizer state: the number of steps done, and both moments of every gradient."""

    count: jax.Array
    mean: Any
    variance: Any


def adam_init(params: Any) -> Adam:
    zeros = jax.tree.map(jnp.zeros_like, params)
    return Adam(jnp.int32(0), zeros, zeros)


def adam_update(
    grads: Any,
    state: Adam,
    params: Any,
    rate: Any,
    *,
    decays: tuple[float, float] = (0.9, 0.99),
    epsilon: float = 1e-8,
    weight_decay: float = 0.0,
) -> tuple[Any, Adam]:
    """One step of AdamW: (new params, new state). Only matrices and larger decay."""
    b1, b2 = decays
    count = state.count + 1
    mean = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, state.mean, grads)
    variance = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, state.variance, grads)
    steps = count.astype(jnp.float32)

    def step(p: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        direction = (m / (1 - b1**steps)) / (jnp.sqrt(v / (1 - b2**steps)) + epsilon)
        return p - rate * (direction + (weight_decay * p if p.ndim > 1 else 0.0))

    return jax.tree.map(step, params, mean, variance), Adam(count, mean, variance)


def export_model(name: str, function: Callable[..., Any], *args: Any) -> jax.export.Exported:
    """Export `function` for arguments like `args` to `models/<name>.mlirbc`.

    The file is a StableHLO portable artifact. Its locations name the lines of the training
    script relative to the project, so the artifact is the same wherever it was made.
    """
    jax.config.update("jax_hlo_source_file_canonicalization_regex", re.escape(f"{EXAMPLES.parent}/"))
    # Without keep_unused, an argument that does not matter would vanish from main.
    exported = jax.export.export(jax.jit(function, keep_unused=True), platforms=["cpu"])(*args)
    artifact = exported.mlir_module_serialized
    (MODELS / f"{name}.mlirbc").write_bytes(artifact)
    ops = sorted(set(re.findall(r"\b((?:stablehlo|chlo)\.\w+)", exported.mlir_module())))
    print(f"{name}.mlirbc: {len(artifact):,} bytes, {len(ops)} ops: {' '.join(ops)}")
    return exported


def named(function: Callable[..., Any], *arguments: Any) -> dict[str, Any]:
    """The leaves of arguments by the names that JAX gives the parameters of the program: `params.weight1`."""
    parameters = inspect.signature(function).parameters
    leaves, _ = jax.tree_util.tree_flatten_with_path(dict(zip(parameters, arguments, strict=True)))
    by_name = {jax.tree_util.keystr(path, simple=True, separator="."): leaf for path, leaf in leaves}
    order = list(parameters)
    return dict(sorted(by_name.items(), key=lambda item: order.index(item[0].partition(".")[0])))


def save(name: str, **arrays: Any) -> None:
    """Write `models/<name>.npz`."""
    path = MODELS / f"{name}.npz"
    np.savez_compressed(path, **{key: np.asarray(value) for key, value in arrays.items()})
    print(f"{name}.npz: {path.stat().st_size:,} bytes")
