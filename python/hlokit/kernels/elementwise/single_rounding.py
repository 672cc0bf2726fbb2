"""Functions of floats from native functions of f64, whose results are rounded once more to narrower types."""

from __future__ import annotations

from functools import partial

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import Kernel
from hlokit.kernels.elementwise.blocked_kernels import DType, blocked_kernel
from hlokit.kernels.elementwise.cache_blocking import Array, BlockwiseFunction
from hlokit.kernels.elementwise.kernel_factories import KernelFactory
from hlokit.kernels.elementwise.narrow_floats import bits_dtype, rounding, tabulated, widen
from hlokit.kernels.elementwise.native import f64_function, f64_kernel
from hlokit.values.element_types import F8E8M0FNU, F32, F64, ElementType
from hlokit.values.types import TensorType

_F64 = np.dtype(np.float64)


# Relative errors of correctly rounded functions, and of approximations.
_ROUNDED, _APPROXIMATE = 2.0**-52, 2.0**-40


def exact_before_rounding(
    name: str, operands: int, dtype: DType, approximate: BlockwiseFunction | None = None
) -> BlockwiseFunction:
    """A function of f64 arrays, whose results round to `dtype` like the exact results.

    If a result is so close to the midpoint of two values of `dtype` that its error bound contains the
    midpoint, the result is replaced by an f64 on the side of the exact result. The same holds for 0 in a type
    without zero.

    Args:
      name: the name in the opcode table.
      operands: the number of operands.
      approximate: a faster function, with an error of at most 4096 units in the last place of f64.
    """
    function = approximate or f64_function(name, operands)
    error = _ROUNDED if approximate is None else _APPROXIMATE
    round_, bits = rounding(dtype, _F64), bits_dtype(dtype)

    def evaluate(*operands: Array) -> Array:
        result = function(*operands)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            below, above = [round_(result * factor).view(bits) for factor in (1 - error, 1 + error)]
        undecided = (below != above) & np.isfinite(result)
        if dtype == F8E8M0FNU.dtype:
            undecided |= result == 0
        if undecided.any():
            result = np.array(result)
            values = [operand.ravel() for operand in np.broadcast_arrays(*operands)]
            for index in np.flatnonzero(undecided):
                arguments = [float(value[index]) for value in values]
                result.flat[index] = _kernels.function_to_odd(name, *arguments)
        return result

    return evaluate


def native_function(
    name: str, *, operands: int = 1, approximate: BlockwiseFunction | None = None
) -> KernelFactory:
    """A factory for all float types, from the native function of f64, which is correctly rounded.

    Args:
      name: the name in the opcode table.
      approximate: a faster function for narrower types, with an error of at most 4096 units in the last place
        of f64.
    """

    def make(type_: TensorType) -> Kernel:
        if type_.element_type is F64:
            return f64_kernel(name, operands)
        function = exact_before_rounding(name, operands, type_.element_type.dtype, approximate)
        return _narrower(function, type_.element_type, operands)

    return make


def _narrower(function: BlockwiseFunction, element_type: ElementType, operands: int) -> Kernel:
    """A function of f64 for a narrower type."""
    dtype = element_type.dtype
    if element_type is F32:
        return blocked_kernel(partial(_through_f64, function), dtype)
    if operands == 1:
        return Kernel(tabulated(function, dtype, dtype), pointwise=True)
    round_ = rounding(dtype, _F64)

    def in_f64(*operands: Array) -> Array:
        return round_(function(*[widen(operand).astype(_F64) for operand in operands]))

    return blocked_kernel(in_f64, dtype)


def _through_f64(function: BlockwiseFunction, *operands: Array) -> Array:
    return function(*[operand.astype(_F64) for operand in operands])
