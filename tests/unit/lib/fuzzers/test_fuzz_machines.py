"""The native machines under AddressSanitizer and UndefinedBehaviorSanitizer, on random programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.lib.building import (
    FUZZERS,
    VARIANTS,
    compile_objects,
    link,
    needs_compiler,
    room,
    rounds,
    run,
)

pytestmark = pytest.mark.deep

SUPPORT = [
    *room("support", "vm"),
    *room("kernels/regions", "kernels/matmul", "kernels/linalg", "kernels/functions", "kernels/complex"),
    *room("kernels/fft", "kernels/random"),
    *VARIANTS,
]
ROUNDS = {"fuzz_machines": 10_000, "fuzz_regions": 2_000}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs."""
    folder = tmp_path_factory.mktemp("machines")
    objects = compile_objects(SUPPORT, folder)
    for name in ROUNDS:
        link([*objects, *compile_objects([FUZZERS / f"{name}.cpp"], folder)], folder / name)
    return folder


@needs_compiler
@pytest.mark.parametrize("name", ROUNDS)
def test_random_programs_do_no_harm(name: str, programs: Path) -> None:
    run(programs / name, rounds(ROUNDS[name]), "1")
