"""Products, transforms and factorisations under sanitizers, for each level of processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlokit.engine.contract.switches import CPU_LEVELS
from tests.unit.lib.building import (
    FFT,
    FUZZERS,
    LEVELS,
    MATMUL,
    VECTORS,
    build,
    needs_compiler,
    room,
    rounds,
    run,
)

pytestmark = pytest.mark.deep


@needs_compiler
@pytest.mark.parametrize(
    ("name", "kernels", "fuzzer", "count"),
    [("matmul", MATMUL, "fuzz_products.cpp", 1000), ("fft", (FFT,), "fuzz_fft.cpp", 300)],
)
def test_random_ones_do_no_harm(
    name: str, kernels: tuple[Path, ...], fuzzer: str, count: int, tmp_path: Path
) -> None:
    program = build([*room("support", f"kernels/{name}"), *kernels, FUZZERS / fuzzer], tmp_path / "program")
    for level in CPU_LEVELS:
        run(program, rounds(count), "1", level=level)


@needs_compiler
def test_random_factorisations_do_no_harm_and_depend_on_no_threads(tmp_path: Path) -> None:
    rooms = room("support", "kernels/matmul", "kernels/linalg")
    program = build([*rooms, *MATMUL, VECTORS, FUZZERS / "fuzz_linalg.cpp"], tmp_path / "program")
    for level in LEVELS:
        run(program, rounds(10), "1", level=level)
