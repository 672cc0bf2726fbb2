"""Products, quotients and magnitudes of complex numbers follow the textbook formulas, on every processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hlokit.kernels.elementwise.native import complex_function
from hlokit.reference.stablehlo.elementwise import times
from hlokit.values.element import Element
from hlokit.values.element_types import ElementType
from tests.unit.lib.functions import complex_hashes

ROOT = Path(__file__).parents[4]
OPERATIONS = {"multiply": times, "divide": lambda x, y: x / y, "abs": abs}
SIZE = 3000


@pytest.mark.parametrize("type_", complex_hashes.TYPES)
@pytest.mark.parametrize("name", complex_hashes.NAMES)
def test_kernels_give_the_reference_s_bits(name: str, type_: str) -> None:
    element_type = complex_hashes.TYPES[type_]
    found = complex_hashes.results(name, element_type, SIZE)
    rows = zip(*complex_hashes.operands(element_type, SIZE)[: complex_hashes.NAMES[name]], strict=True)
    for number, row in enumerate(rows):
        wanted = OPERATIONS[name](*[Element(element_type, complex(x)) for x in row])
        parts = wanted.parts if name != "abs" else (wanted,)
        numbers = np.array([float(part) for part in parts], found.dtype)
        ours = found[len(parts) * number : len(parts) * (number + 1)]
        assert np.where(np.isnan(numbers), np.nan, numbers).tobytes() == ours.tobytes(), (row, ours, numbers)


@pytest.mark.deep
def test_levels_of_processors_give_the_same_bits() -> None:
    """GCC merges an adjacent sum and difference into one fused operation, unless the code separates them."""
    found: set[str] = set()
    for level in ("baseline", "avx2", "avx512"):
        run = subprocess.run(
            [sys.executable, "-m", "tests.unit.lib.functions.complex_hashes"],
            capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | {"HLOKIT_CPU": level},
        )  # fmt: skip
        assert run.returncode == 0, run.stderr
        found.add(json.dumps(json.loads(run.stdout), sort_keys=True))
    assert len(found) == 1, found


@pytest.mark.parametrize("type_", complex_hashes.TYPES)
def test_the_sign_of_a_nan_changes_no_result(type_: str) -> None:
    """Fused code makes NaNs canonical only at its end."""
    names = sorted({*complex_hashes.NAMES, *complex_hashes.FUNCTIONS})
    assert [name for name in names if depends_on_signs_of_nans(name, complex_hashes.TYPES[type_])] == []


def depends_on_signs_of_nans(name: str, element_type: ElementType) -> bool:
    """Whether a function has other results where the parts of its operands are NaNs of the other sign."""
    count = complex_hashes.NAMES.get(name) or complex_hashes.OPERANDS[name]
    parts = np.array([0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan], element_type.part.dtype)
    numbers = np.stack(np.meshgrid(parts, parts), -1).reshape(-1, 2).copy().view(element_type.dtype)[:, 0]
    operands = [each.ravel() for each in np.meshgrid(*[numbers] * count)]
    negative = [each.copy() for each in operands]
    for each in negative:
        real_parts = each.view(element_type.part.dtype)
        real_parts[np.isnan(real_parts)] = -np.copysign(real_parts.dtype.type(np.nan), 1)
    function = complex_function(name, element_type, count)
    found, wanted = (function(*each).view(element_type.part.dtype) for each in (negative, operands))
    is_same = (found == wanted) & (np.signbit(found) == np.signbit(wanted)) | np.isnan(found) & np.isnan(
        wanted
    )
    return not is_same.all()
