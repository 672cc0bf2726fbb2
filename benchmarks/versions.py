"""Compare this hlokit with another installation, in one run: no class of programs may become slower by 5 %.

    python -m benchmarks.versions PYTHON_OF_THE_OTHER [--filter WORD]... [--rounds N] [--seconds S]
                                  [--json FILE]

Both versions run every program in separate processes, alternately. A ratio is the processor time of this
version divided by that of the other in the same turn, the median of all turns; below 1 means that this
version is faster. (Minima lie on a busy machine: one version has a core to itself for a moment.) The command
fails if the mean of a class is above 1.05, in its first results, ten calls or steady times, or in steady
times by the clock. The programs of such a class run again, up to twice, in as many more rounds, which have
less noise. Classes of few programs have more rounds from the start.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.case import Case
from benchmarks.measure import build, environment, started
from benchmarks.programs import CASES

# The mean ratio of a class from which on it counts as slower.
SLOWER = 1.05
TIMES = ("load", "first", "ten", "steady", "clock")
# The means that count.
_DECISIVE = TIMES[1:]
_REPETITIONS = 2
# The least number of processes of each version for a class: of few programs the mean has more noise.
_LEAST_PROCESSES = 12
Figures = dict[str, Any]
_IDENTITY = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }"
_START = f"import hlokit; hlokit.load({_IDENTITY!r})([1.0, 2.0])"


class _Side:
    """A process of one version."""

    def __init__(self, python: str, threads: int) -> None:
        worker = Path(__file__).with_name("version_worker.py")
        self._process = started([python, "-P", str(worker), str(threads)])
        self._answer()

    def ask(self, **command: Any) -> Figures:
        """The answer to a command; {"error": ...} if the version failed."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        return self._answer()

    def _answer(self) -> Figures:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        return json.loads(line) if line else {"error": "died"}

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


def _keep(kept: Figures, found: Figures) -> None:
    """Times are lists, of one time for each turn."""
    for key, value in found.items():
        kept[key] = [*kept.get(key, ()), value] if key in TIMES else value


@dataclass(frozen=True)
class Effort:
    """The versions, and the extent of a measurement of each program.

    Attributes:
      pythons: of the other version, and of this one.
      rounds: processes of each version; an even number, and more in classes of few programs.
      seconds: of steady calls per round.
    """

    pythons: Sequence[str]
    rounds: int
    seconds: float


def measure(cases: Sequence[Case], effort: Effort) -> dict[str, list[Figures]]:
    """The figures of both versions by the name of the case."""
    measured: dict[str, list[Figures]] = {case.name: [{}, {}] for case in cases}
    with tempfile.TemporaryDirectory(prefix="hlokit-versions-") as directory:
        files = build(cases, directory)
        for file in files.values():
            program = pickle.loads(Path(file).read_bytes())
            Path(file).write_bytes(pickle.dumps((program.source, list(program.arguments))))
        doubtful = cases
        sizes = Counter(case.kind for case in cases)
        for repetition in range(1 + _REPETITIONS):
            for number, case in enumerate(doubtful, 1):
                print(f"{number}/{len(doubtful)} {case.name}", file=sys.stderr, flush=True)
                rounds = max(effort.rounds, -(-_LEAST_PROCESSES // sizes[case.kind]))
                rounds += rounds % 2  # of the two processes of a round, the first to load takes some 7% more
                _measure(files[case.name], measured[case.name], replace(effort, rounds=rounds))
            slower = regressions(cases, measured)
            doubtful = [case for case in cases if case.kind in slower]
            if doubtful and repetition < _REPETITIONS:
                print(f"once more, since these seem slower: {', '.join(slower)}", file=sys.stderr)
    return measured


def _measure(file: str, figures: list[Figures], effort: Effort) -> None:
    for turn in range(effort.rounds):
        order = (0, 1) if turn % 2 == 0 else (1, 0)
        sides = {which: _Side(effort.pythons[which], threads=2) for which in order}
        for which in order:
            _keep(figures[which], sides[which].ask(file=file))
        for _ in range(3):
            for which in order:
                if "error" not in figures[which]:
                    _keep(figures[which], sides[which].ask(seconds=effort.seconds / 3))
        for side in sides.values():
            side.stop()


def starts(pythons: Sequence[str], count: int = 15) -> list[float]:
    """Seconds of a whole process that imports, loads and runs a tiny program, for both versions."""
    best = [math.inf, math.inf]
    for _ in range(count):
        for which, python in enumerate(pythons):
            begin = time.perf_counter()
            subprocess.run([python, "-P", "-c", _START], check=True, env=environment())
            best[which] = min(best[which], time.perf_counter() - begin)
    return best


def _ratio(sides: Sequence[Figures], key: str) -> float:
    """The time of this version divided by that of the other: the median of all turns."""
    before, after = sides
    return statistics.median([new / old for old, new in zip(before[key], after[key], strict=True)])


def _mean(ratios: Iterable[float]) -> float:
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def regressions(cases: Sequence[Case], measured: dict[str, list[Figures]]) -> dict[str, list[str]]:
    """The classes that have become slower, each with a line for each of its slower means."""
    good = [case for case in cases if not any("error" in side for side in measured[case.name])]
    slower: dict[str, list[str]] = {}
    for kind in sorted({case.kind for case in good}):
        pairs = [measured[case.name] for case in good if case.kind == kind]
        for key in _DECISIVE:
            mean = _mean(_ratio(sides, key) for sides in pairs)
            if mean > SLOWER:
                slower.setdefault(kind, []).append(
                    f"{kind}: {key} takes {mean:.3f} of the other version's time"
                )
    return slower


def report(cases: Sequence[Case], measured: dict[str, list[Figures]], times: Sequence[float]) -> str:
    """A line for each class, and the cases that changed most."""
    before, after = (seconds * 1e3 for seconds in times)
    lines = [f"a process with a tiny program: {before:.0f} ms -> {after:.0f} ms, ratio {after / before:.3f}"]
    lines.append(f"{'class':12} {'cases':>5}" + "".join(f"{key:>9}" for key in TIMES))
    good = [case for case in cases if not any("error" in side for side in measured[case.name])]

    def ratio(case: Case, key: str) -> float:
        return _ratio(measured[case.name], key)

    for kind in (*sorted({case.kind for case in good}), "all"):
        chosen = [case for case in good if kind in (case.kind, "all")]
        lines.append(
            f"{kind:12} {len(chosen):5}"
            + "".join(f"{_mean(ratio(c, key) for c in chosen):9.3f}" for key in TIMES)
        )
    for key in TIMES[1:]:
        order = sorted(good, key=lambda case: ratio(case, key))
        lines.append(
            f"{key}: slower " + ", ".join(f"{c.name} {ratio(c, key):.2f}" for c in reversed(order[-8:]))
        )
        lines.append(f"{key}: faster " + ", ".join(f"{c.name} {ratio(c, key):.2f}" for c in order[:8]))
    changed = [c.name for c in good if measured[c.name][0]["digest"] != measured[c.name][1]["digest"]]
    lines.append(f"other bytes: {len(changed)} of {len(good)}: {', '.join(changed[:40])}")
    for which, name in enumerate(("other", "this")):
        unstable = [
            c.name for c in good if measured[c.name][which]["digest"] != measured[c.name][which]["again"]
        ]
        lines.append(
            f"first and second result differ, {name} version: {len(unstable)}: {', '.join(unstable[:20])}"
        )
    lines.extend(f"failed: {c.name}: {measured[c.name]}" for c in cases if c not in good)
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.versions", description=__doc__)
    parser.add_argument("other", help="the Python of the other installation")
    parser.add_argument(
        "--filter", action="append", default=[], metavar="WORD", help="only cases with the word"
    )
    parser.add_argument(
        "--rounds", type=int, default=2, help="processes of each version per case (default: 2)"
    )
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="seconds of steady calls per round (default: 0.3)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write all figures to this file")
    options = parser.parse_args(arguments)
    cases = [
        case
        for case in CASES
        if not case.plan_only
        and (not options.filter or any(word in f"{case.family}: {case.name}" for word in options.filter))
    ]
    pythons = (options.other, sys.executable)
    times = starts(pythons)
    measured = measure(cases, Effort(pythons, options.rounds, options.seconds))
    if options.json is not None:
        options.json.write_text(json.dumps(measured, indent=1))
    print(report(cases, measured, times))
    slower = regressions(cases, measured)
    for line in chain.from_iterable(slower.values()):
        print(line, file=sys.stderr)
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
