"""Run mutants, and print which test catches each.

python -m tests.mutation [--only=TEXT] [--jobs=N] [--output=FILE]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutation.mutant import Mutant, StaleMutantError
from tests.mutation.mutants import AREAS
from tests.mutation.native_build import BuildFailedError, NoBuildError
from tests.mutation.running import BrokenRunError, Outcome, run, run_tests

UNCHANGED_LIMIT = 3600  # seconds, for the tests of all mutants


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.mutation", description="Run mutants of hlokit.")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="mutants whose area, name or place has the text"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="run N mutants side by side")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write a table in Markdown to a file")
    parser.add_argument(
        "--unchanged", action="store_true", help="only run the tests without a mutant: all must pass"
    )
    return parser.parse_args()


def chosen(text: str) -> list[tuple[str, Mutant]]:
    return [
        (area, mutant)
        for area, mutants in AREAS.items()
        for mutant in mutants
        if any(text in part for part in (area, mutant.name, mutant.place))
    ]


def lines(mutants: list[tuple[str, Mutant]], outcomes: Iterable[Outcome]) -> Iterable[str]:
    yield "| area | mistake | place | caught by | seconds |"
    yield "|---|---|---|---|--:|"
    for (area, mutant), outcome in zip(mutants, outcomes, strict=True):
        yield (
            f"| {area} | {mutant.name} | `{mutant.place}` | {outcome.caught_by or '**nothing**'}"
            f"{' (deep)' * outcome.is_deep} | {outcome.seconds:.1f} |"
        )


def outcome_of(mutant: Mutant) -> Outcome:
    try:
        return run(mutant)
    except (StaleMutantError, NoBuildError, BuildFailedError, BrokenRunError) as error:
        print(f"{mutant.name}: {error}", file=sys.stderr, flush=True)
        return Outcome(None, 0.0)


def main() -> int:
    options = arguments()
    mutants = chosen(options.only)
    if options.unchanged:
        names = sorted({name for _, mutant in mutants for name in mutant.test_names})
        failed = run_tests(names, {}, limit=UNCHANGED_LIMIT).caught_by
        print(failed or "All tests pass without a mutant.")
        return int(failed is not None)
    outcomes: list[Outcome] = []
    table: list[str] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        running = pool.map(outcome_of, [mutant for _, mutant in mutants])
        for line in lines(mutants, (outcomes.append(outcome) or outcome for outcome in running)):
            print(line, flush=True)
            table.append(line)
    print(f"\n{summary(outcomes)}")
    if options.output is not None:
        options.output.write_text("\n".join([*table, "", summary(outcomes), ""]))
    return int(any(outcome.caught_by is None for outcome in outcomes))


def summary(outcomes: Sequence[Outcome]) -> str:
    caught = [outcome for outcome in outcomes if outcome.caught_by is not None]
    short = sum(not outcome.is_deep for outcome in caught)
    seconds = sum(outcome.seconds for outcome in outcomes)
    return (
        f"{short} of {len(outcomes)} mutants are caught by the short suite, {len(caught) - short} by the deep one, "
        f"{len(outcomes) - len(caught)} by none, in {seconds:.0f} s of tests."
    )


if __name__ == "__main__":
    sys.exit(main())
