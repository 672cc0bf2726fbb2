"""The programs of tests/interpret check themselves, in the reference as in all tiers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.mlir.provider.bindings import stablehlo
from hlokit.mlir.text.split import split_input
from reference.evaluating import run

PROGRAMS = Path(__file__).parents[1] / "interpret"
FILES = sorted(PROGRAMS.rglob("*.mlir"))
WITHOUT_CHECKS = {"print.mlir"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PROGRAMS)))
def test_program_checks_itself(path: Path) -> None:
    text = path.read_text()
    if "REQUIRES: collective_reduce" in text and not hasattr(stablehlo, "CollectiveReduceOp"):
        pytest.skip("these bindings do not know the operation")
    checks = sum(run(chunk, path.name).checks for chunk in split_input(text) if chunk.strip())
    assert checks > 0 or path.name in WITHOUT_CHECKS
