"""Weights that become constants of a program: for parameters, and for resources without data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.errors import ArgumentError
from hlokit.mlir.conversion.elements import elements_attribute
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import walk
from hlokit.mlir.queries.types import value_type
from hlokit.values.types import TensorType, ValueType

Array = npt.NDArray[Any]

# The key of resources whose data and name the printer has omitted.
ELIDED = "__elided__"
_KEY = re.compile(r'dense_resource<(?:"((?:[^"\\]|\\.)*)"|([^>"]*))>')


@dataclass(frozen=True, slots=True)
class Bound:
    """A parameter that becomes a constant."""

    name: str
    array: Array


@dataclass(frozen=True, slots=True)
class Input:
    """A parameter that stays a parameter.

    Attributes:
      position: the parameter's position in the new signature.
    """

    position: int


@dataclass(frozen=True, slots=True)
class Unused:
    """A new parameter that the function does not use; the type is MLIR text."""

    position: int
    type: str


def bind_parameters(
    function: ir.Operation, parameters: Sequence[Bound | Input], unused: Sequence[Unused] = ()
) -> None:
    """Replace parameters of a function by constants, reorder the other parameters, and add unused ones.

    Args:
      parameters: a description of each parameter.
      unused: the parameters to add.

    Raises:
      ArgumentError: an array does not fit its parameter, or the number of items is wrong.
    """
    block = function.regions[0].blocks[0]
    count = len(block.arguments)
    if count != len(parameters):
        raise ArgumentError(f"the function has {count} parameters, the description names {len(parameters)}")
    with function.context, ir.Location.unknown():
        kept: dict[int, tuple[ir.Type, int | None]] = {
            item.position: (ir.Type.parse(item.type), None) for item in unused
        }
        for index, item in enumerate(parameters):
            if isinstance(item, Input):
                kept[item.position] = (block.arguments[index].type, index)
        first = block.operations[0]
        for index, item in enumerate(parameters):
            if isinstance(item, Bound):
                old = block.arguments[index]
                old.replace_all_uses_with(_constant(old.type, item, first))
        types = [kept[position][0] for position in sorted(kept)]
        for position in sorted(kept):
            type_, old_index = kept[position]
            new = block.add_argument(type_, ir.Location.unknown())
            if old_index is not None:
                block.arguments[old_index].replace_all_uses_with(new)
        for index in reversed(range(count)):
            block.erase_argument(index)
        results = ir.FunctionType(function.attributes["function_type"].value).results
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, results))
        if "arg_attrs" in function.attributes:
            del function.attributes["arg_attrs"]


def _constant(type_: ir.Type, item: Bound, before: ir.OpView) -> Any:
    attribute = _attribute(type_, item.array, item.name)
    constant = ir.Operation.create(
        "stablehlo.constant", [type_], attributes={"value": attribute}, ip=ir.InsertionPoint(before)
    )
    return constant.results[0]


def bind_resources(module: ir.Module, weights: Mapping[str, Array]) -> None:
    """Fill the resources of constants with the data of the arrays of the same names.

    A constant whose data the printer has omitted is identified by the name in its location.

    Raises:
      ArgumentError: an elided constant has no array, or an array does not fit its constant.
    """

    def visit(operation: ir.Operation) -> None:
        if operation.name != "stablehlo.constant" or "value" not in operation.attributes:
            return
        key = _resource_key(operation)
        if key is None:
            return
        name = (_name_of(operation) if key == ELIDED else key) or key
        array = weights.get(name)
        if array is None:
            if key == ELIDED:
                where = f"named {name}" if name != ELIDED else "without a name in its location"
                raise ArgumentError(f"the weights have no array for the elided constant {where}")
            return  # the program contains the data, or a run names the missing data
        type_ = operation.results[0].type
        operation.attributes["value"] = _attribute(type_, array, name)

    operations: list[ir.Operation] = []
    walk(module.operation, operations.append)
    with module.context, ir.Location.unknown():
        for operation in operations:  # an exception in a callback of the bindings becomes a RuntimeError
            visit(operation)


def _resource_key(operation: ir.Operation) -> str | None:
    try:
        attribute = operation.attributes["value"]
    except TypeError:  # the bindings have no class for dense complex attributes
        return None
    if isinstance(attribute, ir.DenseElementsAttr):
        return None
    key = _KEY.match(str(attribute))
    return None if key is None else key[1] or key[2]


def _name_of(operation: ir.Operation) -> str | None:
    # Not the file of a location of a file, line and column.
    name = re.match(r'loc\("((?:[^"\\]|\\.)*)"(?!:\d)', str(operation.location))
    return None if name is None else name[1]


def _attribute(type_: ir.Type, array: Array, what: str) -> ir.Attribute:
    """An array as a dense attribute. Portable artifacts cannot contain resources."""
    wanted = value_type(type_)
    if not isinstance(wanted, TensorType) or not _fits(array, wanted):
        raise ArgumentError(f"weight '{what}' must have type {wanted}, got {array.dtype} of {array.shape}")
    return elements_attribute(np.ascontiguousarray(array).view(wanted.element_type.dtype), wanted, type_)


def _fits(array: Array, wanted: ValueType) -> bool:
    assert isinstance(wanted, TensorType)
    dtype = wanted.element_type.dtype
    is_raw = array.dtype.kind == "V" and array.dtype.itemsize == dtype.itemsize
    return (array.dtype == dtype or is_raw) and array.shape == wanted.shape
