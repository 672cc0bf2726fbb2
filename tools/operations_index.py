"""The text of python/hlokit/operations/index.py, from the cards of operations."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any, cast

import hlokit.kernels
import hlokit.kernels.checks
from hlokit.engine.contract.registry import BindFunction
from hlokit.operations.cards import CHAPTERS
from hlokit.operations.cards.card import Card, Without
from hlokit.operations.traits import Traits

HEADER = '''"""The index of operations: what start-up and planning need of the cards.

`python -m tools.generate` writes this file from operations/cards.
"""

# fmt: off
# ruff: noqa: E501

from __future__ import annotations

from typing import Final

from hlokit.operations.traits import {names}

INDEX: Final[dict[str, Entry]] = {{
{rows}
}}
'''


def text() -> str:
    """The text of the file.

    Raises:
      ValueError: two cards have one name, or no module has the bind function of a card under a name.
    """
    rows: dict[str, str] = {}
    for chapter in CHAPTERS:
        for card in importlib.import_module(f"hlokit.operations.cards.{chapter}").CARDS:
            if card.name in rows:
                raise ValueError(f"{card.name}: an operation must have one card")
            rows[card.name] = _row(chapter, card)
    body = "\n".join(f'    "{name}": {rows[name]},' for name in sorted(rows))
    names = [
        *(["Domain"] if "Domain." in body else []),
        "Entry",
        *(name for name in ("Nans", "Quantized", "RegionValues") if f"{name}." in body),
        "Traits",
    ]
    return HEADER.format(names=", ".join(names), rows=body)


def _row(chapter: str, card: Card) -> str:
    kernel = None if isinstance(card.kernel, Without) else place_of(card.name, card.kernel)
    values = [*map(_spelled, (chapter, kernel, card.opcodes)), _traits(card.traits)]
    if not isinstance(card.sequential, Without):
        values.append(f"sequential={_spelled(place_of(card.name, card.sequential))}")
    return f"Entry({', '.join(values)})"


def _traits(traits: Traits) -> str:
    changed = {
        field: value
        for field, value in zip(traits._fields, traits, strict=True)
        if value != traits._field_defaults[field]
    }
    return f"Traits({', '.join(f'{field}={_spelled(value)}' for field, value in changed.items())})"


def _spelled(value: Any) -> str:
    """A value as Python source, with double quotes."""
    match value:
        case str():
            return f'"{value}"'
        case Enum():
            return f"{type(value).__name__}.{value.name}"
        case tuple():
            items = cast("tuple[Any, ...]", value)
            return f"({', '.join(map(_spelled, items))}{',' * (len(items) == 1)})"
        case slice():
            range_ = cast("slice[Any, Any, Any]", value)
            start, stop = range_.start, range_.stop
            bounds = (stop,) if start is None and stop is not None else (start, stop)
            return f"slice({', '.join(map(str, bounds))})"
        case _:
            return repr(value)


def place_of(name: str, kernel: BindFunction) -> tuple[str, str]:
    """Module and name of a bind function."""
    module = sys.modules[kernel.__module__]
    if getattr(module, kernel.__name__, None) is kernel:
        return module.__name__, kernel.__name__
    places = [place for place, value in _named_functions() if value is kernel]
    if len(places) != 1:
        raise ValueError(f"{name}: one module must have the kernel under a name, got {len(places)} names")
    return places[0]


@cache
def _named_functions() -> list[tuple[tuple[str, str], object]]:
    """All functions of modules with kernels, with module and name."""
    return [((module.__name__, name), value) for module in _modules() for name, value in vars(module).items()]


def _modules() -> Iterator[ModuleType]:
    for package in (hlokit.kernels.checks, hlokit.kernels):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)
