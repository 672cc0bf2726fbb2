"""Random sorts with NaN: all tiers agree with the reference. `python -m tests.fuzz.sorts` runs many more."""

from __future__ import annotations

import pytest

from tests.fuzz.sorts import generate
from tests.fuzz.tiers import difference


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_all_tiers_agree_with_the_reference(start: int) -> None:
    sorts = [generate(seed) for seed in range(start, start + 10)]
    assert [sort.text for sort in sorts if difference(sort.text, sort.arguments)] == []


def test_programs_have_all_comparisons_and_types() -> None:
    text = "".join(generate(seed).text for seed in range(400))
    for part in (
        "LT",
        "GT",
        "LE",
        "GE",
        "EQ",
        "NE",
        "TOTALORDER",
        "select",
        "or",
        "f8E4M3FNUZ",
        "complex",
        "bf16",
    ):
        assert part in text
