"""Strict checks of operations with variadic operands and results and a reducing region.

For these operations the bindings ignore the precision of float types, and compare integers by width only.
"""

from __future__ import annotations

from hlokit.constraints.checks import Check
from hlokit.constraints.reading import (
    different_element_type,
    operand_types,
    region_types,
    result_types,
)
from hlokit.constraints.types import arguments, is_promotable, returned
from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import ElementType
from hlokit.values.types import TensorType


def different_element_types(op: ir.Operation, name: str, first: int, of_name: str) -> str | None:
    """The violation if operands from `first` on do not have the element types of the first operands."""
    types = operand_types(op)
    for i in range(len(result_types(op))):
        message = different_element_type(f"{name}[{i}]", types[first + i], f"{of_name}[{i}]", types[i])
        if message is not None:
            return message
    return None


def reducer(name: str, region: int) -> Check:
    """A region must take two scalars of each type that it returns, and its inputs must promote to these
    types."""

    def check(op: ir.Operation) -> str | None:
        # The bindings accept every shaped type as a tensor.
        for type_ in (*arguments(op, region), *returned(op, region)):
            if not isinstance(type_, TensorType):
                return f"{name} must take and return tensors, got {type_}"
        taken, results = region_types(op, region)
        for type_ in (*taken, *results):
            if type_.shape is not None and type_.rank:
                return f"{name} must take and return tensors of rank 0, got rank {type_.rank}"
        got = [type_.element_type for type_ in taken]
        wanted = [type_.element_type for type_ in results]
        if got != [*wanted, *wanted]:
            types = ", ".join(map(str, wanted))
            takes = ", ".join(map(str, got))
            return f"{name} must take {types} and {types}, and return {types}, got {takes} -> {types}"
        for operand, type_ in zip(operand_types(op), _of_each(wanted, len(result_types(op))), strict=False):
            from_ = operand.element_type
            if not is_promotable(from_, type_):
                return f"{name} must have a type that {from_} can be promoted to, got {type_}"
        return None

    return check


def _of_each(wanted: list[ElementType], count: int) -> list[ElementType]:
    """One type per operand: a collective operation has one computation for all operands."""
    return wanted * count if len(wanted) == 1 else wanted


def returned_types(name: str, region: int) -> Check:
    """Results must have the element types that a region returns, including scales and zero points."""

    def check(op: ir.Operation) -> str | None:
        for i, (got, must) in enumerate(zip(result_types(op), region_types(op, region)[1], strict=False)):
            message = different_element_type(f"results[{i}]", got, f"what {name} returns", must)
            if message is not None:
                return message
        return None

    return check
