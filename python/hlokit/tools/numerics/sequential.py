"""Programs whose sums have the order of the C++ interpreter, or are pairwise (`rules.sequential`)."""

from __future__ import annotations

from hlokit.engine.contract.registry import BindFunction, Constant, Kernel, Operation, bind_function
from hlokit.engine.interpreter.settings import Variant
from hlokit.operations.index import INDEX
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType


class SequentialSums(Variant):
    """A program with the bind functions for sequential sums that the cards name."""

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        entry = INDEX.get(operation.name)
        if entry is None or entry.sequential is None or _is_quantized(operation):
            return bind(operation)
        return bind_function(entry.sequential)(operation)


class SequentialProducts(SequentialSums):
    """A program whose sums of products are sequential where the element type has at least 32 bits.

    One by one, sums of narrower types lose more than XLA's, and so do long reductions. An `algorithm` has an
    accumulation of its own.
    """

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        entry = INDEX.get(operation.name)
        is_product = (
            entry is not None
            and entry.traits.contraction
            and operation.result().element_type.part.width >= 32
        )
        if not is_product or "algorithm" in operation.attributes:
            return bind(operation)
        return super().bind(bind, operation)


class PairwiseSums(SequentialSums):
    """A program whose sums do not depend on the number of devices that share the terms."""

    def bind(self, bind: BindFunction, operation: Operation) -> Kernel | Constant:
        return super().bind(bind, operation._replace(is_pairwise=True))


VARIANTS = {"products": SequentialProducts(), "sequential": SequentialSums(), "pairwise": PairwiseSums()}


def _is_quantized(operation: Operation) -> bool:
    """Whether the operation has quantized types, which the C++ interpreter does not evaluate."""
    types = (*operation.operand_types, *operation.result_types)
    return any(isinstance(type_, TensorType) and type_.element_type.kind is Kind.QUANTIZED for type_ in types)
