"""Small operations for instrumented programs, at the current insertion point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType


def can_be_given(value: ir.Value, answers: dict[ir.Type, bool] | None = None) -> bool:
    """Whether a function can return a value that all sides convert to an array.

    Args:
      answers: a cache of the answers, by type.
    """
    if answers is None:
        answers = {}
    type_ = value.type
    answer = answers.get(type_)
    if answer is None:
        answer = answers[type_] = _can_be_given(value_type(type_))
    return answer


def _can_be_given(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.is_static and type_.element_type.kind is not Kind.QUANTIZED


def build(name: str, operands: Sequence[ir.Value], result: ir.Type, **attributes: ir.Attribute) -> ir.Value:
    """The result of a new operation."""
    return ir.Operation.create(name, [result], list(operands), attributes).results[0]


def constant(value: Any, type_: ir.Type) -> ir.Value:
    """A constant of equal elements."""
    return build(
        "stablehlo.constant", [], type_, value=ir.DenseElementsAttr.get(np.asarray(value), type=type_)
    )


def zeros(type_: ir.Type) -> ir.Value:
    """A constant of zeros, or of ones if the type has no zero."""
    ranked = ir.RankedTensorType(type_)
    element = ranked.element_type
    if isinstance(element, ir.ComplexType):  # the bindings cannot hold its constants
        part = zeros(ir.RankedTensorType.get(ranked.shape, element.element_type))
        return build("stablehlo.complex", [part, part], type_)
    name = str(element)
    zero = "false" if name == "i1" else "0" if name.lstrip("u").startswith("i") else "0.0"
    if name == "f8E8M0FNU":
        zero = "1.0"  # the type has no zero
    return build("stablehlo.constant", [], type_, value=ir.Attribute.parse(f"dense<{zero}> : {type_}"))


def with_rows(type_: ir.Type, rows: int) -> ir.Type:
    """The type of an array with `rows` values of a type."""
    ranked = ir.RankedTensorType(type_)
    return ir.RankedTensorType.get([rows, *ranked.shape], ranked.element_type)
