"""Fusion of contractions of no dimension: products of all pairs of elements."""

from __future__ import annotations

import numpy as np
import pytest

from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.fused.fusion import with_fusions
from hlokit.engine.plan.executors import run_steps
from tests.generate.same import assert_same
from tests.unit.engine.plan.plans import names, plan_of

FUSE = DEFAULTS._replace(fusion_work=0)
DTYPES = {"f32": np.float32, "f64": np.float64}


def program(name: str, count: int, rows: int, columns: int, axis: int) -> str:
    """Absolute values of products, and their sums along an axis of [count, rows, columns]."""
    sizes = (count, rows, columns)
    left, right, sums = (
        f"tensor<{'x'.join(map(str, shape))}x{name}>"
        for shape in (sizes[:2], (count, columns), sizes[:axis] + sizes[axis + 1 :])
    )
    t, s = f"tensor<{count}x{rows}x{columns}x{name}>", f"tensor<{name}>"
    return f"""
      func.func @main(%x: {left}, %y: {right}) -> ({t}, {sums}) {{
        %zero = stablehlo.constant dense<0.0> : {s}
        %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [] x []
          : ({left}, {right}) -> {t}
        %1 = stablehlo.sign %0 : {t}
        %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [{axis}] : ({t}, {s}) -> {sums}
        return %1, %2 : {t}, {sums}
      }}"""


def values(name: str, shape: tuple[int, ...], seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.generic]]:
    random = np.random.default_rng(seed)
    array = random.standard_normal(shape) * 10.0 ** random.integers(-24, 3, shape)
    array[::3, 0], array[1::3, 1], array[5, 2], array[6, :2] = 0, -0.0, np.nan, np.inf
    with np.errstate(all="ignore"):
        return array.astype(DTYPES[name])


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize("axis", [0, 2])
def test_products_of_pairs_are_fused(name: str, axis: int) -> None:
    text = program(name, 70, 9, 24, axis)
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert len(fused.steps) == 1
    x, y = values(name, (70, 9), 1), values(name, (70, 24), 2)
    with np.errstate(all="ignore"):
        for one, two in zip(run_steps(fused, x, y), run_steps(plan, x, y), strict=True):
            assert_same(one, two, text)


def test_sums_of_many_long_rows_are_fused() -> None:
    text = program("f32", 300, 40, 50, 0)
    plan = plan_of(text)
    fused = with_fusions(plan, FUSE)
    assert len(fused.steps) == 1
    x, y = values("f32", (300, 40), 1), values("f32", (300, 50), 2)
    with np.errstate(all="ignore"):
        for one, two in zip(run_steps(fused, x, y), run_steps(plan, x, y), strict=True):
            assert_same(one, two, text)


def test_short_rows_of_products_are_not() -> None:
    plan = plan_of(program("f32", 900, 9, 12, 2))
    assert names(with_fusions(plan, FUSE))[0] == "dot_general"
