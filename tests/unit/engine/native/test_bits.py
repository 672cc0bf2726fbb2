"""Bits of values in native programs: conversions to types of other widths, and generators of random bits."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.straight_line import with_straight_line_code
from hlokit.values.element_types import ELEMENT_TYPES
from tests.generate.same import copies, listed
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import plan_of

TYPES = ("i8", "ui8", "i16", "ui16", "bf16", "f16", "i32", "ui32", "f32", "i64", "ui64", "f64")
WIDTHS = {name: ELEMENT_TYPES[name].width for name in TYPES}


def check(text: str, *arguments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One native program gives the bytes of the kernel and of the reference."""
    (step,) = with_straight_line_code(plan_of(text), DEFAULTS._replace(straight_line_cost=-1e9)).steps
    assert is_native(step)
    runs = list[Any]()
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        loaded = hlokit.load(text)
        runs += [copies(listed(loaded(*arguments))) for _ in range(3)]
    monkeypatch.delenv("HLOKIT_DISABLE")
    native = hlokit.load(text).with_thresholds(DEFAULTS._replace(straight_line_cost=-1e9))
    runs += [copies(listed(native(*arguments))) for _ in range(3)]
    expected = copies(listed(hlokit.load(text)(*arguments, tier="reference")))
    assert all(run == expected for run in runs)


@pytest.mark.parametrize("shape", ["", "5x", "2x3x"])
@pytest.mark.sample("", "2x3x")
def test_one_element_becomes_several_and_back(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    sizes = [int(size) for size in shape.split("x")[:-1]]
    for narrow, wide in product(TYPES, TYPES):
        if WIDTHS[narrow] >= WIDTHS[wide]:
            continue
        count = WIDTHS[wide] // WIDTHS[narrow]
        few, many = f"tensor<{shape}{wide}>", f"tensor<{shape}{count}x{narrow}>"
        for operand, result, type_, dims in (
            (few, many, wide, sizes),
            (many, few, narrow, [*sizes, count]),
        ):
            text = f"""func.func @main(%x: {operand}) -> {result} {{
              %r = stablehlo.bitcast_convert %x : ({operand}) -> {result}
              return %r : {result} }}"""
            bits = rng.integers(0, 256, [*dims, WIDTHS[type_] // 8], np.uint8)
            value = bits.view(ELEMENT_TYPES[type_].dtype)[..., 0]
            check(text, value, monkeypatch=monkeypatch)


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX", "DEFAULT"])
@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.sample("2-THREE_FRY", "3-PHILOX", "2-DEFAULT")
def test_random_bits(algorithm: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if algorithm == "THREE_FRY":
        size = 2
    # Counters that wrap in the lower half, in both, and not at all.
    states = [[7, 2**64 - 2, 5], [2**64 - 1, 2**64 - 1, 2**64 - 1], [1 << 33, 3, 0]]
    for name, shape in product(
        ("ui8", "i16", "ui32", "f32", "ui64", "i64"), ("", "1x", "5x", "3x3x", "3x4x2x")
    ):
        type_ = f"tensor<{shape}{name}>"
        text = f"""func.func @main(%s: tensor<{size}xui64>) -> (tensor<{size}xui64>, {type_}) {{
          %r:2 = stablehlo.rng_bit_generator %s, algorithm = {algorithm}
            : (tensor<{size}xui64>) -> (tensor<{size}xui64>, {type_})
          return %r#0, %r#1 : tensor<{size}xui64>, {type_} }}"""
        for state in states:
            check(text, np.array(state[:size], np.uint64), monkeypatch=monkeypatch)


def no_call(self: BlockLowering, plan: Any, step: Any, operands: Any) -> Any:
    del self, plan, operands
    raise AssertionError(f"{step.name} is called")


def test_loops_draw_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As JAX writes them, with a state of four words."""
    text = """func.func @main(%n: tensor<i32>, %s: tensor<4xui32>, %x: tensor<6xf32>) -> (tensor<4xui32>, tensor<6xf32>) {
      %0:3 = stablehlo.while(%i = %n, %k = %s, %y = %x) : tensor<i32>, tensor<4xui32>, tensor<6xf32>
      cond {
        %end = stablehlo.constant dense<40> : tensor<i32>
        %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %j = stablehlo.add %i, %one : tensor<i32>
        %k0 = stablehlo.reshape %k : (tensor<4xui32>) -> tensor<2x2xui32>
        %k1 = stablehlo.bitcast_convert %k0 : (tensor<2x2xui32>) -> tensor<2xui64>
        %k2, %bits = stablehlo.rng_bit_generator %k1, algorithm = DEFAULT
          : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xui16>)
        %k3 = stablehlo.bitcast_convert %k2 : (tensor<2xui64>) -> tensor<2x2xui32>
        %k4 = stablehlo.reshape %k3 : (tensor<2x2xui32>) -> tensor<4xui32>
        %u = stablehlo.convert %bits : (tensor<6xui16>) -> tensor<6xf32>
        %z = stablehlo.add %y, %u : tensor<6xf32>
        stablehlo.return %j, %k4, %z : tensor<i32>, tensor<4xui32>, tensor<6xf32>
      }
      return %0#1, %0#2 : tensor<4xui32>, tensor<6xf32> }"""
    monkeypatch.setattr(BlockLowering, "_call", no_call)
    arguments, runs = (np.int32(0), np.arange(4, dtype=np.uint32), np.zeros(6, np.float32)), list[Any]()
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        loaded = hlokit.load(text)
        runs += [copies(listed(loaded(*arguments))) for _ in range(3)]
    assert all(run == runs[0] for run in runs)
