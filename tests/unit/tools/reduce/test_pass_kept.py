"""A pass of a compiler as the fault to keep."""

from __future__ import annotations

import numpy as np
import pytest

import hlokit
from hlokit.errors import ArgumentError
from hlokit.tools.reduce import predicates
from hlokit.tools.reduce.predicates import Spec


def test_a_pass_is_a_predicate() -> None:
    assert predicates.parse("pass:algsimp") == Spec("pass", "xla", "algsimp")
    other = predicates.parse("pass@stablehlo-opt:cse,canonicalize:cse")
    assert (other.side, other.pattern) == ("stablehlo-opt:cse,canonicalize", "cse")
    with pytest.raises(ArgumentError, match="a predicate must be one of"):
        predicates.parse("pass:")


@pytest.mark.deep
def test_a_program_that_a_pass_breaks_is_reduced() -> None:
    text = """func.func @main(%x: tensor<2x1x1x1xi32>) -> (tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>) {
      %0 = stablehlo.add %x, %x : tensor<2x1x1x1xi32>
      %1 = stablehlo.convolution(%x, %x) dim_numbers = [0, 1, b, f]x[0, 1, i, o]->[0, 1, b, f], window = {reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x1x1x1xi32>, tensor<2x1x1x1xi32>) -> tensor<1x1x1x1xi32>
      return %1, %0 : tensor<1x1x1x1xi32>, tensor<2x1x1x1xi32>
    }"""
    x = np.array([1, 3], np.int32).reshape(2, 1, 1, 1)
    reduction = hlokit.reduce(text, x, keep="pass:algsimp", jobs=1)
    assert "convolution" in reduction.text
    assert "stablehlo.add" not in reduction.text
    assert reduction.command("small.mlir").startswith("hlokit passes small.mlir")
    with pytest.raises(ArgumentError, match="does not show the fault to keep"):
        hlokit.reduce(text, x, keep="pass:dce", jobs=1)
