"""Plans operations with wider types (`rules.widening`), by the shadows that the cards name."""

from __future__ import annotations

import numpy as np

from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation
from hlokit.engine.interpreter.planner import Planner
from hlokit.engine.interpreter.settings import Settings, Variant
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


class WithoutAlgorithm(Attributes):
    """Attributes of a dot_general without its requested precision."""

    __slots__ = ()

    @classmethod
    def from_attributes(cls, attributes: Attributes) -> WithoutAlgorithm:
        return cls(attributes._operation)

    def __contains__(self, name: str) -> bool:
        return name != "algorithm" and super().__contains__(name)


class _Wide(Variant):
    """A program with wider types."""

    def value_type(self, type_: ValueType) -> ValueType:
        return _widened_value_type(type_)

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        if operation.name == "stablehlo.dot_general":
            operation = operation._replace(attributes=WithoutAlgorithm.from_attributes(operation.attributes))
        special = _special(operation, bind)
        bound = bind(operation) if special is None else special
        return Constant(widened(bound.value)) if isinstance(bound, Constant) else bound


def wide_planner(module: ir.Module) -> Planner:
    """A planner of a module's operations with wider types. An operation that cannot be widened raises on
    evaluation."""
    return Planner(module, Settings(variant=_Wide()))


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
