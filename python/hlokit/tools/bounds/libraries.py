"""The allowed difference between a good library's result of an operation and hlokit's, for the same operands.

The errors of hlokit's own results are half a unit in the last place for functions, and the bounds of
docs/numerics.md for sums. In addition, the allowed difference is:

- operations that move or compare values, and integers: none;
- arithmetic that IEEE 754 rounds once: one unit in the last place;
- functions: some units (the trait `ulps`: the errors of good libraries, docs/accuracy.md), plus twice the
  effect of a change of an operand by one unit;
- sums of n terms: 8 u (sqrt(n) |result| + sum of magnitudes), where u is half a unit of 1.0 in the type: the
  effect of rounding in any usual order. The sum of magnitudes is the same operation on |operands|;
- all other operations: 16 times the effect of random changes of the operands by two units, plus 64 sqrt(n) u
  of the largest element of the result.

Within a program, compilers keep operands unrounded, for instance the product in `a * b + c`. The effect of a
change of an operand by one unit (`unrounded_operands`) is therefore always allowed there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.operations.lookup import traits_of, traits_without_broadcast
from hlokit.tools.bounds.rules.bound_operations import Applied, unit_of
from hlokit.tools.bounds.rules.terms import body_of, terms_of
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.tools.numerics.rules.widening import in_f64
from hlokit.values.element_types import ElementType, Kind, element_type_of
from hlokit.values.float_format import float_format

Array = npt.NDArray[Any]


class Error(NamedTuple):
    """The largest error of a good library.

    Attributes:
      size: the absolute error, for each element or for all.
      what: a description of the bound.
      decides_finite: whether intermediate results, whose order is open, decide which elements are finite.
    """

    size: Array | float
    what: str
    decides_finite: bool = False


def error_of_libraries(applied: Applied, index: int, element_type: ElementType) -> Error | None:
    """The largest error of result `index`; None if all libraries have the same bits."""
    traits = traits_without_broadcast(applied.name)
    if element_type.kind is Kind.QUANTIZED:
        return None if traits.exact else Error(1.0, "one step of the storage type")
    if not element_type.kind.is_inexact:
        return None
    # Sign and magnitude of a complex number are roots and quotients.
    is_part_of_complex = traits.projection and _takes_complex(applied)
    if traits.exact and not is_part_of_complex:
        return None
    result = _Result(applied, index, element_type, in_f64(applied.results[index]))
    if traits.rounded and element_type.kind is Kind.FLOAT:
        return Error(result.units, "1 ULP: rounded once")
    if traits.ulps or traits.rounded or is_part_of_complex:
        return result.error_of_function()
    if traits.contraction:
        return result.error_of_sum(terms_of(applied) or max(1, np.size(applied.operands[0])))
    if traits.combines:
        bodies = {body_of(region) for region in applied.operation.regions}
        if all(traits_of(body).extremum or traits_of(body).bitwise for body in bodies):
            return None
        if "stablehlo.add" in bodies:
            most = max(1, *(np.size(value) for value in applied.operands))
            return result.error_of_sum(terms_of(applied) or min(4096, most))
    return result.error_of_anything()


def unrounded_operands(applied: Applied, index: int) -> Array:
    """The effect on result `index` of changing each float operand by one unit in the last place."""
    result = in_f64(applied.results[index])
    moved = np.zeros(result.shape)
    for number, operand in enumerate(applied.operands):
        if isinstance(operand, tuple) or not element_type_of(np.asarray(operand).dtype).kind.is_inexact:
            continue
        largest = np.zeros(result.shape)
        for units in (1.0, -1.0):
            nudged = [*applied.operands]
            nudged[number] = off_by(operand, units)
            change = np.abs(applied.again(nudged, index) - result)
            largest = np.maximum(largest, np.where(np.isfinite(change), change, 0.0))
        moved = moved + largest
    return moved


def off_by(operand: Value, units: Any) -> Value:
    """Floats with relative changes by a number of units; other values, and tuples, unchanged."""
    if isinstance(operand, tuple):
        return cast("Value", operand)
    array = np.asarray(operand)
    element_type = element_type_of(array.dtype)
    if not element_type.kind.is_inexact:
        return operand
    with np.errstate(all="ignore"):  # infinities
        return (in_f64(array) * (1 + units * 2 * unit_of(element_type)[0])).astype(array.dtype)


@dataclass(frozen=True, slots=True)
class _Result:
    """A float or complex result of an operation, and its values in f64."""

    applied: Applied
    index: int
    element_type: ElementType
    values: Array

    @property
    def units(self) -> Array:
        """One unit in the last place of each element."""
        magnitudes = np.abs(self.values)
        return unit_in_last_place(np.where(np.isfinite(magnitudes), magnitudes, 1.0), self.element_type.part)

    def error_of_function(self) -> Error:
        ulps = traits_without_broadcast(self.applied.name).ulps
        count = float(ulps) if ulps else 8.0 if _takes_complex(self.applied) else 1.0
        moved = unrounded_operands(self.applied, self.index)
        return Error(count * self.units + 2 * moved, f"{count:g} ULP, plus the effect of 1 ULP of an operand")

    def error_of_sum(self, terms: int) -> Error:
        magnitudes = [_magnitude(operand) for operand in self.applied.operands]
        total = np.abs(self.applied.again(magnitudes, self.index))
        u, _ = unit_of(self.element_type)
        size = 8 * u * (math.sqrt(terms) * np.abs(self.values) + total) + self.units
        return Error(size, f"the error of a sum of {terms} terms")

    def error_of_anything(self) -> Error:
        operands = self.applied.operands
        generator = np.random.default_rng(0)
        moved = np.zeros(self.values.shape)
        nudge = partial(_randomly_nudged, generator)
        for _ in range(2):
            result = self.applied.again([nudge(operand) for operand in operands], self.index)
            change = np.abs(result - self.values)
            moved = np.maximum(moved, np.where(np.isfinite(change), change, 0.0))
        finite = np.abs(self.values[np.isfinite(self.values)])
        largest = float(finite.max()) if finite.size else 0.0
        terms = max([1, *(np.size(value) for value in operands if not isinstance(value, tuple))])
        floor = 64 * unit_of(self.element_type)[0] * min(math.sqrt(terms), 64.0) * largest
        spread = float(moved.max()) if moved.size else 0.0
        size = 16 * spread + floor + self.units
        has_regions = bool(self.applied.operation.regions)
        decides = not has_regions and any(_may_overflow(operand, terms) for operand in operands)
        return Error(size, "16 times the effect of 2 ULP of the operands", decides)


def _takes_complex(applied: Applied) -> bool:
    return any(np.asarray(operand).dtype.kind == "c" for operand in applied.operands)


def _may_overflow(operand: Value, terms: int) -> bool:
    """Whether sums of products of elements may be infinite in the operand's type."""
    array = np.asarray(operand)
    if isinstance(operand, tuple) or not element_type_of(array.dtype).kind.is_inexact or not array.size:
        return False
    layout = float_format(element_type_of(array.dtype).part)
    with np.errstate(all="ignore"):
        largest = float(np.abs(in_f64(array)).max())
        return not largest**2 * terms < layout.decode(layout.largest)


def _magnitude(operand: Value) -> Value:
    array = np.asarray(operand)
    if not element_type_of(array.dtype).kind.is_inexact:
        return operand
    if array.dtype.kind == "c":
        return (np.abs(np.real(array)) + np.abs(np.imag(array))).astype(array.dtype)
    return np.abs(array)


def _randomly_nudged(generator: np.random.Generator, operand: Value) -> Value:
    if isinstance(operand, tuple) or not isinstance(operand, np.ndarray | np.generic):
        return operand  # pyright: ignore[reportUnknownVariableType] # of any type
    return off_by(operand, generator.choice((-1.0, 0.0, 1.0), np.shape(operand)))  # pyright: ignore[reportUnknownArgumentType] # of any type
