"""Running reductions in native loops and straight-line code: the bytes of kernels, and no call of one."""

from __future__ import annotations

from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit.engine.contract.thresholds import DEFAULTS
from hlokit.engine.native.ir.instructions import SCAN
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.straight_line import with_straight_line_code
from tests.generate.same import copies, listed
from tests.unit.engine.native.native_steps import is_native
from tests.unit.engine.plan.plans import plan_of

TYPES: dict[str, Any] = {
    "i1": np.bool_,
    "ui8": np.uint8,
    "i32": np.int32,
    "i64": np.int64,
    "f32": np.float32,
    "f64": np.float64,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "complex<f32>": np.complex64,
}
FLOATS = ("f32", "f64", "bf16", "f16")
SUMS = ("add", "multiply")
# Windows of more than 32 elements have another order.
SIZES = (5, 32, 33, 80)
TURNS = 24


def operations(name: str) -> tuple[str, ...]:
    if name == "complex<f32>":
        return ("add",)
    return (*SUMS, "maximum", "minimum") if name in FLOATS else (*SUMS, "maximum", "minimum", "or", "xor")


def identity(operation: str, name: str) -> str:
    one = {"i1": "true", "complex<f32>": "(1.0, 0.0)"}.get(name, "1.0" if name in FLOATS else "1")
    zero = {"i1": "false", "complex<f32>": "(0.0, -0.0)"}.get(name, "0.0" if name in FLOATS else "0")
    return one if operation == "multiply" else zero


def program(
    operation: str, name: str, shape: tuple[int, ...], axis: int, init: str, *, is_reverse: bool
) -> str:
    """Of the parts of [TURNS, ...], each in its turn."""
    dims = "".join(f"{size}x" for size in shape)
    whole, part, one = f"tensor<{TURNS}x{dims}{name}>", f"tensor<{dims}{name}>", f"tensor<1x{dims}{name}>"
    sizes = [size if d == axis else 1 for d, size in enumerate(shape)]
    edge = shape[axis] - 1
    padding = [([0, edge] if is_reverse else [edge, 0]) if d == axis else [0, 0] for d in range(len(shape))]
    starts = ", ".join(["%i", *["%zero"] * len(shape)])
    start_types = ", ".join(["tensor<i32>"] * (1 + len(shape)))
    return f"""func.func @main(%x: {whole}) -> {whole} {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %end = stablehlo.constant dense<{TURNS}> : tensor<i32>
      %init = stablehlo.constant dense<{init}> : tensor<{name}>
      %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, {whole}
      cond {{
        %c = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      }} do {{
        %s = stablehlo.dynamic_slice %x, {starts}, sizes = [1, {", ".join(map(str, shape))}]
          : ({whole}, {start_types}) -> {one}
        %p = stablehlo.reshape %s : ({one}) -> {part}
        %w = "stablehlo.reduce_window"(%p, %init) ({{
          ^bb0(%a: tensor<{name}>, %b: tensor<{name}>):
            %t = stablehlo.{operation} %a, %b : tensor<{name}>
            stablehlo.return %t : tensor<{name}>
        }}) {{window_dimensions = array<i64: {", ".join(map(str, sizes))}>,
             padding = dense<{padding}> : tensor<{len(shape)}x2xi64>}}
          : ({part}, tensor<{name}>) -> {part}
        %q = stablehlo.reshape %w : ({part}) -> {one}
        %u = stablehlo.dynamic_update_slice %y, %q, {starts} : ({whole}, {one}, {start_types}) -> {whole}
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %j, %u : tensor<i32>, {whole}
      }}
      return %r#1 : {whole} }}"""


def values_of(name: str, operation: str, shape: tuple[int, ...]) -> npt.NDArray[Any]:
    """Products stay small; some sums have infinities, and zeros of both signs."""
    rng = np.random.default_rng(shape)
    if name == "i1":
        return rng.random(shape) < 0.5
    if name not in FLOATS and not name.startswith("complex"):
        return rng.integers(0, 200, shape).astype(TYPES[name])
    if operation == "multiply":
        return (1 + rng.standard_normal(shape) * 0.1).astype(TYPES[name])
    values = rng.standard_normal(shape) * 10 ** rng.uniform(-3, 3, shape)
    values[0] = -0.0
    values[1].flat[3] = np.inf
    if name == "complex<f32>":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(TYPES[name])


def no_call(self: BlockLowering, plan: Any, step: Any, operands: Any) -> Any:
    del self, plan, operands
    raise AssertionError(f"{step.name} is called")


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.sample("f32", "i32")
def test_running_reductions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scans = list[int]()

    def lower(self: BlockLowering, plan: Any, step: Any, operands: Any) -> Any:
        result = array_op(self, plan, step, operands)
        scans.append(sum(each.operation == SCAN for each in self.instructions))
        return result

    array_op = BlockLowering._array_op
    for operation, size, is_reverse in product(operations(name), SIZES, (False, True)):
        if is_reverse and size <= 32 and operation in SUMS and name in (*FLOATS, "complex<f32>"):
            continue  # folded from the left: no running sum
        for shape, axis in (((size,), 0), ((size, 3), 0), ((2, size), 1)):
            text = program(operation, name, shape, axis, identity(operation, name), is_reverse=is_reverse)
            value, runs = values_of(name, operation, (TURNS, *shape)), list[Any]()
            with monkeypatch.context() as patch:
                patch.setattr(BlockLowering, "_call", no_call)
                patch.setattr(BlockLowering, "_array_op", lower)
                for disabled in ("", "native"):
                    patch.setenv("HLOKIT_DISABLE", disabled)
                    loaded = hlokit.load(text)
                    runs += [copies(listed(loaded(value))) for _ in range(3)]
            assert all(run == runs[0] for run in runs)
            assert max(scans) == (2 if name == "complex<f32>" else 1)
            scans.clear()


def test_running_sums_of_negative_zeros() -> None:
    for name in FLOATS:
        value = np.full((TURNS, 40), -0.0, TYPES[name])
        loaded = hlokit.load(program("add", name, (40,), 0, "-0.0", is_reverse=False))
        for _ in range(3):
            assert copies(listed(loaded(value))) == copies([value]), name


@pytest.mark.parametrize(("operation", "init"), [("add", "2"), ("xor", "1"), ("maximum", "90")])
@pytest.mark.deep
def test_other_initial_values(operation: str, init: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The padding counts, unless the initial value may come any number of times."""
    text = program(operation, "i32", (7, 2), 0, init, is_reverse=False)
    value, runs = values_of("i32", operation, (TURNS, 7, 2)), list[Any]()
    for disabled in ("", "native", "all"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        loaded = hlokit.load(text)
        runs += [copies(listed(loaded(value))) for _ in range(3)]
    monkeypatch.delenv("HLOKIT_DISABLE")
    assert all(run == copies(listed(hlokit.load(text)(value, tier="reference"))) for run in runs)


def test_straight_lines_have_running_sums() -> None:
    text = """func.func @main(%x: tensor<40xf32>) -> tensor<40xf32> {
      %i = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = "stablehlo.reduce_window"(%x, %i) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %t = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %t : tensor<f32>
      }) {window_dimensions = array<i64: 40>, padding = dense<[[39, 0]]> : tensor<1x2xi64>}
        : (tensor<40xf32>, tensor<f32>) -> tensor<40xf32>
      return %0 : tensor<40xf32> }"""
    (step,) = with_straight_line_code(plan_of(text), DEFAULTS._replace(straight_line_cost=0)).steps
    assert is_native(step)
    value = np.random.default_rng(1).standard_normal(40, dtype=np.float32)
    loaded = hlokit.load(text)
    runs = [copies([loaded(value)]) for _ in range(3)]
    assert runs == [copies([loaded(value, tier="reference")])] * 3
