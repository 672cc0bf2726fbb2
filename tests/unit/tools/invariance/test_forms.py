"""Other forms of a program: split over devices, and as compiled for training."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.programs.program import Program

_RANDOM = np.random.default_rng(0)
X, W = (_RANDOM.normal(size=size).astype(np.float32) for size in ((8, 16), (16, 16)))


def _norm(x: Any) -> Any:
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5)


# Functions of rows and a matrix, whose contractions and sums have enough terms to show their order.
FUNCTIONS: dict[str, Any] = {
    "perceptron": lambda x, w: jnp.tanh(x @ w) @ w,
    "softmax": lambda x, w: jax.nn.softmax(x @ w),
    "norm": lambda x, w: _norm(x) @ w,
    "gated": lambda x, w: jax.nn.sigmoid(x @ w) * x,
    "gelu": lambda x, w: jax.nn.gelu(x @ w) @ w.T,
    "residual": lambda x, w: x + jnp.sin(x @ w),
    "log-sum-exp": lambda x, w: jax.nn.logsumexp(x @ w, -1, keepdims=True) + x,
    "two layers": lambda x, w: jnp.tanh(jnp.tanh(x @ w) @ w.T),
    "squares": lambda x, w: (x @ w) ** 2 - x,
    "attention": lambda x, w: jax.nn.softmax((x @ w) @ w.T) * x,
}


def _loaded(function: Any) -> Program:
    return hlokit.load(jax.export.export(jax.jit(function))(X, W))


def _training(function: Any) -> Any:
    """A step of training: the results, the loss and its gradient."""

    def step(x: Any, w: Any) -> Any:
        def loss(w: Any) -> Any:
            y = function(x, w)
            return (y * y).sum(), y

        (value, y), gradient = jax.value_and_grad(loss, has_aux=True)(w)
        return y, value, gradient

    return step


def _reordered(function: Any, part: int) -> Any:
    """The function, whose products add in another order: of columns, or of halves."""

    def changed(x: Any, w: Any) -> Any:
        def product(one: Any, two: Any) -> Any:
            if part == 0:
                return lax.dot(one[:, ::-1], two[::-1])
            half = one.shape[1] // 2
            return lax.dot(one[:, :half], two[:half]) + lax.dot(one[:, half:], two[half:])

        jaxpr = jax.make_jaxpr(function)(x, w)
        return _with_products(jaxpr, product, x, w)

    return changed


def _with_products(jaxpr: Any, product: Any, *arguments: Any) -> Any:
    values = dict(zip(jaxpr.jaxpr.invars, arguments, strict=True))
    values |= dict(zip(jaxpr.jaxpr.constvars, jaxpr.consts, strict=True))

    def read(variable: Any) -> Any:
        return variable.val if hasattr(variable, "val") else values[variable]

    for equation in jaxpr.jaxpr.eqns:
        operands = list(map(read, equation.invars))
        if equation.primitive.name == "dot_general":
            results = product(*operands)
        else:
            results = equation.primitive.bind(*operands, **equation.params)
        of_all = results if equation.primitive.multiple_results else [results]
        values |= dict(zip(equation.outvars, of_all, strict=True))
    return read(jaxpr.jaxpr.outvars[0])


def test_rows_split_over_devices_keep_their_bytes() -> None:
    report = hlokit.invariance(_loaded(FUNCTIONS["perceptron"]), X, W, devices=(2, 8))
    assert report.is_kept
    assert [form.name for form in report.forms] == [f"split over {count} devices" for count in (2, 8)]


def test_a_contraction_split_over_devices_is_named() -> None:
    program = _loaded(FUNCTIONS["perceptron"])
    split = hlokit.shard(program, "model=4", {0: "P(None, 'model')", 1: "P('model')"})
    report = hlokit.invariance(program, X, W, forms={"split": split})
    (form,) = report.forms
    assert not report.is_kept and form.verdict.is_equal and form.changed == ("result 0",)
    assert form.operation.startswith("stablehlo.all_reduce at ")
    assert "as split: result 0: equal, exactly, but other bytes" in str(report)


def test_training_has_the_bytes_of_inference_or_means_something_else() -> None:
    function = FUNCTIONS["norm"]
    program = _loaded(function)
    assert hlokit.invariance(program, X, W, forms=[_loaded(_training(function))]).is_kept
    with_dropout = _loaded(lambda x, w: (function(x * (x > -1), w), x))
    (form,) = hlokit.invariance(program, X, W, forms={"training": with_dropout}).forms
    assert form.verdict.status == "differs" and form.operation == ""
    assert "as training: result 0: means something else" in str(form)


def test_the_side_runs_the_forms() -> None:
    """Such as XLA, where hlokit's own bytes are the same."""
    program = _loaded(FUNCTIONS["norm"])

    class Rounding:
        """hlokit, but with other bytes for programs of several results."""

        name, batch = "rounding", 1

        def run(self, module: str | bytes, inputs: Any, function: str = "main") -> list[Any]:
            loaded = hlokit.load(module)
            results = [np.asarray(result) for result in loaded.runs.evaluate(list(inputs), function)]
            return [np.nextafter(result, 9) for result in results] if len(results) > 1 else results

        def run_each(self, module: str | bytes, inputs: Any, function: str = "main") -> list[list[Any]]:
            return [self.run(module, values, function) for values in inputs]

        def close(self) -> None:
            """Nothing to close."""

    forms = {"training": _loaded(_training(FUNCTIONS["norm"])), "same": program}
    report = hlokit.invariance(program, X, W, against=Rounding(), forms=forms, devices=(2,))
    assert [form.name for form in report.forms if form.is_kept] == ["same", "split over 2 devices, on hlokit"]
    assert report.forms[0].verdict.is_equal


def test_forms_must_fit() -> None:
    program = _loaded(FUNCTIONS["norm"])
    with pytest.raises(hlokit.ArgumentError, match="must have 2 arguments and at least 1 result"):
        hlokit.invariance(program, X, W, forms={"one": hlokit.load("func.func @main() { return }")})


@pytest.mark.deep
def test_forty_seeded_forms_are_named() -> None:
    """Contractions split over 2, 4 or 8 devices, and training programs that add in another order."""
    wrong, count = list[str](), 0
    for name, function in FUNCTIONS.items():
        program = _loaded(function)
        forms: dict[str, tuple[Any, str]] = {}
        for devices in (2, 4, 8):
            split = hlokit.shard(program, {"model": devices}, {0: "P(None, 'model')", 1: "P('model')"})
            forms[f"{devices} devices"] = (split, "stablehlo.all_reduce stablehlo.reduce_scatter")
        for part, operation in enumerate(("stablehlo.dot_general", "stablehlo.add")):
            trained = _loaded(_training(_reordered(function, part)))
            forms[f"training {part}"] = (trained, operation)
        report = hlokit.invariance(program, X, W, forms={key: form for key, (form, _) in forms.items()})
        for form in report.forms:
            count += 1
            operation = form.operation.partition(" ")[0]
            if not form.verdict.is_equal or not operation or operation not in forms[form.name][1]:
                wrong.append(f"{name}: {form}")
    assert wrong == [] and count >= 40
