"""Sums of zeros of both signs and of NaNs: the bytes of the reference in all tiers, the zeros of the C++ interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
import oracles
from tests.reference.special_sums import OPERANDS, TYPES, cases, operands, parts
from tests.same_bytes.worker import digest, hashes

# The C++ interpreter has no products of nothing, no unary_einsum, and adds init_value to each source value.
_NOT_THERE = ("of 0", "of nothing", "einsum", "cross-replica-sum", "select_and_scatter")


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("kind", OPERANDS)
@pytest.mark.sample("all -0-f32", "NaNs-f32")
def test_the_bytes_of_the_reference(kind: str, type_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, case in cases(type_).items():
        arguments = operands(case, kind)
        results = hashes(case.text, arguments, ["runs", "observed", "layouts", "thresholds", "reference"])
        with monkeypatch.context() as patch:
            patch.setenv("HLOKIT_DISABLE", "all")
            results["nothing compiled"] = digest(hlokit.load(case.text)(*arguments))
        wrong = [run for run, result in results.items() if result != results["reference"]]
        assert wrong == [], f"{name}: {arguments}"


# The bindings return no complex numbers of the C++ interpreter.
@pytest.mark.parametrize("type_", [type_ for type_ in TYPES if not type_.startswith("complex")])
@pytest.mark.parametrize("kind", [kind for kind in OPERANDS if kind != "NaNs"])
@pytest.mark.deep
def test_the_zeros_of_the_cpp_interpreter(kind: str, type_: str) -> None:
    compared = 0
    for name, case in cases(type_).items():
        if any(part in name for part in _NOT_THERE):
            continue
        arguments = operands(case, kind)
        try:
            expected = oracles.reference(case.text, *arguments)
        except oracles.OracleError:
            continue
        results: Any = hlokit.load(case.text)(*arguments)
        for result, one in zip(results if len(expected) > 1 else [results], expected, strict=True):
            assert _zeros(result) == _zeros(one), name
        compared += 1
    assert compared > 25


def _zeros(value: Any) -> list[list[bool]]:
    """Which numbers are zeros, and which of these are negative."""
    numbers = parts(np.atleast_1d(value))
    is_zero = numbers == 0
    return [is_zero.tolist(), (is_zero & np.signbit(numbers)).tolist()]
