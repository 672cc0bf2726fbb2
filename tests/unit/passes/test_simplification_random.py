"""Simplified random programs have the same results."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from tests.generate import generate
from tests.generate.builder import Step
from tests.generate.profiles import builder, chosen
from tests.generate.simplifiable import SIMPLIFIABLE
from tests.generate.values import F32, I32
from tests.unit.passes.simplified import simplified


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
    assert_same(generate(seed, "passes").text)


@pytest.mark.parametrize("step", dict.fromkeys(SIMPLIFIABLE), ids=lambda step: step.__name__)
def test_each_step_is_valid_and_keeps_its_results(step: Step) -> None:
    for seed in range(12):
        b = builder(seed, "passes")
        b.constant(b.random.choice([F32, I32]), (2, 3))
        step(b)
        b.index(1)
        assert_same(b.program(chosen(b)).text)
