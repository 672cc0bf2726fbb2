"""Dynamic shapes: set_dimension_size, shape assertions, and JAX's programs of symbolic shapes against JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import export, lax

import hlokit
from hlokit.engine.contract import run_context
from hlokit.errors import EvaluationError

SET_SIZE = """
  func.func @main(%operand: tensor<4x2xf32>, %size: tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>> {
    %result = stablehlo.set_dimension_size %operand, %size, dim = 0
      : (tensor<4x2xf32>, tensor<i32>) -> tensor<?x2xf32, #stablehlo.bounds<4, ?>>
    return %result : tensor<?x2xf32, #stablehlo.bounds<4, ?>>
  }"""


@pytest.mark.parametrize("size", [0, 3, 4])
def test_set_dimension_size(size: int) -> None:
    operand = np.arange(8, dtype=np.float32).reshape(4, 2)
    np.testing.assert_array_equal(hlokit.load(SET_SIZE)(operand, np.int32(size)), operand[:size])


@pytest.mark.parametrize("size", [-1, 5])
def test_a_size_out_of_bounds(size: int) -> None:
    with pytest.raises(EvaluationError, match=f"size must be from 0 to 4, got {size}"):
        hlokit.load(SET_SIZE)(np.zeros((4, 2), np.float32), np.int32(size))


def test_operations_see_the_size_that_was_set() -> None:
    bounded = "tensor<?xi32, #stablehlo.bounds<4>>"
    program = hlokit.load(f"""
      func.func @main(%operand: tensor<4xi32>, %size: tensor<i32>) -> (tensor<i32>, tensor<i32>) {{
        %part = stablehlo.set_dimension_size %operand, %size, dim = 0 : (tensor<4xi32>, tensor<i32>) -> {bounded}
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [0] : ({bounded}, tensor<i32>) -> tensor<i32>
        %count = stablehlo.get_dimension_size %part, dim = 0 : ({bounded}) -> tensor<i32>
        return %sum, %count : tensor<i32>, tensor<i32>
      }}""")
    assert [int(value) for value in program(np.array([1, 2, 3, 4], np.int32), np.int32(3))] == [6, 3]


def test_shape_assertion() -> None:
    program = hlokit.load("""
      func.func @main(%ok: tensor<i1>, %a: tensor<i32>, %b: tensor<i64>) {
        stablehlo.custom_call @shape_assertion(%ok, %a, %b) {
          error_message = "{0} must not be {1,3:x}; {2} and {} stay", has_side_effect = true
        } : (tensor<i1>, tensor<i32>, tensor<i64>) -> ()
        return
      }""")
    assert program(np.bool_(True), np.int32(1), np.int64(2)) == ()
    with pytest.raises(EvaluationError, match=r"7 must not be -9; \{2\} and \{\} stay"):
        program(np.bool_(False), np.int32(7), np.int64(-9))


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "products": lambda x: jnp.tanh(x) @ x.T + x.sum(),
    "sort": jnp.sort,
    "slices": lambda x: (x[1:, :-1], x[::2], x[::-1]),
    "reshape": lambda x: x.reshape(-1),
    "concatenate": lambda x: jnp.concatenate([x, x]),
    "counts": lambda x: jnp.arange(x.shape[0] * 2),
    "softmax": jax.nn.softmax,
    "mean": lambda x: x.mean(0) / x.shape[0],
    "gather": lambda x: jnp.take(x, jnp.arange(x.shape[0]) % 2, axis=0),
    "pad": lambda x: jnp.pad(x, ((0, x.shape[0]), (1, 2))),
    "pool": lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 1), "SAME"),
    "scatter": lambda x: x.at[jnp.arange(x.shape[0])].add(1.0),
    "loop": lambda x: lax.fori_loop(0, x.shape[0], lambda i, total: total + x[i].sum(), 0.0),
    "scan": lambda x: lax.scan(lambda total, row: (total + row, total * 2), jnp.zeros(x.shape[1]), x),
    "random": lambda x: jax.random.normal(jax.random.key(0), x.shape),
    "top_k": lambda x: lax.top_k(x, x.shape[1] - 1),
    "cholesky": lambda x: jnp.linalg.cholesky(x @ x.T + jnp.eye(x.shape[0])),
    "singular_values": lambda x: jnp.linalg.svd(x, compute_uv=False),
    "gradient": jax.grad(lambda x: (jnp.sin(x) @ x.T).sum()),
    "erf": lambda x: jax.nn.gelu(x, approximate=False),
}


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.sample("[a-m]*")
def test_symbolic_shapes(name: str) -> None:
    shape = jax.ShapeDtypeStruct(export.symbolic_shape("b, n"), jnp.float32)
    exported = export.export(jax.jit(PROGRAMS[name]))(shape)
    program = hlokit.load(bytes(exported.serialize()))
    for sizes in ((4, 5), (6, 7)):
        x = np.random.default_rng(0).normal(size=sizes).astype(np.float32)
        want, got = (
            jax.tree_util.tree_leaves(function(x)) for function in (jax.jit(PROGRAMS[name]), program)
        )
        for actual, expected in zip(got, want, strict=True):
            assert actual.shape == expected.shape
            np.testing.assert_allclose(actual, np.asarray(expected), rtol=2e-4, atol=2e-4)


def test_a_shape_that_breaks_its_constraint() -> None:
    shape = jax.ShapeDtypeStruct(export.symbolic_shape("2*b, n"), jnp.float32)
    exported = export.export(jax.jit(lambda x: x.reshape(2, -1)))(shape)
    program = hlokit.load(bytes(exported.serialize()))
    assert program(np.ones((4, 3), np.float32)).shape == (2, 6)
    with pytest.raises(EvaluationError, match=r"Input shapes do not match.*2\*b"):
        program(np.ones((3, 3), np.float32))


def test_a_shape_that_no_array_has() -> None:
    text = """func.func @main(%sizes: tensor<2xi64>) -> tensor<?x?xf32> {
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.dynamic_broadcast_in_dim %0, %sizes, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
      return %1 : tensor<?x?xf32>
    }"""
    program = hlokit.load(text)
    assert program([0, 2]).shape == (0, 2)
    for sizes in ([9 * 10**18, 9 * 10**18], [0, 9 * 10**18]):
        with pytest.raises(hlokit.EvaluationError, match="must be a shape that fits into memory"):
            program(sizes)


BOUNDED = "tensor<?xf32, #stablehlo.bounds<4>>"
GROWING = f"""
  func.func @main(%operand: tensor<4xf32>, %less: tensor<i32>, %more: tensor<i32>) -> ({BOUNDED}, {BOUNDED}) {{
    %part = stablehlo.set_dimension_size %operand, %less, dim = 0 : (tensor<4xf32>, tensor<i32>) -> {BOUNDED}
    %whole = stablehlo.set_dimension_size %part, %more, dim = 0 : ({BOUNDED}, tensor<i32>) -> {BOUNDED}
    %twice = stablehlo.add %part, %part : {BOUNDED}
    %grown = stablehlo.set_dimension_size %twice, %more, dim = 0 : ({BOUNDED}, tensor<i32>) -> {BOUNDED}
    return %whole, %grown : {BOUNDED}, {BOUNDED}
  }}"""


@pytest.mark.parametrize("tier", ["default", "reference"])
def test_a_bounded_dimension_grows_up_to_its_bound(tier: Any) -> None:
    program, operand = hlokit.load(GROWING), np.array([1, 2, 3, 4], np.float32)
    for less, more in ((1, 3), (2, 4), (0, 1), (3, 2), (2, 2)):
        for _ in range(3):
            whole, grown = program(operand, np.int32(less), np.int32(more), tier=tier)
            assert whole.tolist() == [1.0, 2.0, 3.0, 4.0][:more]
            assert grown.tolist() == [2.0 * (i + 1) if i < less else 0.0 for i in range(more)]
    with pytest.raises(EvaluationError, match="size must be from 0 to 4, got 5"):
        program(operand, np.int32(1), np.int32(5), tier=tier)


def test_parts_are_forgotten_with_their_run() -> None:
    context = run_context.RunContext()
    values = np.ones(4, np.float32), np.int32(1), np.int32(3)
    results = hlokit.load(GROWING).runs.evaluate(values, "main", context=context)
    assert context.wholes
    del results
    assert not context.wholes
