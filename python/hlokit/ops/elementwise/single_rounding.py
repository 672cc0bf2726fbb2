"""Functions of f64 whose results can be rounded once more, to a narrower type."""

from __future__ import annotations

import numpy as np

from hlokit import _kernels
from hlokit.ops.elementwise.blocked_kernels import DType
from hlokit.ops.elementwise.cache_blocking import Array, BlockwiseFunction
from hlokit.ops.elementwise.narrow_floats import bits_dtype, rounding
from hlokit.ops.elementwise.native import f64_function
from hlokit.values.element_types import F8E8M0FNU

_F64 = np.dtype(np.float64)


def exact_before_rounding(name: str, operands: int, dtype: DType) -> BlockwiseFunction:
    """A correctly rounded function of f64 arrays, whose results round to `dtype` as the exact ones do.

    A result at the midpoint of two values of `dtype` does not tell on which side of it the exact one lies: it
    becomes the f64 next to it on that side. So does 0 for a type without zero.

    Args:
      name: in the spelling of opcodes.
      operands: their number.
    """
    function, round_ = f64_function(name, operands), rounding(dtype, _F64)
    bits = bits_dtype(dtype)

    def evaluate(*operands: Array) -> Array:
        result = function(*operands)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            below, above = [round_(np.nextafter(result, limit)).view(bits) for limit in (-np.inf, np.inf)]
        undecided = (below != above) & np.isfinite(result) & ((result != 0) | (dtype == F8E8M0FNU.dtype))
        if undecided.any():
            result = np.array(result)
            values = [operand.ravel() for operand in np.broadcast_arrays(*operands)]
            for place in np.flatnonzero(undecided):
                arguments = [float(value[place]) for value in values]
                result.flat[place] = _kernels.function_to_odd(name, *arguments)
        return result

    return evaluate
