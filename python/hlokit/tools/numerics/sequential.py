"""Programs whose sums have the order of the C++ interpreter, or are pairwise (`rules.sequential`)."""

from __future__ import annotations

from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation
from hlokit.engine.interpreter.settings import Variant
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType


class SequentialSums(Variant):
    """A program with the bind functions for sequential sums that the cards name."""

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        card = card_of(operation.name)
        if card is None or isinstance(card.sequential, Without) or _is_quantized(operation):
            return bind(operation)
        return card.sequential(operation)


class PairwiseSums(SequentialSums):
    """A program whose sums do not depend on the number of devices that share the terms."""

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        return super().bind(bind, operation._replace(is_pairwise=True))


def _is_quantized(operation: Operation) -> bool:
    """Whether the operation has quantized types, which the C++ interpreter does not evaluate."""
    types = (*operation.operand_types, *operation.result_types)
    return any(isinstance(type_, TensorType) and type_.element_type.kind is Kind.QUANTIZED for type_ in types)
