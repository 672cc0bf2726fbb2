"""Every benchmark program and 200 random ones: the same bytes in every configuration of a run.

Runs are the first three, observed runs unless they take long, runs on other layouts, with fusion and with straight-line
code, and the reference, for arguments that are not large; configurations are one thread, two threads, HLOKIT_DISABLE=all, and the baseline instructions. hashes.json
contains the hashes of the random programs, so that all supported versions of Python and jaxlib give the same bytes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hlokit
from tests.generate import generate
from tests.same_bytes.configurations import (
    KEPT,
    LARGE,
    LONG,
    SMALL,
    all_hashes,
    benchmark_programs,
    differing,
    random_programs,
)


@pytest.mark.deep
def test_benchmark_programs(tmp_path: Path) -> None:
    found = all_hashes(benchmark_programs(tmp_path, of_libraries=False), LARGE)
    assert len(found) > 150
    assert differing(found) == {}


@pytest.mark.deep
def test_programs_of_libraries(tmp_path: Path) -> None:
    found = all_hashes(benchmark_programs(tmp_path, of_libraries=True), LONG)
    assert len(found) > 50
    assert differing(found) == {}


@pytest.mark.sample("8")
@pytest.mark.parametrize("count", [8, 200])
def test_random_programs(count: int, tmp_path: Path) -> None:
    kept = json.loads(KEPT.read_text())
    assert len(kept) == 200
    hashes = all_hashes(random_programs(tmp_path, count), SMALL)
    assert len(hashes) == count
    assert differing(hashes) == {}
    assert {name: next(iter(runs.values())) for name, runs in hashes.items()}.items() <= kept.items()


@pytest.mark.deep
def test_quick_benchmark_programs(tmp_path: Path) -> None:
    hashes = all_hashes(benchmark_programs(tmp_path, of_libraries=False, only_quick=True), LONG)
    assert len(hashes) >= 5
    assert differing(hashes) == {}


def test_a_random_program_may_return_a_complex_value_twice() -> None:
    program = generate(802702, "passes")
    one, two, *others = hlokit.load(program.text)(*program.arguments)
    assert (one, two) == tuple(others) == (2, 1)
