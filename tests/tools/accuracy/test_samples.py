"""Samples of the wider types: the requested number, the same in every run."""

from __future__ import annotations

import numpy as np
import pytest

from hlokit.values.element_types import F32, F64, ElementType
from tools.accuracy.functions import FUNCTIONS, Function
from tools.accuracy.samples import inputs


@pytest.mark.parametrize("type_", [F32, F64], ids=str)
@pytest.mark.parametrize("function", [f for f in FUNCTIONS if f.takes_float], ids=lambda f: f.name)
def test_there_are_enough(function: Function, type_: ElementType) -> None:
    for count in (10_000, 10_001):
        operands, again = inputs(function, type_, count), inputs(function, type_, count)
        assert len(operands) == function.operands
        for operand, same in zip(operands, again, strict=True):
            assert operand.size >= count
            assert operand.size == operands[0].size
            np.testing.assert_array_equal(operand, same)
