"""What a program of a JAX function takes: pytrees, keywords, flat arrays, static arguments."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit

jax = pytest.importorskip("jax")
PARAMS = {"b": jax.numpy.zeros(2), "w": jax.numpy.ones((3, 2))}
X = jax.numpy.ones((4, 3))


def layer(params: Any, x: Any) -> Any:
    return {"y": x @ params["w"] + params["b"]}


FORMS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((PARAMS, X), {}),
    ((PARAMS,), {"x": X}),
    ((), {"params": PARAMS, "x": X}),
    ((np.zeros(2, np.float32), np.ones((3, 2), np.float32), np.ones((4, 3), np.float32)), {}),
]


def never(*_: object) -> bool:
    return False


def test_every_function_takes_every_form(tmp_path: Path) -> None:
    program = hlokit.from_jax(layer, PARAMS, X)
    for number, (arguments, keywords) in enumerate(FORMS):
        assert program(*arguments, **keywords)["y"].tolist() == [[3, 3]] * 4
        assert program.trace(*arguments, **keywords).first_nan is None
        assert hlokit.diff(program, *arguments, against=program, **keywords).status == 0
        run = hlokit.record(program, *arguments, to=tmp_path / str(number), **keywords)
        assert len(run.arguments) == 3
        assert hlokit.make_test(program, *arguments, **keywords).programs == 1
        assert program.view(*arguments, **keywords).html.startswith("<!doctype html>")
        with pytest.raises(hlokit.ArgumentError, match="does not show the fault"):
            hlokit.reduce(program, *arguments, keep=never, **keywords)
    jitted = jax.jit(layer)
    assert hlokit.diff(jitted, PARAMS, X, against=program).status == 0
    assert hlokit.make_test(jitted, PARAMS, X).programs == 1


def test_arrays_of_64_bits_are_taken_as_jax_takes_them() -> None:
    examples = (np.arange(3), np.uint64(2), np.linspace(0, 1, 3), {"z": np.ones(3) * 2j})

    def function(*arguments: Any) -> Any:
        return arguments

    jitted = jax.jit(function)
    blob = jax.export.export(jitted)(*examples).serialize()
    for program in (
        hlokit.from_jax(jitted, *examples),
        hlokit.load(jitted.lower(*examples)),
        hlokit.load(blob),
    ):
        results, expected = (jax.tree_util.tree_leaves(run(*examples)) for run in (program, jitted))
        assert [result.dtype for result in results] == [np.int32, np.uint32, np.float32, np.complex64]
        assert all(np.array_equal(*pair) for pair in zip(results, expected, strict=True))
        assert pickle.loads(pickle.dumps(program))(*examples)[0].tolist() == [0, 1, 2]
        assert program(*examples[:2], np.float64([1e300, 2, 3]), examples[3])[2].tolist() == [np.inf, 2, 3]
        assert hlokit.diff(program, *examples, against=program).status == 0
        with pytest.raises(hlokit.ArgumentError, match=r"must have type tensor<3xi32>, got tensor<3xf64>"):
            program(np.ones(3), *examples[1:])
    with jax.enable_x64(True):  # JAX would make another program
        with pytest.raises(hlokit.ArgumentError, match=r"must have type tensor<3xi32>, got tensor<3xi64>"):
            program(*examples)
        wide = hlokit.from_jax(function, *examples)
    assert [leaf.dtype for leaf in jax.tree_util.tree_leaves(wide(*examples))][2] == np.float64
    keys = hlokit.from_jax(jax.random.bits, jax.random.key(1))
    assert keys(jax.random.key(1)) == jax.random.bits(jax.random.key(1))
    with pytest.raises(hlokit.ArgumentError, match="got tensor<2xi64>"):
        keys(np.arange(2))


def test_what_is_missing_is_named() -> None:
    program = hlokit.from_jax(layer, PARAMS, X)
    rows: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((PARAMS,), {}, "x is missing"),
        (({"w": PARAMS["w"]}, X), {}, "params['b'] is missing"),
        (({**PARAMS, "c": X}, X), {}, "params['c'] is not expected"),
        ((PARAMS, X, X), {}, "the function takes 2 positional arguments (params, x), got 3"),
        ((PARAMS,), {"params": PARAMS, "x": X}, "params must be given once"),
        ((PARAMS,), {"xs": X}, "there is no parameter xs; there are params, x"),
        ((PARAMS, X), {"parms": 1}, "did you mean params=?"),
    ]
    for arguments, keywords, message in rows:
        with pytest.raises(hlokit.ArgumentError) as caught:
            program(*arguments, **keywords)
        assert message in str(caught.value)


def scaled(x: Any, n: int, mode: str = "times") -> Any:
    return x * n if mode == "times" else x + n


@pytest.mark.parametrize("make", [hlokit.from_jax, hlokit.load])
def test_static_arguments(make: Callable[..., hlokit.Program]) -> None:
    by_number = make(jax.jit(scaled, static_argnums=(1, 2)), X, 3, "plus")
    by_name = make(jax.jit(scaled, static_argnames=("n", "mode")), X, n=3, mode="plus")
    first = make(jax.jit(partial(lambda n, x: x + n), static_argnums=0), 3, X)
    for program in (by_number, by_name, pickle.loads(pickle.dumps(by_number))):
        assert program(X)[0, 0] == 4
    assert by_number(X, 3, "plus")[0, 0] == by_name(X, n=3, mode="plus")[0, 0] == first(3, X)[0, 0] == 4
    for call, message in (
        (lambda: by_number(X, 4), "argument 1 is static: it must be 3 in this program, got 4"),
        (lambda: by_name(X, mode="times"), "mode is static: it must be 'plus' in this program"),
    ):
        with pytest.raises(hlokit.ArgumentError, match=message):
            call()
    assert hlokit.diff(jax.jit(scaled, static_argnums=(1, 2)), X, 3, "plus", against=by_number).status == 0


def test_wrong_examples() -> None:
    rows: list[tuple[Callable[[], object], str]] = [
        (lambda: hlokit.from_jax(layer, PARAMS), "layer: missing a required argument: 'x'"),
        (lambda: hlokit.from_jax(layer, PARAMS, X, bakend="xla"), "did you mean backend=?"),
        (lambda: hlokit.from_jax(layer, "text", X), "from_jax: "),
        (lambda: hlokit.from_jax(3, X), "function must be a function that jax.jit takes, got 3"),  # pyright: ignore
    ]
    for call, message in rows:
        with pytest.raises(hlokit.ArgumentError) as caught:
            call()
        assert message in str(caught.value)

    def fails(x: Any) -> Any:
        raise TypeError("of the user")

    with pytest.raises(TypeError, match="of the user"):
        hlokit.from_jax(fails, X)


def test_examples_of_keywords_are_flat() -> None:
    program = hlokit.from_jax(lambda params, *, x: layer(params, x), PARAMS, x=X)
    examples = program.example_inputs()
    assert [array.shape for array in examples] == [(2,), (3, 2), (4, 3)]
    assert program(*examples)["y"].shape == (4, 2)
