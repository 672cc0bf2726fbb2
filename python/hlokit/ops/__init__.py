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
    fft,
    functions,
    linalg,
    norm,
    random,
    shape,
    slicing,
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
    "fft",
    "functions",
    "linalg",
    "norm",
    "random",
    "shape",
    "slicing",
]
