"""Builds the shapes of the results of operations, by the functions that the cards name."""

from __future__ import annotations

from hlokit.mlir.provider.bindings import ir
from hlokit.operations.cards import card_of, cards
from hlokit.operations.cards.card import Without
from hlokit.passes.framework.building import Value


def reified_shapes(operation: ir.Operation) -> list[Value] | None:
    """Build the shapes of the results of an operation at the current insertion point.

    Returns:
      One vector for each result, or None if the operation cannot compute its shapes; then nothing is built.
    """
    card = card_of(operation.name)
    return None if card is None or isinstance(card.shape, Without) else card.shape(operation)


def reifiable() -> frozenset[str]:
    """The operations that can compute their shapes."""
    return frozenset([card.name for card in cards() if not isinstance(card.shape, Without)])
