"""Converts constants of a program to arrays, and arrays to constants."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.values.bits import is_splat
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
Value = ir.Value


def constant_operation(value: Value) -> ir.Operation | None:
    """The constant operation that defines a value; None if the value is not a constant."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    operation = owner.operation
    return operation if traits_of(operation.name).constant else None


def read_constant(operation: ir.Operation) -> Array | None:
    """The elements of a constant, read-only; None if the program does not contain all of them.

    A splat becomes a view of one element.
    """
    try:
        attribute = operation.attributes["value"]
    except TypeError:  # The bindings have no class for dense complex attributes.
        pass
    else:
        if not isinstance(attribute, ir.DenseElementsAttr):
            return None
    try:
        array = read_elements(operation, "value")
    except UnsupportedError:
        return None
    # Elements of quantized types are integers, which may be stored with another signedness.
    type_ = value_type(operation.results[0].type)
    return array.view(type_.element_type.dtype) if isinstance(type_, TensorType) else None


def constant_of(value: Value) -> Array | None:
    """The elements of a constant value; see `read_constant`."""
    operation = constant_operation(value)
    return None if operation is None else read_constant(operation)


def splat_of(value: Value) -> Array | None:
    """The element of a splat constant, as an array of rank 0."""
    array = constant_of(value)
    return array[(0,) * array.ndim].reshape(()) if array is not None and is_splat(array) else None


def constant_type(type_: ir.Type) -> TensorType | None:
    """The type if it can have constants: a static tensor of StableHLO's elements without an encoding."""
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape or type_.encoding is not None:
        return None
    dense = value_type(type_)
    return dense if isinstance(dense, TensorType) and dense.element_type.name != "index" else None


def make_constant(array: Array, type_: TensorType, mlir_type: ir.Type) -> Value:
    """A constant before the matched operation; see `elements_attribute`."""
    attribute = elements_attribute(array, type_, mlir_type)
    operation = ir.Operation.create(
        "stablehlo.constant", results=[mlir_type], attributes={"value": attribute}
    )
    return operation.results[0]


def make_splat(element: Array, type_: TensorType, mlir_type: ir.Type) -> Value:
    """A splat constant of the element in an array of rank 0."""
    return make_constant(np.broadcast_to(element, type_.dims), type_, mlir_type)
