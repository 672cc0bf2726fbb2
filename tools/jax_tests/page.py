"""docs/clients.md: the table of JAX's tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tools.jax_tests.reasons import REASONS

_REASONS = frozenset(because for _, _, because in REASONS)

_HEAD = """# Tests of clients

JAX's own tests, run with `JAX_PLATFORMS=hlokit` and with XLA:CPU: `python -m tools.jax_tests` writes this
page. The tests for jaxlib 0.10.2 are those of its tag of jax-ml/jax; those for 0.12.0.1 are of 2026-08-08
(JAX 0.11.1), but `async_collectives_test` of 0.10.2, and `api_test` without two imports that this JAX lacks.
"Ran" are the tests that XLA:CPU does not skip, and that both reached within the time limit of a file; JAX
generates its parametrized tests at random, one or two of each. Of large files, 40 to 150 tests ran, evenly
spaced over the file. Where XLA:CPU ran only tests that fail on hlokit, those that pass on hlokit count as
passed on XLA:CPU.

| jaxlib | ran | passed on XLA:CPU | of these on hlokit | of those that assert nothing of XLA alone |
|---|---|---|---|---|
"""
_OPEN = """
The last column leaves out tests that assert an answer of XLA's where the specification leaves it open: the
tables of failures have them one by one, with their reasons. All other failures are "open".
"""
_FILES = """
## jaxlib {version}

| file | ran | passed on XLA:CPU | of these on hlokit | |
|---|---|---|---|---|
"""
_FAILED = """
Tests that pass on XLA:CPU and not on hlokit:

| test | reason |
|---|---|
"""


def page(measured: Mapping[str, Mapping[str, Any]]) -> str:
    """The page of outcomes by version of jaxlib, file and platform."""
    sections = {version: _section(files) for version, files in sorted(measured.items())}
    summary = [f"| {version} | {row} |\n" for version, (row, _) in sections.items()]
    tables = [_FILES.format(version=version) + text for version, (_, text) in sections.items()]
    return _HEAD + "".join(summary) + _OPEN + "".join(tables)


def _section(measured: Mapping[str, Any]) -> tuple[str, str]:
    """The totals of a version, and its tables."""
    rows: list[str] = []
    failures: list[str] = []
    totals: Counter[str] = Counter()
    for name, platforms in sorted(measured.items()):
        xla, own = (platforms[platform]["tests"] for platform in ("cpu", "hlokit"))
        both = [test for test in xla if test in own and xla[test][0] != "skipped"]
        passed = [test for test in both if xla[test][0] in ("passed", "not run")]
        wrong = [test for test in passed if own[test][0] != "passed"]
        counts = {"ran": len(both), "passed": len(passed), "own": len(passed) - len(wrong)}
        totals.update(counts)
        few = any(outcome[0] == "not run" for outcome in xla.values())
        notes = ["XLA:CPU: failures of hlokit only"] if few else []
        notes += [
            f"{platform}: {platforms[platform]['ended']}"
            for platform in platforms
            if platforms[platform]["ended"]
        ]
        rows.append(
            f"| `{name}` | {counts['ran']} | {counts['passed']} | {counts['own']} | {', '.join(notes)} |"
        )
        for test in sorted(wrong):
            because = "skipped" if own[test][0] == "skipped" else own[test][1]
            failures.append(f"| `{name}::{test}` | {because} |")
            totals["left open"] += because in _REASONS
    share = 100 * totals["own"] / max(totals["passed"], 1)
    counted = totals["passed"] - totals["left open"]
    others = 100 * totals["own"] / max(counted, 1)
    rows.append(f"| all | {totals['ran']} | {totals['passed']} | {totals['own']} ({share:.1f} %) | |")
    text = "\n".join(rows) + "\n" + (_FAILED + "\n".join(failures) + "\n" if failures else "")
    total = f"{totals['ran']} | {totals['passed']} | {totals['own']} ({share:.1f} %)"
    return f"{total} | of {counted}: {others:.1f} %", text
