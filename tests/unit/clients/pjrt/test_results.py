"""Programs of JAX give the same results with JAX_PLATFORMS=hlokit as with XLA:CPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unit.clients.pjrt.platforms import output
from unit.clients.pjrt.programs import PROGRAMS

SCRIPT = str(Path(__file__).with_name("programs.py"))


@pytest.fixture(scope="module")
def results() -> tuple[dict[str, Any], dict[str, Any]]:
    return json.loads(output(SCRIPT)), json.loads(output(SCRIPT, "cpu"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(results: tuple[dict[str, Any], dict[str, Any]], name: str) -> None:
    own, expected = (flat(answers[name]) for answers in results)
    assert len(own) == len(expected) > 0
    for value, other in zip(own, expected, strict=True):
        if isinstance(other, float):
            np.testing.assert_allclose(value, other, rtol=1e-5, atol=1e-6)
        else:
            assert value == other


def flat(value: Any) -> list[Any]:
    return [leaf for item in value for leaf in flat(item)] if isinstance(value, list) else [value]
