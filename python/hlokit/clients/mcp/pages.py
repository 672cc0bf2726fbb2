"""Pages of operations, from their cards: meaning, the function that defines it, and its traits."""

from __future__ import annotations

import inspect
from typing import Any

from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.index import INDEX
from hlokit.operations.traits import Traits

_SPECIFICATION = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"


def operations() -> list[str]:
    """The names of all operations that have a page."""
    return sorted(INDEX)


def meaning(name: str) -> str:
    """The result of an operation in the words of the specification; "" for an unknown operation."""
    card = card_of(name)
    return "" if card is None else card.formula


def page(name: str) -> str:
    """The page of an operation, in Markdown.

    Raises:
      ValueError: there is no such operation.
    """
    card = card_of(name)
    if card is None:
        raise ValueError(f"there is no operation {name}; hlokit://operations lists all")
    lines = [f"# {name}", "", card.formula, ""]
    if name.startswith("stablehlo."):
        lines += [f"Specification: {_SPECIFICATION}#{name.partition('.')[2].lower()}", ""]
    traits = [f"- `{trait}`: {text}" for trait, text in _traits(card.traits).items()]
    if traits:
        lines += ["## Traits", "", *traits, ""]
    if isinstance(card.reference, Without):
        lines += [f"The reference has no function: {card.reference.reason}."]
    else:
        lines += [
            "## Definition",
            "",
            "```python",
            inspect.getsource(_function(card.reference)).rstrip(),
            "```",
        ]
    return "\n".join(lines)


def _traits(traits: Traits) -> dict[str, str]:
    """The traits that differ from the defaults."""
    defaults = Traits()
    changed = {trait: value for trait, value in traits._asdict().items() if value != getattr(defaults, trait)}
    return {trait: str(value) for trait, value in changed.items()}


def _function(reference: Any) -> Any:
    """The function that a row of the reference calls, if the row only hands the operands on."""
    function = getattr(reference, "func", reference)
    return inspect.getclosurevars(function).nonlocals.get("function", function)
