"""Loops over arrays on the native machine: the same results as without it, and what it leaves alone."""

from __future__ import annotations

from random import Random
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import hlokit
from hlokit.interpreter.loops import NativeLoop
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.interpreter.array_programs import ARGUMENTS, program
from tests.unit.interpreter.plans import plan_of


def arguments() -> list[Any]:
    rng = np.random.default_rng(5)
    result: list[Any] = []
    for name, shape in ARGUMENTS:
        dtype = ELEMENT_TYPES[name].dtype
        if name == "i1":
            result.append(rng.integers(0, 2, shape).astype(dtype))
        elif name[0] in "fb":
            result.append(np.asarray(rng.choice([-0.0, np.nan, np.inf, 1.5, -2.25, 3.0], shape), dtype))
        else:
            result.append(np.asarray(rng.integers(-9 if name[0] == "i" else 0, 9, shape)).astype(dtype))
    return result


def run(text: str, monkeypatch: pytest.MonkeyPatch, disabled: str = "") -> list[Any]:
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    loaded = hlokit.load(text)
    given_ = arguments()
    before = [each.tobytes() for each in given_]
    first, second = loaded(*given_), loaded(*given_)
    assert [each.tobytes() for each in given_] == before, "an argument was written"
    assert [np.asarray(one).tobytes() for one in first] == [np.asarray(one).tobytes() for one in second]
    return [np.asarray(one) for one in first]


def same(one: Any, two: Any) -> bool:
    if one.dtype != two.dtype or one.shape != two.shape:
        return False
    if one.dtype.kind in "fV" or one.dtype.num > 23:
        nan = np.isnan(one)
        if not np.array_equal(nan, np.isnan(two)):
            return False
        one, two = one[~nan], two[~nan]
    return one.tobytes() == two.tobytes()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_random_loops_equal_the_kernels(seed: int) -> None:
    text = program(Random(seed))
    with pytest.MonkeyPatch.context() as patch:
        native, plain = run(text, patch), run(text, patch, "native")
    for one, two in zip(native, plain, strict=True):
        assert same(one, two), text


def test_random_loops_are_native() -> None:
    """Or the test above would show nothing."""
    count = 0
    for seed in range(20):
        (step,) = plan_of(program(Random(seed))).steps[-1:]
        cond, body = step.kernel.regions
        count += NativeLoop(cond, body, len(body.argument_types)).is_native
    assert count >= 18
