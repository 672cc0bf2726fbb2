"""Training steps of models of flax, haiku and equinox, in six layouts, by both partitioners.

The models hold what front ends write in CHLO: layer norm (rsqrt, square), gelu by erf, gates by top-k, and
Adam.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hlokit

jax = pytest.importorskip("jax", reason="models come from JAX")
jnp = jax.numpy

FEATURES, HIDDEN, EXPERTS = 16, 32, 8
BATCH, LENGTH = 8, 4
# Shardings of x [batch, length, features], of weights [features, hidden] and [hidden, features].
LAYOUTS = {
    "data": ("P('a')", None, None),
    "FSDP": ("P('a')", "P('a')", "P('a')"),
    "Megatron": ("P('a')", "P(None, 'b')", "P('b')"),
    "sequence": ("P(None, 'b')", None, None),
    "data on all devices": ("P(('a', 'b'))", None, None),
    "features": ("P('a', None, 'b')", "P('b')", "P(None, 'b')"),
}
# A model: initial parameters, and a function of parameters and x.
Model = tuple[Any, Callable[[Any, Any], Any]]


def block(norm: Any, up: Any, gate: Any, down: Any, x: Any) -> Any:
    """A layer norm, an exact gelu, hidden values weighted by the best two of the gate's, and a sum."""
    y = norm(x)
    best, _ = jax.lax.top_k(gate(y), 2)
    hidden = (
        jax.nn.gelu(up(y), approximate=False) * jax.nn.softmax(best).sum(-1, keepdims=True) * best[..., :1]
    )
    return x + down(hidden)


def flax_model(x: Any) -> Model:
    linen = pytest.importorskip("flax.linen", reason="flax is not among the extras for tests")

    class Block(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            layers = (linen.LayerNorm(), linen.Dense(HIDDEN), linen.Dense(EXPERTS), linen.Dense(FEATURES))
            return block(*layers, x)

    model = Block()
    return model.init(jax.random.key(0), x), model.apply


def haiku_model(x: Any) -> Model:
    haiku = pytest.importorskip("haiku", reason="haiku is not among the extras for tests")

    def forward(x: Any) -> Any:
        norm = haiku.LayerNorm(-1, create_scale=True, create_offset=True)
        return block(norm, haiku.Linear(HIDDEN), haiku.Linear(EXPERTS), haiku.Linear(FEATURES), x)

    model = haiku.without_apply_rng(haiku.transform(forward))
    return model.init(jax.random.key(0), x), model.apply


def equinox_model(x: Any) -> Model:
    equinox = pytest.importorskip("equinox", reason="equinox is not among the extras for tests")
    del x
    keys = jax.random.split(jax.random.key(0), 3)
    sizes = ((FEATURES, HIDDEN), (FEATURES, EXPERTS), (HIDDEN, FEATURES))
    linear = [equinox.nn.Linear(*pair, key=key) for pair, key in zip(sizes, keys, strict=True)]
    layers = (equinox.nn.LayerNorm(FEATURES), *linear)

    def apply(layers: Any, x: Any) -> Any:
        norm, up, gate, down = (jax.vmap(jax.vmap(layer)) for layer in layers)
        return block(norm, up, gate, down, x)

    parameters, static = equinox.partition(layers, equinox.is_array)
    return parameters, lambda parameters, x: apply(equinox.combine(parameters, static), x)


MODELS: dict[str, Callable[[Any], Model]] = {
    "flax": flax_model,
    "haiku": haiku_model,
    "equinox": equinox_model,
}


def training_step(model: Model) -> tuple[Callable[..., Any], list[Any]]:
    """A step of Adam as a function of x, the target and all leaves, and these leaves."""
    optax = pytest.importorskip("optax", reason="optax is not among the extras for tests")
    parameters, apply = model
    optimizer = optax.adam(1e-2, eps=1e-3)  # a smaller eps turns rounding of a gradient near 0 into a step
    leaves, tree = jax.tree.flatten((parameters, optimizer.init(parameters)))

    def step(x: Any, target: Any, *leaves: Any) -> Any:
        parameters, state = jax.tree.unflatten(tree, leaves)

        def loss(parameters: Any) -> Any:
            return jnp.mean((apply(parameters, x) - target) ** 2)

        value, gradients = jax.value_and_grad(loss)(parameters)
        updates, state = optimizer.update(gradients, state, parameters)
        return value, jax.tree.leaves((optax.apply_updates(parameters, updates), state))

    return step, leaves


def shardings(layout: str, leaves: list[Any], *, is_transposed: bool) -> dict[int, str]:
    """The shardings of parameters by number; moments have those of their weights."""
    x, *weights = LAYOUTS[layout]
    shapes = [(FEATURES, HIDDEN), (HIDDEN, FEATURES)]
    by_shape = dict(zip(shapes, weights if not is_transposed else weights[::-1], strict=True))
    specs = {0: x, 1: x} | {n + 2: by_shape.get(np.shape(leaf)) for n, leaf in enumerate(leaves)}
    return {number: spec for number, spec in specs.items() if spec is not None}


@pytest.mark.deep
@pytest.mark.parametrize("partitioner", ["shardy", "xla"])
@pytest.mark.parametrize("library", MODELS)
def test_training_steps_in_six_layouts(library: str, partitioner: str) -> None:
    rng = np.random.default_rng(1)
    x, target = (rng.standard_normal((BATCH, LENGTH, FEATURES)).astype(np.float32) for _ in range(2))
    step, leaves = training_step(MODELS[library](x))
    arguments = [np.asarray(value) for value in (x, target, *leaves)]
    program = hlokit.load(jax.jit(step).lower(*arguments))
    assert {"chlo.top_k", "chlo.erf", "chlo.square"} & set(program.text().replace("(", " ").split())
    expected = jax.tree.leaves(jax.jit(step)(*arguments))
    for layout in LAYOUTS:
        # equinox stores weights as [outputs, inputs].
        specs = shardings(layout, leaves, is_transposed=library == "equinox")
        sharded = hlokit.shard(program, "a=2,b=2", specs, partitioner=partitioner)
        sharded.check(*arguments).require()
        for number, (result, value) in enumerate(
            zip(jax.tree.leaves(sharded(*arguments)), expected, strict=True)
        ):
            np.testing.assert_allclose(result, value, 2e-4, 2e-5, err_msg=f"{layout}, result {number}")
