"""`backend="xla"`: the same programs, arguments and exceptions, run by XLA:CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main

CHAIN = """
func.func @main(%x: tensor<3x4xf32>, %shift: tensor<f32>) -> (tensor<3x4xf32>, tensor<4x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %shift, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %1 = stablehlo.add %x, %0 : tensor<3x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  return %1, %2 : tensor<3x4xf32>, tensor<4x3xf32>
}
func.func @triple(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = stablehlo.constant dense<3> : tensor<2xi32>
  %1 = stablehlo.multiply %x, %0 : tensor<2xi32>
  return %1 : tensor<2xi32>
}
func.func private @unused(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = func.call @triple(%x) : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
"""
X = np.linspace(-2, 5, 12, dtype=np.float32).reshape(3, 4)


def identity(type_: str) -> str:
    return f"func.func @main(%x: {type_}) -> {type_} {{ return %x : {type_} }}\n"


def test_results_are_those_of_hlokit() -> None:
    compiled, plain = hlokit.load(CHAIN, backend="xla"), hlokit.load(CHAIN)
    for got, expected in zip(compiled(X, 0.25), plain(X, 0.25), strict=True):
        np.testing.assert_array_equal(got, expected)
        assert got.flags.writeable and got.flags.c_contiguous


def test_any_function_may_be_called() -> None:
    program = hlokit.load(CHAIN, backend="xla")
    np.testing.assert_array_equal(program([5, -6], function="triple"), [15, -18])
    np.testing.assert_array_equal(program([1, 2], function="unused"), [3, 6])
    assert program.functions == ("main", "triple", "unused")  # the module stays as it was


def test_results_outlive_other_calls() -> None:
    program = hlokit.load(CHAIN, backend="xla")
    first, _ = program(X, 1.0)
    kept = first.copy()
    program(X, 2.0)
    np.testing.assert_array_equal(first, kept)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("tensor<2xbf16>", np.array([1.5, -2.0], ml_dtypes.bfloat16)),
        ("tensor<2xf8E5M2>", np.array([1.5, -2.0], ml_dtypes.float8_e5m2)),
        ("tensor<3xi4>", np.array([-8, 7, 0], ml_dtypes.int4)),
        ("tensor<2xi64>", np.array([1 << 40, -1])),
        ("tensor<2xf64>", np.array([1e-300, 0.1])),
        ("tensor<1xcomplex<f64>>", np.array([1e-300 + 2j])),
        ("tensor<2xi1>", np.array([True, False])),
        ("tensor<0x2xf32>", np.zeros((0, 2), np.float32)),
        ("tensor<f32>", np.array(2.5, np.float32)),
    ],
)
def test_element_types(type_: str, value: np.ndarray) -> None:
    got = hlokit.load(identity(type_), backend="xla")(value)
    assert got.dtype == value.dtype
    np.testing.assert_array_equal(got, value)


def test_arguments_are_checked_as_without_a_backend() -> None:
    program = hlokit.load(CHAIN, backend="xla")
    with pytest.raises(hlokit.ArgumentError, match="argument 0 must have type"):
        program(X.T, 1.0)
    with pytest.raises(hlokit.ArgumentError, match="2 arguments"):
        program(X)


def test_pytrees_of_jax() -> None:
    program = hlokit.from_jax(lambda tree: {"sum": jnp.sum(tree["x"])}, {"x": X}, backend="xla")
    np.testing.assert_allclose(program({"x": X})["sum"], X.sum(), rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "argument", "reason"),
    [
        (identity("tensor<?xf32>"), np.zeros(2, np.float32), "static shapes"),
        (identity("tuple<tensor<f32>>"), (1.0,), "tensors only"),
        (
            "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
            "  %0 = stablehlo.custom_call @nobody(%x) : (tensor<f32>) -> tensor<f32>\n"
            "  return %0 : tensor<f32>\n}",
            1.0,
            "nobody",
        ),
        (
            "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
            "  %0 = stablehlo.create_token : !stablehlo.token\n"
            '  %1:2 = "stablehlo.infeed"(%0) <{infeed_config = ""}>\n'
            "    : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)\n"
            "  return %1#0 : tensor<f32>\n}",
            1.0,
            "one process",
        ),
    ],
)
def test_operations_that_xla_does_not_support(text: str, argument: object, reason: str) -> None:
    with pytest.raises(hlokit.UnsupportedError, match=reason):
        hlokit.load(text, backend="xla")(argument)


def test_results_of_other_types_are_reported() -> None:
    text = (Path(__file__).parents[2] / "docs/findings/xla_reduce_promoted.mlir").read_text()
    message = r"XLA returned tensor<1xf16> as result 0, the program says tensor<1xf32>"
    with pytest.raises(hlokit.EvaluationError, match=message):
        hlokit.load(text, backend="xla")()


def test_modules_without_a_name_may_be_nested() -> None:
    text = """func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
module { func.func @twice(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> } }"""
    x = np.array([1, 2], np.float32)
    for backend in ("numpy", "xla"):
        np.testing.assert_array_equal(hlokit.load(text, backend=backend)(x), 2 * x)


def test_observers_and_grids_are_refused() -> None:
    program = hlokit.load(CHAIN, backend="xla")
    with pytest.raises(hlokit.UnsupportedError, match="no steps to observe"):
        program(X, 1.0, observer=hlokit.Trace(print))
    with pytest.raises(hlokit.UnsupportedError, match="a single process"):
        program.run_parallel([(X, 1.0), (X, 1.0)])


def test_unknown_backend() -> None:
    with pytest.raises(hlokit.ArgumentError, match="numpy, xla"):
        hlokit.load(CHAIN, backend="gpu")  # pyright: ignore[reportArgumentType] # what no caller may pass


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "triple.mlir"
    file.write_text(CHAIN)
    command = ["run", str(file), "dense<4> : tensor<2xi32>", "--function=triple"]
    assert main([*command, "--backend=xla"]) == 0
    compiled = capsys.readouterr().out
    assert main(command) == 0
    assert compiled == capsys.readouterr().out
    assert main([*command, "--backend=tpu"]) == 2
    assert "numpy or xla" in capsys.readouterr().err


def test_jax_is_not_needed() -> None:
    script = (
        "import sys; sys.modules['jax'] = None\n"
        "import hlokit, numpy as np\n"
        f"print(hlokit.load({CHAIN!r}, backend='xla')([4, 5], function='triple'))"
    )
    # JAX, which the tests import, sets this variable.
    variables = {name: value for name, value in os.environ.items() if name != "TF_CPP_MIN_LOG_LEVEL"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=variables
    )
    assert (done.stdout, done.stderr) == ("[12 15]\n", "")


FACTORS = """
func.func @main(%a: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>) {
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {
    operand_layouts = [dense<[0, 1]> : tensor<2xindex>],
    result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>],
    mhlo.backend_config = {}, api_version = 4 : i32
  } : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  return %0#0, %0#1, %0#2 : tensor<3x3xf32>, tensor<3xi32>, tensor<i32>
}
"""


@pytest.mark.parametrize("before", ["", "import jax.numpy as jnp; jnp.linalg.inv(jnp.eye(2))"])
@pytest.mark.sample("import*")
def test_lapack_without_jax_and_with_it(before: str) -> None:
    """JAX makes the routines known to XLA when it is imported: without it, XLA knew none, or called a null pointer."""
    code = (
        f"{before}\nimport hlokit, numpy as np\na = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 10]], np.float32)\n"
        f"for got, wanted in zip(hlokit.load({FACTORS!r}, backend='xla')(a), hlokit.load({FACTORS!r})(a)):\n"
        "    np.testing.assert_allclose(got, wanted, atol=1e-5)\nprint('same')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "same\n"), done.stderr
