"""The blocks of a module, each read once, because regions are evaluated many times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.types import value_type
from hlokit.mlir.run_time_types import RunTimeTypes, is_dynamic
from hlokit.operations.lookup import traits_of
from hlokit.reference.model.comparators import KeyComparison, find_keys
from hlokit.values.types import ValueType


class Step:
    """One operation, as stated in the module."""

    def __init__(self, operation: ir.Operation, types: Types) -> None:
        self.operation = operation
        self.name: str = operation.name
        self.operands = tuple(operation.operands)
        self.results = tuple(operation.results)
        self.regions = tuple(operation.regions)
        self._types = types

    @cached_property
    def operand_types(self) -> tuple[ValueType, ...]:
        return self._types.of(self.operands)

    @cached_property
    def result_types(self) -> tuple[ValueType, ...]:
        return self._types.of(self.results)

    @cached_property
    def types(self) -> RunTimeTypes | None:
        """The rules for shapes; None if the verifier has checked them, or if there are none."""
        if not is_dynamic(self.operand_types) or traits_of(self.name).control:
            return None
        return RunTimeTypes(self.operation, self.operand_types, self.result_types)

    @cached_property
    def attributes(self) -> Attributes:
        return Attributes(self.operation)


@dataclass(frozen=True, slots=True)
class Body:
    """The arguments and operations of the block of a region. The last operation is its terminator."""

    region: ir.Region
    arguments: tuple[ir.Value, ...]
    argument_types: tuple[ValueType, ...]
    steps: tuple[Step, ...]


class Types:
    """The types of a module, each converted once."""

    def __init__(self) -> None:
        self._types: dict[ir.Type, ValueType] = {}

    def value_type(self, type_: ir.Type) -> ValueType:
        if type_ not in self._types:
            self._types[type_] = value_type(type_)
        return self._types[type_]

    def of(self, values: Iterable[ir.Value]) -> tuple[ValueType, ...]:
        return tuple([self.value_type(value.type) for value in values])


class Bodies:
    """The blocks of a module, each read once, because regions are evaluated many times."""

    def __init__(self) -> None:
        self.types = Types()
        self._bodies: dict[ir.Block, Body] = {}
        self._keys: dict[ir.Value, tuple[KeyComparison, ...] | None] = {}

    def of(self, region: ir.Region) -> Body:
        if len(region.blocks) != 1:
            raise UnsupportedError(f"a region must have one block, got {len(region.blocks)}")
        block = region.blocks[0]
        if block not in self._bodies:
            arguments = tuple(block.arguments)
            steps = tuple([Step(view.operation, self.types) for view in block.operations])
            self._bodies[block] = Body(region, arguments, self.types.of(arguments), steps)
        return self._bodies[block]

    def keys_of(self, comparator: Body) -> tuple[KeyComparison, ...] | None:
        """The comparisons of a comparator that compares keys; None for other bodies."""
        (result,) = comparator.steps[-1].operands
        if result not in self._keys:
            self._keys[result] = find_keys(
                comparator.arguments, [step.operation for step in comparator.steps]
            )
        return self._keys[result]
