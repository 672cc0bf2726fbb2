"""Guards of folding: whether every implementation would compute these results.

Operations such as a division by zero stay in the program, for the machine that runs the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.values.element_types import ElementType, Kind
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]
# A function of the types of operands and results, and of their values.
Guard = Callable[[Sequence[TensorType], Sequence[Array], Sequence[Array]], bool]


def divides_by_nonzero(types: Sequence[TensorType], operands: Sequence[Array], _: Sequence[Array]) -> bool:
    return not _is_integer(types[0].element_type) or bool(np.all(operands[1] != 0))


def power_is_defined(
    types: Sequence[TensorType], operands: Sequence[Array], results: Sequence[Array]
) -> bool:
    if _is_integer(types[0].element_type):
        return types[1].element_type.kind is Kind.UNSIGNED or bool(np.all(operands[1] >= 0))
    return is_defined(types, operands, results)


def sign_is_defined(types: Sequence[TensorType], operands: Sequence[Array], _: Sequence[Array]) -> bool:
    return types[0].element_type.kind is not Kind.FLOAT or not np.any(np.isnan(_wide(operands[0])))


def is_convertible(types: Sequence[TensorType], operands: Sequence[Array], _: Sequence[Array]) -> bool:
    """Whether the conversion of floats to integers is fully specified: in range, and neither NaN nor -0."""
    source, target = types[0].element_type, types[-1].element_type
    if not source.kind.is_inexact or not _is_integer(target):
        return True
    values: Array = np.real(_wide(operands[0])).astype(np.float64)
    whole = np.trunc(values)
    is_signed = target.kind is Kind.SIGNED
    # The bounds are powers of two, which floats represent exactly; the largest integer may not be
    # representable.
    end = 2.0 ** (target.width - is_signed)
    least = -end if is_signed else 0.0
    is_negative_zero = (values == 0) & np.signbit(values)
    return bool(np.all((whole >= least) & (whole < end) & ~is_negative_zero))


def is_defined(types: Sequence[TensorType], operands: Sequence[Array], results: Sequence[Array]) -> bool:
    """Whether no operand is a pole or outside of the domain: results are finite, or not NaN, if operands
    are."""
    if not all(type_.element_type.kind.is_inexact for type_ in types):
        return True
    inputs = [_wide(operand) for operand in operands]
    for result in map(_wide, results):
        finite, numbers = np.isfinite(result), ~np.isnan(result)
        if all(value.shape in ((), result.shape) for value in inputs):
            were_finite = np.logical_and.reduce([*np.broadcast_arrays(*map(np.isfinite, inputs))])
            were_numbers = np.logical_and.reduce([*np.broadcast_arrays(*(~np.isnan(v) for v in inputs))])
        else:
            were_finite = all(np.isfinite(value).all() for value in inputs)
            were_numbers = not any(np.isnan(value).any() for value in inputs)
        if np.any(were_finite & ~finite) or np.any(were_numbers & ~numbers):
            return False
    return True


def _wide(array: Array) -> Array:
    """The array in one of NumPy's own dtypes, which support all functions."""
    return array if array.dtype.kind in "fc" else array.astype(np.float32)


def _is_integer(type_: ElementType) -> bool:
    return type_.kind.is_integer
