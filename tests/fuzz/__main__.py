"""Many random programs: `python -m tests.fuzz --programs 10000 [--seed N] [--store DIRECTORY]`."""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.run import judge
from tests.generate import generate

_OPERATION = re.compile(r"stablehlo\.(\w+)")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="number of programs")
    parser.add_argument(
        "--seed", type=int, default=0, help="seed of the first program; each further program adds 1"
    )
    parser.add_argument("--xla-every", type=int, default=10, help="compare every Nth program with XLA, too")
    parser.add_argument("--store", type=Path, help="directory for programs in which implementations differ")
    options = parser.parse_args()
    if options.store is not None:
        options.store.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    operations: Counter[str] = Counter()
    start = time.monotonic()
    for seed in range(options.seed, options.seed + options.programs):
        program = generate(seed, "oracles")
        verdict = judge(program, all_oracles=seed % options.xla_every == 0)
        operations.update(set(_OPERATION.findall(program.text)) - {"return"})
        for name, difference in verdict.differences.items():
            counts[f"{name} {'agrees' if difference is None else 'differs'}"] += 1
        counts.update(f"{name} refuses" for name in verdict.refused)
        if verdict.is_agreement:
            counts["agreements"] += 1
        elif verdict.is_disagreement:
            counts["DISAGREEMENTS"] += 1
            print(f"DISAGREEMENT, seed {seed}\n{verdict}\n", flush=True)
        else:
            counts["not judged: no oracle evaluates it"] += 1
        if options.store is not None and str(verdict):
            comment = "".join(f"// {line}\n" for line in str(verdict).splitlines())
            kind = "bad" if verdict.is_disagreement else "note"
            (options.store / f"{kind}_{seed}.mlir").write_text(comment + program.text)
    print(f"{options.programs} programs, seeds from {options.seed}, {time.monotonic() - start:.0f} s")
    for name, count in sorted(counts.items()):
        print(f"{count:8} {name}")
    print("number of programs with each operation:")
    print(", ".join(f"{name} {count}" for name, count in operations.most_common()))
    return int(counts["DISAGREEMENTS"] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
