"""Benchmark hlokit, the C++ reference interpreter and XLA:CPU; docs/performance.md explains the figures.

python -m benchmarks [--filter WORD]... [--quick] [--list] [--json FILE]
    [--output docs/measured/benchmarks.json]
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.case import Case
from benchmarks.measure import Effort, measure, starts
from benchmarks.programs import CASES
from benchmarks.report import Results, report
from benchmarks.tables import markdown, write


def chosen(filters: Sequence[str], *, quick: bool) -> list[Case]:
    """The cases whose name or family contains one of the words."""
    return [
        case
        for case in CASES
        if (not quick or case.is_quick)
        and (not filters or any(word in f"{case.family}: {case.name}" for word in filters))
    ]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(arguments: Sequence[str]) -> int:
    """Measure and report. Returns 1 if hlokit failed on a case."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="WORD",
        help="only cases whose name contains the word",
    )
    parser.add_argument("--quick", action="store_true", help="a few cases, once")
    parser.add_argument("--list", action="store_true", help="list the cases without measuring")
    parser.add_argument("--no-reference", action="store_true", help="leave eval_module out")
    parser.add_argument(
        "--threads", type=int, default=_cores(), help="threads of each engine (default: all cores)"
    )
    parser.add_argument("--rounds", type=int, help="processes of each engine per case (default: 2, quick: 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to this file")
    parser.add_argument("--output", type=Path, metavar="FILE", help="store the report, for the site")
    options = parser.parse_args(arguments)
    cases = chosen(options.filter, quick=options.quick)
    if options.list:
        for case in cases:
            print(f"{case.kind:12} {case.family.partition(':')[0]}: {case.name}")
        return 0
    if not cases:
        parser.error(f"no case has a name with {' or '.join(options.filter)}")
    effort = Effort(options.threads, rounds=options.rounds or (1 if options.quick else 2))
    begin = time.perf_counter()

    def tell(message: str) -> None:
        print(f"[{time.perf_counter() - begin:4.0f} s] {message}", file=sys.stderr, flush=True)

    figures, machine = measure(cases, effort, reference=not options.no_reference, tell=tell)
    tell("starting processes")
    command = shlex.join(["python", "-m", "benchmarks", *arguments])
    results = Results(cases, figures, machine, starts(effort), options.threads, command)
    made = report(results)
    if options.json is not None:
        stored = {"machine": machine, "starts": results.starts, "cases": figures}
        options.json.write_text(json.dumps(stored, indent=1))
    if options.output is None:
        print(markdown(made))
    else:
        write(options.output, made)
    failed = [case.name for case in cases if "error" in figures[case.name].get("hlokit", {"error": "none"})]
    for name in failed:
        print(f"hlokit failed on {name}: {figures[name].get('hlokit')}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
