"""A plugin of pytest: appends the outcome of each test to a file, so that a time limit loses none, and runs
at most as many tests as HLOKIT_MOST says, evenly spaced over the file, or those of HLOKIT_ONLY.

Runs in the process of JAX's tests, without the rest of this package.
"""

from __future__ import annotations

import json
import os

import pytest

# How much of a message to keep.
_LENGTH = 2000


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    only = os.environ["HLOKIT_ONLY"].splitlines()
    if only:
        items[:] = [item for item in items if item.nodeid.partition("::")[2] in only]
        return
    step = -(-len(items) // int(os.environ["HLOKIT_MOST"]))
    items[:] = items[:: max(step, 1)]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when != "call" and report.outcome == "passed":
        return
    message = "" if report.outcome == "passed" else str(report.longrepr)[-_LENGTH:]
    line = json.dumps([report.nodeid.partition("::")[2], report.outcome, message])
    with open(os.environ["HLOKIT_OUTCOMES"], "a", encoding="utf-8") as file:
        file.write(line + "\n")
