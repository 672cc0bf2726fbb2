"""Fusion: which steps are fused, and that it changes no result."""

from __future__ import annotations

import tracemalloc
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from hlokit.engine.contract.nan_bits import CANONICAL_NAN
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.fused.candidates import may_have_fusions
from hlokit.engine.native.fused.fusion import find_fusions, with_fusions
from hlokit.engine.plan.evaluate import guarded
from hlokit.engine.plan.executors import generate as compiled
from hlokit.engine.plan.executors import run_steps
from tests.generate import generate
from tests.generate.layouts import in_plans
from tests.generate.same import assert_same
from tests.unit.engine.plan.plans import names, plan_of

# However little the work is.
FUSE = DEFAULTS._replace(fusion_work=0)
FUSE_SMALL = FUSE._replace(fusion_elements=90)
# Scalars may be arrays too, because regions are vectorised.
FUSE_ALL = FUSE._replace(fusion_elements=2)


@pytest.mark.parametrize("profile", ["fusion", "row-fusion", "complex-fusion"])
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.sample("fusion", "row-fusion")
def test_random_fusions_equal_the_kernels(profile: str, seed: int) -> None:
    program = generate(seed, profile)
    values = in_plans(program.arguments)
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        plan = plan_of(program.text)
        expected = run_steps(plan, *values)
        fused = with_fusions(plan, FUSE_SMALL)
        assert_same(compiled(fused)(*values), expected, program.text)
        assert_same(run_steps(fused, *values), expected, program.text)
        patch.setenv("HLOKIT_DISABLE", "native")
        assert_same(run_steps(plan_of(program.text), *values), expected, program.text)


@pytest.mark.parametrize(
    ("profile", "steps"), [("fusion", 100), ("row-fusion", 150), ("complex-fusion", 100)]
)
def test_random_programs_have_fusions(profile: str, steps: int) -> None:
    """Otherwise the test above would show nothing."""
    plans = [plan_of(generate(seed, profile).text) for seed in range(20)]
    found_ = [fusion for plan in plans for fusion in find_fusions(plan, FUSE_SMALL)]
    assert all(may_have_fusions(plan, FUSE_SMALL) for plan in plans if find_fusions(plan, FUSE_SMALL))
    assert sum(len(fusion.steps) for fusion in found_) >= steps


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_programs_of_all_kinds_are_the_same_without_native_code(seed: int) -> None:
    text = generate(seed, "oracles").text

    def third_run() -> Any:  # the second one compiles
        loaded = hlokit.load(text).with_thresholds(FUSE_ALL)
        loaded(), loaded()
        return loaded()

    with pytest.MonkeyPatch.context() as patch:
        native = third_run()
        patch.setenv("HLOKIT_DISABLE", "native")
        assert_same(native, third_run(), text)


T, P = "tensor<64x128xf32>", "tensor<64x128xi1>"


def plan(body: str, returned: str) -> Any:
    results = ", ".join([T] * len(returned.split(",")))
    return plan_of(
        f"func.func @main(%x: {T}, %y: {T}) -> ({results}) {{\n{body}\nreturn {returned} : {results}\n}}"
    )


def found(body: str, returned: str) -> list[list[str]]:
    """The operations of each fused computation, which makes the NaNs of some results canonical."""
    planned = plan(body, returned)
    fusions = [[names(planned)[index] for index in fusion.steps] for fusion in find_fusions(planned, FUSE)]
    return [[name for name in fusion if name != CANONICAL_NAN] for fusion in fusions]


ADD = f"%a = stablehlo.add %x, %y : {T}\n"
MULTIPLY = f"%m = stablehlo.multiply %a, %y : {T}\n"
REVERSE = f"%s = stablehlo.reverse %x, dims = [0] : {T}\n"


def test_two_steps() -> None:
    assert found(ADD + MULTIPLY, "%m") == [["add", "multiply"]]


def test_one_step_is_not_fused() -> None:
    text = f"func.func @main(%x: {T}) -> {T} {{ %0 = stablehlo.negate %x : {T} return %0 : {T} }}"
    assert find_fusions(plan_of(text), FUSE) == []
    assert find_fusions(plan(ADD, "%a")) == []  # nor with what makes its NaNs canonical, on 8192 elements


def test_steps_whose_results_are_all_used_outside_are_not_fused() -> None:
    negate = f"%a = stablehlo.negate %x : {T}\n%m = stablehlo.negate %a : {T}\n"
    assert found(negate, "%a, %m") == []


def test_independent_steps_may_separate_fused_steps() -> None:
    assert found(ADD + REVERSE + MULTIPLY, "%m, %s") == [["add", "multiply"]]


def test_a_step_that_needs_a_value_ends_the_fusion() -> None:
    reverse = f"%s = stablehlo.reverse %m, dims = [0] : {T}\n"
    negate = f"%n = stablehlo.negate %m : {T}\n%p = stablehlo.subtract %n, %s : {T}\n"
    assert found(ADD + MULTIPLY + reverse + negate, "%p") == [["add", "multiply"], ["negate", "subtract"]]


def test_calls_are_inlined() -> None:
    text = f"""
      func.func private @relu(%x: {T}) -> {T} {{
        %c = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> {T}
        %1 = stablehlo.maximum %x, %0 : {T}
        return %1 : {T}
      }}
      func.func private @reversed(%x: {T}) -> {T} {{
        %0 = stablehlo.reverse %x, dims = [0] : {T}
        return %0 : {T}
      }}
      func.func @main(%x: {T}) -> {T} {{
        %0 = func.call @relu(%x) : ({T}) -> {T}
        %1 = stablehlo.add %0, %x : {T}
        %2 = func.call @reversed(%1) : ({T}) -> {T}
        return %2 : {T}
      }}"""
    (fusion,) = find_fusions(plan_of(text), FUSE)
    assert fusion.steps == [0, 1, 2]


def test_small_arrays_are_left_alone() -> None:
    small = "tensor<8xf32>"
    text = f"func.func @main(%x: {small}) -> {small} {{ %0 = stablehlo.add %x, %x : {small} %1 = stablehlo.multiply %0, %x : {small} return %1 : {small} }}"
    assert find_fusions(plan_of(text), FUSE) == []


@pytest.mark.parametrize(("count", "is_fused"), [(1 << 13, False), (1 << 14, True), (1 << 17, True)])
def test_little_work_on_arrays_for_straight_line_code_is_not_fused(count: int, is_fused: bool) -> None:
    """Fused computations on arrays of these sizes would take one thread, as straight-line code does."""
    type_ = f"tensor<{count}xf32>"
    body = "\n".join(f"%{n + 1} = stablehlo.tanh %{n} : {type_}" for n in range(7))
    text = f"func.func @main(%0: {type_}) -> {type_} {{\n{body}\nreturn %7 : {type_} }}"
    assert bool(find_fusions(plan_of(text))) == is_fused
    few = f"func.func @main(%0: {type_}) -> {type_} {{ %1 = stablehlo.add %0, %0 : {type_} %2 = stablehlo.multiply %1, %0 : {type_} return %2 : {type_} }}"
    assert bool(find_fusions(plan_of(few))) == (count >= DEFAULTS.straight_line_elements)


def test_one_operation_needs_no_compiler() -> None:
    assert not may_have_fusions(plan(REVERSE, "%s"), FUSE)
    assert may_have_fusions(plan(ADD + MULTIPLY, "%m"), FUSE)
    assert not may_have_fusions(plan(ADD + MULTIPLY, "%m"), DEFAULTS)


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    assert found(ADD + MULTIPLY, "%m") == []


def test_nothing_is_materialised_within() -> None:
    def peak(planned: Any) -> int:
        block = compiled(with_fusions(planned, FUSE))
        block(x, x)
        tracemalloc.start()
        block(x, x)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    x = np.ones((64, 128), np.float32)
    long = ADD + MULTIPLY + f"%n = stablehlo.subtract %m, %a : {T}\n%p = stablehlo.maximum %n, %x : {T}\n"
    assert peak(plan(long, "%p")) < 1.3 * x.nbytes


def test_operands_laid_out_otherwise() -> None:
    """Fused computations read broadcast views; transposed operands are copied."""
    planned = plan(ADD + MULTIPLY, "%m")
    row = np.broadcast_to(np.arange(128, dtype=np.float32), (64, 128))
    column = np.broadcast_to(np.arange(64, dtype=np.float32)[:, None], (64, 128))
    transposed = np.asfortranarray(row * 2)
    part = np.arange(64 * 256, dtype=np.float32).reshape(64, 256)[:, ::2]
    reverse = np.arange(64 * 128, dtype=np.float32).reshape(64, 128)[::-1]
    one = np.broadcast_to(np.float32(3), (64, 128))
    block = compiled(with_fusions(planned, FUSE))
    for x in (row, column, transposed, part, reverse, one):
        for y in (row, column, transposed, part, reverse, one):
            assert np.array_equal(block(x, y), (x + y) * y)


@pytest.mark.parametrize(("last", "is_fused"), [(3, True), (64, True), (100, False)])
def test_one_operation_on_short_rows_is_fused(last: int, is_fused: bool) -> None:
    """NumPy would take longer for the rows than for the operation."""
    small, large = f"tensor<41x{last}xi32>", f"tensor<41x41x{last}xi32>"
    planned = plan_of(f"""func.func @main(%x: {small}) -> ({large}, {large}) {{
      %a = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({small}) -> {large}
      %b = stablehlo.broadcast_in_dim %x, dims = [1, 2] : ({small}) -> {large}
      %d = stablehlo.negate %a : {large}
      %e = stablehlo.maximum %d, %b : {large}
      return %d, %e : {large}, {large} }}""")
    assert bool(find_fusions(planned, FUSE_ALL)) == is_fused
    x = np.random.default_rng(last).integers(-9, 9, (41, last), np.int32)
    negated, greater = compiled(with_fusions(planned, FUSE_ALL))(x)
    assert np.array_equal(negated, np.broadcast_to(-x[:, None], (41, 41, last)))
    assert np.array_equal(greater, np.maximum(-x[:, None], x))


@pytest.mark.parametrize("last", [1, 2, 3, 4, 5, 8, 16])
@pytest.mark.parametrize("name", ["f32", "i8", "i16", "complex<f32>"])
def test_repeated_rows_of_any_length(name: str, last: int) -> None:
    """Rows that fit a word are copied as words, others element by element."""
    count, rows = 60, 21
    small, large = f"tensor<{count}x{rows}x{last}x{name}>", f"tensor<{count}x{rows}x{rows}x{last}x{name}>"
    planned = plan_of(f"""func.func @main(%x: {small}) -> {large} {{
      %a = stablehlo.broadcast_in_dim %x, dims = [0, 1, 3] : ({small}) -> {large}
      %b = stablehlo.broadcast_in_dim %x, dims = [0, 2, 3] : ({small}) -> {large}
      %d = stablehlo.subtract %a, %b : {large}
      %p = stablehlo.multiply %d, %a : {large}
      return %p : {large} }}""")
    assert find_fusions(planned, FUSE_ALL)
    dtype = {"f32": np.float32, "i8": np.int8, "i16": np.int16, "complex<f32>": np.complex64}[name]
    x = np.random.default_rng(last).integers(-50, 50, (count, rows, last)).astype(dtype)
    expected = (x[:, :, None] - x[:, None]) * x[:, :, None]
    assert np.array_equal(compiled(with_fusions(planned, FUSE_ALL))(x), expected)


def test_an_error_beside_fused_code_says_where_it_is() -> None:
    t = "tensor<64x128xf32>"
    text = f"""
      func.func @main(%x: {t}) -> {t} {{
        %0 = stablehlo.add %x, %x : {t}
        %1 = stablehlo.custom_call @nobody.knows(%x) : ({t}) -> {t}
        %2 = stablehlo.multiply %0, %1 : {t}
        return %2 : {t}
      }}"""
    planned = plan_of(text)
    assert [fusion.steps for fusion in find_fusions(planned, FUSE)] == [[0, 2, 3]]
    block = compiled(with_fusions(planned, FUSE))
    with pytest.raises(hlokit.UnsupportedError) as raised:
        guarded(block, np.ones((64, 128), np.float32))
    (frame,) = raised.value.frames
    assert frame.op == "stablehlo.custom_call"
    assert ":4:" in frame.location


def test_small_values_of_results_wait_for_the_computation() -> None:
    """The sum of a loss, between the loss and its gradient; what reads the sum is computed later."""
    t = "tensor<64x128xf32>"
    text = f"""
      func.func @main(%x: {t}) -> ({t}, tensor<f32>, {t}) {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.exponential %x : {t}
        %1 = stablehlo.multiply %0, %0 : {t}
        %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : ({t}, tensor<f32>) -> tensor<f32>
        %3 = stablehlo.sqrt %2 : tensor<f32>
        %4 = stablehlo.add %0, %1 : {t}
        %5 = stablehlo.multiply %4, %x : {t}
        %7 = stablehlo.clamp %zero, %5, %3 : (tensor<f32>, {t}, tensor<f32>) -> {t}
        %8 = stablehlo.add %7, %x : {t}
        return %5, %3, %8 : {t}, tensor<f32>, {t}
      }}"""
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert names(fused) == ["vm.canonical_nan", "reduce", "sqrt", "vm.canonical_nan", "vm.canonical_nan"]
    x = np.random.default_rng(8).standard_normal((64, 128)).astype(np.float32)
    for one, two in zip(run_steps(fused, x), run_steps(plan, x), strict=True):
        assert_same(one, two, text)
