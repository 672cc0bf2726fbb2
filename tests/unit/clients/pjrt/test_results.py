"""Programs of JAX give the same results with JAX_PLATFORMS=hlokit as with XLA:CPU."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unit.clients.pjrt.platforms import output

FOLDER = Path(__file__).parent
EIGHT = {"HLOKIT_DEVICES": "8", "JAX_NUM_CPU_DEVICES": "8"}
VARIABLES = {"programs.py": {}, "sharded_programs.py": EIGHT}
# The functions that a script runs.
PROGRAM = re.compile(r"@program\ndef (\w+)")
NAMES = [(script, name) for script in VARIABLES for name in PROGRAM.findall((FOLDER / script).read_text())]


@cache
def results(script: str, platform: str) -> dict[str, Any]:
    return json.loads(output(str(FOLDER / script), platform, **VARIABLES[script]))


def flat(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, list) else [value]


@pytest.mark.parametrize(("script", "name"), NAMES, ids=lambda value: value)
def test_program(script: str, name: str) -> None:
    own, expected = (flat(results(script, platform)[name]) for platform in ("hlokit", "cpu"))
    assert len(own) == len(expected) > 0
    for value, other in zip(own, expected, strict=True):
        if isinstance(other, float):
            np.testing.assert_allclose(value, other, rtol=1e-5, atol=1e-6)
        else:
            assert value == other
