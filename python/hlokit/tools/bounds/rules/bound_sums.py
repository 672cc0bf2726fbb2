"""Radii of sums: contractions, and `reduce`, windows and scatters with a body of one operation.

Another evaluation splits a sum into parts, adds each part in hlokit's order, and adds the parts in any order.
"""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import Value
from hlokit.operations.lookup import traits_of
from hlokit.tools.bounds.rules.bound_operations import (
    ON_ROUNDING,
    Array,
    Radii,
    Reordered,
    growth,
    unit_of,
    unit_of_work,
)
from hlokit.tools.bounds.rules.terms import body_of, terms_of
from hlokit.tools.numerics.rules.widening import widened
from hlokit.values.element_types import Kind


def contraction(applied: Reordered) -> Radii:
    """Sums of products."""
    element_type = applied.element_type
    if not applied.is_float:
        return [np.zeros(np.shape(applied.results[0]))] if applied.is_exact else ON_ROUNDING
    if "algorithm" in applied.attributes:
        return "its algorithm has a precision of its own"
    terms = terms_of(applied) if len(applied.operands) == 2 else None
    if terms is None:
        return "no bound is known for it"
    sizes = [np.abs(np.asarray(widened(operand))) for operand in applied.operands]
    typed, radii, outer = (
        [like(array, operand) for array, operand in zip(some, applied.operands, strict=True)]
        for some in (sizes, applied.r, [size + r for size, r in zip(sizes, applied.r, strict=True)])
    )
    spread = np.abs(applied.kernel(typed[0], radii[1])) + np.abs(applied.kernel(radii[0], outer[1]))
    magnitude = np.abs(applied.kernel(*outer))
    factor = 2 if element_type.kind is Kind.COMPLEX else 1
    narrow, tiny = unit_of(element_type)
    unit = unit_of_work(element_type)
    # Sums of fewer terms than 128 may be rounded more often.
    roundings = max(_kernels.roundings(terms * factor), _kernels.roundings(min(terms * factor, 127)))
    error = factor * (growth(roundings, unit) + growth(roundings + applied.parts, unit))
    radius = spread + error * magnitude + 2 * (roundings + applied.parts + 1) * tiny
    if narrow > unit:  # the result is rounded to its type; so are parts, which are then added in it
        radius = radius + factor * (growth(1, narrow) + growth(applied.parts, narrow)) * (magnitude + radius)
    return [radius]


def combination(applied: Reordered) -> Radii:
    """`reduce`, windows and scatters with a body of one operation."""
    body = body_of(applied.operation.regions[0])
    name = applied.name
    if len(applied.results) != 1 or traits_of(name).collective:
        return "no bound is known for a body of several operations"
    shape = np.shape(applied.results[0])
    if applied.is_exact and ((traits_of(body).bitwise or traits_of(body).extremum) or not applied.is_float):
        return [np.zeros(shape)]
    if not applied.is_float:
        return ON_ROUNDING
    if traits_of(body).extremum and name in ("stablehlo.reduce", "stablehlo.reduce_window"):
        # The same operation as a maximum of radii: the largest radius among the elements of each result.
        if name == "stablehlo.reduce":
            axes = tuple(applied.attributes.ints("dimensions"))
            return [np.maximum(applied.r[0].max(axes, initial=0), applied.r[1])]
        return [np.full(shape, max((float(radius.max(initial=0)) for radius in applied.r), default=0.0))]
    if body == "stablehlo.multiply" and name == "stablehlo.reduce":
        return _product(applied)
    return _sum(applied) if body == "stablehlo.add" else "no bound is known for its body"


def rounded_terms(terms: int, width: int) -> int:
    """The number of times that `reduce` rounds each term of a sum. Other types than f64 are added in f64 and
    rounded once."""
    return 4 if width < 64 else 24 + int(terms).bit_length()


def _sum(applied: Reordered) -> Radii:
    element_type, operands = applied.element_type, applied.operands
    terms = terms_of(applied) or 0
    if applied.name == "stablehlo.reduce":
        data, roundings = (0, 1), rounded_terms(terms, element_type.width)
    elif applied.name == "stablehlo.reduce_window":
        data, roundings = (0, 1), 36 + int(terms).bit_length()
    elif applied.name == "stablehlo.scatter" and len(operands) == 3:
        data, roundings = (0, 2), np.size(operands[2]) + 1
    else:
        return "no bound is known for it"
    if any(applied.r[index].any() for index in range(len(operands)) if index not in data):
        return "an index depends on rounding"
    sizes = [
        np.abs(np.asarray(widened(operand))) if i in data else operand for i, operand in enumerate(operands)
    ]
    outer, radii = (
        [like(some[i], operands[i]) if i in data else size for i, size in enumerate(sizes)]
        for some in ([size + r for size, r in zip(sizes, applied.r, strict=True)], applied.r)
    )
    magnitude, spread = np.abs(applied.kernel(*outer)), np.abs(applied.kernel(*radii))
    unit, tiny = unit_of(element_type)
    factor = 2 if element_type.kind is Kind.COMPLEX else 1
    error = factor * (growth(roundings, unit) + growth(roundings + applied.parts, unit))
    return [spread + error * magnitude + 2 * (roundings + applied.parts) * tiny]


def _product(applied: Reordered) -> Radii:
    """Products, if no order of the factors overflows or underflows in between."""
    if applied.element_type.kind is Kind.COMPLEX:
        return "no bound is known for it on complex numbers"
    axes = tuple(applied.attributes.ints("dimensions"))
    x, init = (np.abs(np.asarray(widened(operand), np.float64)) for operand in applied.operands)
    (r, r_init), terms = applied.r, terms_of(applied) or 0
    with np.errstate(divide="ignore"):
        middle, init_middle = np.log(x), np.log(init)
        least, init_least = np.log(np.maximum(x - r, 0)), np.log(np.maximum(init - r_init, 0))
        most, init_most = np.log(x + r), np.log(init + r_init)
    info = cast("Any", ml_dtypes.finfo(applied.element_type.dtype))
    lowest = np.minimum(least, 0).sum(axes) + np.minimum(init_least, 0)
    highest = np.maximum(most, 0).sum(axes) + np.maximum(init_most, 0)
    is_in_range = (lowest > np.log(float(info.smallest_normal)) + 1) & (highest < np.log(float(info.max)) - 1)
    outer = np.exp(most.sum(axes) + init_most)
    # Errors of the logarithms and of their sum become relative errors of the product.
    inexact = 8 * (terms + 2) * 2.0**-53 * (1 + np.abs(middle).sum(axes) + np.abs(init_middle))
    error = 2 * growth(terms + 2 * applied.parts + 2, unit_of(applied.element_type)[0]) + 4 * inexact
    spread = np.abs(outer - np.exp(middle.sum(axes) + init_middle))
    return [np.where(is_in_range, spread + error * outer, np.inf)]


def like(radius: Any, operand: Value) -> Array:
    """Radii in the type of the operand of the wider operation."""
    return np.asarray(radius, np.asarray(widened(operand)).dtype)
