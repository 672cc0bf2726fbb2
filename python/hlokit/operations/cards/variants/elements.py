"""Variants of elementwise operations that have attributes, several types, or operands of several shapes."""

from __future__ import annotations

from hlokit.operations.cards.variants.variant import Variant
from hlokit.values.element_types import ELEMENT_TYPES

_TYPES = tuple(name for name in ELEMENT_TYPES if name != "index")


def type_word(type_: str) -> str:
    """A type as a part of an id: `complex-f32`."""
    return type_.replace("<", "-").replace(">", "")


CONVERT = tuple(Variant(f"to-{type_word(type_)}", f"2x$ -> 2x{type_}") for type_ in _TYPES)
# The verifier accepts types of one width, and an inner dimension that holds the parts of an element.
BITCAST_CONVERT = (
    *(Variant(f"to-{type_word(type_)}", f"5x$ -> 5x{type_}") for type_ in _TYPES),
    *(
        Variant(f"to-{parts}x{type_}", f"5x$ -> 5x{parts}x{type_}")
        for type_ in ("i1", "i4", "i8", "ui16", "f16", "f32")
        for parts in (2, 4, 8)
    ),
    *(
        Variant(f"from-{parts}-to-{type_}", f"5x{parts}x$ -> 5x{type_}")
        for type_ in ("i8", "ui16", "f32", "i64")
        for parts in (2, 4, 8)
    ),
)
REDUCE_PRECISION = tuple(
    Variant(
        f"e{exponent}m{mantissa}",
        "2x$ -> 2x$",
        f"{{exponent_bits = {exponent} : i32, mantissa_bits = {mantissa} : i32}}",
    )
    for exponent, mantissa in ((8, 23), (8, 7), (5, 10), (4, 3), (2, 1), (1, 0), (11, 52), (8, 0))
)


def _compared(dialect: str, directions: str, compare_type: str = "") -> tuple[Variant, ...]:
    kind = f", compare_type = #{dialect}<comparison_type {compare_type}>" if compare_type else ""
    return tuple(
        Variant(
            f"{direction}{'-' * bool(kind)}{compare_type}".lower(),
            "2x$, 2x$ -> 2xi1",
            f"{{comparison_direction = #{dialect}<comparison_direction {direction}>{kind}}}",
        )
        for direction in directions.split()
    )


_DIRECTIONS = "EQ NE GE GT LE LT"
COMPARE = (*_compared("stablehlo", _DIRECTIONS), *_compared("stablehlo", _DIRECTIONS, "TOTALORDER"))
BROADCAST_COMPARE = (*_compared("chlo", _DIRECTIONS), *_compared("chlo", _DIRECTIONS, "TOTALORDER"))
SELECT = (
    Variant("scalar-true", "i1, 5x$, 5x$ -> 5x$", "", ((0, "true"),)),
    Variant("scalar-false", "i1, 5x$, 5x$ -> 5x$", "", ((0, "false"),)),
)
CLAMP = (
    Variant("scalars", "$, 9x$, $ -> 9x$"),
    Variant("scalar-minimum", "$, 9x$, 9x$ -> 9x$"),
)
BROADCASTING = (
    Variant("stretched", "3x1x$, 1x4x$ -> 3x4x$"),
    Variant("rank", "4x$, 2x3x4x$ -> 2x3x4x$"),
    Variant("scalar", "$, 129x$ -> 129x$"),
    Variant("empty", "0x3x$, 3x$ -> 0x3x$"),
)
