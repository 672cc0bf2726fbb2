"""How the other side may have added the terms of a sum: in another order, with multiply-adds that round once,
in another type. Each way is evaluated, and must give the other side's bits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from hlokit.mlir.conversion.dimension_numbers import DotDimensionNumbers
from hlokit.tools.bounds.rules.terms import body_of, terms_of
from hlokit.tools.diff.comparing.bounds import Array, Evaluated
from hlokit.tools.diff.comparing.multiply_adds import Factors
from hlokit.tools.diff.comparing.sum_orders import Terms, sums_in_orders

# Not all sums are added again if they have more terms together.
_MOST_TERMS = 1 << 18
# Sums that are added first, because most ways do not fit them.
_FEW = 16
# The number of orders that are told if several fit.
_MOST_TOLD = 3
# Types in which the terms of sums of a type may be added.
_ACCUMULATORS: dict[str, dict[str, Any]] = {
    "float64": {"": np.float64, "f32": np.float32},
    "float32": {"": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16},
    "float16": {"": np.float16, "f32": np.float32},
    "bfloat16": {"": ml_dtypes.bfloat16, "f32": np.float32},
}


def sum_in_words(evaluated: Evaluated, index: int, other: Array, factors: Factors) -> str:
    """How the other side may have added the terms of a sum; "" if no way fits bit for bit.

    Args:
      index: the number of the result, and `other` the other side's.
      factors: the factors of operands that are products.
    """
    mine = np.asarray(evaluated.results[index])
    if mine.dtype.name not in _ACCUMULATORS or not mine.size or len(evaluated.results) > 1:
        return ""
    count = terms_of(evaluated) or 1
    chosen = _chosen_sums(mine, other, max(1, _MOST_TERMS // count))
    terms = _terms(evaluated, chosen, factors) if count > 1 else None
    if terms is None:
        return ""
    ways = _fitting(terms, other.reshape(-1)[chosen])
    part = "" if len(chosen) == mine.size else f", in the {len(chosen):,} elements that were tried"
    return f"terms are added {ways}: fits bit for bit{part}" if ways else ""


def _chosen_sums(mine: Array, other: Array, most: int) -> Array:
    """The positions of sums: first those that differ, then others."""
    differs = (mine != other).reshape(-1)
    return np.concatenate([np.flatnonzero(differs), np.flatnonzero(~differs)])[:most]


def _fitting(terms: Terms, other: Array) -> str:
    """The orders that give the other side's bits, in words; "" if there are none."""
    for name, dtype in _ACCUMULATORS[other.dtype.name].items():
        typed = terms.changed(lambda factor, dtype=dtype: factor.astype(dtype))
        for candidate in (typed.rounded(), typed) if typed.is_fused else (typed,):
            few = candidate.changed(lambda factor: factor[:_FEW])
            if not _orders_with_bits(few, other[:_FEW]):
                continue
            ways = _orders_with_bits(candidate, other)[:_MOST_TOLD]
            if ways:
                fused = ", fused with their products" if candidate.is_fused else ""
                return ", or ".join(ways) + fused + (f", in {name}" if name else "")
    return ""


def _orders_with_bits(terms: Terms, other: Array) -> list[str]:
    """The orders in which sums of terms, rounded to the type of the result, are the other side's."""
    return [
        words
        for words, sums in sums_in_orders(terms)
        if np.array_equal(sums.astype(other.dtype), other, equal_nan=True)
    ]


def _terms(evaluated: Evaluated, chosen: Array, factors: Factors) -> Terms | None:
    """The terms of the sums at positions of the result; None if the operation is no such sum."""
    operands = [np.asarray(operand) for operand in evaluated.operands]
    match evaluated.name:
        case "stablehlo.reduce" if body_of(evaluated.operation.regions[0]) == "stablehlo.add":
            axes = evaluated.attributes.ints("dimensions")
            arrays = factors.get(0, (operands[0],)) if not operands[1] else (operands[0],)
            rows = Terms(tuple([_rows(array, axes)[chosen] for array in arrays]))
            return rows if not operands[1] else _with_first(rows, operands[1])
        case "stablehlo.dot_general":
            numbers = evaluated.attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
            return _terms_of_product(operands[0], operands[1], numbers, chosen)
        case "stablehlo.dot" if operands[0].ndim and operands[1].ndim:
            numbers = DotDimensionNumbers((), (), (operands[0].ndim - 1,), (0,))
            return _terms_of_product(operands[0], operands[1], numbers, chosen)
        case _:
            return None


def _rows(array: Array, axes: Sequence[int]) -> Array:
    """A matrix whose rows have the elements along some axes, in the order of the other axes."""
    others = [axis for axis in range(array.ndim) if axis not in axes]
    size = math.prod(array.shape[axis] for axis in axes)
    return array.transpose([*others, *axes]).reshape(-1, size)


def _with_first(rows: Terms, start: Array) -> Terms:
    """Terms after the initial value of a reduction."""
    return rows.changed(lambda terms: np.concatenate([np.full((len(terms), 1), start), terms], 1))


def _terms_of_product(lhs: Array, rhs: Array, numbers: DotDimensionNumbers, chosen: Array) -> Terms:
    """The factors of the terms, from rows of both sides for each element of the batch."""
    batch = math.prod(lhs.shape[axis] for axis in numbers.lhs_batching_dimensions)
    left = _matrices(lhs, numbers.lhs_batching_dimensions, numbers.lhs_contracting_dimensions, batch)
    right = _matrices(rhs, numbers.rhs_batching_dimensions, numbers.rhs_contracting_dimensions, batch)
    element, row, column = np.unravel_index(chosen, (batch, left.shape[1], right.shape[1]))
    return Terms((left[element, row], right[element, column]))


def _matrices(array: Array, batching: Sequence[int], contracting: Sequence[int], batch: int) -> Array:
    """An array as [element of the batch, row, term]."""
    rows = [axis for axis in range(array.ndim) if axis not in (*batching, *contracting)]
    size = math.prod(array.shape[axis] for axis in contracting)
    return array.transpose([*batching, *rows, *contracting]).reshape(batch, -1, size)
