"""The public names of hlokit, and the modules that define them.

This is the only list of them: `__init__.py` reads it, and imports the module of a name on first use.
"""

from hlokit.engine.contract.custom_calls import CustomCall as CustomCall
from hlokit.engine.contract.custom_calls import custom_call as custom_call
from hlokit.engine.observe.observers import Record as Record
from hlokit.engine.observe.observers import StopOnNan as StopOnNan
from hlokit.engine.observe.observers import Trace as Trace
from hlokit.engine.observe.summaries import Summary as Summary
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
from hlokit.programs.calls.arguments import Signature as Signature
from hlokit.programs.loading import from_jax as from_jax
from hlokit.programs.loading import from_torch as from_torch
from hlokit.programs.loading import load as load
from hlokit.programs.program import Program as Program
from hlokit.tools.diff.comparing.findings import Finding as Finding
from hlokit.tools.diff.comparing.verdicts import Comparison as Comparison
from hlokit.tools.diff.report import DiffReport as DiffReport
from hlokit.tools.diff.run import diff as diff
from hlokit.tools.equal.comparing import equal as equal
from hlokit.tools.equal.proofs.proof import Proof as Proof
from hlokit.tools.equal.proofs.proving import prove as prove
from hlokit.tools.equal.verdict import Verdict as Verdict
from hlokit.tools.excerpts.self_checking import SelfChecking as SelfChecking
from hlokit.tools.excerpts.self_checking import make_test as make_test
from hlokit.tools.invariance.trials import Invariance as Invariance
from hlokit.tools.invariance.trials import invariance as invariance
from hlokit.tools.judge.report import Judgement as Judgement
from hlokit.tools.judge.run import judge as judge
from hlokit.tools.numerics.report import ShadowRecord as ShadowRecord
from hlokit.tools.numerics.report import ShadowReport as ShadowReport
from hlokit.tools.numerics.result_accuracy import CheckAccuracy as CheckAccuracy
from hlokit.tools.numerics.shadow import Shadow as Shadow
from hlokit.tools.recording.recorder import Recorder as Recorder
from hlokit.tools.recording.recorder import record as record
from hlokit.tools.recording.recording import Recording as Recording
from hlokit.tools.reduce.report import Reduction as Reduction
from hlokit.tools.reduce.run import reduce as reduce
from hlokit.tools.service import infer as infer
from hlokit.tools.service import verify as verify
from hlokit.tools.shard.sharded import Sharded as Sharded
from hlokit.tools.shard.sharded import shard as shard
from hlokit.tools.stages.report import StagesReport as StagesReport
from hlokit.tools.stages.run import stages as stages
from hlokit.tools.tracing.run_trace import RunTrace as RunTrace
from hlokit.values.element import Element as Element
from hlokit.values.tensor import Tensor as Tensor
from hlokit.values.tensor import Token as Token

__version__: str
