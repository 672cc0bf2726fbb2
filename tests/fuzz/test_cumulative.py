"""Random cumulative operations: all tiers agree with the reference. `python -m tests.fuzz.cumulative` runs more."""

from __future__ import annotations

import pytest

from hlokit.values.element_types import ELEMENT_TYPES
from tests.fuzz.cumulative import LENGTHS, failures, generate


@pytest.mark.parametrize("start", [0, *[pytest.param(n, marks=pytest.mark.deep) for n in range(10, 400, 30)]])
def test_all_tiers_agree_with_the_reference(start: int) -> None:
    cases = [generate(seed) for seed in range(start, start + (30 if start else 10))]
    assert [(case, message) for case in cases if (message := failures(case))] == []


def test_programs_have_all_types_and_lengths() -> None:
    cases = [generate(seed) for seed in range(400)]
    assert {case.element_type.name for case in cases} >= ELEMENT_TYPES.keys() - {"index"}
    assert {case.shape[case.axis] for case in cases} == {*LENGTHS}
    assert {len(case.shape) for case in cases} == {1, 2, 3}
    assert {case.is_scan for case in cases} == {False, True}
