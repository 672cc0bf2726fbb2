"""Changed attributes: `python -m tests.fuzz.attributes` runs many more."""

from __future__ import annotations

import sys

import pytest

from tests.fuzz.attributes import functions, run


def test_there_is_a_program_for_most_operations() -> None:
    assert len(functions()) > 100


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are those of Linux")
@pytest.mark.parametrize("first", [0, pytest.param(1000, marks=pytest.mark.deep)])
def test_what_passes_the_verifier_runs_or_fails_clearly(first: int) -> None:
    counts = run(first, 40 if first == 0 else 1000)
    assert counts["fine"] > 0
    assert counts["refused"] > 0
    assert (counts["died"], counts["internal error"]) == (0, 0)
