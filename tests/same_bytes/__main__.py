"""The campaign: python -m tests.same_bytes [--programs N] [--seed N] [--keep].

Runs random programs in every configuration, and prints the programs whose bytes differ. `--keep` writes
hashes.json, after an intended change of bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from tests.same_bytes.configurations import (
    FIRST_SEED,
    KEPT,
    SMALL,
    Hashes,
    all_hashes,
    differing,
    random_programs,
)

_AT_ONCE = 200


def main() -> int:
    """Exit status 1 if bytes of a program differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.same_bytes")
    parser.add_argument("--programs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    found: Hashes = {}
    for seed in range(options.seed, options.seed + options.programs, _AT_ONCE):
        count = min(_AT_ONCE, options.seed + options.programs - seed)
        with tempfile.TemporaryDirectory() as directory:
            part = all_hashes(random_programs(Path(directory), count, seed), SMALL)
        found |= part
        print(f"{len(found)} programs", file=sys.stderr, flush=True)
        for name, runs in differing(part).items():
            first = next(iter(runs.values()))
            others = [f"{run} ({value})" for run, value in runs.items() if value != first]
            print(f"{name}: {first}, but {'; '.join(others) or 'an error'}", flush=True)
    wrong = differing(found)
    print(f"{len(found)} programs, {len(wrong)} whose bytes differ")
    if options.keep and not wrong:
        kept = {name: next(iter(runs.values())) for name, runs in found.items()}
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
