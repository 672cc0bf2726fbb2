"""Values that the specification leaves open: the elements, and the row of docs/divergences.md.

Cards of operations name these rules, and tables of custom calls those of `open_factors`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import Kind, element_type_of
from hlokit.values.float_format import Special, float_format

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Judged:
    """A result of an operation, and what the other side returned.

    Attributes:
      operation: operation of the bindings.
      operands, results: hlokit's values; captured values follow the operands.
      theirs: the other side's results; None for those that it did not return.
      index: the number of the result.
    """

    operation: ir.Operation
    operands: Sequence[Value]
    results: Sequence[Value]
    theirs: Sequence[Any]
    index: int

    @property
    def result(self) -> Array:
        """hlokit's result."""
        return np.asarray(self.results[self.index])


# The open elements of a result; None if there are none.
Rule = Callable[[Judged], Array | None]


class Open(NamedTuple):
    """What an operation leaves open.

    Attributes:
      row: the first column of the row in docs/divergences.md.
      rule: returns the open elements.
      wrong: returns elements that are wrong, although they may be near hlokit's; None if there are none.
    """

    row: str
    rule: Rule
    wrong: Rule | None = None


def _is_integer(value: Value) -> bool:
    return element_type_of(np.asarray(value).dtype).kind.is_integer


def _zero_divisor(judged: Judged) -> Array | None:
    """Divisors that are zero, of integers and complex numbers."""
    divisor = np.asarray(judged.operands[1])
    return divisor == 0 if _is_integer(divisor) or divisor.dtype.kind == "c" else None


def _wide_shift(judged: Judged) -> Array | None:
    amount = np.asarray(judged.operands[1])
    width = element_type_of(amount.dtype).width
    wide = amount.astype(np.int64)
    return (wide < 0) | (wide >= width)


def _negative_exponent(judged: Judged) -> Array | None:
    exponent = judged.operands[1]
    return np.asarray(exponent).astype(np.int64) < 0 if _is_integer(exponent) else None


def _beyond_series(judged: Judged) -> Array | None:
    """Operands of functions of CHLO at which no series or limit has a finite value: poles, infinities."""
    wide = [np.asarray(operand).astype(np.float64) for operand in judged.operands]
    open_elements = np.isinf(wide[-1]) | _is_pole(wide[-1])
    if len(wide) > 1:
        open_elements |= np.isinf(wide[0]) | (wide[0] < 0) | (wide[0] != np.floor(wide[0]))
    return open_elements & ~np.isnan(wide[0]) & ~np.isnan(wide[-1])


def _is_pole(values: Array) -> Array:
    return (values <= 0) & (values == np.floor(values))


def _diverging(judged: Judged) -> Array | None:
    """Where the sum of `zeta` has no value; the pole at 1 is one for all starts, NaN included."""
    exponent, start = (np.asarray(operand).astype(np.float64) for operand in judged.operands)
    converges = (exponent > 1) & (start > 0) & np.isfinite(exponent) & np.isfinite(start)
    return (exponent == 1) | (~converges & ~np.isnan(exponent) & ~np.isnan(start))


def _unrepresentable(judged: Judged) -> Array | None:
    source, target = (
        element_type_of(np.asarray(value).dtype) for value in (judged.operands[0], judged.result)
    )
    if not source.kind.is_inexact or not target.kind.is_integer:
        return None
    low = -(2.0 ** (target.width - 1)) if target.kind is Kind.SIGNED else 0.0
    high = 2.0 ** (target.width - (target.kind is Kind.SIGNED)) - 1
    values = np.trunc(np.real(np.asarray(judged.operands[0]).astype(np.complex128)))
    return ~((values >= low) & (values <= high))


def _without_infinity(judged: Judged) -> Array | None:
    """Numbers that a type without NaN and infinities does not have."""
    target = element_type_of(judged.result.dtype)
    if target.kind is not Kind.FLOAT or float_format(target).special is not Special.FINITE:
        return None
    layout = float_format(target)
    values = np.abs(np.asarray(judged.operands[0]).astype(np.complex128))
    return ~(values <= layout.decode(layout.largest))


def _small_power(judged: Judged) -> Array | None:
    """Numbers below the second power of two of a type of powers."""
    target = element_type_of(judged.result.dtype)
    if target.kind is not Kind.FLOAT or float_format(target).special is not Special.POWER:
        return None
    return np.real(np.asarray(judged.operands[0]).astype(np.complex128)) < 2.0 ** (
        1 - float_format(target).bias
    )


def _other_triangle(judged: Judged) -> Array | None:
    attributes = judged.operation.attributes
    lower = "lower" in attributes and str(attributes["lower"]) == "true"
    return beyond_triangle(judged.result, lower) | np.isnan(judged.result)


def beyond_triangle(result: Array, lower: bool) -> Array:
    """The elements of matrices outside of the lower or upper triangle."""
    ones = np.ones(result.shape[-2:], np.bool_)
    return np.broadcast_to(np.triu(ones, 1) if lower else np.tril(ones, -1), result.shape)


def _booleans(judged: Judged) -> Array | None:
    return np.ones(judged.result.shape, np.bool_) if judged.result.dtype == np.bool_ else None


def _all(judged: Judged) -> Array | None:
    return np.ones(judged.result.shape, np.bool_)


def _sorted_dimension(operation: ir.Operation) -> int:
    attributes = operation.attributes
    return int(str(attributes["dimension"]).partition(" ")[0]) if "dimension" in attributes else -1


def _unstable_ties(judged: Judged) -> Array | None:
    """For an unstable sort: values that are moved together with equal neighbouring keys."""
    attributes = judged.operation.attributes
    if judged.index == 0 or ("is_stable" in attributes and str(attributes["is_stable"]) == "true"):
        return None
    axis = _sorted_dimension(judged.operation)
    keys = np.moveaxis(np.asarray(judged.results[0]), axis, -1)
    same = keys[..., 1:] == keys[..., :-1]
    edge = np.zeros((*keys.shape[:-1], 1), np.bool_)
    tied = np.concatenate([edge, same], -1) | np.concatenate([same, edge], -1)
    return np.moveaxis(tied, -1, axis)


def _unordered_nan(judged: Judged) -> Array | None:
    """For a sort: rows with a NaN among their keys, unless the comparator orders NaN."""
    operation = judged.operation
    if "TOTALORDER" in str(operation):
        return None
    arguments = operation.regions[0].blocks[0].arguments
    axis = _sorted_dimension(operation)
    open_elements = np.zeros(judged.result.shape, np.bool_)
    for number, operand in enumerate(map(np.asarray, judged.operands)):
        is_key = any(list(arguments[place].uses) for place in (2 * number, 2 * number + 1))
        if is_key and operand.size and element_type_of(operand.dtype).kind is Kind.FLOAT:
            open_elements |= np.isnan(operand).any(axis=axis, keepdims=True)
    return open_elements


def _complex_ties(judged: Judged) -> Array | None:
    """Where real parts do not decide the order of complex numbers. Results of `clamp` compare twice.

    The specification defines the order, but plans to remove it, and XLA has another one.
    """
    operands = [np.asarray(operand) for operand in judged.operands]
    if operands[0].dtype.kind != "c" or _asks_for_equality(judged.operation):
        return None
    open_elements = np.zeros(judged.result.shape, np.bool_)
    for one, other in combinations(operands, 2):
        open_elements |= ~(np.abs(np.real(one) - np.real(other)) > 0)
        open_elements |= np.isnan(np.imag(one)) | np.isnan(np.imag(other))
    return open_elements


def _asks_for_equality(operation: ir.Operation) -> bool:
    attributes = operation.attributes
    name = "comparison_direction"
    return name in attributes and any(word in str(attributes[name]) for word in (" EQ", " NE"))


ZERO_DIVISOR = Open("`x / 0`", _zero_divisor)
ZERO_MODULUS = Open("`x % 0`", _zero_divisor)
WIDE_SHIFT = Open("shift by the width or more", _wide_shift)
NEGATIVE_EXPONENT = Open("`power` with a negative exponent", _negative_exponent)
BEYOND_SERIES = Open("`digamma`, `polygamma` at poles and infinities", _beyond_series)
DIVERGING = Open("`zeta` where its series diverges", _diverging)
UNREPRESENTABLE = Open("float to integer", _unrepresentable)
IOTA_OF_BOOLEANS = Open("`dynamic_iota` of booleans", _booleans)
WITHOUT_INFINITY = Open(
    "conversion to f4 and f6, which have no infinities, of numbers out of range", _without_infinity
)
SMALL_POWER = Open("f8E8M0FNU below 2^-126", _small_power)
OTHER_TRIANGLE = Open("`cholesky`: the other triangle; no such factor", _other_triangle)
RANDOM = Open("`rng`", _all)
RANDOM_BITS = Open("`rng_bit_generator`: the variants of Threefry and Philox", _all)
UNSTABLE_TIES = Open("`sort` with `is_stable = false`", _unstable_ties)
UNORDERED_NAN = Open("`sort` by keys in which NaN is unordered", _unordered_nan)
COMPLEX_TIES = Open("order of complex numbers with equal real parts", _complex_ties)
