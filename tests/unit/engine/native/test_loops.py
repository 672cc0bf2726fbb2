"""Native loops: the same results as with kernels, and which loops have no lowering."""

from __future__ import annotations

import threading
from collections.abc import Generator
from typing import Any

import hypothesis.strategies as st
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from jax import lax

import hlokit
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import LAST_TO_COMPILE, RunContext, current_work
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.interpreter import tiers
from hlokit.engine.native import loops, straight_line
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.loops import NativeLoop
from hlokit.engine.plan.plan import Plan
from tests.generate import Program, generate
from tests.generate.same import assert_same, copies, listed
from tests.unit.engine.native.interrupting import interrupted_after
from tests.unit.engine.plan.plans import plan_of, step_named


def run(program: Program, monkeypatch: pytest.MonkeyPatch, disabled: str = "") -> list[Any]:
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    loaded, before = hlokit.load(program.text), copies(program.arguments)
    first, second = listed(loaded(*program.arguments)), listed(loaded(*program.arguments))
    assert copies(program.arguments) == before, "an argument was written"
    assert copies(first) == copies(second)
    return first


@pytest.mark.parametrize("profile", ["scalar-loops", "loops"])
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_random_loops_equal_the_kernels(profile: str, seed: int) -> None:
    program = generate(seed, profile)
    with pytest.MonkeyPatch.context() as patch:
        native, plain = run(program, patch), run(program, patch, "native")
    assert_same(tuple(native), tuple(plain), program.text)


@pytest.mark.parametrize("profile", ["scalar-loops", "loops"])
def test_random_loops_are_native(profile: str) -> None:
    """Otherwise the test above would show nothing."""
    count = 0
    for seed in range(40):
        step = step_named(plan_of(generate(seed, profile).text), "stablehlo.while")
        cond, body = step.kernel.regions
        count += NativeLoop(cond, body, len(body.argument_types)).is_lowerable
    assert count >= 38


def loop_text(body: str = "", state: str = "%i", condition: str = "LT", type_: str = "i32") -> str:
    t = f"tensor<{type_}>"
    zero, one, two = ("0.0", "1.0", "2.0") if type_ == "f32" else "012"
    return f"""
      func.func @half(%x: {t}) -> {t} {{
        %two = stablehlo.constant dense<{two}> : {t}
        %0 = stablehlo.divide %x, %two : {t}
        return %0 : {t}
      }}
      func.func @main(%n: {t}, %other: tensor<4xf32>) -> {t} {{
        %zero = stablehlo.constant dense<{zero}> : {t}
        %one = stablehlo.constant dense<{one}> : {t}
        %0 = stablehlo.while(%i = %zero) : {t} cond {{
          %p = stablehlo.compare {condition}, %i, %n : ({t}, {t}) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }} do {{
          {body}
          %j = stablehlo.add {state}, %one : {t}
          stablehlo.return %j : {t}
        }}
        return %0 : {t}
      }}"""


def scalar_loop(text: str, thresholds: Thresholds = DEFAULTS) -> NativeLoop:
    cond, body = step_named(plan_of(text), "stablehlo.while").kernel.regions
    return NativeLoop(cond, body, 1, thresholds)


FIT = {
    "straight": loop_text(),
    "call": loop_text(
        "%h = func.call @half(%i) : (tensor<i32>) -> tensor<i32> %k = stablehlo.add %h, %h : tensor<i32> %l = stablehlo.maximum %k, %i : tensor<i32>",
        "%l",
    ),
    "transcendental": loop_text(
        "%f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32> %s = stablehlo.sine %f : tensor<f32>"
        " %t = stablehlo.convert %s : (tensor<f32>) -> tensor<i32> %h = stablehlo.maximum %t, %i : tensor<i32>",
        "%h",
    ),
    "barrier": loop_text("%h = stablehlo.optimization_barrier %i : tensor<i32>", "%h"),
    "identity": loop_text("%h = stablehlo.convert %i : tensor<i32>", "%h"),
    "array": loop_text(
        "%r = stablehlo.slice %other [0:1] : (tensor<4xf32>) -> tensor<1xf32> %s = stablehlo.reshape %r : (tensor<1xf32>) -> tensor<f32>"
        " %t = stablehlo.convert %s : (tensor<f32>) -> tensor<i32> %h = stablehlo.maximum %t, %i : tensor<i32>",
        "%h",
    ),
}
NOT_LOWERABLE = {
    "trap": loop_text(
        '%h = "stablehlo.custom_call"(%i) {call_target_name = "nobody.knows"} : (tensor<i32>) -> tensor<i32>',
        "%h",
    ),
    "special": loop_text("%h = chlo.lgamma %i : tensor<f32> -> tensor<f32>", "%h", type_="f32"),
    "narrow": loop_text(type_="i4"),
}


@pytest.mark.parametrize("text", FIT.values(), ids=FIT)
def test_which_loops_are_lowerable(text: str) -> None:
    assert scalar_loop(text).is_lowerable
    assert int(hlokit.load(text)(np.int32(1000), np.zeros(4, np.float32))) == 1000


@pytest.mark.parametrize("text", NOT_LOWERABLE.values(), ids=NOT_LOWERABLE)
def test_which_loops_are_not_lowerable(text: str) -> None:
    assert not scalar_loop(text).is_lowerable


@pytest.mark.parametrize("disabled", ["native-loops", "fusion,native"])
def test_switch(disabled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    assert not scalar_loop(FIT["straight"]).is_lowerable


def test_an_observer_sees_every_step() -> None:
    class Counter:
        count = 0

        def before(self, plan: Any, step: Any, operands: Any) -> None:
            self.count += step.name == "stablehlo.add"

        def after(self, plan: Any, step: Any, operands: Any, results: Any) -> None:
            pass

    counter = Counter()
    hlokit.load(FIT["straight"])(np.int32(50), np.zeros(4, np.float32), observer=counter)
    assert counter.count == 50


def test_short_loops_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []

    def fail(*arguments: Any, **_: Any) -> None:
        tried.append(arguments)
        raise NotLowerable

    monkeypatch.setattr(loops, "loop_program", fail)
    loaded = hlokit.load(FIT["straight"])
    loaded(np.int32(3), np.zeros(4, np.float32))
    assert not tried
    loaded(np.int32(30), np.zeros(4, np.float32))
    loaded(np.int32(30), np.zeros(4, np.float32))
    assert len(tried) == 1
    at_once = loaded.with_thresholds(DEFAULTS._replace(loop_first_iterations=0))
    at_once(np.int32(3), np.zeros(4, np.float32))
    assert len(tried) == 2


@pytest.mark.parametrize(
    ("additions", "units", "calls"), [(10, 1, 3), (10, 20, 2), (10, 100, 1), (350, 1, 6), (350, 250, 3)]
)
def test_loops_with_few_iterations_are_compiled_in_parts(additions: int, units: int, calls: int) -> None:
    """Lowering pauses after each hundred instructions of the body, then comes the other half of the work."""
    body = "".join(f"%{n + 1} = stablehlo.add %{n}, %i : tensor<i32>\n" for n in range(1, additions))
    text = loop_text(body=f"%1 = stablehlo.add %i, %i : tensor<i32>\n{body}", state=f"%{additions}")
    loop = scalar_loop(text)
    operands = np.int32(0), np.int32(300), np.int32(1)  # start, %n, %one
    work = current_work()
    work.left = 0
    assert loop.compile_part(operands) is None
    for _ in range(calls - 1):
        work.left = units
        assert loop.compile_part(operands) is None and loop.compiled(operands) is None
        assert work.left <= 0
    work.left = units
    program = loop.compile_part(operands)
    assert program is not None and loop.compiled(operands) is program and loop.compile(operands) is program
    at_once = scalar_loop(text).compile(operands)
    expected = 0
    while expected < 300:
        expected = expected * (additions + 1) + 1
    assert at_once is not None and program.run(*operands) == at_once.run(*operands) == expected


def test_the_fifth_run_compiles_loops_of_few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop of three, too large for straight-line code: no later run takes longer than others."""
    body = "".join(f"%{n + 1} = stablehlo.add %{n}, %i : tensor<i32>\n" for n in range(1, 350))
    loaded = hlokit.load(loop_text(f"%1 = stablehlo.maximum %i, %i : tensor<i32>\n{body}", "%1"))
    results: list[int] = []
    compiled: list[int] = []

    def recorded(*arguments: Any, **keywords: Any) -> Any:
        compiled.append(len(results) + 1)
        return loop_program(*arguments, **keywords)

    loop_program = loops.loop_program
    monkeypatch.setattr(loops, "loop_program", recorded)
    for _ in range(39):
        results.append(int(loaded(np.int32(3), np.zeros(4, np.float32))))
    assert results == [3] * 39
    assert compiled and max(compiled) == LAST_TO_COMPILE


_ADDITIONS = 200
# A loop of `%n` iterations whose body calls a function of many additions, twice.
CALLING = loop_text(
    body="%f = func.call @many(%i) : (tensor<i32>) -> tensor<i32>\n"
    "%g = func.call @many(%f) : (tensor<i32>) -> tensor<i32>"
) + "func.func @many(%x0: tensor<i32>) -> tensor<i32> {{ {} return %x{} : tensor<i32> }}".format(
    "\n".join(f"%x{i + 1} = stablehlo.add %x{i}, %x0 : tensor<i32>" for i in range(_ADDITIONS)), _ADDITIONS
)


def test_the_first_run_compiles_the_loop_but_not_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[int] = []

    def counting(plan: Plan, thresholds: Thresholds) -> Generator[Plan, None, Plan]:
        compiled.append(len(plan.steps))
        return straight_line.straight_line_code(plan, thresholds)

    monkeypatch.setattr(tiers, "_with_straight_line_code", counting)
    other = np.zeros(4, np.float32)
    thresholds = DEFAULTS._replace(scalar_kernel_cost=1.0)

    loaded = hlokit.load(CALLING).with_thresholds(thresholds)
    assert loaded(np.int32(20), other) == 20
    assert not compiled
    # Later runs of a loop with few iterations compile the body: two calls, which become a part of it, and an
    # addition.
    loaded = hlokit.load(CALLING).with_thresholds(thresholds)
    assert loaded(np.int32(3), other) == 3
    assert not compiled
    for _ in range(3):
        assert loaded(np.int32(3), other) == 3
    assert 3 in compiled
    (loop,) = loaded.runs.block(loaded.entry()).plan.steps
    assert all(region._compiled is not None for region in loop.kernel.regions)


@pytest.mark.parametrize(("small", "is_lowerable"), [(2, False), (60, True)])
def test_loops_with_many_small_operations_may_have_large_ones(small: int, is_lowerable: bool) -> None:
    large = "tensor<160000xi32>"
    additions = "\n".join(f"%a{i + 1} = stablehlo.multiply %a{i}, %i : tensor<i32>" for i in range(small))
    text = loop_text(
        body=f"""
          %a0 = stablehlo.add %i, %i : tensor<i32>
          {additions}
          %b = stablehlo.broadcast_in_dim %a{small}, dims = [] : (tensor<i32>) -> {large}
          %k = stablehlo.iota dim = 0 : {large}
          %c = stablehlo.multiply %b, %k : {large}
          %d = stablehlo.slice %c [7:8] : ({large}) -> tensor<1xi32>
          %e = stablehlo.reshape %d : (tensor<1xi32>) -> tensor<i32>""",
        state="%e",
    )
    cond, body = step_named(plan_of(text), "stablehlo.while").kernel.regions
    assert NativeLoop(cond, body, 1).is_lowerable == is_lowerable


@pytest.mark.parametrize("part", ["f32", "f64"])
def test_loops_that_capture_a_complex_number_are_native(part: str) -> None:
    text = f"""
      func.func @main(%x: tensor<3xcomplex<{part}>>, %c: tensor<complex<{part}>>) -> tensor<3xcomplex<{part}>> {{
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %n = stablehlo.constant dense<20> : tensor<i32>
        %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<3xcomplex<{part}>> cond {{
          %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }} do {{
          %j = stablehlo.add %i, %one : tensor<i32>
          %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<complex<{part}>>) -> tensor<3xcomplex<{part}>>
          %t = stablehlo.multiply %s, %b : tensor<3xcomplex<{part}>>
          stablehlo.return %j, %t : tensor<i32>, tensor<3xcomplex<{part}>>
        }}
        return %0#1 : tensor<3xcomplex<{part}>>
      }}"""
    dtype = np.dtype(np.complex64 if part == "f32" else np.complex128)
    x, number = np.array([1, 2j, 3 - 1j], dtype), dtype.type(0.6 - 0.7j)
    plan = plan_of(text)
    loop = step_named(plan, "stablehlo.while")
    values = dict(plan.constants) | {0: x, 1: number}
    cond, body = loop.kernel.regions
    assert NativeLoop(cond, body, 2).compile(tuple(values[slot] for slot in loop.operands)) is not None
    program = hlokit.load(text)
    results = [program(x, each).tobytes() for each in (number, dtype.type(0.1j)) for _ in range(2)]
    assert results[0] == results[1]
    assert results[2] == results[3] != results[0]


def test_bodies_of_many_operations_are_native() -> None:
    additions = "\n".join(f"%a{i + 1} = stablehlo.add %a{i}, %i : tensor<i32>" for i in range(6000))
    text = loop_text(body=f"%a0 = stablehlo.add %i, %i : tensor<i32>\n{additions}", state="%a6000")
    cond, body = step_named(plan_of(text), "stablehlo.while").kernel.regions
    assert NativeLoop(cond, body, 1).is_lowerable


def test_the_first_run_compiles_a_large_loop_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a program for its captured scalars; a general one would have to be compiled as well."""
    compiled: list[bool] = []
    loop_program = loops.loop_program

    def counting(loop: loops.Loop, captured: tuple[Value, ...], **more: Any) -> Any:
        compiled.append(bool(captured))
        return loop_program(loop, captured, **more)

    monkeypatch.setattr(loops, "loop_program", counting)
    additions = "\n".join(f"%a{i + 1} = stablehlo.add %a{i}, %one : tensor<i32>" for i in range(1500))
    text = loop_text(body=f"%a0 = stablehlo.add %i, %one : tensor<i32>\n{additions}", state="%a1500")
    program = hlokit.load(text)
    assert program(np.int32(1 << 20), np.zeros(4, np.float32)) == 699 * 1502
    assert compiled == [True]


def test_a_signal_ends_an_endless_loop() -> None:
    endless = hlokit.load(loop_text(condition="NE", state="%zero"))

    with interrupted_after(0.2):
        endless(np.int32(5), np.zeros(4, np.float32))


def test_other_threads_continue() -> None:
    """A loop of ten million iterations releases Python's lock."""
    counted = 0
    loaded = hlokit.load(FIT["straight"])
    thread = threading.Thread(target=lambda: loaded(np.int32(10_000_000), np.zeros(4, np.float32)))
    thread.start()
    while thread.is_alive():
        counted += 1
    assert counted > 10


def test_loops_with_short_inner_loops_are_compiled_early() -> None:
    """An iteration of the outer loop evaluates 49 times as many steps as it has."""

    def program(x: Any) -> Any:
        def inner(i: Any, x: Any) -> Any:
            return lax.fori_loop(0, x.astype(jnp.int32) % 1 + 7, lambda j, y: jnp.sin(y) + j, x) + i

        def outer(i: Any, x: Any) -> Any:
            return lax.fori_loop(0, x.astype(jnp.int32) % 1 + 7, inner, x) * i

        return lax.fori_loop(0, 30, outer, x)

    loaded = hlokit.from_jax(program, np.float32(0.5))
    context = RunContext()
    loaded.runs.evaluate([np.float32(0.5)], "main", context=context)
    assert context.work is not None and 49 < context.work.evaluated < 2 * 49 * 10
