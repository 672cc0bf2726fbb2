"""Mutated programs as text do no harm. `python -m tests.fuzz.text` runs many more."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz import text
from tests.fuzz.text import judge, outcome, sources

ROOT = Path(__file__).parents[2]
MUTANTS = int(os.environ.get("HLOKIT_MUTANTS", "300"))


def test_mutants_are_read_or_refused() -> None:
    # In a process of its own: this one may have threads, and then its forks may hang.
    command = [sys.executable, "-m", "tests.fuzz.text", "--mutants", str(MUTANTS)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert run.returncode == 0, run.stdout + run.stderr
    counts = {
        verdict: int(count) for count, verdict in re.findall(r"^ *(\d+) ([a-z].*)$", run.stdout, re.MULTILINE)
    }
    assert counts["read"]
    assert counts["refused: ParseError"]
    assert counts["refused: VerificationError"]


def test_sources_are_read_or_announce_errors() -> None:
    for source in sources()[::10]:
        assert outcome(source) == "read" or "expected-error" in source or "CHECK" in source, source


def test_a_dead_process_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "outcome", lambda source: os.abort() if source == text.mutant(1) else "read")
    assert [verdict for _, verdict in judge(range(3))] == ["read", "FINDING: the process SIGABRT", "read"]
    monkeypatch.setattr(text, "outcome", lambda source: 1 // 0)
    assert [verdict for _, verdict in judge(range(1))] == [
        "FINDING: ZeroDivisionError: integer division or modulo by zero"
    ]
