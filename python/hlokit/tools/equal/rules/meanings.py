"""What operations do with exact numbers: the parts that cards name, and decisions by floats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation
from hlokit.tools.equal.rules.constants import ConstantTable, DisturbedConstants
from hlokit.tools.equal.rules.field import Array
from hlokit.tools.equal.rules.numbers import Number, exact_number, float_type, is_same
from hlokit.values.types import ValueType

# Floats that differ by less than this part of their size could be equal but for rounding.
_NEAR = 1e-9


class Note(NamedTuple):
    """Why an operation follows its floats, where another evaluation could decide otherwise.

    Attributes:
      decides: whether rounding can change the result by more than rounding.
    """

    reason: str
    decides: bool = True


COMPARED_CLOSELY = Note("compares numbers that are equal but for rounding")
ROUNDED_CLOSELY = Note("rounds a number that is an integer, or midway, but for rounding")


class Assumptions(NamedTuple):
    """What a run assumes beyond the laws of the field.

    Attributes:
      identities: the names of identities.
      constants: what replaces constants; None if they stand for themselves.
      has_opaque_quotients: whether the exponential knows no law of quotients. Then it has equal values of
        equal quotients of exponentials, also where their shifts differ, as in two layers of attention.
      iterations: how many iterations of each loop are evaluated; None for all.
    """

    identities: frozenset[str] = frozenset()
    constants: ConstantTable | DisturbedConstants | None = None
    has_opaque_quotients: bool = False
    iterations: int | None = None


NO_ASSUMPTIONS = Assumptions()


class Context(NamedTuple):
    """The run of which an operation is part.

    Attributes:
      note: is told why an operation follows its floats.
      largest_degree: one number, the largest degree of operands of functions and comparisons so far.
      functions: the operations that are functions of which identities may hold.
    """

    note: Callable[[Note], None]
    assumptions: Assumptions
    largest_degree: Array
    functions: set[str]

    def consume(self, numbers: Sequence[Number]) -> None:
        """Note the degrees of numbers of which a result is no polynomial."""
        for number in numbers:
            degree = np.maximum.reduce(number.degree, axis=None, initial=0.0)
            self.largest_degree[0] = max(self.largest_degree[0], degree)


class Binding(NamedTuple):
    """An operation to be bound to exact numbers.

    Attributes:
      operation: with exact types.
      bind: binds the operation to the types that a function makes of the exact ones.
    """

    operation: Operation
    bind: Callable[[Callable[[ValueType], ValueType]], Kernel]
    context: Context

    def floats(self) -> Kernel:
        """The operation's kernel of f64 and complex<f64>."""
        return self.bind(float_type)


class Applied(NamedTuple):
    """An element-wise operation on exact numbers.

    Attributes:
      numbers: the operands' numbers of the field.
      values: their floats.
      evaluate: the operation's function of floats.
      note: see `Context`.
    """

    numbers: Sequence[Number]
    values: Sequence[Array]
    evaluate: Callable[..., Any]
    note: Callable[[Note], None]


# The parts of cards ----------------------------------------------------------------------------------


class Moved(NamedTuple):
    """The operation's own kernel takes exact numbers: it moves them, or applies regions to them."""


class Native(NamedTuple):
    """A formula in native code (lib/vm/exact).

    Attributes:
      power: the name of the power that undoes a root.
      takes_complex: whether there is also code for complex numbers.
    """

    formula: str
    power: str = "none"
    takes_complex: bool = False


class Polynomial(NamedTuple):
    """An element of the result is a polynomial, or a quotient, of elements of the operands.

    Attributes:
      is_quotient: whether it is a quotient.
      native: the same in native code; None if there is none.
    """

    formula: Callable[..., Any]
    is_quotient: bool = False
    native: Native | None = None


Choose = Callable[[Applied], tuple[Array, Number]]


class Chosen(NamedTuple):
    """An element of the result depends on comparisons of the floats.

    Attributes:
      choose: returns the floats and the numbers of the result.
      native: as of `Polynomial`.
      is_function: whether it is also a function as `Uninterpreted` is; so are all of complex numbers.
      compared: the positions of operands that are compared; None stands for 0.
    """

    choose: Choose
    native: Native | None = None
    is_function: bool = False
    compared: tuple[tuple[int, int | None], ...] = ()


class Identity(NamedTuple):
    """A function by other functions.

    Attributes:
      name: of the identity, for users.
      formula: of the numbers of operands; the first argument applies another function by its name.
      is_law: whether the formula needs `Number.law`.
    """

    name: str
    formula: Callable[..., Number]
    is_law: bool = False


class Uninterpreted(NamedTuple):
    """A function of which a run knows only that equal operands give equal results, and values at 0 and 1,
    unless it assumes an identity.

    Attributes:
      inverse: of a root, the power that undoes it, so that roots of squares such as sqrt(16) are known.
      native: as of `Polynomial`.
      exponent: of a root as a power.
      parity: 1 if f(-x) is f(x), -1 if it is -f(x), else 0.
    """

    identities: tuple[Identity, ...] = ()
    inverse: Callable[[Number], Number] | None = None
    native: Native = Native("function")
    exponent: Number | None = None
    parity: int = 0


class Exactly(NamedTuple):
    """The operation has an own kernel of exact numbers.

    Attributes:
      rounds: whether the operation rounds floats, although not their exact numbers.
      compared: as of `Chosen`.
    """

    bind: Callable[[Binding], Kernel]
    rounds: bool = False
    compared: tuple[tuple[int, int | None], ...] = ()


class Followed(NamedTuple):
    """The result follows from the floats alone, so a run cannot decide whether others are equal, for a
    reason; empty if the operation has no exact operands.

    Attributes:
      meaning: the kernel of some operations of this name that have a meaning; None for others.
    """

    reason: str = ""
    meaning: Callable[[Binding], Kernel | None] | None = None


Meaning = Moved | Polynomial | Chosen | Uninterpreted | Exactly | Followed


# Decisions -------------------------------------------------------------------------------------------


def told_apart(
    values: Sequence[Array], numbers: Sequence[Number], note: Callable[[Note], None]
) -> tuple[Array, Array]:
    """Two floats to compare: equal where their numbers are equal, whatever rounding has made of them."""
    one, two = values
    same = is_same(*numbers)
    gap = np.abs(one - two) <= _NEAR * (np.abs(one) + np.abs(two))
    if (gap & ~same & np.isfinite(one) & np.isfinite(two)).any():
        note(COMPARED_CLOSELY)
    return one, np.where(same & np.isfinite(one) & np.isfinite(two), one, two)


def settled(value: Array, number: Number, note: Callable[[Note], None]) -> Array:
    """Floats to round to integers: without the rounding errors of numbers that are multiples of 1/2."""
    halves = np.rint(2 * value) / 2
    near = np.abs(value - halves) <= _NEAR * np.maximum(np.abs(value), 1)
    near &= np.abs(value) < 2.0**52
    if not near.any():
        return value
    exact = is_same(number, exact_number(halves, is_lawful=False))
    if (near & ~exact).any():
        note(ROUNDED_CLOSELY)
    return np.where(near & exact, halves, value)
