"""hlokit: a StableHLO toolkit in Python.

import hlokit

program = hlokit.load("model.mlirbc")
logits = program(images)
"""

from hlokit import checks, ops
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
from hlokit.interpreter.observers import Record, StopOnNan, Trace
from hlokit.interpreter.summaries import Summary
from hlokit.loading import from_jax, load
from hlokit.numerics.report import ShadowRecord, ShadowReport
from hlokit.numerics.result_accuracy import CheckAccuracy
from hlokit.numerics.shadow import Shadow
from hlokit.program import Program, Signature
from hlokit.service import infer, verify
from hlokit.values.element import Element
from hlokit.values.tensor import Tensor, Token

__version__ = "0.1.0"

# Importing these fills the registry.
_FAMILIES = (checks, ops)

__all__ = [
    "ArgumentError",
    "CheckAccuracy",
    "CheckFailed",
    "CustomCall",
    "Diagnostic",
    "Element",
    "EvaluationError",
    "HlokitError",
    "InternalError",
    "ParseError",
    "Program",
    "Record",
    "Shadow",
    "ShadowRecord",
    "ShadowReport",
    "Signature",
    "StopOnNan",
    "Summary",
    "Tensor",
    "Token",
    "Trace",
    "UnsupportedError",
    "VerificationError",
    "VersionError",
    "custom_call",
    "from_jax",
    "infer",
    "load",
    "verify",
]
