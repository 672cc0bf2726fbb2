"""Operations with unknown dimensions, of right and wrong sizes. `python -m tests.fuzz.shapes` runs many more."""

from __future__ import annotations

from collections import Counter

from tests.fuzz.shapes import judge, programs


def test_tiers_and_reference_agree_on_a_value_or_an_error() -> None:
    counts: Counter[str] = Counter()
    for number, (seed, program) in enumerate(programs(seed=0, count=80)):
        outcome, wrong = judge(program, with_oracle=number % 40 == 0)
        assert not wrong, f"seed {seed}: {wrong}\n{program.text}"
        counts[outcome] += 1
    assert counts["value"] > 30
    assert counts["error"] > 5
