"""Products, quotients and magnitudes of complex numbers: the textbook's formulas, on every processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hlokit.reference.stablehlo.elementwise import times
from hlokit.values.element import Element
from tests.unit.native import complex_ways

ROOT = Path(__file__).parents[3]
OPERATIONS = {"multiply": times, "divide": lambda x, y: x / y, "abs": abs}
SIZE = 3000


@pytest.mark.parametrize("type_", complex_ways.TYPES)
@pytest.mark.parametrize("name", complex_ways.NAMES)
def test_kernels_give_the_reference_s_bits(name: str, type_: str) -> None:
    element_type = complex_ways.TYPES[type_]
    found = complex_ways.results(name, element_type, SIZE)
    rows = zip(*complex_ways.operands(element_type, SIZE)[: complex_ways.NAMES[name]], strict=True)
    for number, row in enumerate(rows):
        wanted = OPERATIONS[name](*[Element(element_type, complex(x)) for x in row])
        parts = wanted.parts if name != "abs" else (wanted,)
        numbers = np.array([float(part) for part in parts], found.dtype)
        ours = found[len(parts) * number : len(parts) * (number + 1)]
        assert np.where(np.isnan(numbers), np.nan, numbers).tobytes() == ours.tobytes(), (row, ours, numbers)


def test_levels_of_processors_give_the_same_bits() -> None:
    """GCC makes fused operations of a sum and a difference side by side, unless they stand apart."""
    found: set[str] = set()
    for level in ("baseline", "avx2", "avx512"):
        run = subprocess.run(
            [sys.executable, "-m", "tests.unit.native.complex_ways"],
            capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {"HLOKIT_CPU": level},
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        found.add(json.dumps(json.loads(run.stdout), sort_keys=True))
    assert len(found) == 1, found
