"""Programs of one CHLO operation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

import hlokit
from hlokit.program import Program
from hlokit.values.element_types import ElementType, element_type_of
from hlokit.values.types import TensorType


def type_of(array: np.ndarray) -> TensorType:
    return TensorType(array.shape, element_type_of(array.dtype))


def text(
    name: str, operands: Sequence[TensorType], results: Sequence[TensorType], attributes: str = ""
) -> str:
    """A module whose @main applies a CHLO operation to its arguments."""
    names = [f"%arg{index}" for index in range(len(operands))]
    parameters = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, operands, strict=True))
    inputs, outputs = (", ".join(map(str, types)) for types in (operands, results))
    values = ", ".join(f"%result#{index}" for index in range(len(results)))
    return f"""
      func.func @main({parameters}) -> ({outputs}) {{
        %result:{len(results)} = "chlo.{name}"({", ".join(names)}) {{{attributes}}} : ({inputs}) -> ({outputs})
        return {values} : {outputs}
      }}"""


@cache
def _program(
    name: str, operands: tuple[TensorType, ...], results: tuple[TensorType, ...], attributes: str
) -> Program:
    return hlokit.load(text(name, operands, results, attributes))


def evaluate(
    name: str,
    *operands: np.ndarray,
    result: ElementType | None = None,
    shape: tuple[int, ...] | None = None,
    attributes: str = "",
) -> np.ndarray:
    """hlokit's result of an operation with one result; by default it has the type of the last operand."""
    types = tuple(map(type_of, operands))
    last = types[-1]
    result_type = TensorType(last.shape if shape is None else shape, result or last.element_type)
    value = _program(name, types, (result_type,), attributes)(*operands)
    assert value.dtype == result_type.element_type.dtype
    assert value.shape == result_type.shape
    return value
