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
    ResourceError,
    UnsupportedError,
    VerificationError,
    VersionError,
)

if TYPE_CHECKING:
    from hlokit.arguments import Signature
    from hlokit.contract.custom_calls import CustomCall, custom_call
    from hlokit.differences.comparing.findings import Finding
    from hlokit.differences.comparing.verdicts import Comparison
    from hlokit.differences.report import DiffReport
    from hlokit.differences.run import diff
    from hlokit.excerpts.self_checking import SelfChecking, make_test
    from hlokit.loading import from_jax, from_torch, load
    from hlokit.numerics.report import ShadowRecord, ShadowReport
    from hlokit.numerics.result_accuracy import CheckAccuracy
    from hlokit.numerics.shadow import Shadow
    from hlokit.observe.observers import Record, StopOnNan, Trace
    from hlokit.observe.summaries import Summary
    from hlokit.program import Program
    from hlokit.recording.recorder import Recorder, record
    from hlokit.recording.recording import Recording
    from hlokit.reduction.report import Reduction
    from hlokit.reduction.run import reduce
    from hlokit.service import infer, verify
    from hlokit.sharding.sharded import Sharded, shard
    from hlokit.tracing.run_trace import RunTrace
    from hlokit.values.element import Element
    from hlokit.values.tensor import Tensor, Token

__version__ = "0.1.0"

# Modules that register operations.
_FAMILIES = (checks, ops)

# The module of every other public name. The first use of a name imports its module, so that code that runs no
# program does not import NumPy and the bindings.
_MODULES = {
    "CheckAccuracy": "hlokit.numerics.result_accuracy",
    "Comparison": "hlokit.differences.comparing.verdicts",
    "CustomCall": "hlokit.contract.custom_calls",
    "DiffReport": "hlokit.differences.report",
    "Element": "hlokit.values.element",
    "Finding": "hlokit.differences.comparing.findings",
    "Program": "hlokit.program",
    "Record": "hlokit.observe.observers",
    "Recorder": "hlokit.recording.recorder",
    "Recording": "hlokit.recording.recording",
    "Reduction": "hlokit.reduction.report",
    "RunTrace": "hlokit.tracing.run_trace",
    "SelfChecking": "hlokit.excerpts.self_checking",
    "Shadow": "hlokit.numerics.shadow",
    "ShadowRecord": "hlokit.numerics.report",
    "ShadowReport": "hlokit.numerics.report",
    "Sharded": "hlokit.sharding.sharded",
    "Signature": "hlokit.arguments",
    "StopOnNan": "hlokit.observe.observers",
    "Summary": "hlokit.observe.summaries",
    "Tensor": "hlokit.values.tensor",
    "Token": "hlokit.values.tensor",
    "Trace": "hlokit.observe.observers",
    "custom_call": "hlokit.contract.custom_calls",
    "diff": "hlokit.differences.run",
    "from_jax": "hlokit.loading",
    "from_torch": "hlokit.loading",
    "infer": "hlokit.service",
    "load": "hlokit.loading",
    "make_test": "hlokit.excerpts.self_checking",
    "record": "hlokit.recording.recorder",
    "reduce": "hlokit.reduction.run",
    "shard": "hlokit.sharding.sharded",
    "verify": "hlokit.service",
}


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    value = globals()[name] = getattr(import_module(module), name)  # so that Python looks it up only once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "ArgumentError",
    "CheckAccuracy",
    "CheckFailed",
    "Comparison",
    "CustomCall",
    "Diagnostic",
    "DiffReport",
    "Element",
    "EvaluationError",
    "Finding",
    "HlokitError",
    "InternalError",
    "ParseError",
    "Program",
    "Record",
    "Recorder",
    "Recording",
    "Reduction",
    "ResourceError",
    "RunTrace",
    "SelfChecking",
    "Shadow",
    "ShadowRecord",
    "ShadowReport",
    "Sharded",
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
    "diff",
    "from_jax",
    "from_torch",
    "infer",
    "load",
    "make_test",
    "record",
    "reduce",
    "shard",
    "verify",
]
