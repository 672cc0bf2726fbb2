"""A mistake in one place that evaluates is found at once: the tiers then differ from the reference."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from mutation.mutants import MUTANTS

ROOT = Path(__file__).parents[2]


@cache
def found() -> dict[str, str | None]:
    """The first difference of each mutant, from a separate process."""
    script = ROOT / "tests" / "mutation" / "run.py"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    run = subprocess.run(
        [sys.executable, str(script)], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_unmutated_code_has_no_findings() -> None:
    assert found()[""] is None


@pytest.mark.parametrize("name", [mutant.name for mutant in MUTANTS])
def test_mistake_is_found(name: str) -> None:
    assert found()[name] is not None
