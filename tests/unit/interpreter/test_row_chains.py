"""Chains with broadcasts, reductions of rows and loops of known length: the same as step by step."""

from __future__ import annotations

from random import Random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from hlokit.interpreter import chains
from hlokit.interpreter.chains import find_chains, fused
from hlokit.interpreter.run import generate, run_steps
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.interpreter.plans import names, plan_of

TYPES = ("f32", "bf16", "i32", "f64", "ui8")
INFINITE = {
    "f32": ("0xFF800000", "0x7F800000"),
    "bf16": ("0xFF80", "0x7F80"),
    "f64": ("0xFFF0000000000000", "0x7FF0000000000000"),
    "i32": ("-2147483648", "2147483647"),
    "ui8": ("0", "255"),
}


class Writer:
    """A random program on one shape: arrays, what has a value a row or a column, scalars, and ways between."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.type = random.choice(TYPES)
        leading = random.choice([(3,), (7,), (2, 3), (1, 5), (64,), (4, 1)])
        trailing = random.choice([(33,), (64,), (1, 40), (5, 30), (130,), (3000,)])
        self.shape = (*leading, *trailing)
        self.rank = len(leading)
        self.lines: list[str] = []
        self.full, self.rows = ["%x", "%y"], [("%r", leading)]
        self.columns, self.scalars = ["%c"], ["%s"]
        self.leading, self.trailing = leading, trailing

    def t(self, shape: tuple[int, ...]) -> str:
        return f"tensor<{''.join(f'{size}x' for size in shape)}{self.type}>"

    def emit(self, text: str) -> str:
        self.lines.append(f"%v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def broadcast(self, value: str, shape: tuple[int, ...], dims: list[int], to: tuple[int, ...]) -> str:
        return self.emit(
            f"stablehlo.broadcast_in_dim {value}, dims = {dims} : ({self.t(shape)}) -> {self.t(to)}"
        )

    def step(self) -> None:
        random, t = self.random, self.t(self.shape)
        some = random.choice(self.full[-4:])
        binary = random.choice(["add", "subtract", "multiply", "maximum", "minimum"])
        rank = len(self.shape)
        match random.choice(
            ["binary", "binary", "reduce", "reduce", "row", "row", "spread", "column", "scalar", "shape"]
        ):
            case "binary":
                self.full.append(self.emit(f"stablehlo.{binary} {some}, {random.choice(self.full)} : {t}"))
            case "reduce":
                axes = list(range(self.rank, rank))
                if random.random() < 0.2:
                    axes = [random.randrange(rank)]
                kept = tuple(size for axis, size in enumerate(self.shape) if axis not in axes)
                name = random.choice(
                    ["maximum", "minimum", "add"] if self.type != "f64" else ["maximum", "minimum"]
                )
                low, high = INFINITE[self.type]
                init = self.emit(
                    f"stablehlo.constant dense<{ {'maximum': low, 'minimum': high, 'add': '1' if self.type in ('i32', 'ui8') else '0.5'}[name] }> : tensor<{self.type}>"
                )
                value = self.emit(
                    f"stablehlo.reduce({some} init: {init}) applies stablehlo.{name} across dimensions = {axes} : "
                    f"({t}, tensor<{self.type}>) -> {self.t(kept)}"
                )
                if kept == self.leading:
                    self.rows.append((value, kept))
            case "row":
                value, shape = random.choice(self.rows)
                kind = random.choice(["same", "unit", "scalar"])
                if kind == "unit":
                    longer = (*shape, 1)
                    if random.random() < 0.5:
                        value = self.emit(
                            f"stablehlo.reshape {value} : ({self.t(shape)}) -> {self.t(longer)}"
                        )
                    else:
                        value = self.broadcast(value, shape, list(range(len(shape))), longer)
                    shape = longer
                elif kind == "scalar":
                    other = self.broadcast("%s", (), [], shape)
                    value = self.emit(f"stablehlo.{binary} {value}, {other} : {self.t(shape)}")
                else:
                    value = self.emit(f"stablehlo.{binary} {value}, {value} : {self.t(shape)}")
                if shape[: len(self.leading)] == self.leading and len(shape) <= rank:
                    self.rows.append((value, shape))
            case "spread":
                value, shape = random.choice(self.rows)
                value = self.broadcast(value, shape, list(range(len(shape))), self.shape)
                self.full.append(self.emit(f"stablehlo.{binary} {some}, {value} : {t}"))
            case "column":
                value = self.broadcast("%c", self.trailing, list(range(self.rank, rank)), self.shape)
                self.full.append(self.emit(f"stablehlo.{binary} {value}, {some} : {t}"))
            case "scalar":
                value = self.broadcast("%s", (), [], self.shape)
                self.full.append(self.emit(f"stablehlo.{binary} {some}, {value} : {t}"))
            case _:
                flat = (int(np.prod(self.shape)),)
                value = self.emit(f"stablehlo.reshape {some} : ({t}) -> {self.t(flat)}")
                value = self.emit(f"stablehlo.{binary} {value}, {value} : {self.t(flat)}")
                self.full.append(self.emit(f"stablehlo.reshape {value} : ({self.t(flat)}) -> {t}"))

    def text(self) -> str:
        for _ in range(self.random.randint(4, 14)):
            self.step()
        results = [(value, self.shape) for value in self.full[2:] if self.random.random() < 0.4]
        results += [row for row in self.rows[1:] if self.random.random() < 0.4]
        results.append((self.full[-1], self.shape))
        spelled = ", ".join(self.t(shape) for _, shape in results)
        full, body = self.t(self.shape), "\n".join(self.lines)
        return (
            f"func.func @main(%x: {full}, %y: {full}, %r: {self.t(self.leading)}, %c: {self.t(self.trailing)}, "
            f"%s: tensor<{self.type}>) -> ({spelled}) {{\n{body}\n"
            f"return {', '.join(value for value, _ in results)} : {spelled}\n}}"
        )

    def arguments(self) -> list[Any]:
        rng = np.random.default_rng(self.random.getrandbits(32))
        dtype = ELEMENT_TYPES[self.type].dtype

        def values(shape: tuple[int, ...]) -> Any:
            if self.type in ("i32", "ui8"):
                return rng.integers(0, 100, shape).astype(dtype)
            found = rng.integers(-8, 9, shape) / 4
            if self.random.random() < 0.3:
                found = np.where(rng.random(shape) < 0.01, rng.choice([np.nan, np.inf, -0.0]), found)
            return np.where(rng.random(shape) < 0.1, -found, found).astype(dtype)

        x = values(self.shape)
        if self.random.random() < 0.3:
            x = np.asfortranarray(x)
        return [x, values(self.shape), values(self.leading), values(self.trailing), values(())[()]]


def check(actual: Any, expected: Any, text: str) -> None:
    assert actual.dtype == expected.dtype
    assert actual.shape == expected.shape
    one, two = np.asarray(actual).astype(np.float64), np.asarray(expected).astype(np.float64)
    np.testing.assert_array_equal(np.isnan(one), np.isnan(two), err_msg=text)
    nan = np.isnan(one)
    np.testing.assert_array_equal(one[~nan], two[~nan], err_msg=text)
    np.testing.assert_array_equal(np.signbit(one[~nan]), np.signbit(two[~nan]), err_msg=text)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    writer = Writer(Random(seed))
    text, values = writer.text(), writer.arguments()
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        patch.setattr(chains, "_LARGE", 90)
        plan = plan_of(text)
        expected = run_steps(plan, *values)
        results = [generate(plan)(*values), run_steps(fused(plan), *values)]
    for actual in results:
        many = isinstance(expected, tuple)
        for one, two in zip(actual if many else [actual], expected if many else [expected], strict=True):
            check(one, two, text)


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
    assert len(fused(plan).steps) == 1
    x = np.random.default_rng(1).standard_normal((64, 128)).astype(np.float32)
    check(run_steps(fused(plan), x), run_steps(plan, x), SOFTMAX)


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "native")
    assert len(fused(plan_of(SOFTMAX)).steps) == 11


def test_rows_of_two_lengths_are_two_chains() -> None:
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
    assert all(chain.code.rows in (8, 512) for chain in find_chains(plan))
    x = np.random.default_rng(1).integers(0, 9, (8, 64, 64)).astype(np.float32)
    for one, two in zip(generate(plan)(x), run_steps(plan, x), strict=True):
        check(one, two, text)


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
        assert len(fused(plan).steps) == 1
        with np.errstate(invalid="ignore"):
            check(generate(plan)(rows), run_steps(plan, rows), text)


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
def test_loops_of_known_length_are_part_of_a_chain(turns: int) -> None:
    plan = plan_of(loop(str(turns)))
    x = np.arange(64 * 128, dtype=np.int32).reshape(64, 128)
    if turns:
        assert names(fused(plan)) == ["add"]
    check(generate(plan)(x, np.int32(0)), run_steps(plan, x, np.int32(0)), "loop")


def test_long_loops_are_not() -> None:
    assert find_chains(plan_of(loop("1000"))) == []


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
        for one, two in zip(generate(plan)(*values), run_steps(plan, *values), strict=True):
            assert np.array_equal(one, two)
