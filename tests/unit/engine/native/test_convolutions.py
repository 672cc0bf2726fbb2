"""Convolutions in straight-line code and native loops: the bytes of kernels, and no call of one."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.straight_line import with_straight_line_code
from tests.generate.same import copies, listed
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import plan_of

TYPES: dict[str, Any] = {
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "complex<f32>": np.complex64,
}


def array(values: Any) -> str:
    return f"array<i64: {', '.join(map(str, values))}>"


class RandomConvolution:
    """A convolution of a few elements, with any attributes that have a meaning for it."""

    def __init__(self, seed: int, name: str) -> None:
        rng = self._rng = np.random.default_rng(seed)
        rank = int(rng.integers(0, 4))
        groups = int(rng.choice([1, 1, 2, 3]))
        is_of_batch = bool(rng.integers(2))
        self.feature_groups, self.batch_groups = (1, groups) if is_of_batch else (groups, 1)
        features, outputs = int(rng.integers(1, 4)), int(rng.integers(1, 4)) * groups
        space, window = rng.integers(2, 7, rank), rng.integers(1, 4, rank)
        self.strides, self.dilation = rng.integers(1, 4, rank), rng.integers(1, 3, rank)
        self.bases = rng.integers(1, 4, rank) if rng.integers(2) else np.ones(rank, int)
        extent, whole = (window - 1) * self.dilation + 1, (space - 1) * self.bases + 1
        low = rng.integers(-1, 3, rank)
        high = np.maximum(rng.integers(-1, 3, rank), extent - whole - low)
        self.padding = np.stack([low, high], 1)
        self.reversal = rng.integers(0, 2, rank)
        batch = int(rng.integers(1, 3)) * self.batch_groups
        sizes = (whole + low + high - extent) // self.strides + 1
        self.name = name
        self.orders = [self._order(rank) for _ in range(3)]
        dims = (
            [batch, features * self.feature_groups, *space],
            [features, outputs, *window],
            [batch // self.batch_groups, outputs, *sizes],
        )
        self.shapes = [[int(of[n]) for n in order] for of, order in zip(dims, self.orders, strict=True)]

    def _order(self, rank: int) -> list[int]:
        """For each dimension its meaning: 0 and 1 are no space."""
        return [int(n) for n in self._rng.permutation(rank + 2)]

    def text(self) -> str:
        letters = ("b", "f"), ("i", "o"), ("b", "f")
        spelled = [
            "[" + ", ".join([*pair, *map(str, range(9))][n] for n in order) + "]"
            for pair, order in zip(letters, self.orders, strict=True)
        ]
        types = [f"tensor<{''.join(f'{size}x' for size in shape)}{self.name}>" for shape in self.shapes]
        rank = len(self.strides)
        padding = f"dense<{self.padding.tolist()}> : tensor<{rank}x2xi64>"
        attributes = [
            f"window_strides = {array(self.strides)}, padding = {padding}, rhs_dilation = {array(self.dilation)}",
            f"lhs_dilation = {array(self.bases)}",
            f"window_reversal = array<i1: {', '.join(['false', 'true'][n] for n in self.reversal)}>",
        ]
        attributes = [*([] if rank == 0 else attributes)]
        attributes += [
            f"feature_group_count = {self.feature_groups} : i64, batch_group_count = {self.batch_groups} : i64",
            f"dimension_numbers = #stablehlo.conv<{spelled[0]}x{spelled[1]}->{spelled[2]}>",
        ]
        return f"""func.func @main(%x: {types[0]}, %y: {types[1]}) -> {types[2]} {{
          %r = "stablehlo.convolution"(%x, %y) {{{", ".join(attributes)}}} : ({types[0]}, {types[1]}) -> {types[2]}
          return %r : {types[2]} }}"""

    def arguments(self) -> list[Any]:
        made: list[Any] = []
        for shape in self.shapes[:2]:
            values = self._rng.standard_normal(shape)
            if self.name.startswith("complex"):
                values = values + 1j * self._rng.standard_normal(shape)
            elif values.size > 3:  # the padding is a term, too
                values.flat[0] = np.inf
            made.append(values.astype(TYPES[self.name]))
        return made


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.deep
def test_random_convolutions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(40):
        convolution = RandomConvolution(seed, name)
        text, arguments, runs = convolution.text(), convolution.arguments(), list[Any]()
        (step,) = with_straight_line_code(plan_of(text), DEFAULTS).steps
        assert is_native(step)
        for disabled in ("", "native"):
            monkeypatch.setenv("HLOKIT_DISABLE", disabled)
            loaded = hlokit.load(text)
            runs += [copies([loaded(*arguments)]) for _ in range(3)]
        monkeypatch.delenv("HLOKIT_DISABLE")
        assert all(run == copies([loaded(*arguments, tier="reference")]) for run in runs), seed


def test_a_sum_between_dilated_elements_that_rounds_to_a_negative_zero() -> None:
    text = """func.func @main(%x: tensor<1x2x1xbf16>, %w: tensor<3x1x1xbf16>) -> tensor<1x1x1xbf16> {
      %r = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {stride = [1], pad = [[0, 0]], lhs_dilate = [2], rhs_dilate = [1]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
        : (tensor<1x2x1xbf16>, tensor<3x1x1xbf16>) -> tensor<1x1x1xbf16>
      return %r : tensor<1x1x1xbf16> }"""
    x = np.full((1, 2, 1), 2.0**-72, ml_dtypes.bfloat16)
    w = np.full((3, 1, 1), -(2.0**-72), ml_dtypes.bfloat16)
    (step,) = with_straight_line_code(plan_of(text), DEFAULTS).steps
    assert is_native(step)
    assert np.signbit(step.kernel.function(x, w).item())
    program = hlokit.load(text)
    assert np.signbit(program(x, w).item())
    assert np.signbit(program(x, w, tier="reference").item())


def no_call(self: BlockLowering, plan: Any, step: Any, operands: Any) -> Any:
    del self, plan, operands
    raise AssertionError(f"{step.name} is called")


def test_loops_have_convolutions(monkeypatch: pytest.MonkeyPatch) -> None:
    def turn(_: Any, x: Any, kernel: Any) -> Any:
        y = lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        pooled = lax.reduce_window(y, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        # Transposed: with dilation of lhs.
        wide = lax.conv_transpose(pooled, kernel, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.square(jnp.tanh(y)) - wide * 0.1

    def program(x: Any, kernel: Any) -> Any:
        return lax.fori_loop(0, 40, lambda i, x: turn(i, x, kernel), x)

    monkeypatch.setattr(BlockLowering, "_call", no_call)
    rng, runs = np.random.default_rng(1), list[Any]()
    x, kernel = rng.standard_normal((2, 6, 6, 3), np.float32), rng.standard_normal((3, 3, 3, 3), np.float32)
    text = jax.jit(program).lower(x, kernel).as_text()
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        loaded = hlokit.load(text)
        runs += [copies(listed(loaded(x, kernel))) for _ in range(3)]
    assert all(run == runs[0] for run in runs)
