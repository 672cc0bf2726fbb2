"""Fusion of row reductions, broadcasts and loops of known length."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.fused.fusion import find_fusions, with_fusions
from hlokit.engine.plan.executors import generate, run_steps
from tests.generate.same import assert_same
from tests.unit.engine.plan.plans import names, plan_of

FUSE = DEFAULTS._replace(fusion_work=0)
T, R = "tensor<64x128xf32>", "tensor<64xf32>"
SOFTMAX = f"""
  func.func @main(%x: {T}) -> {T} {{
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : ({T}, tensor<f32>) -> {R}
    %1 = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> {R}
    %2 = stablehlo.maximum %1, %0 : {R}
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : ({R}) -> tensor<64x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<64x1xf32>) -> {T}
    %5 = stablehlo.subtract %x, %4 : {T}
    %6 = stablehlo.exponential %5 : {T}
    %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : ({T}, tensor<f32>) -> {R}
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : ({R}) -> tensor<64x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<64x1xf32>) -> {T}
    %10 = stablehlo.divide %6, %9 : {T}
    return %10 : {T}
  }}"""


def test_softmax_is_one_step() -> None:
    plan = plan_of(SOFTMAX)
    assert len(with_fusions(plan, FUSE).steps) == 1
    x = np.random.default_rng(1).standard_normal((64, 128)).astype(np.float32)
    assert_same(run_steps(with_fusions(plan, FUSE), x), run_steps(plan, x), SOFTMAX)


def test_softmax_of_more_elements_than_native_loops_take_is_one_step() -> None:
    text = SOFTMAX.replace("<64x", "<512x")
    plan = plan_of(text)
    assert len(with_fusions(plan).steps) == 1
    x = np.random.default_rng(1).standard_normal((512, 128)).astype(np.float32)
    assert_same(run_steps(with_fusions(plan), x), run_steps(plan, x), text)


@pytest.mark.parametrize("columns", [2, 3, 4, 15])
def test_softmax_of_short_rows_is_one_step(columns: int) -> None:
    text = SOFTMAX.replace("64x128", f"3000x{columns}").replace("<64x", "<3000x")
    plan = plan_of(text)
    assert len(with_fusions(plan, FUSE).steps) == 1
    x = np.random.default_rng(1).standard_normal((3000, columns)).astype(np.float32)
    x[1], x[2, 1], x[3] = -np.inf, np.nan, -0.0
    with np.errstate(all="ignore"):
        assert_same(run_steps(with_fusions(plan, FUSE), x), run_steps(plan, x), text)


@pytest.mark.parametrize("columns", [72, 160, 3000])
def test_broadcasts_of_rows_are_results_operands_and_summed(columns: int) -> None:
    t = f"tensor<64x{columns}xf32>"
    text = f"""
      func.func @main(%x: {t}) -> ({t}, {t}, {R}) {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.multiply %x, %x : {t}
        %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : ({t}, tensor<f32>) -> {R}
        %2 = stablehlo.broadcast_in_dim %1, dims = [0] : ({R}) -> {t}
        %3 = stablehlo.subtract %x, %2 : {t}
        %4 = stablehlo.broadcast_in_dim %1, dims = [0] : ({R}) -> {t}
        %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : ({t}, tensor<f32>) -> {R}
        %6 = stablehlo.multiply %4, %4 : {t}
        %7 = stablehlo.divide %6, %3 : {t}
        return %2, %7, %5 : {t}, {t}, {R}
      }}"""
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert len(fused.steps) < len(plan.steps)
    x = np.random.default_rng(2).standard_normal((64, columns)).astype(np.float32)
    for one, two in zip(run_steps(fused, x), run_steps(plan, x), strict=True):
        assert_same(one, two, text)


@pytest.mark.parametrize(("narrow", "dtype"), [("bf16", ml_dtypes.bfloat16), ("f16", np.float16)])
@pytest.mark.parametrize("columns", [67, 1000])
def test_reductions_widen_narrow_floats(narrow: str, dtype: type, columns: int) -> None:
    """Of conversions of different operands: equal ones become one, which several reductions read."""
    n, t, r = f"tensor<96x{columns}x{narrow}>", f"tensor<96x{columns}xf32>", "tensor<96xf32>"
    text = f"""
      func.func @main(%x: {n}, %y: {n}, %z: {n}, %w: {n}) -> ({r}, {r}, {r}, {r}) {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %one = stablehlo.constant dense<1.0> : tensor<f32>
        %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
        %0 = stablehlo.convert %x : ({n}) -> {t}
        %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : ({t}, tensor<f32>) -> {r}
        %2 = stablehlo.convert %y : ({n}) -> {t}
        %3 = stablehlo.reduce(%2 init: %one) applies stablehlo.multiply across dimensions = [1] : ({t}, tensor<f32>) -> {r}
        %4 = stablehlo.convert %z : ({n}) -> {t}
        %5 = stablehlo.reduce(%4 init: %low) applies stablehlo.maximum across dimensions = [1] : ({t}, tensor<f32>) -> {r}
        %6 = stablehlo.convert %w : ({n}) -> {t}
        %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [1] : ({t}, tensor<f32>) -> {r}
        %8 = stablehlo.reduce(%6 init: %low) applies stablehlo.maximum across dimensions = [1] : ({t}, tensor<f32>) -> {r}
        %9 = stablehlo.add %7, %8 : {r}
        return %1, %3, %5, %9 : {r}, {r}, {r}, {r}
      }}"""
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert len(fused.steps) == 1
    x = np.random.default_rng(3).standard_normal((96, columns)).astype(dtype)
    with np.errstate(all="ignore"):
        x[1, 2:5], x[2, 60], x[3], x[4] = -np.inf, np.nan, -0.0, np.exp(x[4].astype(np.float32) * 9)
        for one, two in zip(run_steps(fused, *[x] * 4), run_steps(plan, *[x] * 4), strict=True):
            assert_same(one, two, text)


def test_functions_that_reduce_rows_join_what_reads_their_operand() -> None:
    text = (
        f"""
      func.func @main(%x: {T}) -> ({T}, tensor<f32>) {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.negate %x : {T}
        %1 = func.call @squares(%x) : ({T}) -> {R}
        %2 = stablehlo.broadcast_in_dim %1, dims = [0] : ({R}) -> {T}
        %3 = stablehlo.multiply %0, %2 : {T}
        %4 = func.call @sum(%x) : ({T}) -> tensor<f32>
        return %3, %4 : {T}, tensor<f32>
      }}
      func.func private @squares(%x: {T}) -> {R} {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.multiply %x, %x : {T}
        %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : ({T}, tensor<f32>) -> {R}
        return %1 : {R}
      }}
      func.func private @sum(%x: {T}) -> tensor<f32> {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0, 1] : ({T}, tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }}""".replace("64x128", "512x16")
        .replace("<64x", "<512x")
        .replace("<64xf32>", "<512xf32>")
    )
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert [step.name for step in fused.steps].count("func.call") == 1, "all rows together are no rows"
    assert len(fused.steps) == 2
    x = np.random.default_rng(4).standard_normal((512, 16)).astype(np.float32)
    for one, two in zip(run_steps(fused, x), run_steps(plan, x), strict=True):
        assert_same(one, two, text)


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    assert len(with_fusions(plan_of(SOFTMAX), FUSE).steps) == 12


def test_rows_of_two_lengths_are_two_fusions() -> None:
    text = """
      func.func @main(%x: tensor<8x64x64xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.multiply %x, %x : tensor<8x64x64xf32>
        %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<8x64x64xf32>, tensor<f32>) -> tensor<8x64xf32>
        %2 = stablehlo.add %x, %x : tensor<8x64x64xf32>
        %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x64x64xf32>, tensor<f32>) -> tensor<8xf32>
        return %1, %3 : tensor<8x64xf32>, tensor<8xf32>
      }"""
    plan = plan_of(text)
    assert all(
        fusion.program.rows and fusion.program.rows.row_count in (8, 512)
        for fusion in find_fusions(plan, FUSE)
    )
    x = np.random.default_rng(1).integers(0, 9, (8, 64, 64)).astype(np.float32)
    for one, two in zip(generate(with_fusions(plan, FUSE))(x), run_steps(plan, x), strict=True):
        assert_same(one, two, text)


def test_extrema_of_zeros_and_nans() -> None:
    rows = np.zeros((64, 128), np.float32)
    rows[::2] *= -1
    rows[3, 5], rows[4, 7] = -0.0, 0.0
    rows[5, 100], rows[6, 0] = np.nan, -np.inf
    for name, init in (("maximum", "0xFF800000"), ("minimum", "0x7F800000")):
        text = f"""
          func.func @main(%x: {T}) -> {R} {{
            %i = stablehlo.constant dense<{init}> : tensor<f32>
            %n = stablehlo.negate %x : {T}
            %0 = stablehlo.reduce(%n init: %i) applies stablehlo.{name} across dimensions = [1] : ({T}, tensor<f32>) -> {R}
            return %0 : {R}
          }}"""
        plan = plan_of(text)
        assert len(with_fusions(plan, FUSE).steps) == 1
        with np.errstate(invalid="ignore"):
            assert_same(generate(with_fusions(plan, FUSE))(rows), run_steps(plan, rows), text)


def loop(turns: str) -> str:
    t = "tensor<64x128xi32>"
    return f"""
      func.func @main(%x: {t}, %n: tensor<i32>) -> {t} {{
        %c = stablehlo.constant dense<{turns}> : tensor<i32>
        %0 = func.call @turns(%x, %c) : ({t}, tensor<i32>) -> {t}
        %1 = stablehlo.add %0, %x : {t}
        return %1 : {t}
      }}
      func.func private @turns(%x: {t}, %n: tensor<i32>) -> {t} {{
        %zero = stablehlo.constant dense<0> : tensor<i32>
        %table = stablehlo.constant dense<[3, 5, 7]> : tensor<3xi32>
        %0:3 = stablehlo.while(%i = %zero, %y = %x, %k = %table) : tensor<i32>, {t}, tensor<3xi32>
          cond {{
            %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %p : tensor<i1>
          }} do {{
            %one = stablehlo.constant dense<1> : tensor<i32>
            %next = stablehlo.add %i, %one : tensor<i32>
            %f = stablehlo.slice %k [1:2] : (tensor<3xi32>) -> tensor<1xi32>
            %g = stablehlo.reshape %f : (tensor<1xi32>) -> tensor<i32>
            %h = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<i32>) -> {t}
            %j = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> {t}
            %a = stablehlo.multiply %y, %h : {t}
            %b = stablehlo.add %a, %j : {t}
            %r = stablehlo.reverse %k, dims = [0] : tensor<3xi32>
            stablehlo.return %next, %b, %r : tensor<i32>, {t}, tensor<3xi32>
          }}
        return %0#1 : {t}
      }}"""


@pytest.mark.parametrize("turns", [0, 1, 4])
def test_loops_of_known_length_are_part_of_a_fusion(turns: int) -> None:
    plan = plan_of(loop(str(turns)))
    x = np.arange(64 * 128, dtype=np.int32).reshape(64, 128)
    if turns:
        assert names(with_fusions(plan, FUSE)) == ["add"]
    assert_same(generate(with_fusions(plan, FUSE))(x, np.int32(0)), run_steps(plan, x, np.int32(0)), "loop")


def test_long_loops_are_not() -> None:
    assert find_fusions(plan_of(loop("1000")), FUSE) == []


def nested(depth: int) -> str:
    """Loops of 30 iterations on a scalar, one in the other."""
    if depth == 0:
        return ""
    return f"""
      %zero{depth} = stablehlo.constant dense<0> : tensor<i32>
      %end{depth} = stablehlo.constant dense<30> : tensor<i32>
      %last{depth} = stablehlo.while(%i{depth} = %zero{depth}) : tensor<i32>
        cond {{
          %p{depth} = stablehlo.compare LT, %i{depth}, %end{depth} : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p{depth} : tensor<i1>
        }} do {{
          {nested(depth - 1)}
          %one{depth} = stablehlo.constant dense<1> : tensor<i32>
          %next{depth} = stablehlo.add %i{depth}, %one{depth} : tensor<i32>
          stablehlo.return %next{depth} : tensor<i32>
        }}"""


def test_nested_loops_are_not_unrolled_iteration_by_iteration() -> None:
    """Five loops have 24 million iterations, and no instructions."""
    t = "tensor<8192xi32>"
    text = f"""
      func.func private @twice(%x: {t}) -> {t} {{
        {nested(5)}
        %y = stablehlo.add %x, %x : {t}
        return %y : {t}
      }}
      func.func @main(%x: {t}) -> {t} {{
        %0 = stablehlo.multiply %x, %x : {t}
        %1 = func.call @twice(%0) : ({t}) -> {t}
        return %1 : {t}
      }}"""
    assert find_fusions(plan_of(text), FUSE) == []


def test_rotations() -> None:
    t = "tensor<64x128xui32>"
    text = f"""
      func.func @main(%x: {t}, %y: {t}, %s: tensor<ui32>) -> ({t}, {t}) {{
        %c = stablehlo.constant dense<13> : {t}
        %d = stablehlo.constant dense<19> : {t}
        %e = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<ui32>) -> {t}
        %0 = stablehlo.shift_left %x, %c : {t}
        %1 = stablehlo.shift_right_logical %x, %d : {t}
        %2 = stablehlo.or %0, %1 : {t}
        %3 = stablehlo.xor %2, %y : {t}
        %4 = stablehlo.shift_right_logical %y, %e : {t}
        %5 = stablehlo.shift_left %y, %x : {t}
        %6 = stablehlo.or %4, %5 : {t}
        %7 = stablehlo.xor %x, %6 : {t}
        return %3, %7 : {t}, {t}
      }}"""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2**32, (64, 128), np.uint32) >> rng.integers(0, 32, (64, 128), np.uint32)
    y = rng.integers(0, 2**32, (64, 128), np.uint32)
    plan = plan_of(text)
    for shift in (0, 7, 31, 32, 2**31):
        values = x, y, np.uint32(shift)
        for one, two in zip(
            generate(with_fusions(plan, FUSE))(*values), run_steps(plan, *values), strict=True
        ):
            assert np.array_equal(one, two)
