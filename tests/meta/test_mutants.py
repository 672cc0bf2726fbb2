"""The mutants apply to the code as it is: whoever moves or changes code that a mutant names hears of it here."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

from tests.mutation.mutant import ROOT, Mutant, StaleMutantError
from tests.mutation.mutants import AREAS

MUTANTS = tuple(chain.from_iterable(AREAS.values()))


def stale(row: Mutant) -> str | None:
    try:
        row.mutated()
    except (StaleMutantError, SyntaxError) as error:
        return f"{row.name}: {error}"
    return None


def exists(test: str) -> bool:
    file, *names = re.sub(r"\[.*", "", test).split("::")
    path = ROOT / file
    return path.is_file() and all(f" {name}(" in path.read_text() for name in names)


def test_every_mutant_applies() -> None:
    assert [problem for problem in map(stale, MUTANTS) if problem is not None] == []


def test_names_are_distinct_and_tests_exist() -> None:
    assert [name for name, count in Counter(row.name for row in MUTANTS).items() if count > 1] == []
    assert all(row.tests for row in MUTANTS)
    tests = sorted({test for row in MUTANTS for test in row.tests})
    assert [test for test in tests if not exists(test)] == []
