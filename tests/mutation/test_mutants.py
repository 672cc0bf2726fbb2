"""The tests catch a few of the mutants here; `make mutants` runs all."""

from __future__ import annotations

from itertools import chain

import pytest

from tests.mutation.mutant import Mutant, StaleMutantError, mutant
from tests.mutation.mutants import AREAS
from tests.mutation.native_build import NoBuildError
from tests.mutation.running import run, run_tests

MUTANTS = tuple(chain.from_iterable(AREAS.values()))
# In Python: those in C++ take a compiler's time.
SAMPLE = "the caret is one column to the right"


@pytest.mark.parametrize(
    ("place", "right", "wrong"),
    [
        ("hlokit.files.formats:is_bytecode", "no such text", "?"),
        ("hlokit.files.formats:is_bytecode", "data", "?"),
        ("hlokit.files.formats:no_such_function", "data", "?"),
        ("hlokit.no_such_module:f", "data", "?"),
        ("lib/no_such_file.cpp", "data", "?"),
        ("hlokit.files.formats:is_bytecode", "data[:", "data[ :"),
    ],
)
def test_mutants_that_do_not_apply(place: str, right: str, wrong: str) -> None:
    with pytest.raises(StaleMutantError, match="m: "):
        mutant("m", place, right, wrong).mutated()


def test_mistake_is_caught() -> None:
    (row,) = (row for row in MUTANTS if row.name == SAMPLE)
    assert run(row).caught_by is not None


@pytest.mark.deep
@pytest.mark.parametrize("row", MUTANTS[::10], ids=lambda row: row.name)
def test_a_tenth_of_the_mistakes_is_caught(row: Mutant) -> None:
    try:
        outcome = run(row)
    except NoBuildError as error:
        pytest.skip(str(error))
    assert outcome.caught_by is not None


def test_unchanged_code_is_not_caught() -> None:
    (row,) = (row for row in MUTANTS if row.name == SAMPLE)
    assert run_tests(row.test_names, {row.module: str(row.path)}).caught_by is None
