"""hlokit: a StableHLO toolkit in Python.

import hlokit

program = hlokit.load("model.mlirbc")
logits = program(images)
"""

from hlokit import ops as _ops  # noqa: F401 # fills the registry
from hlokit.errors import (
    ArgumentError,
    CheckFailed,
    Diagnostic,
    EvaluationError,
    HlokitError,
    InternalError,
    ParseError,
    UnsupportedError,
    VerificationError,
    VersionError,
)
from hlokit.interpreter.custom_calls import CustomCall, custom_call
from hlokit.program import Program, Signature, from_jax, load

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "CheckFailed",
    "CustomCall",
    "Diagnostic",
    "EvaluationError",
    "HlokitError",
    "InternalError",
    "ParseError",
    "Program",
    "Signature",
    "UnsupportedError",
    "VerificationError",
    "VersionError",
    "custom_call",
    "from_jax",
    "load",
]
