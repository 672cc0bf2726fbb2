"""Type inference and verification for front ends, in Python and through `hlokit serve`."""

from hlokit.service.inference import infer

__all__ = ["infer"]
