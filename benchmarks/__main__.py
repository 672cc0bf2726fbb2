"""Run every case on every engine and print times and ratios as a Markdown table.

    python -m benchmarks [WORD ...]

With words, only the cases whose name contains one of them. Each measurement has a process of its own, one
after the other; machines are noisy, so read the ratios, which come from one run.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from math import prod

from benchmarks.cases import CASES, Case

# eval_module may take hours where the others take milliseconds.
_TIME_LIMIT = 120.0

_COLUMNS = (
    *("case", "hlokit first", "hlokit steady"),
    *("eval_module first", "ratio", "eval_module steady", "ratio"),
    *("XLA first", "ratio", "XLA steady", "ratio"),
)

Measurement = dict[str, float]


def _measure(engine: str, case: Case) -> Measurement | str:
    """The measurement, or why there is none."""
    command = [sys.executable, "-m", "benchmarks.engine", engine, case.name]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}
    try:
        done = subprocess.run(command, capture_output=True, timeout=_TIME_LIMIT, env=environment, check=False)
    except subprocess.TimeoutExpired:
        return f"> {_TIME_LIMIT:.0f} s"
    if done.returncode:
        print(done.stderr.decode(errors="replace"), file=sys.stderr)
        return "failed"
    return json.loads(done.stdout)


def _seconds(value: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 1:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.0f} ns"


def _cell(measured: Measurement | str, key: str) -> str:
    return measured if isinstance(measured, str) else _seconds(measured[key])


def _ratio(other: Measurement | str, ours: Measurement, key: str) -> str:
    return "" if isinstance(other, str) else f"{other[key] / ours[key]:.3g}x"


def main(words: list[str]) -> int:
    """Print the table; 1 if hlokit failed on a case."""
    print(
        f"{platform.platform()}, {platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python"
    )
    print(f"{platform.python_version()}. Ratios: the other's time over hlokit's; above 1 hlokit is faster.\n")
    print(f"| {' | '.join(_COLUMNS)} |")
    print(f"|{'---|' * len(_COLUMNS)}")
    failed = False
    ratios: dict[str, list[float]] = {"first": [], "steady": []}
    for case in CASES:
        if words and not any(word in case.name for word in words):
            continue
        ours = _measure("hlokit", case)
        if isinstance(ours, str):
            print(f"| {case.name} | {ours} |", flush=True)
            failed = True
            continue
        reference = _measure("eval_module", case) if case.has_reference else "not run"
        xla = _measure("xla", case)
        if not isinstance(xla, str):
            for key, values in ratios.items():
                values.append(xla[key] / ours[key])
        cells = (
            case.name,
            _cell(ours, "first"),
            _cell(ours, "steady"),
            _cell(reference, "first"),
            _ratio(reference, ours, "first"),
            _cell(reference, "steady"),
            _ratio(reference, ours, "steady"),
            _cell(xla, "first"),
            _ratio(xla, ours, "first"),
            _cell(xla, "steady"),
            _ratio(xla, ours, "steady"),
        )
        print(f"| {' | '.join(cells)} |", flush=True)
    for key, values in ratios.items():
        if values:
            print(f"\nGeometric mean over XLA, {key}: {prod(values) ** (1 / len(values)):.3g}x")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
