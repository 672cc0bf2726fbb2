"""Mistakes in the judge: what it accepts, what it does not try, what it does not notice."""

from __future__ import annotations

from tests.mutation.mutant import Mutant, mutant

JUDGE = "hlokit.tools.judge"
TESTS = "tests/unit/tools/judge/test_judge.py"

MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "a NaN is right wherever the right number is finite",
        f"{JUDGE}.run:_Judging._without_spread",
        "np.isfinite(own) & ~np.isfinite(other)",
        "np.isfinite(own)",
        f"{TESTS}::test_numbers_that_become_infinite_are_wrong",
    ),
    mutant(
        "bounds are ten thousand times as wide",
        f"{JUDGE}.distances:shares",
        "distance / bound",
        "distance / bound / 1e4",
        f"{TESTS}::test_distances",
    ),
    mutant(
        "nothing is far from zero",
        f"{JUDGE}.trials:_CHANGES",
        "values + 1000",
        "values + 0",
        f"{TESTS}::test_tricks_are_named[all]",
    ),
    mutant(
        "narrow integers never have their least value",
        f"{JUDGE}.trials:_of_ends",
        "np.min",
        "np.max",
        f"{TESTS}::test_tricks_of_libraries[few]",
    ),
    mutant(
        "integers of four bits have no ends",
        f"{JUDGE}.trials:_is_narrow_integer",
        "stored.width <= _NARROW",
        "stored.width == _NARROW",
        f"{TESTS}::test_tricks_of_libraries[few]",
    ),
    mutant(
        "cached answers are not noticed",
        f"{JUDGE}.suspicions:_cached",
        "and not _any(earlier.wrong[index])",
        "and _any(earlier.wrong[index])",
        f"{TESTS}::test_tricks_are_named[few]",
    ),
    mutant(
        "rows that are left out are not noticed",
        f"{JUDGE}.suspicions:_rows",
        "share[rows] > 0.5",
        "share[rows] > 1.5",
        f"{TESTS}::test_tricks_are_named[few]",
    ),
    mutant(
        "only activations are quantized, never weights",
        f"{JUDGE}.quantized:quantizations",
        "for number in (0, 1)",
        "for number in (0,)",
        f"{TESTS}::test_tricks_of_libraries[few]",
    ),
    mutant(
        "narrower products than allowed are right",
        f"{JUDGE}.precisions:Lower.is_within",
        ">= rank",
        "<= rank",
        f"{TESTS}::test_products_of_parts_are_within_what_is_narrower",
    ),
)
