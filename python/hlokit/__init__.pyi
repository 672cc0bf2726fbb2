"""The public names of hlokit, and the modules that define them.

This is the only list of them: `__init__.py` reads it, and imports the module of a name on first use.
"""

from hlokit.arguments import Signature as Signature
from hlokit.contract.custom_calls import CustomCall as CustomCall
from hlokit.contract.custom_calls import custom_call as custom_call
from hlokit.differences.comparing.findings import Finding as Finding
from hlokit.differences.comparing.verdicts import Comparison as Comparison
from hlokit.differences.report import DiffReport as DiffReport
from hlokit.differences.run import diff as diff
from hlokit.errors import ArgumentError as ArgumentError
from hlokit.errors import CheckFailed as CheckFailed
from hlokit.errors import Diagnostic as Diagnostic
from hlokit.errors import EvaluationError as EvaluationError
from hlokit.errors import HlokitError as HlokitError
from hlokit.errors import InternalError as InternalError
from hlokit.errors import ParseError as ParseError
from hlokit.errors import ResourceError as ResourceError
from hlokit.errors import UnsupportedError as UnsupportedError
from hlokit.errors import VerificationError as VerificationError
from hlokit.errors import VersionError as VersionError
from hlokit.excerpts.self_checking import SelfChecking as SelfChecking
from hlokit.excerpts.self_checking import make_test as make_test
from hlokit.loading import from_jax as from_jax
from hlokit.loading import from_torch as from_torch
from hlokit.loading import load as load
from hlokit.numerics.report import ShadowRecord as ShadowRecord
from hlokit.numerics.report import ShadowReport as ShadowReport
from hlokit.numerics.result_accuracy import CheckAccuracy as CheckAccuracy
from hlokit.numerics.shadow import Shadow as Shadow
from hlokit.observe.observers import Record as Record
from hlokit.observe.observers import StopOnNan as StopOnNan
from hlokit.observe.observers import Trace as Trace
from hlokit.observe.summaries import Summary as Summary
from hlokit.program import Program as Program
from hlokit.recording.recorder import Recorder as Recorder
from hlokit.recording.recorder import record as record
from hlokit.recording.recording import Recording as Recording
from hlokit.reduction.report import Reduction as Reduction
from hlokit.reduction.run import reduce as reduce
from hlokit.service import infer as infer
from hlokit.service import verify as verify
from hlokit.sharding.sharded import Sharded as Sharded
from hlokit.sharding.sharded import shard as shard
from hlokit.tracing.run_trace import RunTrace as RunTrace
from hlokit.values.element import Element as Element
from hlokit.values.tensor import Tensor as Tensor
from hlokit.values.tensor import Token as Token

__version__: str
