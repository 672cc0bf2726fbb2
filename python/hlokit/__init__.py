"""hlokit: a StableHLO toolkit in Python.

import hlokit

program = hlokit.load("model.mlirbc")
logits = program(images)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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
from hlokit.program import Program, Signature
from hlokit.values.element import Element
from hlokit.values.tensor import Tensor, Token

if TYPE_CHECKING:
    from hlokit.numerics.report import ShadowRecord, ShadowReport
    from hlokit.numerics.result_accuracy import CheckAccuracy
    from hlokit.numerics.shadow import Shadow
    from hlokit.service import infer, verify

__version__ = "0.1.0"

# Importing these fills the registry.
_FAMILIES = (checks, ops)

# What running a program does not need is imported when it is first asked for.
_LATER = {
    "CheckAccuracy": "hlokit.numerics.result_accuracy",
    "Shadow": "hlokit.numerics.shadow",
    "ShadowRecord": "hlokit.numerics.report",
    "ShadowReport": "hlokit.numerics.report",
    "infer": "hlokit.service",
    "verify": "hlokit.service",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(_LATER[name]), name)


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
