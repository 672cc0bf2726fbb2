"""What operations do with the bits of NaNs.

An operation that computes gives one NaN, whichever went in: positive and quiet, without a payload. What
moves, selects, negates or takes the magnitude keeps the bits (`reference.numbers.rules.nan_bits`).
Processors and libraries give other NaNs, and most operations give the same whatever bits a NaN operand has.
So a computed value needs `vm.canonical_nan` only where somebody tells its NaNs apart: results of blocks,
operations that keep bits, and what moves values there.
"""

from __future__ import annotations

from typing import Final

from hlokit.contract.traits import traits_of

# Nothing has to do with bits of NaNs; results are computed, and operands' NaNs are all one; results are
# elements of operands; results have the bits that they must have, and those of operands are looked at.
BLIND, COMPUTES, MOVES, KEEPS = range(4)
# As the trait `nans` says it.
KNOWN: Final = {"blind": BLIND, "one": COMPUTES, "pass": MOVES}

# The name of a step that makes all NaNs of a value one. Its opcode has the name without the dialect.
CANONICAL_NAN: Final = "vm.canonical_nan"


def nans_of(name: str) -> str:
    """What the table says of an operation's NaNs: "" if it keeps their bits."""
    traits = traits_of(name)
    if "broadcasting" in traits:
        traits = traits_of(name.replace("chlo.broadcast_", "stablehlo.")) or traits_of(
            name.replace("broadcast_", "")
        )
    return traits.get("nans", "")
