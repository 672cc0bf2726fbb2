"""The semantics of each operation, one file per family of the spec.

Importing this package fills the registry.
"""

from hlokit.ops import (
    arithmetic,
    bits,
    compare,
    constant,
    contraction,
    control,
    convert,
    convolution,
    custom_call,
    fft,
    functions,
    gather,
    linalg,
    map,
    norm,
    random,
    reduce,
    scatter,
    shape,
    slicing,
    sort,
    window,
)

__all__ = [
    "arithmetic",
    "bits",
    "compare",
    "constant",
    "contraction",
    "control",
    "convert",
    "convolution",
    "custom_call",
    "fft",
    "functions",
    "gather",
    "linalg",
    "map",
    "norm",
    "random",
    "reduce",
    "scatter",
    "shape",
    "slicing",
    "sort",
    "window",
]
