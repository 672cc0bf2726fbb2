"""The benchmark of reductions with small programs: divergences in loops and called functions become one operation."""

from __future__ import annotations

import pytest

import hlokit
from benchmarks.faults import make_case
from benchmarks.reductions import PLANTS, is_small, planted


@pytest.mark.parametrize(("kind", "place"), [("scatter", "loop"), ("reduce_precision", "function")])
@pytest.mark.deep
def test_a_planted_divergence_becomes_one_operation(kind: str, place: str) -> None:
    case = make_case(200, 1)
    program = hlokit.load(planted(case, kind, place, 1))
    made = hlokit.reduce(program, *case.arguments(), keep="diverges:xla")
    assert is_small(made)
    assert made.after == 1
    assert f"stablehlo.{kind}" in made.text


@pytest.mark.parametrize("kind", PLANTS)
def test_planted_programs_can_be_evaluated(kind: str) -> None:
    case = make_case(200, 2)
    for place in ("main", "loop", "function"):
        program = hlokit.load(planted(case, kind, place, 2))
        assert program.signature().outputs
