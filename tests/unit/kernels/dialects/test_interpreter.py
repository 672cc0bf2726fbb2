"""interpreter.run_parallel: operands and results have the types of the functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.errors import EvaluationError
from hlokit.values.types import TensorType

Tier = dict[str, Any]
TIERS: list[Tier] = [{}, {"tier": "reference"}]


def program(parameter: str, returned: str, operand: str, result: str) -> str:
    """Two processes that convert their operands."""
    return f"""
      func.func @p(%x: tensor<{parameter}>) -> tensor<{returned}> {{
        %0 = stablehlo.convert %x : (tensor<{parameter}>) -> tensor<{returned}>
        return %0 : tensor<{returned}>
      }}
      func.func @main(%x: tensor<{operand}>) -> tensor<{result}> {{
        %r:2 = "interpreter.run_parallel"(%x, %x) {{programs = [[@p, @p]]}}
          : (tensor<{operand}>, tensor<{operand}>) -> (tensor<{result}>, tensor<{result}>)
        return %r#1 : tensor<{result}>
      }}"""


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("types", "message"),
    [
        (("4xi32", "4xi32", "2xi32", "4xi32"), "0 must be a tensor<4xi32>, got a tensor<2xi32>"),
        (("2xi32", "2xi32", "2xf32", "2xi32"), "0 must be a tensor<2xi32>, got a tensor<2xf32>"),
        (("2xi32", "2xi32", "2xi32", "2xf32"), "0 must be a tensor<2xf32>, got a tensor<2xi32>"),
        (("4xf32", "4xf32", "4xf32", "2xf32"), "0 must be a tensor<2xf32>, got a tensor<4xf32>"),
        (("4xf32", "4xf32", "?xf32", "4xf32"), "0 must be a tensor<4xf32>, got a tensor<2xf32>"),
        (("?xf32", "?xf32", "?xf32", "4xf32"), "0 must be a tensor<4xf32>, got a tensor<2xf32>"),
        (("?xf32", "?xf32", "2xf32", "4xf32"), "0 must be a tensor<4xf32>, got a tensor<2xf32>"),
    ],
)
def test_types_that_functions_do_not_have(tier: Tier, types: tuple[str, ...], message: str) -> None:
    loaded = hlokit.load(program(*types))
    (type_,) = loaded.signature("main").inputs
    assert isinstance(type_, TensorType)
    size = 4 if type_.shape == (4,) else 2
    with pytest.raises(EvaluationError, match=message) as error:
        loaded(np.ones(size, type_.element_type.dtype), function="main", **tier)
    assert error.value.frames[-1].op == "interpreter.run_parallel"


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "types", [("4xf32", "4xf32", "?xf32", "?xf32"), ("?xf32", "?xf32", "4xf32", "4xf32")]
)
def test_unknown_dimensions_may_fit(tier: Tier, types: tuple[str, ...]) -> None:
    ones = np.ones(4, np.float32)
    assert hlokit.load(program(*types))(ones, function="main", **tier).shape == (4,)
