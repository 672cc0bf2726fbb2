"""Random programs agree with the C++ interpreter or XLA. `python -m tests.fuzz` runs many more."""

from __future__ import annotations

from random import Random

import hypothesis.strategies as st
import numpy as np
from hypothesis import HealthCheck, given, settings

import hlokit
from tests.fuzz.builder import STEPS, Builder
from tests.fuzz.judge import first_difference
from tests.fuzz.programs import generate
from tests.fuzz.run import judge
from tests.fuzz.values import F32, Program

programs = st.randoms(use_true_random=False).map(generate)


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(programs)
def test_random_programs(program: Program) -> None:
    verdict = judge(program)
    assert not verdict.is_disagreement, f"{verdict}\n{program.text}"


def test_every_step_makes_valid_programs() -> None:
    for step in STEPS:
        for seed in range(5):
            builder = Builder(Random(seed))
            builder.constant(F32, builder.shape())
            step(builder)
            hlokit.load(builder.program().text)()


def test_a_wrong_value_is_found() -> None:
    for seed in range(20):
        program = generate(Random(seed))
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
