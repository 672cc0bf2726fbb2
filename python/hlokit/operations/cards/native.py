"""The native functions of an operation: its rows in lib/kernels/functions/function_lists.h."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Formulas(Enum):
    """Where the formula of f64 is, in lib/kernels/functions."""

    FAST = "fast"  # fast.h
    SPECIAL = "special"  # special_formulas.h
    BOTH = "both"  # special_formulas.h where the fast formula is undecided


class Narrow(Enum):
    """How narrower floats are computed (lib/vm/opcodes.inc)."""

    PLAIN = "plain"
    ANGLE = "angle"
    POWER = "power"
    NONE = "none"  # not by an opcode


class Part(Enum):
    """The part of a complex operand that goes into exponentials. `ROOTS`: none, and the formula has only roots."""

    NONE = "none"
    REAL = "real"
    IMAG = "imag"
    ROOTS = "roots"


class Hole(Enum):
    """Where the formula of a complex function has no value (lib/kernels/complex/exact.cpp)."""

    NEVER = "never"
    ZERO = "zero"
    ONE = "one"
    MINUS_ONE = "minus_one"
    I = "i"  # noqa: E741 # the imaginary unit


class OfFloats(NamedTuple):
    """A function of f64, and of narrower floats, which are computed in f64."""

    formulas: Formulas
    narrow: Narrow


class OfComplex(NamedTuple):
    """A function of complex numbers."""

    exponent: Part
    hole: Hole


Native = OfFloats | OfComplex
