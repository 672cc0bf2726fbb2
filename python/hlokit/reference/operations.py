"""The function of the reference for each operation, which the operation's card names."""

from __future__ import annotations

from hlokit.operations.cards import card_of, cards
from hlokit.operations.cards.card import Without
from hlokit.operations.lookup import traits_of
from hlokit.reference.model.calls import Row


def row_of(name: str) -> Row | None:
    """The function of an operation; None if the reference does not evaluate the operation."""
    card = card_of(name)
    return None if card is None or isinstance(card.reference, Without) else card.reference


def row_of_encoded(target: str) -> Row | None:
    """The function of an operation that programs of other versions encode as a custom call, @mhlo.<name>."""
    dialect, _, mnemonic = target.partition(".")
    names = [f"{dialect}.{mnemonic}" for dialect in ("stablehlo", "chlo")] if dialect == "mhlo" else []
    return next((row_of(name) for name in names if traits_of(name).encoded), None)


def operations() -> tuple[str, ...]:
    """The names of all operations that the reference evaluates, sorted."""
    return tuple(sorted(card.name for card in cards() if not isinstance(card.reference, Without)))
