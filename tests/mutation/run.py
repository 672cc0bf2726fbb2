"""Print for each mutant the first difference between the tiers and the reference.

    PYTHONPATH=.:tests python tests/mutation/run.py [name ...]

Prints a JSON object: name of the mutant -> difference, or null if none is found. The name "" stands for no mistake.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import hlokit
from mutation.mutants import MUTANTS, Mutant, unbroken
from reference import tier_programs
from reference.evaluating import results
from tests.generate import Program, generate
from tests.generate.same import listed, same

# Random programs of a profile: seeds whose reference takes no time.
SEEDS = {"straight-line": range(12), "loops": range(12), "anything": (0, 4, 5, 6)}


@cache
def random_program(profile: str, seed: int) -> tuple[Program, list[Any]]:
    """A random program, and the reference's results."""
    program = generate(seed, profile)
    return program, results(program.text, *program.arguments)


def differences_of_random(profile: str) -> Iterator[str]:
    for seed in SEEDS[profile]:
        program, expected = random_program(profile, seed)
        for thresholds, limits in tier_programs.THRESHOLDS.items():
            loaded = hlokit.load(program.text).with_thresholds(limits)
            for run in (1, 2, 3):
                made = listed(loaded(*program.arguments))
                if not all(map(same, made, expected)):
                    yield f"program {seed} of {profile}, {thresholds}, run {run}"


def differences(mutant: Mutant) -> Iterator[str]:
    if mutant.profile is not None:
        yield from differences_of_random(mutant.profile)
        return
    for type_ in mutant.types:
        yield from tier_programs.differences(type_)


def prepare(mutants: list[Mutant]) -> None:
    """Compute the reference's results before the first mutation, because it uses parts of hlokit, too."""
    for mutant in mutants:
        for type_ in mutant.types if mutant.profile is None else ():
            tier_programs.expected(type_), tier_programs.expected_scalars(type_)
        for seed in SEEDS.get(mutant.profile or "", ()):
            random_program(mutant.profile or "", seed)


def main(names: list[str]) -> None:
    mutants = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    prepare(mutants)
    found: dict[str, str | None] = {}
    with np.errstate(all="ignore"):
        with unbroken():
            programs = {(mutant.types, mutant.profile): mutant for mutant in mutants}
            found[""] = next((each for mutant in programs.values() for each in differences(mutant)), None)
        for mutant in mutants:
            with mutant.make():
                try:
                    found[mutant.name] = next(differences(mutant), None)
                except hlokit.HlokitError as error:
                    found[mutant.name] = f"{type(error).__name__}: {error}"
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
