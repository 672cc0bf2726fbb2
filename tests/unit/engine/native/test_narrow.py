"""Narrow types in native programs: integers of 2 and 4 bits, floats of up to 8 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.ir.target import NARROW, TYPES, VM_TYPES
from hlokit.engine.native.loops import NativeLoop
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.straight_line import with_straight_line_code
from hlokit.values.element_types import ELEMENT_TYPES, Kind
from tests.generate.same import copies, listed
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import plan_of, step_named

# Types that convert to narrow floats without a call of the kernel.
_OF_TWO_BYTES = {"bf16", "f16", "f32", "i8", "ui8", "i16", "ui16"}
SIZE = 512


def values(name: str, rng: np.random.Generator) -> Any:
    """All values of a byte, or random bits and numbers; infinities, NaNs, ties and limits among them."""
    type_ = ELEMENT_TYPES[name]
    if type_.dtype.itemsize == 1:
        bits = (np.arange(SIZE) % (1 << type_.width)).astype(np.uint8)
        return bits.astype(bool) if type_.kind is Kind.BOOL else bits.view(type_.dtype)
    if type_.kind is not Kind.FLOAT:
        limits = np.iinfo(type_.dtype)
        wide = rng.integers(limits.min, limits.max, SIZE // 2, type_.dtype, endpoint=True)
        return np.r_[np.arange(-SIZE // 4, SIZE // 4).astype(type_.dtype), wide]
    bits = rng.integers(0, 256, SIZE // 2 * type_.dtype.itemsize, np.uint8).view(type_.dtype)
    near = rng.integers(-64, 64, SIZE // 2 - 8) / 8 * 2.0 ** rng.integers(-9, 9, SIZE // 2 - 8)
    near[::3] = np.nextafter(near[::3].astype(np.float32), np.inf)
    special = [np.nan, np.inf, -np.inf, -0.0, 448, 464, 465, 1e30]
    with np.errstate(over="ignore"):
        return np.r_[bits, near.astype(type_.dtype), np.array(special).astype(type_.dtype)]


@pytest.mark.parametrize("name", sorted(NARROW))
@pytest.mark.sample("i4", "ui2", "f4E2M1FN", "f8E4M3FN")
def test_conversions(name: str) -> None:
    """One native program has the values of the reference; NaNs may have other bits."""
    rng = np.random.default_rng(1)
    is_float = ELEMENT_TYPES[name].kind is Kind.FLOAT
    wide, targets = sorted(TYPES), sorted(VM_TYPES)
    sources = [other for other in wide if not is_float or other in _OF_TWO_BYTES] + sorted(NARROW - {name})
    converted = [(source, name) for source in sources] + [(name, target) for target in targets]
    arguments = dict.fromkeys([*sources, name])
    lines = [
        f"%r{n} = stablehlo.convert %x_{source} : (tensor<{SIZE}x{source}>) -> tensor<{SIZE}x{target}>"
        for n, (source, target) in enumerate(converted)
    ]
    results = [f"tensor<{SIZE}x{target}>" for _, target in converted]
    text = f"""func.func @main({", ".join(f"%x_{of}: tensor<{SIZE}x{of}>" for of in arguments)}) -> ({", ".join(results)}) {{
      {chr(10).join(lines)}
      return {", ".join(f"%r{n}" for n in range(len(lines)))} : {", ".join(results)} }}"""
    loaded = hlokit.load(text).with_thresholds(DEFAULTS._replace(straight_line_cost=-1e9))
    steps = with_straight_line_code(plan_of(text), DEFAULTS._replace(straight_line_cost=-1e9)).steps
    assert all(map(is_native, steps))
    operands = [values(source, rng) for source in arguments]
    expected = copies(listed(loaded(*operands, tier="reference")))
    for _ in range(5):
        for case, result, wanted in zip(converted, copies(listed(loaded(*operands))), expected, strict=True):
            assert result == wanted, case


LOOP = """func.func @main(%cache: tensor<8x4x!>, %new: tensor<6x4x!>, %at: tensor<6x1xi32>, %p: tensor<4xi1>) -> (tensor<8x4x!>, tensor<9x4x!>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %pad = stablehlo.constant dense<?> : tensor<!>
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %start = stablehlo.constant dense<?> : tensor<9x4x!>
  %r:4 = stablehlo.while(%i = %z, %c = %cache, %s = %zero, %w = %start) : tensor<i32>, tensor<8x4x!>, tensor<4xf32>, tensor<9x4x!>
  cond {
    %n = stablehlo.constant dense<40> : tensor<i32>
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %seven = stablehlo.constant dense<7> : tensor<i32>
    %k = stablehlo.remainder %i, %seven : tensor<i32>
    %row = stablehlo.dynamic_slice %new, %k, %z, sizes = [1, 4] : (tensor<6x4x!>, tensor<i32>, tensor<i32>) -> tensor<1x4x!>
    %v = stablehlo.reshape %row : (tensor<1x4x!>) -> tensor<4x!>
    %turned = stablehlo.reverse %v, dims = [0] : tensor<4x!>
    %chosen = stablehlo.select %p, %v, %turned : tensor<4xi1>, tensor<4x!>
    %f = stablehlo.convert %chosen : (tensor<4x!>) -> tensor<4xf32>
    %sum = stablehlo.add %s, %f : tensor<4xf32>
    %back = stablehlo.convert %sum : (tensor<4xf32>) -> tensor<4x!>
    %u = stablehlo.broadcast_in_dim %back, dims = [1] : (tensor<4x!>) -> tensor<1x4x!>
    %d = stablehlo.dynamic_update_slice %c, %u, %i, %z : (tensor<8x4x!>, tensor<1x4x!>, tensor<i32>, tensor<i32>) -> tensor<8x4x!>
    %g = "stablehlo.gather"(%d, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4x!>, tensor<6x1xi32>) -> tensor<6x4x!>
    %h = "stablehlo.scatter"(%d, %at, %g) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<!>, %b: tensor<!>):
      stablehlo.return %b : tensor<!>
    }) : (tensor<8x4x!>, tensor<6x1xi32>, tensor<6x4x!>) -> tensor<8x4x!>
    %padded = stablehlo.pad %u, %pad, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<1x4x!>, tensor<!>) -> tensor<3x4x!>
    %joined = stablehlo.concatenate %padded, %g, dim = 0 : (tensor<3x4x!>, tensor<6x4x!>) -> tensor<9x4x!>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %h, %sum, %joined : tensor<i32>, tensor<8x4x!>, tensor<4xf32>, tensor<9x4x!>
  }
  return %r#1, %r#3, %r#2 : tensor<8x4x!>, tensor<9x4x!>, tensor<4xf32>
}"""


@pytest.mark.parametrize("name", ["i4", "ui2", "f8E4M3FN", "f8E5M2", "f4E2M1FN"])
def test_moves_in_loops(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop over a cache calls no kernel."""

    def no_call(_self: BlockLowering, _plan: Any, step: Any, _operands: Any) -> Any:
        raise AssertionError(f"{step.name} is called")

    monkeypatch.setattr(BlockLowering, "_call", no_call)
    rng = np.random.default_rng(2)
    type_ = ELEMENT_TYPES[name]
    arguments = (
        rng.integers(0, 1 << type_.width, (8, 4)).astype(np.uint8).view(type_.dtype),
        rng.integers(0, 1 << type_.width, (6, 4)).astype(np.uint8).view(type_.dtype),
        rng.integers(-2, 9, (6, 1), np.int32),
        rng.integers(0, 2, 4).astype(bool),
    )
    text = LOOP.replace("!", name).replace("?", "1.0" if type_.kind is Kind.FLOAT else "1")
    cond, body = step_named(plan_of(text), "stablehlo.while").kernel.regions
    assert NativeLoop(cond, body, 4).is_lowerable
    loaded = hlokit.load(text)
    expected = copies(listed(loaded(*arguments, tier="reference")))
    assert [copies(listed(loaded(*arguments))) for _ in range(3)] == [expected] * 3


def test_sums_of_integers_are_calls() -> None:
    """Bytes are not added as if they were integers of 8 bits."""
    text = """func.func @main(%x: tensor<8xi4>) -> (tensor<8xi4>, tensor<i4>, tensor<8xi1>) {
      %zero = stablehlo.constant dense<0> : tensor<i4>
      %y = stablehlo.reverse %x, dims = [0] : tensor<8xi4>
      %s = stablehlo.add %x, %y : tensor<8xi4>
      %t = stablehlo.reverse %s, dims = [0] : tensor<8xi4>
      %r = stablehlo.reduce(%t init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xi4>, tensor<i4>) -> tensor<i4>
      %c = stablehlo.compare LT, %t, %x : (tensor<8xi4>, tensor<8xi4>) -> tensor<8xi1>
      return %t, %r, %c : tensor<8xi4>, tensor<i4>, tensor<8xi1>
    }"""
    loaded = hlokit.load(text).with_thresholds(DEFAULTS._replace(straight_line_cost=-1e9))
    x = np.array([7, -8, 3, 5, -1, 0, 6, -7]).astype(ELEMENT_TYPES["i4"].dtype)
    expected = copies(listed(loaded(x, tier="reference")))
    assert [copies(listed(loaded(x))) for _ in range(4)] == [expected] * 4


def test_narrow_indices_are_numbers() -> None:
    """Regression: indices of the operand's own type were read as bytes without a sign."""
    text = """func.func @main(%x: tensor<5x1xi4>, %at: tensor<5x1xi4>) -> tensor<5x1xi4> {
      %y = stablehlo.reverse %x, dims = [0] : tensor<5x1xi4>
      %g = "stablehlo.gather"(%y, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x1xi4>, tensor<5x1xi4>) -> tensor<5x1xi4>
      %r = stablehlo.reverse %g, dims = [0] : tensor<5x1xi4>
      return %r : tensor<5x1xi4>
    }"""
    loaded = hlokit.load(text).with_thresholds(DEFAULTS._replace(straight_line_cost=-1e9))
    dtype = ELEMENT_TYPES["i4"].dtype
    x, places = (
        np.array(column).astype(dtype).reshape(5, 1) for column in ([1, 2, 3, -4, 5], [-1, 0, 7, 2, -8])
    )
    expected = copies(listed(loaded(x, places, tier="reference")))
    assert [copies(listed(loaded(x, places))) for _ in range(4)] == [expected] * 4
