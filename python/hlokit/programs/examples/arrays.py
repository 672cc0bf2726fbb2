"""Arrays for parameters: drawn by a seed, or all zeros or ones. The same bytes on every machine.

Random bits come from PCG64, whose stream NumPy promises to keep; hlokit makes numbers of them by itself,
because NumPy's distributions may change.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from math import prod
from typing import Any

import numpy as np

from hlokit.operations.traits import Domain
from hlokit.programs.examples.uses import Demands
from hlokit.values.element_types import F8E8M0FNU, ElementType, Kind
from hlokit.values.tensor import Token
from hlokit.values.types import TensorType, TokenType, TupleType, ValueType

# Integers without another demand are below this number.
_BELOW = 8
# The size of dimensions that the program leaves open.
SIZE = 4


class Filling(Enum):
    """What example arrays hold."""

    RANDOM = "random"
    ZEROS = "zeros"
    ONES = "ones"


class Bits:
    """A stream of random bits."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.PCG64(seed)

    def fractions(self, count: int) -> Any:
        """Numbers between 0 and 1, as f64."""
        raw: Any = self._generator.random_raw(count)
        return ((np.asarray(raw, np.uint64) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53


def static_shape(type_: TensorType, size: int = SIZE) -> tuple[int, ...]:
    """The shape of an example: open dimensions have the size `size`, or their bound if it is smaller."""
    bounds = type_.bounds or (-1,) * len(type_.shape or ())
    return tuple(
        [
            length if length >= 0 else size if bound < 0 else min(size, bound)
            for length, bound in zip(type_.shape or (), bounds, strict=True)
        ]
    )


def example_of(
    type_: ValueType, demands: Demands, bits: Bits, filling: Filling = Filling.RANDOM, size: int = SIZE
) -> Any:
    """A value of a type that meets the demands on it.

    Raises:
      ValueError: the type is of another dialect.
    """
    if isinstance(type_, TupleType):
        return tuple([example_of(item, demands, bits, filling, size) for item in type_.types])
    if isinstance(type_, TokenType):
        return Token()
    if not isinstance(type_, TensorType):
        raise ValueError(f"a type of another dialect has no examples, got {type_}")
    shape = static_shape(type_, size)
    stored = type_.element_type.stored
    if filling is not Filling.RANDOM:
        return np.full(shape, 0 if filling is Filling.ZEROS else 1).astype(stored.dtype)
    if Domain.DEFINITE in demands.domains and len(shape) > 1 and shape[-1] == shape[-2]:
        return _definite(shape, stored, bits)
    return _drawn(shape, stored, demands, bits)


def _drawn(shape: Sequence[int], type_: ElementType, demands: Demands, bits: Bits) -> Any:
    low, high = _range(type_, demands)
    fractions = bits.fractions(prod(shape))
    if type_.kind is Kind.COMPLEX:
        parts = low + fractions * (high - low), low + bits.fractions(prod(shape)) * (high - low)
        return (parts[0] + 1j * parts[1]).reshape(shape).astype(type_.dtype)
    numbers = low + fractions * (high - low)
    whole = np.floor(numbers) if type_.kind is not Kind.FLOAT else numbers
    return whole.reshape(shape).astype(type_.dtype)


def _range(type_: ElementType, demands: Demands) -> tuple[float, float]:
    """The range of drawn numbers, without its end."""
    if type_.kind is Kind.BOOL:
        return 0, 2
    if type_.kind.is_integer:
        largest = (1 << (type_.width - (type_.kind is Kind.SIGNED))) - 1
        low = 1 if demands.domains & {Domain.POSITIVE, Domain.ABOVE_ONE} else 0
        below = type_.width if Domain.AMOUNT in demands.domains else demands.below or _BELOW
        return low, max(low, min(below - 1, largest)) + 1
    if Domain.ABOVE_ONE in demands.domains:
        return 1.25, 4
    # The numbers of f8E8M0FNU are powers of 2.
    if Domain.POSITIVE in demands.domains or type_ is F8E8M0FNU:
        return 0.25, 2
    return -1, 1


def _definite(shape: Sequence[int], type_: ElementType, bits: Bits) -> Any:
    size = shape[-1]
    numbers = _drawn(shape, type_, Demands(), bits).astype(complex if type_.kind is Kind.COMPLEX else float)
    symmetric = (numbers + np.conj(np.swapaxes(numbers, -1, -2))) / (2 * max(size, 1))
    return (symmetric + 2 * np.eye(size)).astype(type_.dtype)
