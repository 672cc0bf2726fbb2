"""Shadows of every operation: the programs of tests/interpret, one or more for each operation.

They run as they do without shadows, and each operation has a shadow, or a reason why it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit import Shadow
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import stablehlo_operations
from hlokit.mlir.text.split import split_input
from hlokit.tools.numerics.rules.widening import HAS_EXTENDED

INTERPRET = Path(__file__).parents[3] / "interpret"
PROGRAMS = sorted(INTERPRET.rglob("*.mlir"))

# Operations without shadows in these programs, and all possible reasons.
REASONS = {
    "receives values of other processes, whose shadows are in those processes",
    "receives values from outside of the program",
    "is computed by external code of a fixed type",
    "returns different numbers each time",
    "returns the neighbour in its own type",
    "runs programs in other processes",
    "takes integers, which count as exact",
    "takes bits, not values",
    "has side effects",
    "its shape depends on the values",
}


def outcome(program: hlokit.Program, name: str, shadow: Shadow | None) -> list[Any]:
    """Bits of the results, or the error."""
    np.random.seed(0)  # rng draws from it
    try:
        results = program(function=name, observer=shadow)
    except HlokitError as error:
        return [type(error), str(error)]
    return list(leaves(results))


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from leaves(item)
    else:
        is_array = isinstance(value, np.ndarray | np.generic)
        yield (np.asarray(value).dtype, np.shape(value), value.tobytes()) if is_array else type(value)


@pytest.mark.skipif(not HAS_EXTENDED, reason="longdouble is double here: f64 has no shadows")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.sample("[a-d]*", "re*")
def test_programs_run_as_they_do_without_shadows(path: Path) -> None:
    source = path.read_text()
    if "REQUIRES: collective_reduce" in source and not hasattr(stablehlo_operations(), "CollectiveReduceOp"):
        pytest.skip("only newer bindings know the operation")
    ran = 0
    for part in split_input(source):
        try:
            program = hlokit.load(part)
        except HlokitError:
            continue  # meant to be refused
        for name in program.functions:
            if program.signature(name).inputs:
                continue
            shadow = Shadow(program)
            assert outcome(program, name, shadow) == outcome(program, name, None)
            notes = {record.note: record.op for record in shadow.report().without_shadow}
            if "chlo._asin_acos_kernel" in notes.values():  # parts of asin and acos, which have shadows
                notes.pop("hlokit computes it in f64 only")
            assert notes.keys() <= REASONS, notes
            ran += 1
    assert ran
