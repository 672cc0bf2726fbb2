"""Fusion of reductions of leading and middle dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import ml_dtypes
import numpy as np
import pytest

from hlokit.engine.contract.threads import VARIABLE, thread_count
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.fused.fusion import with_fusions
from hlokit.engine.native.fused.rows import Rows, rows_of
from hlokit.engine.plan.executors import run_steps
from tests.generate.same import assert_same
from tests.unit.engine.plan.plans import plan_of

FUSE = DEFAULTS._replace(fusion_work=0, fusion_elements=64)
DTYPES = {"f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i32": np.int32, "i8": np.int8}


@pytest.fixture
def use_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """A function that sets the number of threads."""

    def use(count: int) -> None:
        monkeypatch.setenv(VARIABLE, str(count))
        thread_count.cache_clear()

    yield use
    monkeypatch.undo()
    thread_count.cache_clear()


def dims_text(dims: tuple[int, ...], name: str) -> str:
    return f"tensor<{''.join(f'{size}x' for size in dims)}{name}>"


def normalised(dims: tuple[int, ...], axes: tuple[int, ...], name: str, operation: str) -> str:
    """Reductions of two phases, with operands of rows, of which one comes from outside."""
    kept = tuple(size for axis, size in enumerate(dims) if axis not in axes)
    left = [axis for axis in range(len(dims)) if axis not in axes]
    ones = tuple(1 if axis in axes else size for axis, size in enumerate(dims))
    t, k, o, s = dims_text(dims, name), dims_text(kept, name), dims_text(ones, name), f"tensor<{name}>"
    init = "1" if operation == "multiply" else "0"
    init += "" if name.startswith("i") else ".0"
    every = list(range(len(dims)))
    return f"""
      func.func @main(%x: {t}, %scale: {k}) -> ({t}, {k}, {t}, {k}, {t}) {{
        %init = stablehlo.constant dense<{init}> : {s}
        %0 = stablehlo.multiply %x, %x : {t}
        %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.{operation} across dimensions = {list(axes)} : ({t}, {s}) -> {k}
        %2 = stablehlo.add %1, %scale : {k}
        %3 = stablehlo.reshape %2 : ({k}) -> {o}
        %4 = stablehlo.broadcast_in_dim %3, dims = {every} : ({o}) -> {t}
        %5 = stablehlo.subtract %x, %4 : {t}
        %6 = stablehlo.reduce(%5 init: %init) applies stablehlo.maximum across dimensions = {list(axes)} : ({t}, {s}) -> {k}
        %7 = stablehlo.broadcast_in_dim %6, dims = {left} : ({k}) -> {t}
        %8 = stablehlo.broadcast_in_dim %scale, dims = {left} : ({k}) -> {t}
        %9 = stablehlo.multiply %5, %8 : {t}
        %10 = stablehlo.add %9, %7 : {t}
        %11 = stablehlo.reduce(%7 init: %init) applies stablehlo.{operation} across dimensions = {list(axes)} : ({t}, {s}) -> {k}
        %12 = stablehlo.add %0, %5 : {t}
        return %10, %1, %7, %11, %12 : {t}, {k}, {t}, {k}, {t}
      }}"""


SHAPES = [
    ((1100, 3), (0,)),
    ((40, 9, 7), (0, 1)),
    ((3, 2500, 5), (1,)),
    ((2, 9, 70, 3, 4), (1, 2, 4)),
    ((4, 1, 33, 6, 1, 64), (2, 5)),
    ((2100, 2, 2), (0, 2)),
    ((20, 400), (0,)),
]


@pytest.mark.parametrize(("dims", "axes"), SHAPES)
@pytest.mark.parametrize(
    ("name", "operation"),
    [("f32", "add"), ("f64", "multiply"), ("bf16", "add"), ("i8", "add"), ("i32", "minimum")],
)
def test_reductions_and_what_reads_them_are_one_step(
    dims: tuple[int, ...],
    axes: tuple[int, ...],
    name: str,
    operation: str,
    use_threads: Callable[[int], None],
) -> None:
    text = normalised(dims, axes, name, operation)
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert len(fused.steps) == 1
    rng = np.random.default_rng(prod(dims))
    x = (rng.standard_normal(dims) * 3).astype(DTYPES[name])
    scale = rng.standard_normal([n for axis, n in enumerate(dims) if axis not in axes]).astype(DTYPES[name])
    with np.errstate(all="ignore"):
        if name == "f32":
            x[..., 0][x[..., 0] > 7], x[0] = np.nan, -0.0
        expected = run_steps(plan, x, scale)
        for threads in (1, 3):
            use_threads(threads)
            for one, two in zip(run_steps(fused, x, scale), expected, strict=True):
                assert_same(one, two, text)


def test_many_elements_on_several_threads(use_threads: Callable[[int], None]) -> None:
    """Of few slices, whose blocks threads share, of two blocks, and of many."""
    for dims, axes in (((9000, 24), (0,)), ((1500, 300), (0,)), ((12, 600, 32), (1,))):
        text = normalised(dims, axes, "f32", "add").replace("multiply %5, %8", "power %5, %8")
        plan = plan_of(text)
        fused = with_fusions(plan)
        assert len(fused.steps) == 1
        rng = np.random.default_rng(5)
        x = rng.standard_normal(dims).astype(np.float32)
        scale = rng.standard_normal([n for axis, n in enumerate(dims) if axis not in axes]).astype(np.float32)
        with np.errstate(all="ignore"):
            expected = run_steps(plan, x, scale)
        for threads in (1, 2, 5):
            use_threads(threads)
            for one, two in zip(run_steps(fused, x.T.copy().T, scale), expected, strict=True):
                assert_same(one, two, text)


def test_group_normalisation_is_one_step() -> None:
    """The gradient of a broadcast reduces the sum of a reduction again, along dimensions of size 1."""
    t, k, o = "tensor<2x16x16x4x8xf32>", "tensor<2x4xf32>", "tensor<2x1x1x4x1xf32>"
    text = f"""
      func.func @main(%x: {t}) -> ({t}, {k}) {{
        %zero = stablehlo.constant dense<0.0> : tensor<f32>
        %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1, 2, 4] : ({t}, tensor<f32>) -> {k}
        %1 = stablehlo.broadcast_in_dim %0, dims = [0, 3] : ({k}) -> {o}
        %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1, 2, 4] : ({o}, tensor<f32>) -> {k}
        %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3, 4] : ({o}) -> {t}
        %4 = stablehlo.subtract %x, %3 : {t}
        %5 = stablehlo.multiply %4, %4 : {t}
        return %5, %2 : {t}, {k}
      }}"""
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert len(fused.steps) == 1
    x = np.random.default_rng(6).standard_normal((2, 16, 16, 4, 8)).astype(np.float32)
    for one, two in zip(run_steps(fused, x), run_steps(plan, x), strict=True):
        assert_same(one, two, text)


def test_rows_that_no_computation_has() -> None:
    assert rows_of((5, 6, 7), (1, 2)) == Rows(5, 1, 1, 42)
    assert rows_of((5, 6, 1, 7), (1,)) == Rows(5, 6, 7, 1)
    assert rows_of((6, 1, 7, 4), (0, 3)) == Rows(1, 6, 7, 4)
    assert rows_of((6, 7), (0, 1)) == Rows(1, 1, 1, 42)
    for dims, axes in (
        ((6, 7, 5), (0, 2)),
        ((6, 7, 128), (0, 2)),
        ((6, 2000), (0,)),
        ((2, 3, 4, 5, 6), (1, 3)),
    ):
        assert rows_of(dims, axes) is None, dims
    rows = Rows(5, 6, 7, 4)
    assert rows.strides((5, 2, 3, 7, 1, 4)) == (7, 0, 0, 1, 0, 0)
    assert rows.strides((5, 6, 28)) is None
    assert rows.strides((30, 7, 4)) is None
