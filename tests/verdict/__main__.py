"""Plants faults in programs and asks `hlokit diff` for them: README.md.

python -m tests.verdict [--faults=220] [--seed=0] [--models=NAME,...] [--output=FOLDER]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.verdict.campaign import faults_of, table
from tests.verdict.faults.planting import Fault
from tests.verdict.judging import Judged, judge
from tests.verdict.models import names, traced


def told(fault: Fault) -> str:
    """The lines of a fault."""
    return ", ".join(map(str, sorted(fault.lines)))


def main() -> int:
    """Judge all faults; the status is 1 if one is not named."""
    parser = argparse.ArgumentParser(prog="python -m tests.verdict", description=__doc__)
    parser.add_argument("--faults", type=int, default=220)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", default="")
    parser.add_argument("--output", type=Path, default=Path("build/verdict"))
    parser.add_argument("--passes", default="", help="flags of stablehlo-opt, for programs with faults")
    options = parser.parse_args()
    chosen = options.models.split(",") if options.models else names()
    judged: list[Judged] = []
    for number, name in enumerate(chosen):
        model = traced(name)
        orders = range(number * options.faults // len(chosen), (number + 1) * options.faults // len(chosen))
        for fault, effect in faults_of(model, orders, options.seed):
            one = judge(options.output / f"{len(judged)}", model, fault, effect, options.passes)
            judged.append(one)
            print(
                f"{len(judged) - 1:3} {one.grade:8} {one.effect:8} {one.answer.seconds:5.1f} of {one.run:3.1f} s  {name}: "
                f"{fault.kind}, {fault.operation} in line {told(fault)}: {one.operation[:90]}",
                flush=True,
            )
    print(table(judged))
    return int(any(one.grade != "named" for one in judged))


if __name__ == "__main__":
    sys.exit(main())
