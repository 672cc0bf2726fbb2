"""Planted faults are named at their stages. `python -m tests.fuzz.stages` plants many more."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hlokit.tools.stages.run import certify_dumps
from tests.fuzz.stages import model, small, tried


def test_a_fault_in_a_small_program_is_named(tmp_path: Path) -> None:
    subject = small(tmp_path / "dumps")
    rng = random.Random(3)
    outcome = tried(rng, subject, tmp_path / "planted")
    assert outcome.verdict == "named", outcome


@pytest.mark.deep
def test_faults_in_models_are_named(tmp_path: Path) -> None:
    rng = random.Random(4)
    for name in ("digits", "train_step"):
        subject = model(name, tmp_path / name)
        report = certify_dumps(str(subject.folder), subject.program, *subject.arguments)
        assert report.status == 0
        outcomes = [tried(rng, subject, tmp_path / "planted") for _ in range(15)]
        assert {outcome.verdict for outcome in outcomes} <= {"named", "quiet", "small"}, outcomes
