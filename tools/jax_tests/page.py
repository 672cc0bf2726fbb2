"""docs/clients.md: the table of JAX's tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

_HEAD = """# Tests of clients

JAX's own tests (jax-ml/jax at the tag of jaxlib 0.10.2), run with `JAX_PLATFORMS=hlokit` and with XLA:CPU:
`python -m tools.jax_tests` writes this page. "Ran" are the tests that XLA:CPU does not skip, and that both
reached within the time limit of a file; JAX generates its parametrized tests at random, one or two of each.
Of large files, 50 or 100 tests ran, evenly spaced over the file. Where XLA:CPU ran only tests that fail on
hlokit, those that pass on hlokit count as passed on XLA:CPU.

| file | ran | passed on XLA:CPU | of these on hlokit | |
|---|---|---|---|---|
"""
_FAILED = """
## Tests that pass on XLA:CPU and not on hlokit

| test | reason |
|---|---|
"""


def page(measured: Mapping[str, Any]) -> str:
    """The page of outcomes by file and platform."""
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
    share = 100 * totals["own"] / max(totals["passed"], 1)
    rows.append(f"| all | {totals['ran']} | {totals['passed']} | {totals['own']} ({share:.1f} %) | |")
    return _HEAD + "\n".join(rows) + "\n" + (_FAILED + "\n".join(failures) + "\n" if failures else "")
