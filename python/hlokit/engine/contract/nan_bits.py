"""The effect of operations on the bits of NaNs.

An operation that computes returns the canonical NaN, for any NaN in its operands: positive and quiet, without
a payload. An operation that moves, selects, negates or takes the magnitude keeps the bits
(`reference.numbers.rules.canonical_nan`). Processors and libraries return other NaNs, and the results of most
operations do not depend on the bits of a NaN operand. Therefore a computed value requires `vm.canonical_nan`
only if another operation distinguishes its NaNs: in results of blocks, in operands of operations that keep
bits, and in operands of operations that move values to these.
"""

from __future__ import annotations

from typing import Final

from hlokit.operations.traits import Nans

# In order: NaN bits do not matter; results are computed, and the bits of operands' NaNs do not matter;
# results are elements of operands; results have the required bits, and the bits of operands' NaNs matter.
BLIND, COMPUTES, MOVES, KEEPS = range(4)
# The effect of an operation; KEEPS for others.
EFFECTS: Final = {Nans.BLIND: BLIND, Nans.ONE: COMPUTES, Nans.PASS: MOVES}

# The name of a step that makes all NaNs of a value canonical. Its opcode has the name without the dialect.
CANONICAL_NAN: Final = "vm.canonical_nan"
