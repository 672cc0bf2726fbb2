"""The cases that the cards of operations ask for: recipes with ids that never change.

A subject is an operation with types, attributes and operands; a recipe puts it in a place: alone, between two
other operations, in the body of a loop, behind barriers. Whether the verifier accepts a type is known when a
case is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from hlokit.operations.cards import cards
from hlokit.operations.cards.card import Card, Without
from hlokit.operations.cards.variants.elements import type_word
from hlokit.operations.cards.variants.variant import Style, Variant, shaped
from hlokit.operations.traits import Traits
from hlokit.tools.kit.models import MODELS
from hlokit.values.element_types import ELEMENT_TYPES, Kind

# Stands for an operation in the ids of whole models.
MODEL = "model"
# The number of the kit: it changes when ids or their values do.
VERSION = 5

Place = Literal["alone", "fused", "loop", "barrier"]
PLACES: tuple[Place, ...] = ("alone", "fused", "loop", "barrier")
QUANTIZED = {
    "quant-i8": "!quant.uniform<i8:f32, 5.0e-01:1>",
    "quant-u8": "!quant.uniform<u8:f32, 2.5e-01:128>",
    "quant-i32": "!quant.uniform<i32:f32, 1.250000e-01>",
}
# The types of the kit: the word in ids, and MLIR's spelling.
TYPES = {type_word(name): name for name in ELEMENT_TYPES if name != "index"} | QUANTIZED

# The shapes of elementwise operations; the last one is large, and tried with one type.
SHAPES: dict[str, tuple[int, ...]] = {
    "scalar": (),
    "one": (1,),
    "empty": (0,),
    "rank2": (3, 5),
    "rank3": (2, 3, 5),
    "rank4": (2, 1, 3, 2),
    "rank5": (1, 2, 1, 3, 2),
    "rank6": (2, 1, 3, 1, 2, 1),
    "rank3-empty": (3, 0, 2),
    "127": (127,),
    "128": (128,),
    "129": (129,),
    "large": (4099,),
}
# The name of the row of a card's first probe.
PLAIN = "plain"
# How the names of the rows of further probes begin.
OTHER_PROBE = "probe-"
# Between the name of a row and that of a shape.
OF_SHAPE = "-of-"
_LARGE, _TYPE_OF_LARGE = "large", "f32"
_LENGTH = re.compile(r"\b2x(?=[a-z$!])")


class Subject(NamedTuple):
    """An operation, its types and attributes, and what its operands hold."""

    operation: str
    type_: str
    variant: Variant
    style: Style

    @property
    def name(self) -> str:
        return f"{self.operation}/{self.type_}/{self.variant.name}.{self.style}"


class Recipe(NamedTuple):
    """A subject in a place."""

    subject: Subject
    place: Place

    @property
    def id(self) -> str:
        """Such as `stablehlo.add/f32/plain-of-rank3.special.alone`."""
        return f"{self.subject.name}.{self.place}"


def operations() -> tuple[str, ...]:
    """The operations that have cases, in the order of the documentation, and `model` for whole models."""
    return (*(card.name for card in cards() if _rows(card)), MODEL)


def recipes(operations: Sequence[str] = (), types: Sequence[str] = ()) -> Iterator[Recipe]:
    """The recipes of operations and types; of all if none are named.

    Args:
      operations: names, with or without the dialect.
      types: words of `TYPES`.
    """
    for card in cards():
        if operations and not {card.name, card.name.partition(".")[2]} & set(operations):
            continue
        for type_ in types or TYPES:
            yield from _of_card(card, type_)
    if not operations or MODEL in operations:
        for type_ in types or TYPES:
            for name, text in MODELS.items():
                yield Recipe(Subject(MODEL, type_, Variant(name, "", text), "random"), "alone")


def kind_of(operation: str, type_: str) -> str:
    """What failures of a kind have in common: the operation, whether it broadcasts or not, and arithmetic."""
    element = ELEMENT_TYPES.get(TYPES[type_])
    kind = Kind.QUANTIZED if element is None else element.kind
    return f"{(operation.partition('.')[2] or operation).removeprefix('broadcast_')}, {kind.value}"


def with_shape(types: str, sizes: Sequence[int]) -> str:
    """The types of an elementwise operation with another shape."""
    return _LENGTH.sub(shaped(sizes, ""), types)


def _rows(card: Card) -> list[Variant]:
    """The variants of a card, or its probes; whole programs where an operation needs more than itself."""
    if isinstance(card.reference, Without) or card.traits.random or card.traits.constant:
        return []
    probes = () if isinstance(card.probes, Without) else card.probes
    own = [
        Variant(f"program-{n}" if n else "program", "", probe)
        if isinstance(probe, str)
        else Variant(f"{OTHER_PROBE}{n}" if n else PLAIN, *probe)
        for n, probe in enumerate(probes)
    ]
    if _needs_programs(card.traits):
        own = [row for row in own if not row.types]
    is_replaced = any(_LENGTH.search(variant.types) for variant in card.variants)
    if is_replaced or (card.variants and not card.traits.elementwise):
        return list(card.variants)
    return [*own, *card.variants]


def _needs_programs(traits: Traits) -> bool:
    """Whether an operation is tried in whole programs only."""
    return bool(traits.collective or traits.control or traits.channel or traits.feed)


def _of_card(card: Card, type_: str) -> Iterator[Recipe]:
    for number, row in enumerate(_rows(card)):
        if card.traits.elementwise and _LENGTH.search(row.types):
            yield from _elementwise(card.name, type_, row, is_first=number == 0)
        else:
            yield from _whole(card, type_, row)


def _elementwise(operation: str, type_: str, row: Variant, *, is_first: bool) -> Iterator[Recipe]:
    """All values that matter, then every shape, in all places."""
    yield from _in_places(Subject(operation, type_, row, "values"))
    for name, sizes in SHAPES.items() if is_first else ():
        if name != _LARGE or type_ == _TYPE_OF_LARGE:
            variant = row._replace(name=f"{row.name}{OF_SHAPE}{name}", types=with_shape(row.types, sizes))
            yield from _in_places(Subject(operation, type_, variant, "special"))


def _in_places(subject: Subject) -> Iterator[Recipe]:
    return (Recipe(subject, place) for place in PLACES)


def _whole(card: Card, type_: str, row: Variant) -> Iterator[Recipe]:
    """Every variant with the styles that may find something, in all places."""
    traits = card.traits
    styles: list[Style] = ["random"]
    if traits.moves is not None or traits.elementwise:
        styles = ["special"]
    elif traits.contraction or traits.combines:
        styles = ["random", "special", "cancel"]
    if not traits.elementwise and (traits.applies or traits.moves is not None):
        styles.append("ties")
    if not row.types:
        yield Recipe(Subject(card.name, type_, row, "random"), "alone")
        return
    for style in row.styles or styles:
        yield from _in_places(Subject(card.name, type_, row, style))
