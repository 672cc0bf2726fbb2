"""The element-wise operations whose accuracy is measured, from the cards of operations."""

from __future__ import annotations

from dataclasses import dataclass, fields

from hlokit.operations.cards import cards
from hlokit.operations.cards.card import Card, Without
from hlokit.tools.numerics.rules.samples import Samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Function(Samples):
    """An element-wise operation, on floats or complex numbers or both.

    Attributes:
      name: the operation's name, with its dialect.
    """

    name: str

    @property
    def short_name(self) -> str:
        return self.name.partition(".")[2]


def _functions(card: Card) -> tuple[Function, ...]:
    rows = () if isinstance(card.samples, Without) else card.samples
    return tuple(
        Function(name=card.name, **{field.name: getattr(row, field.name) for field in fields(row)})
        for row in rows
    )


FUNCTIONS = tuple(function for card in cards() for function in _functions(card))
