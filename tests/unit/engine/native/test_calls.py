"""Native loops that call kernels: the same bytes as with a kernel for each step, errors and effects included."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.loops import NativeLoop
from tests.generate.same import copies, listed
from tests.unit.engine.plan.plans import plan_of, step_named

# With this threshold, loops call kernels at any cost.
CALLING = DEFAULTS._replace(native_call_cost=0.0)
MATRIX = np.float32([[4, 1, 0.5], [1, 3, -1], [0.5, -1, 2]])
VECTOR = np.float32([0.25, -1.5, 3])


def factor(a: Any, x: Any) -> Any:
    """Factorisations, solutions and sorts between scalars that a condition and branches decide on."""

    def turn(state: Any) -> Any:
        i, x, t = state
        lower = jnp.linalg.cholesky(a.T + t * jnp.eye(3, dtype=a.dtype))
        y = jax.scipy.linalg.solve_triangular(lower, x[::-1], lower=True)
        values, places = lax.top_k(jnp.concatenate([y, -y]), 3)
        t = lax.cond(y.sum() > 0, lambda t: t * 1.01, lambda t: t * 0.99 + 0.001, t)
        inner = lax.while_loop(lambda s: s[1] < places[0] + 4, lambda s: (s[0] * 0.5, s[1] + 1), (values, 0))
        for _ in range(20):
            x = -x * 0.99
        return i + 1, x + 0.01 * inner[0] + i, t

    return lax.while_loop(lambda s: s[0] < 40, turn, (0, x, jnp.float32(0.5)))


def random_walk(seed: Any, x: Any) -> Any:
    """A generator of random bits with several results."""

    def turn(state: Any) -> Any:
        i, key, x = state
        key, bits = lax.rng_bit_generator(key, (4,), algorithm=lax.RandomAlgorithm.RNG_PHILOX)
        step = jnp.where(bits[0] > bits[1], 1, -1)
        return i + 1, key, jnp.where(x + step > 10, 0, x + step * i)

    return lax.while_loop(lambda s: s[0] < 60, turn, (0, seed, x))


PROGRAMS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "factor": (factor, (MATRIX, VECTOR)),
    "random_walk": (random_walk, (np.arange(4, dtype=np.uint32), np.int32(3))),
}


def text_of(name: str) -> str:
    with jax.enable_x64(True):
        function, arguments = PROGRAMS[name]
        return jax.jit(function).lower(*arguments).as_text()


@pytest.mark.parametrize("name", PROGRAMS)
def test_calls_give_the_bytes_of_kernels(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _, arguments = PROGRAMS[name]
    step = step_named(plan_of(text_of(name)), "stablehlo.while")
    cond, body = step.kernel.regions
    assert NativeLoop(cond, body, len(body.argument_types), CALLING).is_lowerable
    before, runs = copies(arguments), list[Any]()
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(text_of(name)).with_thresholds(CALLING)
        runs += [copies(listed(program(*arguments))) for _ in range(3)]
    assert copies(arguments) == before
    assert all(run == runs[0] for run in runs)


LOOP = """
  func.func @main(%n: tensor<i32>, %x: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {{
    %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<3xf32>
    cond {{
      %end = stablehlo.constant dense<30> : tensor<i32>
      %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    }} do {{
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      {body}
      stablehlo.return %j, %z : tensor<i32>, tensor<3xf32>
    }}
    return %0#0, %0#1 : tensor<i32>, tensor<3xf32>
  }}
"""
# A comparator with a branch is called for each pair.
SORT = """"stablehlo.sort"({}) ({{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %t = stablehlo.constant dense<true> : tensor<i1>
          %c = "stablehlo.if"(%t) ({{
            %g = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %g : tensor<i1>
          }}, {{
            stablehlo.return %t : tensor<i1>
          }}) : (tensor<i1>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
      }}) : (tensor<3xf32>) -> tensor<3xf32>"""


def lowerable(body: str) -> bool:
    step = step_named(plan_of(LOOP.format(body=body)), "stablehlo.while")
    cond, body_ = step.kernel.regions
    return NativeLoop(cond, body_, 2).is_lowerable


def test_a_loop_of_little_but_calls_keeps_its_kernels() -> None:
    sorts = [f"%s{n + 1} = " + SORT.format(f"%s{n}") for n in range(6)]
    few = "\n".join([*sorts, "%z = stablehlo.negate %s6 : tensor<3xf32>"]).replace("%s0", "%y")
    many = [f"%v{n + 1} = stablehlo.negate %v{n} : tensor<3xf32>" for n in range(40)]
    assert not lowerable(few)
    assert lowerable(
        "\n".join(["%v0 = " + SORT.format("%y"), *many, "%z = stablehlo.add %v40, %v39 : tensor<3xf32>"])
    )


def test_calls_are_compared_with_straight_line_code() -> None:
    """Many instructions between two calls save one call of straight-line code, not one kernel per instruction."""
    sorts = [f"%s{n + 1} = " + SORT.format(f"%s{n}") for n in range(6)]
    negations = [f"%v{n + 1} = stablehlo.negate %v{n} : tensor<3xf32>" for n in range(40)]
    body = "\n".join([*sorts, *negations, "%z = stablehlo.negate %v40 : tensor<3xf32>"])
    assert not lowerable(body.replace("%s0", "%y").replace("%v0 ", "%s6 "))


def test_nans_keep_their_bits_through_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sort moves NaNs, whose bits count; a sum before it makes others canonical."""
    body = [f"%v{n + 1} = stablehlo.negate %v{n} : tensor<3xf32>" for n in range(20)]
    body = ["%v0 = " + SORT.format("%y"), *body, "%s = stablehlo.multiply %v20, %v19 : tensor<3xf32>"]
    text = LOOP.format(body="\n".join([*body, "%z = stablehlo.maximum %s, %v20 : tensor<3xf32>"]))
    nans = np.uint32([0xFFC00001, 0x7FC12345, 0x3F800000]).view(np.float32)
    results: list[Any] = []
    for disabled in ("", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(text)
        results += [copies(listed(program(np.int32(n), nans))) for n in (0, 0, 29, 29)]
    assert results[:4] == results[4:]


def failing(x: Any) -> Any:
    def trap(value: Any) -> Any:
        if value > 30:
            raise ValueError("a value above 30")
        return value

    def inner(y: Any) -> Any:
        for _ in range(30):
            y = -y
        return jax.pure_callback(trap, jax.ShapeDtypeStruct((), np.float32), y) + 1

    def turn(state: Any) -> Any:
        return lax.cond(state[0] >= 0, lambda s: (s[0] + 1, inner(s[1])), lambda s: s, state)

    return lax.while_loop(lambda s: s[0] < 100, turn, (0, x))


def test_an_error_of_a_call_lists_the_operations_around_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Any] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.load(jax.jit(failing), np.float32(0))
        with pytest.raises(hlokit.EvaluationError, match="a value above 30") as raised:
            program(np.float32(0))
        found.append([(frame.op, frame.function) for frame in raised.value.frames])
    assert found[0] == found[1]
    assert len(found[0]) >= 3


def test_effects_of_calls_happen_in_every_turn() -> None:
    """Including calls whose results have no users."""

    def turn(state: Any) -> Any:
        jax.debug.print("turn {}", state[0])
        x = state[1]
        for _ in range(30):
            x = -x
        return state[0] + 1, x + 1

    jitted = jax.jit(lambda x: lax.while_loop(lambda s: s[0] < 20, turn, (0, x)))
    program = hlokit.load(jitted, np.float32(0))
    for _ in range(2):
        printed = io.StringIO()
        with redirect_stdout(printed):
            program(np.float32(0))
        assert printed.getvalue().split("\n")[:-1] == [f"turn {n}" for n in range(20)]
