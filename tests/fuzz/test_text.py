"""Mutated programs as text do no harm. `python -m tests.fuzz.text` tries many more."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.fuzz import text
from tests.fuzz.text import judge, mutant, outcome, sources

MUTANTS = int(os.environ.get("HLOKIT_MUTANTS", "300"))


def test_mutants_are_read_or_refused() -> None:
    verdicts = dict(judge(range(MUTANTS)))
    assert list(verdicts) == list(range(MUTANTS))
    findings = {seed: verdict for seed, verdict in verdicts.items() if verdict.startswith("FINDING")}
    assert not findings, f"{findings}\n{mutant(min(findings))}"
    counts = Counter(verdicts.values())
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
