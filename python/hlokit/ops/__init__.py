"""The semantics of each operation, one file per family of the spec.

Importing this package fills the registry.
"""

from hlokit.ops import constant, contraction, control, convolution, random, shape, slicing

__all__ = ["constant", "contraction", "control", "convolution", "random", "shape", "slicing"]
