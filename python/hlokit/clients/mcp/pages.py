"""Pages of operations, from their cards: meaning, constraints, traits, and the defining function."""

from __future__ import annotations

import inspect
from typing import Any

from hlokit.constraints.table import load
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Without
from hlokit.operations.index import INDEX
from hlokit.operations.traits import Traits

_SPECIFICATION = "https://github.com/openxla/stablehlo/blob/main/docs/spec.md"
# What checks constraints, in the words of the pages (`hlokit.constraints.table` has more kinds).
_CHECKED_BY = {
    "verifier": "verifier",
    "ods": "verifier",
    "syntax": "syntax",
    "strict": "strict",
    "dynamic": "run",
    "unchecked": "nothing",
}


def operations() -> list[str]:
    """The names of all operations that have a page."""
    return sorted(INDEX)


def meaning(name: str) -> str:
    """The result of an operation in the words of the specification; "" for an unknown operation."""
    card = card_of(name)
    return "" if card is None else card.formula


def specification(name: str) -> str:
    """The address of an operation's section in the StableHLO specification; "" if it has none."""
    mnemonic = _in_specification(name)
    return f"{_SPECIFICATION}#{mnemonic}" if mnemonic else ""


def constraints(name: str) -> list[tuple[str, str, str]]:
    """The constraints of an operation: label, rule, and what checks it."""
    rows = load().get(_in_specification(name), {})
    return [(label, row.rule, _CHECKED_BY[row.enforced]) for label, row in rows.items()]


def _in_specification(name: str) -> str:
    """The mnemonic of an operation of the specification; "" for others."""
    dialect, _, mnemonic = name.partition(".")
    return mnemonic if dialect == "stablehlo" and mnemonic in load() else ""


def page(name: str) -> str:
    """The page of an operation, in Markdown.

    Raises:
      ValueError: there is no such operation.
    """
    card = card_of(name)
    if card is None:
        raise ValueError(f"there is no operation {name}; hlokit://operations lists all")
    lines = [f"# {name}", ""]
    lines += [line for text in (card.summary, card.formula) if text for line in (text, "")]
    link = specification(name)
    if link:
        lines += [f"Specification: {link}", ""]
    rules = [f"- ({label}) {rule}" for label, rule, _ in constraints(name)]
    if rules:
        lines += ["## Constraints", "", *rules, ""]
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
