"""Type inference and verification for front ends, in Python and through `hlokit serve`."""

from hlokit.service.inference import infer
from hlokit.service.verification import verify

__all__ = ["infer", "verify"]
