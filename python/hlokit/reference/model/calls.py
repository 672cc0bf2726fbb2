"""Calls of operations, and adapters for functions of tensors.

A row is the reference's part of the card of an operation: it takes a `Call` (the values of the operands, and
the attributes, regions and types in the program) and returns the results. Most rows only name a function and
its attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.reference.model.comparators import KeyComparison
from hlokit.reference.model.grid import Process
from hlokit.reference.model.tensors import Tensors, Value, as_tensor, elementwise
from hlokit.values.element import Element
from hlokit.values.element_types import ElementType
from hlokit.values.tensor import Tensor
from hlokit.values.types import TensorType, ValueType

Values = tuple[Value, ...]


class Region(Protocol):
    """A region as a function of values; captured values are already bound."""

    @property
    def argument_types(self) -> tuple[ValueType, ...]: ...

    @property
    def operation(self) -> str | None:
        """The name of the operation if the body is one operation on the two arguments, in either order; else
        None."""
        ...

    @property
    def is_elementwise(self) -> bool:
        """Whether the body only computes elements, and nothing observes it: its results are the same each
        time."""
        ...

    @property
    def key_comparisons(self) -> tuple[KeyComparison, ...] | None:
        """The comparisons of a comparator that compares keys; None for other bodies."""
        ...

    def keys(self, *arguments: Value) -> tuple[Tensors, Tensors]:
        """The left keys and the right keys of `key_comparisons` for these arguments."""
        ...

    def __call__(self, *arguments: Value) -> Values: ...

    def on(self, process: Process) -> Region:
        """The same region, evaluated by another process."""
        ...


class Function(Protocol):
    """A function of the module."""

    @property
    def argument_types(self) -> tuple[ValueType, ...]: ...

    def __call__(self, *arguments: Value) -> Values: ...

    def on(self, process: Process) -> Function:
        """The same function, evaluated by another process."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """One operation during its evaluation.

    Attributes:
      operands: the values of the operands.
      operand_types, result_types: the types in the program; dimensions may be unknown.
      regions: the regions, as functions of values.
      process: the process that evaluates the operation.
      function: returns a function of the module by name.
      encoded: returns the function of an operation that programs of other versions encode as a custom call.
      expressed_as: the quantized result types, if `result_types` are their storage types because the
        operation moves integers.
    """

    name: str
    operands: Values
    operand_types: tuple[ValueType, ...]
    result_types: tuple[ValueType, ...]
    attributes: Attributes
    regions: tuple[Region, ...]
    process: Process
    function: Callable[[str], Function]
    encoded: Callable[[str], Row | None]
    expressed_as: tuple[ValueType, ...] | None = None

    @property
    def tensors(self) -> Tensors:
        """All operands, which are tensors."""
        return tuple(map(as_tensor, self.operands))

    def tensor(self, index: int = 0) -> Tensor:
        return as_tensor(self.operands[index])

    def result(self, index: int = 0) -> TensorType:
        """The stated type of a tensor result."""
        type_ = self.result_types[index]
        if not isinstance(type_, TensorType):
            raise UnsupportedError(f"result {index} has type {type_}, which hlokit does not evaluate")
        return type_

    @property
    def element_type(self) -> ElementType:
        """The element type of the first result."""
        return self.result().element_type


# The result of an operation: one value, or a tuple of several (or none).
Row = Callable[[Call], Value | Values]


def unary(function: Callable[[Tensor], Tensor]) -> Row:
    """A function of the only operand."""
    return lambda call: function(call.tensor())


def binary(function: Callable[[Tensor, Tensor], Tensor]) -> Row:
    """A function of the two operands."""
    return lambda call: function(call.tensor(0), call.tensor(1))


def of_elements(function: Callable[..., Element]) -> Row:
    """A function of the elements of all operands at the same index."""
    return lambda call: elementwise(function, *call.tensors)
