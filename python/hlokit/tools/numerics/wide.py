"""Plans operations with wider types (`rules.widening`), by the shadows that the cards name."""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation, Value, find
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.plan.block import Block
from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Extended, NotAgain, OwnKernel, Wider, Without
from hlokit.tools.numerics.rules.widening import (
    COMPLEX_EXTENDED,
    EXTENDED,
    HAS_EXTENDED,
    widened,
    widened_type,
)
from hlokit.values.types import TensorType, TupleType, ValueType


def _widened_value_type(type_: ValueType) -> ValueType:
    match type_:
        case TensorType():
            return type_._replace(element_type=widened_type(type_.element_type))
        case TupleType():
            return TupleType(tuple(map(_widened_value_type, type_.types)))
        case _:
            return type_


class _WithoutAlgorithm(Attributes):
    """Attributes of a dot_general without its requested precision."""

    __slots__ = ()

    @classmethod
    def of(cls, attributes: Attributes) -> _WithoutAlgorithm:
        return cls(attributes._operation)

    def __contains__(self, name: str) -> bool:
        return name != "algorithm" and super().__contains__(name)


class WidePlanner(Planner):
    """Plans of a module's operations with wider types. An operation that cannot be widened raises on
    evaluation."""

    def _value_type(self, type_: ir.Type) -> ValueType:
        return _widened_value_type(super()._value_type(type_))

    def _bind(
        self,
        attributes: Attributes,
        name: str,
        function_name: str,
        operand_types: tuple[ValueType, ...],
        result_types: tuple[ValueType, ...],
        regions: tuple[Block, ...],
        capture_count: int,
    ) -> Kernel | Constant:
        rest = (function_name, operand_types, result_types, regions, capture_count)
        bind = find(name)
        if bind is None:
            return super()._bind(attributes, name, *rest)
        if name == "stablehlo.dot_general":
            attributes = _WithoutAlgorithm.of(attributes)
        types = operand_types, result_types
        operation = Operation(name, *types, attributes, regions, capture_count, function_name, self.function)
        try:
            special = _special(operation, bind)
        except UnsupportedError as error:
            message = str(error)

            def trap(*_: Value) -> Value:
                raise UnsupportedError(message)

            return Kernel(trap)
        bound = super()._bind(attributes, name, *rest) if special is None else special
        return Constant(widened(bound.value)) if isinstance(bound, Constant) else bound


def _special(operation: Operation, bind: BindFunction) -> Kernel | Constant | None:
    """The kernel of an operation that wider types alone do not widen."""
    card = card_of(operation.name)
    assert card is not None, "an operation with a bind function has a card"
    shadow = card.shadow
    if isinstance(shadow, NotAgain):
        raise UnsupportedError(shadow.reason)
    if isinstance(shadow, Wider) and shadow.is_for_all_types:
        return shadow.bind(operation)
    types = operation.operand_types + operation.result_types
    wide = (EXTENDED, COMPLEX_EXTENDED) if HAS_EXTENDED else ()
    if not any(isinstance(type_, TensorType) and type_.element_type in wide for type_ in types):
        return None
    match shadow:
        case Extended(function):
            return Kernel(
                function, pointwise=True, ufunc=function if isinstance(function, np.ufunc) else None
            )
        case Wider():
            return shadow.bind(operation)
        case OwnKernel():
            return bind(operation)
        case Without():
            raise UnsupportedError(shadow.reason)
