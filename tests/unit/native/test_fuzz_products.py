"""Products, transforms and triangles under sanitizers, for each level of processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from .building import FFT, HERE, LEVELS, LIBRARY, MATMUL, build, needs_compiler, room, run


@needs_compiler
@pytest.mark.parametrize(
    ("name", "kernels", "fuzzer", "rounds"),
    [("matmul", MATMUL, "fuzz_products.cpp", "1000"), ("fft", FFT, "fuzz_fft.cpp", "300")],
)
def test_random_ones_do_no_harm(name: str, kernels: Path, fuzzer: str, rounds: str, tmp_path: Path) -> None:
    program = build([*room("support", f"kernels/{name}"), kernels, HERE / fuzzer], tmp_path / "program")
    for level in LEVELS:
        run(program, rounds, "1", level=level)


@needs_compiler
def test_random_triangles_do_no_harm(tmp_path: Path) -> None:
    sources = [HERE / "fuzz_triangles.cpp", LIBRARY / "kernels" / "linalg" / "triangular.cpp"]
    run(build(sources, tmp_path / "program"), "500", "1")
