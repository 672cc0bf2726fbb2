"""Random programs agree with the C++ interpreter or XLA. `python -m tests.fuzz` runs many more."""

from __future__ import annotations

import re

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import hlokit
from tests.fuzz.judge import first_difference
from tests.fuzz.run import judge
from tests.generate import PROFILES, Program, generate
from tests.generate.profiles import builder
from tests.generate.values import F32, TYPE

programs = st.integers(0, 2**32).map(lambda seed: generate(seed, "oracles"))


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(programs)
def test_random_programs(program: Program) -> None:
    verdict = judge(program)
    assert not verdict.is_disagreement, f"{verdict}\n{program.text}"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_step_makes_valid_programs(profile: str) -> None:
    steps = [(seed, step) for seed in range(5) for step in builder(seed, profile).material.steps]
    assert steps
    for seed, step in steps:
        b = builder(seed, profile)
        b.constant(F32, b.shape())
        step(b)
        assert "main" in hlokit.load(b.program().text).functions


@pytest.mark.parametrize("profile", PROFILES)
def test_programs_run_and_are_the_same_for_the_same_seed(profile: str) -> None:
    for seed in range(10):
        program, again = generate(seed, profile), generate(seed, profile)
        assert program.text == again.text
        for one, two in zip(program.arguments, again.arguments, strict=True):
            assert np.asarray(one).tobytes() == np.asarray(two).tobytes()
        with np.errstate(all="ignore"):
            hlokit.load(program.text)(*program.arguments)


def test_programs_of_all_kinds_have_all_element_types_and_operations() -> None:
    text = "".join(generate(seed).text for seed in range(300))
    assert [name for name in TYPE if f"{name}>" not in text] == []
    control = {
        "while",
        "if",
        "case",
        "call",
        "sort",
        "reduce_window",
        "scatter",
        "dot_general",
        "convolution",
    }
    assert control <= set(re.findall(r"(?:stablehlo|func)\.(\w+)", text))


def test_a_wrong_value_is_found() -> None:
    for seed in range(20):
        program = generate(seed, "oracles")
        results = hlokit.load(program.text)()
        arrays = [np.array(array) for array in (results if isinstance(results, tuple) else (results,))]
        assert first_difference(program, arrays, arrays) is None
        index = next((i for i, array in enumerate(arrays) if array.size), None)
        if index is None:
            continue
        wrong = [np.array(array) for array in arrays]
        flat = wrong[index].reshape(-1)
        flat[0] = not flat[0] if flat.dtype == np.bool_ else 1 if flat[0] == 0 else 0
        if program.values[index].is_exact:
            found = first_difference(program, arrays, wrong)
            assert found is not None
            assert found.value is program.values[index]
