"""Straight-line code: the same results as with kernels, and the steps that remain kernels."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator, Iterator

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from hlokit.engine.contract import run_context
from hlokit.engine.contract.run_context import (
    LAST_TO_COMPILE,
    UNITS_PER_RUN,
    Work,
    current_work,
    work_of_run,
)
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.native.fused.fusion import with_fusions
from hlokit.engine.native.straight_line import straight_line_code, with_straight_line_code
from hlokit.engine.plan.executors import generate as compiled
from hlokit.engine.plan.plan import Plan
from tests.generate import generate
from tests.generate.layouts import in_plans
from tests.generate.same import assert_same, copies
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import block_of, plan_of

FREE_CALLS = DEFAULTS._replace(straight_line_cost=0, straight_line_value_cost=0, template_steps=1)


def with_all_straight_lines(plan: Plan, thresholds: Thresholds = FREE_CALLS) -> Plan:
    """The plan with all straight-line code that is possible, whatever the costs."""
    return with_straight_line_code(with_fusions(plan), thresholds)


@settings(max_examples=70, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_lines_equal_the_kernels(seed: int) -> None:
    program = generate(seed, "straight-line")
    plan, values = plan_of(program.text), in_plans(program.arguments)
    before = copies(values)
    with np.errstate(all="ignore"):
        plain = compiled(plan)(*values)
        ours = compiled(with_all_straight_lines(plan))(*values)
    assert copies(values) == before, "an argument was written"
    assert_same(ours, plain, program.text)


def test_random_lines_are_native() -> None:
    """Otherwise the test above would show nothing. Each program becomes one native step."""
    plans = [with_all_straight_lines(plan_of(generate(seed, "straight-line").text)) for seed in range(20)]
    assert [list(map(is_native, plan.steps)) for plan in plans] == [[True]] * 20


def test_results_share_no_memory() -> None:
    """Including results that are operands, constants or the same value."""
    plan = with_straight_line_code(
        plan_of("""
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<3xf32>, tensor<f32>) {
        %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
        %d = stablehlo.reverse %c, dims = [0] : tensor<3xf32>
        %0 = stablehlo.add %x, %x : tensor<4xf32>
        %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
        %2 = stablehlo.subtract %1, %x : tensor<4xf32>
        %3 = stablehlo.multiply %2, %1 : tensor<4xf32>
        %4 = stablehlo.add %3, %1 : tensor<4xf32>
        %5 = stablehlo.reshape %4 : (tensor<4xf32>) -> tensor<2x2xf32>
        %6 = stablehlo.maximum %4, %4 : tensor<4xf32>
        %7 = stablehlo.negate %6 : tensor<4xf32>
        %8 = stablehlo.negate %7 : tensor<4xf32>
        %9 = stablehlo.slice %8 [1:2] : (tensor<4xf32>) -> tensor<1xf32>
        %s = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
        return %4, %5, %x, %d, %s : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<3xf32>, tensor<f32>
      }""")
    )
    assert [is_native(step) for step in plan.steps] == [True]
    x = np.array([1, 2, 3, 4], np.float32)
    flat, square, same_, constant, scalar = compiled(plan)(x)
    assert same_ is x
    assert flat.tolist() == square.reshape(-1).tolist() == [16, 240, 1224, 3904]
    assert constant.tolist() == [3, 2, 1]
    assert scalar == flat[1]
    assert scalar.shape == () and not isinstance(scalar, np.ndarray)
    assert not np.shares_memory(flat, square)
    assert all(each.flags.writeable for each in (flat, square, constant))


LINES = "\n".join(f"%{n + 1} = stablehlo.add %{n}, %0 : tensor<f32>" for n in range(200))
SCALARS = f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{LINES}\nreturn %200 : tensor<f32>\n}}"


def test_a_pointwise_block_takes_whole_arrays_beside_scalars() -> None:
    block = block_of(SCALARS)
    for _ in range(3):
        assert block(np.float32(2)) == 402
    assert block.is_pointwise
    for _ in range(3):
        assert block.vectorized(np.array([2, 1], np.float32)).tolist() == [402, 201]
    assert block(np.float32(2)) == 402


def test_short_sequences_are_not_compiled() -> None:
    few = plan_of("""
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.add %x, %x : tensor<4xf32>
        %1 = stablehlo.multiply %0, %x : tensor<4xf32>
        return %1 : tensor<4xf32>
      }""")
    assert with_straight_line_code(few) is few


def lines_of(type_: str, operation: str = "stablehlo.add") -> str:
    body = "\n".join(f"%{n + 1} = {operation} %{n}, %0 : {type_}" for n in range(20))
    return f"func.func @main(%0: {type_}) -> {type_} {{\n{body}\nreturn %20 : {type_}\n}}"


@pytest.mark.parametrize(
    ("type_", "is_known"),
    [
        ("4xf32", True),
        ("64x63xbf16", True),
        ("5000xf32", True),
        ("32767xf32", True),
        ("32768xf32", False),
        ("4xcomplex<f32>", True),
        ("4xcomplex<f64>", True),
    ],
)
def test_types_and_sizes(type_: str, is_known: bool) -> None:
    steps = with_straight_line_code(plan_of(lines_of(f"tensor<{type_}>"))).steps
    assert any(map(is_native, steps)) == is_known


def test_calls_are_part_of_straight_line_code() -> None:
    text = lines_of("tensor<4xf32>", "func.call @f").replace("%0 : tensor", "%0) : tensor")
    text = text.replace("@f %", "@f(%").replace(
        ") : tensor<4xf32>\n", ") : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
    )
    text += """
      func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.maximum %a, %b : tensor<4xf32>
        %1 = stablehlo.add %0, %b : tensor<4xf32>
        return %1 : tensor<4xf32>
      }"""
    plan = plan_of(text)
    ours = with_straight_line_code(plan)
    assert [is_native(step) for step in ours.steps] == [True]
    x = np.array([1, -2, 0.5, np.nan], np.float32)
    np.testing.assert_array_equal(compiled(ours)(x), compiled(plan)(x))


def test_empty_values_are_part_of_straight_line_code() -> None:
    plan = plan_of("""
      func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<1x0xi32>) {
        %e = stablehlo.slice %x [2:2] : (tensor<4xf32>) -> tensor<0xf32>
        %0 = stablehlo.add %x, %x : tensor<4xf32>
        %1 = stablehlo.multiply %e, %e : tensor<0xf32>
        %2 = stablehlo.concatenate %1, %0, %e, dim = 0 : (tensor<0xf32>, tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32>
        %3 = stablehlo.reshape %1 : (tensor<0xf32>) -> tensor<1x0xf32>
        %4 = stablehlo.convert %3 : (tensor<1x0xf32>) -> tensor<1x0xi32>
        %5 = stablehlo.remainder %4, %4 : tensor<1x0xi32>
        %6 = stablehlo.subtract %2, %0 : tensor<4xf32>
        %7 = stablehlo.multiply %6, %x : tensor<4xf32>
        return %7, %5 : tensor<4xf32>, tensor<1x0xi32>
      }""")
    ours = with_straight_line_code(plan)
    assert [is_native(step) for step in ours.steps] == [True]
    x = np.array([1, -2, 0.5, np.nan], np.float32)
    assert_same(compiled(ours)(x), compiled(plan)(x), "")


@pytest.mark.parametrize("name", ["straight-line", "native"])
def test_switches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(lines_of("tensor<4xf32>"))
    monkeypatch.setenv("HLOKIT_DISABLE", name)
    assert with_straight_line_code(plan) is plan


def test_programs_give_the_same_each_time_they_run() -> None:
    x = np.linspace(-1, 1, 4, dtype=np.float32)
    program = hlokit.load(lines_of("tensor<4xf32>", "stablehlo.multiply"))
    assert len({np.asarray(program(x)).tobytes() for _ in range(4)}) == 1


@pytest.mark.parametrize("op", ["maximum", "add"])
@pytest.mark.parametrize("columns", [2, 30])
def test_reductions_of_broadcast_values(op: str, columns: int) -> None:
    program = hlokit.load(f"""
      func.func @main(%x: tensor<5xi32>) -> tensor<5xi32> {{
        %0 = stablehlo.constant dense<0> : tensor<i32>
        %1 = stablehlo.add %x, %x : tensor<5xi32>
        %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<5xi32>) -> tensor<5x{columns}xi32>
        %3 = stablehlo.reduce(%2 init: %0) applies stablehlo.{op} across dimensions = [1] : (tensor<5x{columns}xi32>, tensor<i32>) -> tensor<5xi32>
        %4 = stablehlo.subtract %3, %x : tensor<5xi32>
        return %4 : tensor<5xi32>
      }}""")
    x = np.array([3, 1, 4, 2, 5], np.int32)
    expected = 2 * x * (columns if op == "add" else 1) - x
    for _ in range(3):
        np.testing.assert_array_equal(program(x), expected)


def many_additions(count: int) -> str:
    """Additions, of which no thousand equals another: one addition has its operands in another order."""
    swapped = {n for n in range(count) if n % 1000 == n // 1000}
    lines = "\n".join(
        f"%{n + 1} = stablehlo.add {f'%0, %{n}' if n in swapped else f'%{n}, %0'} : tensor<f32>"
        for n in range(count)
    )
    return f"func.func @main(%0: tensor<f32>) -> tensor<f32> {{\n{lines}\nreturn %{count} : tensor<f32>\n}}"


def test_a_run_compiles_a_part_of_a_large_plan() -> None:
    steps = 3 * DEFAULTS.straight_line_steps
    plans = _plans(straight_line_code(plan_of(many_additions(steps))))
    # A thousand steps are lowered in one run, and become code in the next. One step is left in the end.
    assert [sum(map(is_native, plan.steps)) for plan in plans] == [0, 1, 1, 2, 2, 3, 3]

    block = block_of(many_additions(steps))
    results = [block(np.float32(1)) for _ in range(9)]
    assert results == [steps + 1] * 9


def _plans(parts: Generator[Plan, None, Plan]) -> Iterator[Plan]:
    """The plans after each part, each part in a run of its own."""
    while True:
        current_work().left = UNITS_PER_RUN
        try:
            yield next(parts)
        except StopIteration as end:
            yield end.value
            return


def test_the_third_run_compiles_in_every_process() -> None:
    """The first program of a process compiles as all later ones do."""
    script = f"""
import hlokit, numpy
for _ in range(2):
    program = hlokit.load({lines_of("tensor<4xf32>")!r})
    ones = numpy.ones(4, numpy.float32)
    program(ones)
    program(ones)
    block = program.runs.block("main")
    assert block._compiled is None
    program(ones)
    assert block._compiled is not None
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_an_interrupted_compilation_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    block = block_of(many_additions(3 * DEFAULTS.straight_line_steps))
    first = block(np.float32(1))
    with monkeypatch.context() as patch:

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr("hlokit.engine.native.straight_line.combined_step", interrupted)
        for _ in range(2):  # the second run compiles nothing, and the third lowers
            current_work().left = UNITS_PER_RUN
            assert block(np.float32(1)) == first
        current_work().left = UNITS_PER_RUN
        with pytest.raises(KeyboardInterrupt):
            block(np.float32(1))
    assert [block(np.float32(1)) for _ in range(8)] == [first] * 8


@pytest.mark.parametrize(("functions", "calls"), [(1, 16), (8, 8)])
def test_a_run_compiles_a_part_of_all_functions(
    functions: int, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each function alone would be small enough for one run. The fifth run compiles what is left."""
    additions = "\n".join(f"%{n + 1} = stablehlo.add %{n}, %0 : tensor<f32>" for n in range(400))
    bodies = "\n".join(
        f"func.func @f{number}(%0: tensor<f32>) -> tensor<f32> {{ {additions} return %400 : tensor<f32> }}"
        for number in range(functions)
    )
    called = "\n".join(
        f"%{n + 1} = func.call @f{n % functions}(%{n}) : (tensor<f32>) -> tensor<f32>" for n in range(calls)
    )
    program = hlokit.load(
        f"{bodies} func.func @main(%0: tensor<f32>) -> tensor<f32> {{ {called} return %{calls} : tensor<f32> }}"
    )
    works: list[tuple[Work, int]] = []

    def recorded(number: int, planned: int) -> Work:
        work = work_of_run(number, planned)
        works.append((work, work.left))
        return work

    monkeypatch.setattr(run_context, "work_of_run", recorded)
    results = {float(program(np.float32(1))) for _ in range(10)}
    assert len(results) == 1
    units = [left - work.left for work, left in works]
    # The steps that the first run plans: a function also makes the NaNs of its result canonical.
    most = max(UNITS_PER_RUN, 3 * (401 * functions + calls) // 2)
    assert max(units[1:4]) < most + 2 * DEFAULTS.straight_line_steps  # and the rest of one program
    assert sum(units) >= 400 * (functions + calls)  # a function is lowered once, its copies are assembled
    assert units[LAST_TO_COMPILE:] == [0] * len(units[LAST_TO_COMPILE:])


def test_gathers_of_many_dimensions_are_native() -> None:
    """The batch and the windows have up to twelve dimensions each."""
    plan = plan_of("""
      func.func @main(%x: tensor<4x5x6x3xi32>, %i: tensor<2x1x2x3x4x2xi32>) -> tensor<2x1x2x3x4x1x1x2x3xi32> {
        %0 = "stablehlo.gather"(%x, %i) {
          dimension_numbers = #stablehlo.gather<offset_dims = [5, 6, 7, 8], start_index_map = [0, 1], index_vector_dim = 5>,
          slice_sizes = array<i64: 1, 1, 2, 3>
        } : (tensor<4x5x6x3xi32>, tensor<2x1x2x3x4x2xi32>) -> tensor<2x1x2x3x4x1x1x2x3xi32>
        return %0 : tensor<2x1x2x3x4x1x1x2x3xi32>
      }""")
    starts = np.random.default_rng(3).integers(-2, 8, (2, 1, 2, 3, 4, 2), np.int32)
    native = with_all_straight_lines(plan)
    assert list(map(is_native, native.steps)) == [True]
    operand = np.arange(360, dtype=np.int32).reshape(4, 5, 6, 3)
    assert_same(compiled(native)(operand, starts), compiled(plan)(operand, starts), "gather")


def test_parts_of_one_complex_number_are_results() -> None:
    """And an equality of two, and state of a loop."""
    program = hlokit.load("""
      func.func @main(%z: tensor<complex<f32>>, %w: tensor<1xcomplex<f32>>)
          -> (tensor<f32>, tensor<1xf32>, tensor<i1>, tensor<f32>) {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %s = stablehlo.add %z, %z : tensor<complex<f32>>
        %t = stablehlo.multiply %w, %w : tensor<1xcomplex<f32>>
        %r = stablehlo.real %s : (tensor<complex<f32>>) -> tensor<f32>
        %i = stablehlo.imag %t : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
        %e = stablehlo.compare EQ, %z, %s : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<i1>
        %0:2 = stablehlo.while(%a = %r, %n = %zero) : tensor<f32>, tensor<f32> cond {
          %nine = stablehlo.constant dense<9.0> : tensor<f32>
          %p = stablehlo.compare LT, %n, %nine : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        } do {
          %one = stablehlo.constant dense<1.0> : tensor<f32>
          %c = stablehlo.complex %n, %a : tensor<complex<f32>>
          %d = stablehlo.multiply %c, %z : tensor<complex<f32>>
          %b = stablehlo.real %d : (tensor<complex<f32>>) -> tensor<f32>
          %m = stablehlo.add %n, %one : tensor<f32>
          stablehlo.return %b, %m : tensor<f32>, tensor<f32>
        }
        return %r, %i, %e, %0#0 : tensor<f32>, tensor<1xf32>, tensor<i1>, tensor<f32>
      }""")
    z, w = np.complex64(0.5 - 0.25j), np.complex64([2 + 3j])
    plan = with_straight_line_code(Planner(program.module).function("main").plan, FREE_CALLS)
    assert [is_native(step) for step in plan.steps] == [True]
    a = np.float32(1.0)
    for n in range(9):
        a = np.float32(n * 0.5 + a * np.float32(0.25))
    for _ in range(3):
        real, imag, equal, last = program(z, w)
        assert real == 1.0 and np.array_equal(imag, [12.0]) and not equal and last == a
