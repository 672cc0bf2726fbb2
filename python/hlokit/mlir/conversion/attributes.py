"""Attributes of one operation as plain Python values, each read on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from hlokit.errors import InternalError, UnsupportedError
from hlokit.mlir.conversion.constants import read_elements
from hlokit.mlir.conversion.descriptions import description, is_meant
from hlokit.mlir.provider.bindings import ir

if TYPE_CHECKING:
    from hlokit.mlir.conversion.replica_groups import Groups
    from hlokit.mlir.conversion.shardings import ManualComputation

T = TypeVar("T")
Plain = bool | int | float | str | bytes | None | list["Plain"] | dict[str, "Plain"] | npt.NDArray[np.generic]


class Attributes:
    """The attributes of an operation.

    Each getter takes the attribute's name and a default for an absent optional attribute; without a default
    an absent attribute is a KeyError (the verifier has ensured that required attributes exist).

    Attributes:
      is_own: whether a getter has returned a value that differs for other operations with the same
        attributes.
    """

    __slots__ = ("_map", "_operation", "is_own")

    def __init__(self, operation: ir.Operation) -> None:
        self._operation = operation
        self._map = operation.attributes
        self.is_own = False

    def __contains__(self, name: str) -> bool:
        return name in self._map

    def names(self) -> list[str]:
        return [self._map[i].name for i in range(len(self._map))]

    def texts(self) -> list[str]:
        """`name=value` of the attributes that say what the operation computes, sorted."""
        names = sorted(name for name in self.names() if is_meant(name, self._operation.name))
        return [f"{name}={self._map[name]}" for name in names]

    def position(self) -> tuple[int, ...]:
        """The operation's path in its module: for each enclosing operation, from the outermost inwards, the
        numbers of the region, the block and the operation in the block."""
        self.is_own = True
        numbers: list[int] = []
        operation = self._operation
        while operation.parent is not None:
            numbers = [*_place_in_parent(operation), *numbers]
            operation = operation.parent.operation
        return tuple(numbers)

    def description(self) -> str:
        """The operation with attributes, types and regions, as text: equal text, equal function."""
        return description(self._operation)

    def raw(self, name: str) -> ir.Attribute:
        """The MLIR attribute itself."""
        return self._map[name]

    def read(self, name: str, reader: Callable[[ir.Attribute], T]) -> T:
        """A structured attribute, e.g. `read("dot_dimension_numbers", DotDimensionNumbers.read)`."""
        return reader(self._map[name])

    def ints(self, name: str, default: tuple[int, ...] | None = None) -> tuple[int, ...]:
        """Integers of an i64 array, or of a dense tensor in row-major order."""
        if default is not None and name not in self._map:
            return default
        return tuple([int(value) for value in _items(self._map[name])])

    def bools(self, name: str, default: tuple[bool, ...] | None = None) -> tuple[bool, ...]:
        if default is not None and name not in self._map:
            return default
        return tuple([bool(value) for value in _items(self._map[name])])

    def pairs(
        self, name: str, default: tuple[tuple[int, int], ...] | None = None
    ) -> tuple[tuple[int, int], ...]:
        """Rows of an Nx2 dense tensor, such as `padding` or `source_target_pairs`."""
        flat = self.ints(name, () if default is not None else None)
        if not flat and default is not None:
            return default
        return tuple(zip(flat[::2], flat[1::2], strict=True))

    def int_(self, name: str, default: int | None = None) -> int:
        if default is not None and name not in self._map:
            return default
        return int(self._map[name].value)

    def float_(self, name: str, default: float | None = None) -> float:
        if default is not None and name not in self._map:
            return default
        return float(self._map[name].value)

    def bool_(self, name: str, default: bool | None = None) -> bool:
        if default is not None and name not in self._map:
            return default
        return bool(self._map[name].value)

    def string(self, name: str, default: str | None = None) -> str:
        if default is not None and name not in self._map:
            return default
        return str(self._map[name].value)

    def symbol(self, name: str) -> str:
        """The name in a symbol reference, without `@`."""
        return str(self._map[name].value)

    def enum(self, name: str, default: str | None = None) -> str:
        """The case of an enum attribute: `LT` of `#stablehlo<comparison_direction LT>`."""
        if default is not None and name not in self._map:
            return default
        return str(self._map[name]).rstrip(">").split()[-1].removeprefix("#stablehlo<")

    def replica_groups(self, name: str = "replica_groups") -> Groups | None:
        """Groups of ids of a collective operation; None for one group of all processes."""
        from hlokit.mlir.conversion.replica_groups import read_replica_groups  # only collectives have groups

        return read_replica_groups(self._map[name], self._operation)

    def manual_computation(self) -> ManualComputation:
        """The distribution of the tensors of `sdy.manual_computation` among devices."""
        # Few programs require this module.
        from hlokit.mlir.conversion.shardings import read_manual_computation

        return read_manual_computation(self._operation)

    def operand_name(self, index: int) -> str:
        """The name that MLIR prints for an operand: `%0`, `%arg1`, `%2#1`."""
        self.is_own = True
        return str(self._operation.operands[index].get_name())

    def elements(self, name: str) -> npt.NDArray[np.generic]:
        """The values of an elements attribute as a read-only array of its type's shape and dtype.

        The `value` of a constant is read without printing, for every element type.
        """
        return read_elements(self._operation, name)

    def plain(self) -> dict[str, Plain]:
        """All attributes as plain Python values: numbers, strings, lists, dicts, arrays."""
        return {name: plain(self._map[name]) for name in self.names()}


def _items(array: Any) -> list[Any]:
    """The items of an array attribute, by index. (The bindings' iterators end with a C++ exception, which
    takes 3 us, and 0.2 ms the first time in a process.)"""
    return [array[i] for i in range(len(array))]


def _names(dictionary: ir.DictAttr) -> list[str]:
    return [dictionary[i].name for i in range(len(dictionary))]


def _entry(dictionary: ir.DictAttr, name: str) -> ir.Attribute:
    """An entry by its name. Access by index aborts the process if the bindings have no class for the
    entry."""
    try:
        return dictionary[name]
    except TypeError:
        raise UnsupportedError(
            f"attribute {name} has complex elements, which the bindings cannot read"
        ) from None


def plain(attribute: ir.Attribute) -> Plain:
    """An attribute as a plain Python value, or as its MLIR spelling if no plain value exists."""
    match attribute:
        case ir.StringAttr():
            try:
                return attribute.value
            except (RuntimeError, UnicodeDecodeError):  # the bytes are not text
                return bytes(attribute.value_bytes)
        case ir.BoolAttr() | ir.IntegerAttr() | ir.FloatAttr():
            return attribute.value
        case ir.FlatSymbolRefAttr():
            return attribute.value
        case ir.UnitAttr():
            return None
        case ir.ArrayAttr():
            return [plain(item) for item in _items(attribute)]
        case ir.DictAttr():
            return {name: plain(_entry(attribute, name)) for name in _names(attribute)}
        case ir.DenseBoolArrayAttr() | ir.DenseI64ArrayAttr() | ir.DenseI32ArrayAttr():
            return _items(attribute)
        case ir.DenseF32ArrayAttr() | ir.DenseF64ArrayAttr():
            return _items(attribute)
        case ir.DenseElementsAttr():
            try:
                return np.array(attribute)
            except (TypeError, ValueError):
                return str(attribute)
        case _:
            return str(attribute)


def _place_in_parent(operation: ir.Operation) -> tuple[int, int, int]:
    assert operation.parent is not None, "an operation of a module has a parent"
    for i, region in enumerate(operation.parent.operation.regions):
        for j, block in enumerate(region.blocks):
            for k, other in enumerate(block.operations):
                if other.operation == operation:
                    return i, j, k
    raise InternalError("an operation must be in a region of its parent")
