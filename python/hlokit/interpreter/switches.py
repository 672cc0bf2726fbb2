"""Switches of fast paths: HLOKIT_DISABLE=name,name turns some off, HLOKIT_DISABLE=all all of them.

Beside each fast path stands a plain one that gives the same. What a switch says is read where an operation is
bound, so that it costs a run nothing, and a program keeps what it was planned with.
"""

from __future__ import annotations

import os
from functools import cache

from hlokit.errors import ArgumentError

VARIABLE = "HLOKIT_DISABLE"

# Name -> what is done without it.
SWITCHES = {
    "arg-extremum": "argmax and argmin reduce by their body, not by `np.argmax` and `np.argmin`",
    "artifact-reader": "a child process reads every artifact first, whatever the native reader says of it",
    "blocks": "element-wise functions of several passes work on whole arrays, not on pieces for the cache",
    "comparators": "sort asks the comparator, instead of sorting the keys that it compares as integers",
    "copies": "NumPy copies views whose elements somebody needs in order, not blocks on all threads",
    "depthwise": "depthwise convolutions multiply matrices, instead of adding up shifted inputs",
    "direct-gather": "gathers of rows and of single windows go the general way",
    "direct-scatter": "scatters of a single window go the general way",
    "fft-blocks": "Fourier transforms of f32 work on whole arrays on one thread, not on blocks of rows",
    "generated": "blocks are interpreted step by step, not compiled to Python when they run again",
    "heads": "sorts of which only the first elements are used order all of them",
    "in-place": "loops copy an array that they update a part of, in every turn",
    "integer-products": "integers are multiplied as integers, not in floats that hold their sums exactly",
    "kept-memory": "memory of arrays goes back to the system at once, and new arrays begin as new pages",
    "native": "what compiled kernels do (chains, loops of scalars) is done by those of NumPy",
    "native-arrays": "loops are native only if their state is scalars",
    "native-products": "sums of products are left to BLAS, not to compiled kernels",
    "native-regions": "regions and index vectors are worked on by NumPy, not by compiled loops",
    "native-triangles": "triangular systems and LU are eliminated row by row by NumPy, not by compiled loops",
    "pointwise": "regions are evaluated an element at a time, not on whole arrays",
    "reduce-layouts": "reductions leave the layout of their operand alone",
    "reducers": "sums, products and extrema reduce by their body, not by a ufunc",
    "running-windows": "cumulative sums reduce each window",
    "scalars": "scalars, and maximum and minimum of small arrays, take the ways of large ones",
    "scatter-ufuncs": "scatters apply their body in rounds, not by `ufunc.at`",
    "segments": "straight lines of operations on small tensors are calls of kernels, not a native program",
    "sorted-values": "a sort of one operand orders it by positions, not by value",
    "tables": "functions of floats of 16 bits and less are computed, not looked up",
}


def is_on(name: str) -> bool:
    """Whether a fast path may be taken.

    Raises:
      ArgumentError: HLOKIT_DISABLE names a switch that does not exist.
    """
    return name not in _disabled(os.environ.get(VARIABLE, ""))


def check() -> None:
    """Raises:
    ArgumentError: HLOKIT_DISABLE names a switch that does not exist.
    """
    _disabled(os.environ.get(VARIABLE, ""))


@cache
def _disabled(value: str) -> frozenset[str]:
    names = frozenset(name.strip() for name in value.split(",") if name.strip())
    if "all" in names:
        names |= frozenset(SWITCHES)
    for name in sorted(names - {"all"} - frozenset(SWITCHES)):
        raise ArgumentError(
            f"{VARIABLE} names no fast path '{name}'; there are {', '.join(SWITCHES)}, and all"
        )
    return names
