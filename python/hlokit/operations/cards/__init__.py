"""The cards: one for each operation, one file for each chapter.

`card` defines what a card has, `kinds` and `elementwise_kinds` which parts an operation of a kind needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from hlokit.operations.index import INDEX

if TYPE_CHECKING:
    from hlokit.operations.cards.card import Card

# In the order of the documentation.
CHAPTERS = (
    *(
        "arithmetic",
        "bits_and_types",
        "functions",
        "movements",
        "slices",
        "regions",
        "arrays",
        "processes",
        "control_flow",
    ),
    *("chlo", "special_functions", "broadcasts", "dialects"),
)


def card_of(name: str) -> Card | None:
    """The card of an operation; None if there is none. Imports the chapter of the operation only."""
    entry = INDEX.get(name)
    return None if entry is None else _chapter(entry.chapter)[name]


def cards() -> Iterator[Card]:
    """All cards, chapter by chapter."""
    for chapter in CHAPTERS:
        yield from _chapter(chapter).values()


@cache
def _chapter(name: str) -> Mapping[str, Card]:
    """The cards of a chapter, by name."""
    listed: tuple[Card, ...] = import_module(f"{__name__}.{name}").CARDS
    return {card.name: card for card in listed}
