"""Comparators of keys: which values a comparator compares, and in which order.

A comparator compares keys if it is one comparison of a value of the left element with the same value of the
right element, or a lexicographic order of several such values:

    key(lhs) < key(rhs), key(lhs) > key(rhs), key(lhs) <= key(rhs), key(lhs) >= key(rhs)
    first(lhs) < first(rhs) | (first(lhs) == first(rhs) & others)
    select(first(lhs) == first(rhs), others, first(lhs) < first(rhs))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

_LEFT, _RIGHT = frozenset({0}), frozenset({1})
_SWAPPED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "EQ": "EQ"}
_STRICT = ("LT", "GT")


class KeyComparison(NamedTuple):
    """One comparison of keys.

    Attributes:
      lhs, rhs: the values of the comparator's block that hold the key of the left and of the right element.
      direction: EQ, LT, GT, LE or GE, from the left to the right element.
      is_total: whether floats compare in total order.
    """

    lhs: ir.Value
    rhs: ir.Value
    direction: str
    is_total: bool

    @property
    def operands(self) -> tuple[ir.Value, ir.Value, bool]:
        return self.lhs, self.rhs, self.is_total


def find_keys(
    arguments: Sequence[ir.Value], operations: Sequence[ir.Operation]
) -> tuple[KeyComparison, ...] | None:
    """The comparisons of a comparator of keys, the decisive one first; None for other comparators.

    Args:
      arguments: those of the comparator's block: left and right element of the first input, of the second...
      operations: those of the block; the last one is the terminator.
    """
    *pointwise, terminator = operations
    traits = [traits_of(operation.name) for operation in pointwise]
    if not all(trait.elementwise or trait.constant for trait in traits):
        return None
    return _Reader(arguments, pointwise).keys(terminator.operands[0])


class _Reader:
    """Walks a comparator backwards from its result."""

    def __init__(self, arguments: Sequence[ir.Value], operations: Sequence[ir.Operation]) -> None:
        self._operations: Mapping[ir.Value, ir.Operation] = {
            operation.results[0]: operation for operation in operations
        }
        # The elements on which a value depends: 0 for the left one, 1 for the right one.
        self._sides = {argument: frozenset({number % 2}) for number, argument in enumerate(arguments)}
        for operation in operations:
            sides = (self._sides.get(operand, frozenset[int]()) for operand in operation.operands)
            self._sides[operation.results[0]] = frozenset[int]().union(*sides)

    def keys(self, value: ir.Value) -> tuple[KeyComparison, ...] | None:
        comparison = self._comparison(value)
        if comparison is not None:
            return None if comparison.direction == "EQ" else (comparison,)
        return self._lexicographic(value)

    def _lexicographic(self, value: ir.Value) -> tuple[KeyComparison, ...] | None:
        for equality, order, others in self._cases(value):
            tie, first = self._comparison(equality), self._comparison(order)
            if tie is None or first is None or tie.operands != first.operands:
                continue
            if tie.direction != "EQ" or first.direction not in _STRICT:
                continue
            rest = self.keys(others)
            if rest is not None and all(key.direction in _STRICT for key in rest):
                return first, *rest
        return None

    def _cases(self, value: ir.Value) -> list[tuple[ir.Value, ir.Value, ir.Value]]:
        """(equality, order, others): what may be the parts of a lexicographic order."""
        operands = self._operands("stablehlo.select", value)
        if operands:
            equality, others, order = operands
            return [(equality, order, others)]
        return [
            (equality, order, others)
            for order, other in _both_ways(self._operands("stablehlo.or", value))
            for equality, others in _both_ways(self._operands("stablehlo.and", other))
        ]

    def _operands(self, name: str, value: ir.Value) -> tuple[ir.Value, ...]:
        operation = self._operations.get(value)
        return tuple(operation.operands) if operation is not None and operation.name == name else ()

    def _comparison(self, value: ir.Value) -> KeyComparison | None:
        operands = self._operands("stablehlo.compare", value)
        if not operands:
            return None
        lhs, rhs = operands
        attributes = Attributes(self._operations[value])
        kind, direction = _key_kind(value_type(lhs.type)), attributes.enum("comparison_direction")
        if kind is None or direction not in _SWAPPED:
            return None
        if kind is Kind.SIGNED and attributes.enum("compare_type", "") == "UNSIGNED":
            return None  # of the bits of signed integers
        is_total = kind is Kind.FLOAT and attributes.enum("compare_type", "") == "TOTALORDER"
        sides = self._sides.get(lhs), self._sides.get(rhs)
        if sides == (_LEFT, _RIGHT):
            return KeyComparison(lhs, rhs, direction, is_total)
        if sides == (_RIGHT, _LEFT):
            return KeyComparison(rhs, lhs, _SWAPPED[direction], is_total)
        return None


def _both_ways(operands: tuple[ir.Value, ...]) -> tuple[tuple[ir.Value, ...], ...]:
    return (operands, operands[::-1]) if operands else ()


def _key_kind(type_: ValueType) -> Kind | None:
    """The kind of a key's type; None for types that are no keys."""
    kind = type_.element_type.kind if isinstance(type_, TensorType) else None
    return None if kind in (Kind.COMPLEX, Kind.QUANTIZED) else kind
