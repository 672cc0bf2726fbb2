"""hlokit: a StableHLO toolkit in Python.

import hlokit

program = hlokit.load("model.mlirbc")
logits = program(images)
"""

import gc
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

if TYPE_CHECKING:
    from hlokit.arguments import Signature
    from hlokit.interpreter.custom_calls import CustomCall, custom_call
    from hlokit.interpreter.observers import Record, StopOnNan, Trace
    from hlokit.interpreter.summaries import Summary
    from hlokit.loading import from_jax, load
    from hlokit.numerics.report import ShadowRecord, ShadowReport
    from hlokit.numerics.result_accuracy import CheckAccuracy
    from hlokit.numerics.shadow import Shadow
    from hlokit.program import Program
    from hlokit.service import infer, verify
    from hlokit.values.element import Element
    from hlokit.values.tensor import Tensor, Token

__version__ = "0.1.0"

# These say which module has which operation.
_FAMILIES = (checks, ops)

# Where the other names are, which are imported when they are first asked for: so what does not run a program
# does not wait for NumPy and the bindings either.
_HOMES = {
    "CheckAccuracy": "hlokit.numerics.result_accuracy",
    "CustomCall": "hlokit.interpreter.custom_calls",
    "Element": "hlokit.values.element",
    "Program": "hlokit.program",
    "Record": "hlokit.interpreter.observers",
    "Shadow": "hlokit.numerics.shadow",
    "ShadowRecord": "hlokit.numerics.report",
    "ShadowReport": "hlokit.numerics.report",
    "Signature": "hlokit.arguments",
    "StopOnNan": "hlokit.interpreter.observers",
    "Summary": "hlokit.interpreter.summaries",
    "Tensor": "hlokit.values.tensor",
    "Token": "hlokit.values.tensor",
    "Trace": "hlokit.interpreter.observers",
    "custom_call": "hlokit.interpreter.custom_calls",
    "from_jax": "hlokit.loading",
    "infer": "hlokit.service",
    "load": "hlokit.loading",
    "verify": "hlokit.service",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    # What modules are made of stays: collecting garbage while they are imported finds none. To freeze and
    # unfreeze makes all of it old, so that the next collection does not look at it either. Who has frozen
    # thousands of objects finds them frozen still; Python 3.12 starts with hundreds of its own.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        value = globals()[name] = getattr(import_module(home), name)  # so that this is asked once
        return value
    finally:
        if is_collecting and gc.get_freeze_count() < 1000:
            gc.freeze()
            gc.unfreeze()
        if is_collecting:
            gc.enable()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


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
