"""Prints the mutants that the kit catches, and those that survive.

python -m tests.kit [--operation=WORD]
"""

from __future__ import annotations

import argparse
import sys

from tests.kit.campaign import scores
from tests.kit.faults import mutants


def main() -> int:
    """The status is 1 if fewer than 98 % are caught by the kit, or 90 % by its sample of a minute."""
    parser = argparse.ArgumentParser(prog="python -m tests.kit", description=__doc__)
    parser.add_argument("--operation", default="", help="a part of the names of operations")
    options = parser.parse_args()
    chosen = [mutant for mutant in mutants() if options.operation in mutant.operation]
    full = sample = 0
    for score in scores(chosen):
        full += bool(score.full)
        sample += bool(score.sample)
        if not score.sample:
            what = "sample only missed" if score.full else "SURVIVES" if score.has_effect else "NO EFFECT"
            print(f"{what}: {score.mutant.name} {score.full}", flush=True)
    print(f"{len(chosen)} mutants: {full} caught by the kit, {sample} by the sample of a minute")
    return int(full < 0.98 * len(chosen) or sample < 0.9 * len(chosen))


if __name__ == "__main__":
    sys.exit(main())
