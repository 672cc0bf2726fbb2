"""Element-wise functions over large arrays, in pieces that stay in the cache.

A function of several NumPy passes over a large array runs at the speed of memory, once a pass. In pieces its
temporaries stay in the cache, and only operands and result cross the bus. Functions of this family therefore
take and give *pieces*: arrays of one common shape with at least one dimension, where an operand that has one
value everywhere may come as a NumPy scalar or a rank-0 array instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
PieceFunction = Callable[..., Array]

# Elements a piece. Large ones keep the interpreter's share low; functions of many temporaries take small
# ones, whose temporaries malloc recycles instead of giving them back to the system, page by page.
PIECE = 32768
SMALL_PIECE = 8192


def in_pieces(
    function: PieceFunction, operands: Sequence[Array], dtype: np.dtype[Any], piece: int = PIECE
) -> Array:
    """What `function` gives for whole operands, cast to `dtype` (one rounding), computed piece by piece.

    Operands are arrays or NumPy scalars of one common shape or of rank 0. The result has the common shape; it
    is a NumPy scalar for rank 0, and a read-only view with strides of 0 if every operand is one.
    """
    shape = common_shape(operands)
    if shape == ():
        return function(*[np.reshape(operand, 1) for operand in operands]).astype(dtype, copy=False)[0]
    size = prod(shape)
    if size <= piece:
        result = function(*operands).astype(dtype, copy=False)
        return result if result.shape == shape else np.broadcast_to(result, shape)
    values: list[Any] = [scalar_of(operand) for operand in operands]
    if all(value is not None for value in values):
        one = function(*[np.reshape(value, 1) for value in values]).astype(dtype, copy=False)
        return np.broadcast_to(one[0], shape)
    arrays = [operand for operand, value in zip(operands, values, strict=True) if value is None]
    if not any(array.flags.c_contiguous for array in arrays) and all(
        array.flags.f_contiguous and array.shape == shape for array in arrays
    ):
        transposed = [
            operand.T if value is None else value for operand, value in zip(operands, values, strict=True)
        ]
        return in_pieces(function, transposed, dtype, piece).T
    flat: list[Any] = [
        np.ascontiguousarray(np.broadcast_to(operand, shape)).reshape(-1) if value is None else value
        for operand, value in zip(operands, values, strict=True)
    ]
    whole = [value is not None for value in values]
    result = np.empty(shape, dtype)
    pieces = result.reshape(-1)
    for start in range(0, size, piece):
        stop = start + piece
        pieces[start:stop] = function(
            *[
                operand if is_scalar else operand[start:stop]
                for operand, is_scalar in zip(flat, whole, strict=True)
            ]
        )
    return result


def common_shape(operands: Sequence[Array]) -> tuple[int, ...]:
    """The shape of operands that all have it or rank 0."""
    shape = operands[0].shape
    for operand in operands[1:]:
        if operand.shape != shape:
            return np.broadcast_shapes(*[each.shape for each in operands])
    return shape


def scalar_of(operand: Array) -> Any | None:
    """The value that an operand has everywhere, as its layout tells; None if it does not tell so."""
    if operand.ndim == 0:
        return operand[()]
    if not any(operand.strides) and operand.size:
        return operand[(0,) * operand.ndim]
    return None


def choose(pred: Array, on_true: Array, on_false: Array) -> Array:
    """pred ? on_true : on_false of pieces, without a branch an element.

    `np.where` takes 4 ns an element when the predicate cannot be predicted; masking the bits takes 0.4 ns.
    """
    dtype = np.asarray(on_true).dtype
    if dtype.itemsize > 8 or pred.size < 512:
        return np.where(pred, on_true, on_false)
    signed = np.dtype(f"i{dtype.itemsize}")
    mask = pred.astype(signed)
    np.negative(mask, out=mask)
    lhs, rhs = on_true.view(signed), on_false.view(signed)
    mask &= lhs ^ rhs
    mask ^= rhs
    return mask.view(dtype)
