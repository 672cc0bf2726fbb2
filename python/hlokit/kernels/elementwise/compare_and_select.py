"""Comparison and selection: compare, select and clamp."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hlokit.engine.contract.registry import Kernel, KernelFunction, Operation
from hlokit.engine.contract.run_context import current
from hlokit.kernels.elementwise import arithmetic, complex_functions
from hlokit.kernels.elementwise.blocked_kernels import blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import Array, BlockwiseFunction, blend, in_blocks
from hlokit.kernels.elementwise.kernel_factories import (
    KernelFactory,
    extend,
    in_complex_f64,
    integer,
    ordered,
)
from hlokit.kernels.elementwise.narrow_floats import widen
from hlokit.kernels.elementwise.native import prefer_native_if_large
from hlokit.values.element_types import BF16, ElementType, Kind
from hlokit.values.float_format import Special, float_format
from hlokit.values.types import TensorType

_BOOL = np.dtype(np.bool_)

# Ufunc and operator of each comparison direction.
COMPARISONS: dict[str, tuple[np.ufunc, str]] = {
    "EQ": (np.equal, "{0} == {1}"),
    "NE": (np.not_equal, "{0} != {1}"),
    "GE": (np.greater_equal, "{0} >= {1}"),
    "GT": (np.greater, "{0} > {1}"),
    "LE": (np.less_equal, "{0} <= {1}"),
    "LT": (np.less, "{0} < {1}"),
}


def compare(operation: Operation) -> Kernel:
    """spec "compare": result = lhs <direction> rhs.

    Complex numbers compare lexicographically by (real, imag). TOTALORDER compares bits as sign and magnitude:
    -0 < +0, NaNs are beyond the infinities, and EQ means equal bits. UNSIGNED compares the bits of signed
    integers, against constraint (C3), as XLA does.
    """
    return prefer_native_if_large(operation, _compare(operation))


def _compare(operation: Operation) -> Kernel:
    direction = operation.attributes.enum("comparison_direction")
    kind = operation.attributes.enum("compare_type", "NOTYPE")
    element_type = operation.operand().element_type
    ufunc, source = COMPARISONS[direction]
    if kind == "TOTALORDER" and element_type.kind is Kind.FLOAT:
        kernel = blocked_kernel(partial(_compare_keys, ufunc, total_order_key(element_type)), _BOOL)
        return kernel._replace(native=f"TOTALORDER {direction}")
    if kind == "UNSIGNED" and element_type.kind is Kind.SIGNED:
        current().warn(f"compare_type of {element_type} must be SIGNED, got UNSIGNED (C3): compares the bits")
        return blocked_kernel(partial(_compare_keys, ufunc, _unsigned_key(element_type)), _BOOL)
    if element_type.kind is Kind.COMPLEX and direction not in ("EQ", "NE"):
        return blocked_kernel(_LEXICOGRAPHIC[direction], _BOOL)
    if element_type.is_narrow_integer:
        return blocked_kernel(partial(_compare_keys, ufunc, partial(extend, width=element_type.width)), _BOOL)
    if element_type.is_narrow_float:
        source_of_scalar = source if operation.operand().shape == () else None
        return Kernel(
            _compare_narrow_floats(ufunc, element_type),
            pointwise=True,
            source=source_of_scalar,
            native=direction,
        )
    return Kernel(ufunc, pointwise=True, ufunc=ufunc, source=source, native=direction)


def _compare_keys(ufunc: np.ufunc, key: Callable[[Array], Array], lhs: Array, rhs: Array) -> Array:
    return ufunc(key(lhs), key(rhs))


def _unsigned_key(element_type: ElementType) -> Callable[[Array], Array]:
    """A function from signed integers to their bits as unsigned integers."""
    unsigned, mask = element_type.bits_dtype, (1 << element_type.width) - 1
    return lambda operand: operand.view(unsigned) & unsigned.type(mask)


def _less(lhs: Array, rhs: Array) -> Array:
    return complex_functions.greater(rhs, lhs)


def _greater_or_equal(lhs: Array, rhs: Array) -> Array:
    return complex_functions.greater(lhs, rhs) | (lhs == rhs)


def _less_or_equal(lhs: Array, rhs: Array) -> Array:
    return complex_functions.greater(rhs, lhs) | (lhs == rhs)


_LEXICOGRAPHIC: dict[str, BlockwiseFunction] = {
    "GT": complex_functions.greater,
    "LT": _less,
    "GE": _greater_or_equal,
    "LE": _less_or_equal,
}


def _compare_narrow_floats(ufunc: np.ufunc, element_type: ElementType) -> KernelFunction:
    if element_type is BF16:
        return partial(ufunc, signature="ff->?", casting="unsafe")
    return blocked_kernel(partial(_compare_keys, ufunc, widen), _BOOL).function


def total_order_key(element_type: ElementType) -> Callable[[Array], Array]:
    """A function from floats to integers whose order is the total order of the float type."""
    layout = float_format(element_type)
    unsigned = element_type.bits_dtype
    if layout.special is Special.POWER:
        return lambda operand: operand.view(unsigned)
    signed = np.dtype(f"i{unsigned.itemsize}")
    unused = 8 * unsigned.itemsize - layout.width
    magnitude = signed.type(layout.sign_bit - 1)

    def key(operand: Array) -> Array:
        bits = operand.view(signed)
        if unused:
            bits = (bits << unused) >> unused
        return bits ^ ((bits >> (8 * signed.itemsize - 1)) & magnitude)

    if layout.special is Special.FNUZ:  # the NaN, in place of -0, comes before all numbers
        return lambda operand: np.where(np.isnan(operand), np.int16(-1 - layout.sign_bit), key(operand))
    return key


def select(operation: Operation) -> Kernel:
    """spec "select": result = pred ? on_true : on_false; pred may be a scalar that applies to all
    elements."""
    dtype = operation.operand(1).element_type.dtype

    def kernel(pred: Any, on_true: Any, on_false: Any) -> Any:
        if pred.ndim == 0:
            return on_true if pred else on_false
        return in_blocks(_choose, (pred, on_true, on_false), dtype)

    return prefer_native_if_large(operation, Kernel(kernel, pointwise=True))


def _choose(pred: Array, on_true: Array, on_false: Array) -> Array:
    if pred.ndim == 0:
        chosen = on_true if pred else on_false
        return chosen if chosen.ndim else np.broadcast_to(chosen, (on_false if pred else on_true).shape)
    return blend(pred, on_true, on_false)


def clamp(operation: Operation) -> Kernel:
    """spec "clamp": result = minimum(maximum(operand, min), max); min and max may be scalars that apply to
    all elements.
    """
    type_ = operation.operand(1)
    return prefer_native_if_large(operation, _CLAMPS[type_.element_type.kind](type_))


def _clamp_integer(min_: Array, operand: Array, max_: Array) -> Array:
    return np.minimum(np.maximum(operand, min_), max_)


def _clamp_float(min_: Array, operand: Array, max_: Array) -> Array:
    if operand.ndim and min_.ndim == 0 and max_.ndim == 0 and max_ != 0:
        if min_ != 0:
            return np.clip(operand, min_, max_)
        if not np.signbit(min_):
            result = np.clip(operand, min_, max_)
            result += min_  # -0 + 0 is 0
            return result
    return arithmetic.minimum(arithmetic.maximum(operand, min_), max_)


def _clamp_complex(min_: Array, operand: Array, max_: Array) -> Array:
    return complex_functions.minimum(complex_functions.maximum(operand, min_), max_)


def _clamp_of_integers(min_: Any, operand: Any, max_: Any) -> Any:
    result = operand if operand > min_ else min_
    return result if result < max_ else max_


def _clamp_of_floats(min_: Any, operand: Any, max_: Any) -> Any:
    """The result for scalars; None if equal zeros or a NaN determine the result."""
    if operand > min_ or operand == min_ != 0:
        result = operand
    elif operand < min_:
        result = min_
    else:
        return None
    if result < max_ or result == max_ != 0:
        return result
    return max_ if result > max_ else None


def _clamp_booleans(_: TensorType) -> Kernel:
    def clamp(min_: Any, operand: Any, max_: Any) -> Any:
        return (operand | min_) & max_

    return Kernel(clamp, pointwise=True, source="({1} | {0}) & {2}")


_CLAMPS: dict[Kind, KernelFactory] = {
    Kind.BOOL: _clamp_booleans,
    Kind.SIGNED: integer(_clamp_integer, fast_path=_clamp_of_integers, extensions=(extend, extend, extend)),
    Kind.UNSIGNED: integer(_clamp_integer, fast_path=_clamp_of_integers, extensions=(extend, extend, extend)),
    Kind.FLOAT: ordered(_clamp_float, _clamp_of_floats, operands=3),
    Kind.COMPLEX: in_complex_f64(_clamp_complex),
}
