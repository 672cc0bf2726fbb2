"""Loops of scalars on the native machine: the same results as without it, and what it leaves alone."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from hlokit.interpreter import loops
from hlokit.interpreter.loops import NativeLoop
from tests.unit.interpreter.loop_programs import LoopWriter, interrupted_after
from tests.unit.interpreter.plans import plan_of, step_named

TYPES = ("i32", "f32", "i1", "ui8", "i64", "f64", "i16", "ui32")
OPERATIONS = {
    "i1": ("and", "or", "xor"),
    "f32": ("add", "multiply", "subtract", "divide", "maximum", "minimum", "remainder"),
    "i32": ("add", "multiply", "subtract", "divide", "remainder", "xor", "shift_left", "shift_right_logical"),
}


class Writer(LoopWriter[str]):
    """Writes random loops: each value is a rank-0 tensor, and all of one region are in `values`, by type."""

    def spelled(self, key: str) -> str:
        return f"tensor<{key}>"

    def some(self, values: dict[str, list[str]], key: str) -> str:
        type_ = key
        if values.get(type_) and self.random.random() < 0.9:
            return self.random.choice(values[type_])
        number = {"i1": "true", "f32": "1.5", "f64": "-0.0"}.get(type_, str(self.random.randint(0, 5)))
        return self.emit(f"stablehlo.constant dense<{number}> : tensor<{type_}>")

    def step(self, values: dict[str, list[str]], depth: int) -> None:
        type_ = self.random.choice(TYPES)
        match self.random.choice(
            ["binary", "binary", "binary", "compare", "convert", "select", "while", "if", "case"]
        ):
            case "binary":
                kind = "i1" if type_ == "i1" else "f32" if type_[0] == "f" else "i32"
                operation = self.random.choice(OPERATIONS[kind])
                lhs, rhs = self.some(values, type_), self.some(values, type_)
                name = self.emit(f"stablehlo.{operation} {lhs}, {rhs} : tensor<{type_}>")
            case "compare":
                lhs, rhs = self.some(values, type_), self.some(values, type_)
                t = f"tensor<{type_}>"
                name = self.emit(f"stablehlo.compare LT, {lhs}, {rhs} : ({t}, {t}) -> tensor<i1>")
                type_ = "i1"
            case "convert":
                source = self.random.choice(TYPES)
                operand = self.some(values, source)
                name = self.emit(f"stablehlo.convert {operand} : (tensor<{source}>) -> tensor<{type_}>")
            case "select":
                pred, lhs, rhs = self.some(values, "i1"), self.some(values, type_), self.some(values, type_)
                name = self.emit(f"stablehlo.select {pred}, {lhs}, {rhs} : tensor<i1>, tensor<{type_}>")
            case "while" if depth < 2:
                self.loop(values, depth + 1)
                return
            case "if" | "case" as which if depth < 3:
                chosen_type, count = ("i1", 2) if which == "if" else ("i32", self.random.randint(1, 3))
                chosen = self.some(values, chosen_type)
                name = self.name()
                self.lines.append(f'{name} = "stablehlo.{which}"({chosen}) ({{')
                for separator in (
                    *["}, {"] * (count - 1),
                    f"}}) : (tensor<{chosen_type}>) -> tensor<{type_}>",
                ):
                    inner = {key: list(names) for key, names in values.items()}
                    for _ in range(self.random.randint(0, 3)):
                        self.step(inner, 3)
                    self.lines.append(f"stablehlo.return {self.some(inner, type_)} : tensor<{type_}>")
                    self.lines.append(separator)
            case _:
                return
        values.setdefault(type_, []).append(name)

    def loop(self, values: dict[str, list[str]], depth: int) -> tuple[str, list[str]]:
        """A loop with a counter; its results come into `values`. Gives the name and types of the results."""
        types = ["i32", *self.random.choices(TYPES, k=self.random.randint(1, 5))]
        zero = self.emit("stablehlo.constant dense<0> : tensor<i32>")
        inits = [zero, *[self.some(values, type_) for type_ in types[1:]]]
        limit, steps = self.random.choice([0, 3, 9, 20]), self.random.randint(0, 6)
        return self.write_loop(values, depth, list(zip(types, inits, strict=True)), limit, steps), types


def program(random: Random) -> str:
    return Writer(random).program(TYPES)


ARGUMENTS = (
    *(np.int32(-7), np.float32(0.5), np.bool_(True), np.uint8(250)),
    *(np.int64(2**62), np.float64(np.nan), np.int16(-(2**15)), np.uint32(2**32 - 1)),
)


def run(text: str, monkeypatch: pytest.MonkeyPatch, disabled: str = "") -> list[Any]:
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    loaded = hlokit.load(text)
    first, second = loaded(*ARGUMENTS), loaded(*ARGUMENTS)
    assert [np.asarray(one).tobytes() for one in first] == [np.asarray(one).tobytes() for one in second]
    return [np.asarray(one) for one in first]


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_random_loops_equal_the_kernels(seed: int) -> None:
    text = program(Random(seed))
    with pytest.MonkeyPatch.context() as patch:
        native, plain = run(text, patch), run(text, patch, "native")
    for one, two in zip(native, plain, strict=True):
        assert one.dtype == two.dtype
        assert one.shape == two.shape == ()
        if not (one.dtype.kind == "f" and np.isnan(one) and np.isnan(two)):  # any NaN is a NaN
            assert one.tobytes() == two.tobytes(), text


def loop_text(body: str = "", state: str = "%i", condition: str = "LT", type_: str = "i32") -> str:
    t = f"tensor<{type_}>"
    zero, one, two = ("0.0", "1.0", "2.0") if type_ == "f32" else "012"
    return f"""
      func.func @half(%x: {t}) -> {t} {{
        %two = stablehlo.constant dense<{two}> : {t}
        %0 = stablehlo.divide %x, %two : {t}
        return %0 : {t}
      }}
      func.func @main(%n: {t}, %other: tensor<4xf32>) -> {t} {{
        %zero = stablehlo.constant dense<{zero}> : {t}
        %one = stablehlo.constant dense<{one}> : {t}
        %0 = stablehlo.while(%i = %zero) : {t} cond {{
          %p = stablehlo.compare {condition}, %i, %n : ({t}, {t}) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
        }} do {{
          {body}
          %j = stablehlo.add {state}, %one : {t}
          stablehlo.return %j : {t}
        }}
        return %0 : {t}
      }}"""


def scalar_loop(text: str) -> NativeLoop:
    cond, body = step_named(plan_of(text), "stablehlo.while").kernel.regions
    return NativeLoop(cond, body, 1)


FIT = {
    "straight": loop_text(),
    "call": loop_text(
        "%h = func.call @half(%i) : (tensor<i32>) -> tensor<i32> %k = stablehlo.add %h, %h : tensor<i32> %l = stablehlo.maximum %k, %i : tensor<i32>",
        "%l",
    ),
    "transcendental": loop_text(
        "%f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32> %s = stablehlo.sine %f : tensor<f32>"
        " %t = stablehlo.convert %s : (tensor<f32>) -> tensor<i32> %h = stablehlo.maximum %t, %i : tensor<i32>",
        "%h",
    ),
    "barrier": loop_text("%h = stablehlo.optimization_barrier %i : tensor<i32>", "%h"),
    "identity": loop_text("%h = stablehlo.convert %i : tensor<i32>", "%h"),
    "array": loop_text(
        "%r = stablehlo.slice %other [0:1] : (tensor<4xf32>) -> tensor<1xf32> %s = stablehlo.reshape %r : (tensor<1xf32>) -> tensor<f32>"
        " %t = stablehlo.convert %s : (tensor<f32>) -> tensor<i32> %h = stablehlo.maximum %t, %i : tensor<i32>",
        "%h",
    ),
}
UNFIT = {
    "trap": loop_text(
        '%h = "stablehlo.custom_call"(%i) {call_target_name = "nobody.knows"} : (tensor<i32>) -> tensor<i32>',
        "%h",
    ),
    "special": loop_text("%h = chlo.lgamma %i : tensor<f32> -> tensor<f32>", "%h", type_="f32"),
    "narrow": loop_text(type_="i4"),
}


def test_random_loops_are_native() -> None:
    """Or the test above would show nothing."""
    for seed in range(20):
        cond, body = step_named(plan_of(program(Random(seed))), "stablehlo.while").kernel.regions
        assert NativeLoop(cond, body, len(body.argument_types)).is_native


@pytest.mark.parametrize("text", FIT.values(), ids=FIT)
def test_what_the_machine_runs(text: str) -> None:
    assert scalar_loop(text).is_native
    assert int(hlokit.load(text)(np.int32(1000), np.zeros(4, np.float32))) == 1000


@pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT)
def test_what_it_leaves_to_the_kernels(text: str) -> None:
    assert not scalar_loop(text).is_native


def test_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", "blocks,native")
    assert not scalar_loop(FIT["straight"]).is_native


def test_an_observer_sees_every_step() -> None:
    class Counter:
        count = 0

        def before(self, plan: Any, step: Any, operands: Any) -> None:
            self.count += step.name == "stablehlo.add"

        def after(self, plan: Any, step: Any, operands: Any, results: Any) -> None:
            pass

    counter = Counter()
    hlokit.load(FIT["straight"])(np.int32(50), np.zeros(4, np.float32), observer=counter)
    assert counter.count == 50


def test_short_loops_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Any] = []
    monkeypatch.setattr(loops, "_program", lambda *arguments: tried.append(arguments))
    loaded = hlokit.load(FIT["straight"])
    loaded(np.int32(3), np.zeros(4, np.float32))
    assert not tried
    loaded(np.int32(30), np.zeros(4, np.float32))
    loaded(np.int32(30), np.zeros(4, np.float32))
    assert len(tried) == 1


def test_a_signal_ends_an_endless_loop() -> None:
    endless = hlokit.load(loop_text(condition="NE", state="%zero"))

    with interrupted_after(0.2, at_most=5):
        endless(np.int32(5), np.zeros(4, np.float32))


def test_other_threads_go_on() -> None:
    """A loop of ten million iterations lets go of Python's lock."""
    counted = 0
    loaded = hlokit.load(FIT["straight"])
    thread = threading.Thread(target=lambda: loaded(np.int32(10_000_000), np.zeros(4, np.float32)))
    thread.start()
    while thread.is_alive():
        counted += 1
    assert counted > 10
