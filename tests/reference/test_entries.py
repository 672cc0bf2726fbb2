"""The function of a module that the reference evaluates: as in other tiers."""

from __future__ import annotations

import numpy as np
import pytest

from hlokit.errors import ArgumentError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import context_of_text
from hlokit.reference import evaluator

TWO = """
func.func @main() -> tensor<i8> { %0 = stablehlo.constant dense<1> : tensor<i8> return %0 : tensor<i8> }
func.func @other() -> tensor<i8> { %0 = stablehlo.constant dense<2> : tensor<i8> return %0 : tensor<i8> }
"""
ONE = TWO.partition("func.func @other")[0].replace("@main", "@only")


def value(text: str, entry: str | None = None) -> int:
    (result,) = evaluator.run(parse_text(context_of_text(text), text), entry=entry)
    return int(np.asarray(result))


def test_the_entry_is_the_one_named_or_main_or_the_only_one() -> None:
    assert [value(TWO), value(TWO, "main"), value(TWO, "other"), value(TWO, "@other")] == [1, 1, 2, 2]
    assert [value(ONE), value(ONE, "only")] == [1, 1]


def test_an_unknown_entry_is_an_error() -> None:
    for text in (ONE, TWO):
        with pytest.raises(ArgumentError, match="must have entry func with name otter"):
            value(text, "otter")
