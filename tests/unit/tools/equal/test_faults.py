"""`hlokit.equal` sees every planted fault that changes the meaning, and calls the other ones equal."""

from __future__ import annotations

from collections import Counter

import pytest

from unit.tools.equal.faults import (
    PROGRAMS,
    RULES,
    SHARDINGS,
    TYPES,
    Case,
    changes_meaning,
    faults,
    halo,
    sharded,
    whole,
)

KINDS = {kind for kind, _, _ in RULES} | {"stale value"}


def _judged(case: Case, most: int) -> tuple[Counter[str], list[str]]:
    """The number of faults of each kind that change the meaning, and the wrong verdicts."""
    seen, wrong = Counter[str](), list[str]()
    for fault in faults(case, most):
        is_fault, verdict = changes_meaning(fault), fault.verdict()
        seen[fault.kind] += is_fault
        if verdict.status != ("differs" if is_fault else "equal"):
            wrong.append(f"{case.name}, {fault.kind}: {verdict}")
    return seen, wrong


def test_faults_in_bf16_are_seen() -> None:
    seen, wrong = Counter[str](), list[str]()
    for case in (halo("bf16"), whole("optimizer", "bf16")):  # test_exact.py has sharded ones
        counts, verdicts = _judged(case, 1)
        seen, wrong = seen + counts, wrong + verdicts
    assert wrong == []
    assert sum(seen.values()) >= 5 and len(seen) >= 3, seen


@pytest.mark.deep
@pytest.mark.parametrize("type_", TYPES)
def test_a_hundred_faults_are_seen(type_: str) -> None:
    """In all three types together, more than 300."""
    seen, wrong = Counter[str](), list[str]()
    cases = [halo(type_), *[whole(name, type_) for name in PROGRAMS]]
    for case in (*cases, *[sharded(name, type_) for name in SHARDINGS]):
        counts, verdicts = _judged(case, 3)
        seen, wrong = seen + counts, wrong + verdicts
    assert wrong == []
    assert sum(seen.values()) >= 100 and set(+seen) == KINDS, seen
