"""Runs the tests of a mutant, on a copy of what it changes: the files of the work tree stay as they are."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutation.mutant import ROOT, Mutant
from tests.mutation.native_build import build

OVERLAY = Path(__file__).parent / "overlay"
TIME_LIMIT = 300  # seconds
PYTEST = ("-m", "pytest", "-x", "-q", "-rfE", "--tb=line", "-p", "no:cacheprovider")
# pytest's exit statuses
PASSED, FAILED, NO_TESTS = 0, 1, 5
CRASHES = {-signal.SIGABRT, -signal.SIGBUS, -signal.SIGFPE, -signal.SIGILL, -signal.SIGSEGV}


class Outcome(NamedTuple):
    """What the tests of a mutant made of it.

    Attributes:
      caught_by: the test that failed; None if all passed.
      seconds: the time of the tests.
      is_deep: only the deep suite has the test.
    """

    caught_by: str | None
    seconds: float
    is_deep: bool = False


class BrokenRunError(Exception):
    """Tests did not run: neither passed nor failed."""


def run(mutant: Mutant) -> Outcome:
    """Run the tests of a mutant until one fails: those of the short suite, then those of the deep one."""
    with tempfile.TemporaryDirectory() as folder:
        if mutant.is_native:
            files = build(mutant, Path(folder))
        else:
            file = Path(folder) / mutant.path.name
            file.write_text(mutant.mutated())
            files = {mutant.module: str(file)}
        short = run_tests(mutant.test_names, files)
        if short.caught_by is not None:
            return short
        deep = run_tests(mutant.test_names, files, "-m", "deep")
        return Outcome(deep.caught_by, short.seconds + deep.seconds, is_deep=True)


def run_tests(
    names: Sequence[str], files: dict[str, str], *options: str, limit: float = TIME_LIMIT
) -> Outcome:
    """Run tests with some modules from other files, and with options of pytest."""
    folders = [str(OVERLAY), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(folders),
        "HLOKIT_OVERLAY": json.dumps(files),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, *PYTEST, *options, *names]
    start = time.perf_counter()
    try:
        process = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Outcome("the limit of time", limit)
    seconds = time.perf_counter() - start
    if process.returncode in (PASSED, NO_TESTS):
        return Outcome(None, seconds)
    if process.returncode in CRASHES:
        crashed = re.search(r'"\S*?(tests/\S+)", line \d+ in (test_\w+)', process.stderr)
        return Outcome("::".join(crashed.groups()) if crashed else "a crash", seconds)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", process.stdout, re.MULTILINE)
    if process.returncode != FAILED or failed is None:
        raise BrokenRunError(f"{' '.join(command)}:\n{process.stdout}{process.stderr}")
    return Outcome(failed[1], seconds)
