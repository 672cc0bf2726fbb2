"""Simplified random programs compute what they did."""

from __future__ import annotations

from random import Random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
import tests.fuzz.programs  # noqa: F401 # fills the table of steps
from hlokit.mlir.context import make_context
from hlokit.mlir.parse import parse_text
from hlokit.passes.registry import Options
from hlokit.passes.simplification import PASS
from tests.fuzz.builder import STEPS, WEIGHTS, Builder
from tests.fuzz.values import F32, I32
from tests.unit.passes.simplification_steps import SIMPLIFIABLE, Step

OPTIONS = Options({option.name: option.default for option in PASS.options})
CONTEXT = make_context()


def simplified(text: str) -> str:
    module = parse_text(CONTEXT, text)
    for view in module.body.operations:
        PASS.run(view.operation, OPTIONS)
    assert module.operation.verify()
    return str(module)


def program(random: Random, steps: int, own: float) -> str:
    """A program, with some of what it computes as results. `own`: how many of the steps are simplifiable."""
    builder = Builder(random)
    for _ in range(steps):
        if random.random() < own:
            random.choice(SIMPLIFIABLE)(builder)
        else:
            random.choices(STEPS, WEIGHTS)[0](builder)
    return with_some_results(builder, random)


def with_some_results(builder: Builder, random: Random) -> str:
    builder.index(1)
    program = builder.program()
    lines = program.text.splitlines()[1:-2]
    chosen = [value for value in program.values if random.random() < 0.3] or program.values[-1:]
    types = ", ".join(value.spelled for value in chosen)
    names = ", ".join(value.name for value in chosen)
    body = "\n".join(lines)
    return f"func.func @main() -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}\n"


def values(text: str) -> list[Any]:
    results = hlokit.load(text)()
    return [np.asarray(value) for value in (results if isinstance(results, tuple) else (results,))]


def assert_same(text: str) -> None:
    """Zeros of either sign count as the same: x + 0 is x."""
    after = simplified(text)
    for before, now in zip(values(text), values(after), strict=True):
        assert before.dtype == now.dtype
        assert before.shape == now.shape
        wide = np.complex128 if before.dtype.kind in "fcV" else before.dtype
        np.testing.assert_array_equal(now.astype(wide), before.astype(wide), f"{text}\n{after}")


@settings(max_examples=150, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.integers(0, 2**32))
def test_programs_compute_the_same(seed: int) -> None:
    random = Random(seed)
    assert_same(program(random, random.randint(2, 10), 0.7))


@pytest.mark.parametrize("step", dict.fromkeys(SIMPLIFIABLE), ids=lambda step: step.__name__)
def test_each_step_is_valid_and_keeps_its_results(step: Step) -> None:
    for seed in range(12):
        random = Random(seed)
        builder = Builder(random)
        builder.constant(random.choice([F32, I32]), (2, 3))
        step(builder)
        assert_same(with_some_results(builder, random))
