"""The largest error in each of several hundred intervals or cells of inputs, for plots."""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

_INTERVALS = 240
# The number of cells along each side of a map.
CELLS = 40


def worst_by_interval(operand: Array, errors: Array) -> tuple[Array, Array]:
    """Positions of the intervals that contain inputs, and the largest finite error in each."""
    with np.errstate(all="ignore"):
        values = operand.astype(np.float64)
        valid = np.isfinite(values) & np.isfinite(errors)
        interval = ((position(values[valid]) + 1) / 2 * (_INTERVALS - 1)).astype(np.intp)
        worst = np.full(_INTERVALS, -1.0)
        np.maximum.at(worst, interval, errors[valid].astype(np.float64))
    (used,) = np.nonzero(worst >= 0)
    return used / (_INTERVALS - 1) * 2 - 1, worst[used]


def worst_by_cell(operands: tuple[Array, ...], errors: Array) -> Array:
    """The largest finite error in each cell of a map: over both operands, or the parts of a complex one; -1
    where there are no inputs. The first axis is the second operand's."""
    x, y = (operands[0].real, operands[0].imag) if len(operands) == 1 else operands
    worst = np.full((CELLS, CELLS), -1.0)
    with np.errstate(all="ignore"):
        wide = [values.astype(np.float64) for values in (x, y)]
        valid = np.isfinite(wide[0]) & np.isfinite(wide[1]) & np.isfinite(errors)
        column, row = (
            np.minimum((position(values[valid]) + 1) / 2 * CELLS, CELLS - 1).astype(np.intp)
            for values in wide
        )
        np.maximum.at(worst, (row, column), errors[valid].astype(np.float64))
    return worst


def position(values: Array) -> Array:
    """A position from -1 to 1 for each value: the sign, and the logarithm of the magnitude; 0 for 0."""
    size = np.log2(np.maximum(np.abs(values), 2.0**-128))
    return np.clip(np.sign(values) * (size + 128) / 256, -1, 1)
