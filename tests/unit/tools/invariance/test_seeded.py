"""`hlokit invariance` names the operation that was made to change bytes with the size of the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.interpreter.settings import Settings, Variant
from hlokit.engine.plan.evaluate import evaluate


def _norm(x: Any) -> Any:
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


def _standardised(x: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)


# Functions of rows and a matrix, and operations of each.
PROGRAMS: dict[str, tuple[Callable[[Any, Any], Any], tuple[str, ...]]] = {
    "perceptron": (lambda x, w: jnp.tanh(x @ w) * jnp.cos(x), ("dot_general", "tanh", "cosine", "multiply")),
    "softmax": (lambda x, w: jax.nn.softmax(x @ w), ("dot_general", "subtract", "exponential", "divide")),
    "norm": (lambda x, w: -(_norm(x) @ w), ("reduce", "rsqrt", "dot_general", "negate")),
    "standardised": (
        lambda x, w: _standardised(x) @ w,
        ("reduce", "subtract", "sqrt", "divide", "dot_general"),
    ),
    "gated": (
        lambda x, w: jax.nn.sigmoid(x @ w) * jnp.sin(x),
        ("exponential", "divide", "sine", "dot_general"),
    ),
    "gelu": (lambda x, w: jax.nn.gelu(x @ w), ("dot_general", "tanh", "multiply", "add")),
    "softplus": (lambda x, w: jnp.log1p(jnp.exp(-abs(x @ w))), ("log_plus_one", "exponential", "abs")),
    "roots": (lambda x, w: jnp.cbrt(x) + jnp.sqrt(abs(x @ w)), ("cbrt", "sqrt", "add")),
    "log-sum-exp": (
        lambda x, w: jax.nn.logsumexp(x @ w, -1, keepdims=True) - x,
        ("exponential", "log", "subtract", "reduce"),
    ),
    "two layers": (
        lambda x, w: jnp.expm1(jnp.tanh(x @ w) @ w.T),
        ("exponential_minus_one", "tanh", "dot_general"),
    ),
    "angles": (lambda x, w: jnp.arctan2(x, x @ w), ("atan2", "dot_general")),
    "squares": (lambda x, w: jnp.maximum((x @ w) ** 2, x) + lax.floor(x), ("multiply", "add")),
}


class _Perturbed(Variant):
    """A program in which one operation has other bits in batches of some size."""

    def __init__(self, name: str, size: int) -> None:
        self._name, self._size = f"stablehlo.{name}", size

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        kernel = bind(operation)
        is_reached = operation.name == self._name and operation.operand().rank > 0  # not within a reduction
        if isinstance(kernel, Constant) or not is_reached:
            return kernel
        return Kernel(partial(self._evaluate, kernel.function))

    def _evaluate(self, function: Callable[..., Any], *operands: Any) -> Any:
        result = function(*operands)
        has_size = any(self._size in np.shape(value) for value in operands)
        return result * np.float32(1 + 1e-5) if has_size else result


class Perturbed:
    """A side that runs programs with one perturbed operation."""

    name, batch = "perturbed", 1

    def __init__(self, name: str, size: int) -> None:
        self._settings = Settings(variant=_Perturbed(name, size))

    def run(self, module: str | bytes, inputs: Sequence[Any], function: str = "main") -> list[Any]:
        block = Planner(hlokit.load(module).module, self._settings).function(function)
        with run_context.use(run_context.RunContext()):
            return list(evaluate(block, list(inputs)))

    def run_each(
        self, module: str | bytes, inputs: Sequence[Sequence[Any]], function: str = "main"
    ) -> list[list[Any]]:
        return [self.run(module, row, function) for row in inputs]

    def close(self) -> None:
        pass


@pytest.mark.deep
def test_forty_seeded_operations_are_named() -> None:
    generator = np.random.default_rng(5)
    x, w = (generator.normal(size=size).astype(np.float32) for size in ((9, 8), (8, 8)))
    rows = jax.ShapeDtypeStruct(jax.export.symbolic_shape("rows, 8"), np.float32)
    wrong, count = list[str](), 0
    for name, (function, operations) in PROGRAMS.items():
        program = hlokit.load(jax.export.export(jax.jit(function))(rows, w))
        assert hlokit.invariance(program, x, w).is_kept, name
        for operation in operations:
            count += 1
            size = (2, 3)[count % 2]
            report = hlokit.invariance(program, x, w, against=Perturbed(operation, size))
            is_told = any(result.changed == (f"of {size} rows",) for result in report.results)
            if not is_told or not report.operation.startswith(f"stablehlo.{operation} "):
                wrong.append(f"{name}, {operation}: {report}")
    assert wrong == [] and count >= 40
