"""Programs on scalars, for tests of single instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlokit import _kernels
from hlokit.engine.native.ir.target import EncodedInstruction


def scalar_program(types: Sequence[str], code: Sequence[EncodedInstruction], dtype: Any) -> _kernels.Program:
    """A program whose last register is the result, of a dtype, and whose other registers are the operands."""
    *operands, result = range(len(types))
    return _kernels.Program(
        types, code, operands=[(each, (), None) for each in operands], results=[(result, (), dtype)]
    )
