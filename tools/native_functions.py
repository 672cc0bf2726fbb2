"""The text of lib/kernels/functions/function_lists.h, from the cards of operations."""

from __future__ import annotations

from hlokit.operations.cards import cards
from hlokit.operations.cards.card import Card, Without
from hlokit.operations.cards.native import OfComplex, OfFloats

HEADER = """// The functions of real and of complex numbers. `python -m tools.generate` writes this file from
// the cards of operations (python/hlokit/operations/cards).
#pragma once

#include "kernels/functions/parameters.h"

// Functions of f64, and of narrower floats, which are computed in f64. Columns:
//   the name: of the opcode, of the function of kernels/functions/functions.h and of the one of exact.h
//   the class of its formulas: of f64 (fast.h, special_formulas.h), and of f32 (vm/pointwise)
//   the number of operands
//   where its formula of f64 is: `fast` (fast.h, and headers that include it), \
`special` (special_formulas.h), or
//   `both`: the special one where the fast one is undecided
//   how narrower floats are computed (vm/opcodes.inc): `plain`, of an `angle`, `power`, or `none`: not by an
//   opcode
{real}

// Functions of complex numbers. Columns: the name, the class, the number of operands; of one operand, the
// part of it that goes into exponentials (`roots`: none, and the formula has only roots), and where the
// formula has no value (kernels/complex/exact.cpp).
{complex}
"""
_WIDTH = 117


def text() -> str:
    """The text of the file."""
    real: dict[str, str] = {}
    complex_: dict[str, str] = {}
    for card in cards():
        for native in card.native:
            (name,) = card.opcodes
            match native:
                case OfFloats(formulas, narrow):
                    _add(real, name, f"{_start(name, card)}, {formulas.value}, {narrow.value})")
                case OfComplex(exponent, hole):
                    _add(complex_, name, f"{_start(name, card)}, {exponent.value}, {hole.value})")
    return HEADER.format(
        real=_macro("HLOKIT_FUNCTIONS", list(real.values())),
        complex=_macro("HLOKIT_COMPLEX_FUNCTIONS", list(complex_.values())),
    )


def _add(rows: dict[str, str], name: str, row: str) -> None:
    """Add the row of an opcode, which cards of StableHLO and CHLO may share.

    Raises:
      ValueError: two cards describe one opcode differently.
    """
    if rows.setdefault(name, row) != row:
        raise ValueError(f"{name}: cards with one opcode must have the same native functions")


def _start(name: str, card: Card) -> str:
    operands = 1 if isinstance(card.samples, Without) else card.samples[0].operands
    class_ = "".join(word.capitalize() for word in name.split("_"))
    return f"  F({name}, {class_}, {operands}"


def _macro(name: str, rows: list[str]) -> str:
    *lines, last = [f"#define {name}(F)", *rows]
    return "\n".join([*(line.ljust(_WIDTH) + "\\" for line in lines), last])
