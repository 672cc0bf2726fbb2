"""The tiers: the rewrites and the executor of a plan.

    tier          rewrites                                           executor
    first run     interruptible, partial sorts, fusion, stored code  one kernel per step
    later runs    those of the first run, straight-line code         generated Python
    vectorized    those of the first run                             generated Python
    in place      interruptible, fusion                              generated Python
    observed      none                                               one kernel per step, and the observer
    timed         those of unobserved runs                           one kernel per step, and the observer

Stored code is the straight-line code of an earlier process, from the folder of HLOKIT_CACHE. Without it, the
third run of a block begins to compile straight-line code, of large plans one part in each run; the fifth
compiles what is left. Until all is compiled, steps run one by one. The first rewrite makes steps on huge
arrays interruptible. All tiers give the same bits.
`HLOKIT_DISABLE` disables single rewrites, and with `generated-code` the generated Python.

The planner has three rewrites of its own, for native loops, which compile plans without those of tiers: steps
that make NaNs canonical, and, unless an observer is called, sums of padded arrays that are written in parts,
and gathers and scatters that read the components of their index vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial

from hlokit.engine.contract.interrupts import HUGE, beside_main_thread
from hlokit.engine.contract.switches import is_on
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.native.costs import StepCosts
from hlokit.engine.native.fused.candidates import may_have_fusions
from hlokit.engine.native.fused.fusion import with_fusions
from hlokit.engine.native.straight_line import straight_line_code, strict_program
from hlokit.engine.plan.block import Tier, Tiers, blocks_of
from hlokit.engine.plan.executors import (
    BlockFunction,
    Observer,
    generate,
    run_observed,
    run_steps,
    with_checked_outputs,
)
from hlokit.engine.plan.partial_sort import with_partial_sorts
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType, ValueType

# Of kernels whose result is an operand.
_IDENTITIES = ("{0}", "{1}")


def _with_partial_sorts(plan: Plan, thresholds: Thresholds) -> Plan:
    if all(step.kernel.partial_sort is None for step in plan.steps):
        return plan
    return with_partial_sorts(plan, thresholds)


def _with_fusions(plan: Plan, thresholds: Thresholds) -> Plan:
    if not may_have_fusions(plan, thresholds):
        return plan
    return with_fusions(plan, thresholds)


def _with_stored_code(plan: Plan, thresholds: Thresholds) -> Plan:
    if plan.stored is None or not is_on("straight-line"):
        return plan
    from hlokit.engine.native.stored_code import with_stored_code

    return with_stored_code(plan, partial(strict_program, thresholds=thresholds))


def _with_straight_line_code(plan: Plan, thresholds: Thresholds) -> Generator[Plan, None, Plan]:
    if plan.is_compiled:
        return plan
    if plan.stored is not None or StepCosts(thresholds).may_have_straight_line_code(plan):
        yield plan  # the second run compiles nothing: many programs run once or twice
        plan = yield from straight_line_code(plan, thresholds)
    return plan


def _with_interruptible_steps(plan: Plan) -> Plan:
    """The plan with kernels on huge arrays as calls in another thread, which an interrupt need not wait for.

    Control flow, whose steps are interruptible, stays in its thread, and foreign code, which may ask for it.
    """
    # Planners create one object per type, which many slots have.
    if not any(map(_is_huge, {id(type_): type_ for type_ in plan.slot_types}.values())):
        return plan
    return plan._replace(steps=tuple(map(_interruptible, plan.steps)))


def _is_huge(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.is_static and type_.nbytes >= HUGE


def _interruptible(step: Step) -> Step:
    if not any(map(_is_huge, (*step.operand_types, *step.result_types))):
        return step
    if blocks_of(step) or step.kernel.source in _IDENTITIES or traits_of(step.name).foreign:
        return step
    function = partial(beside_main_thread, step.kernel.function)
    return step._replace(kernel=step.kernel._replace(function=function, source=None))


def _interpret(plan: Plan) -> BlockFunction:
    return with_checked_outputs(plan, partial(run_steps, plan))


def _generate(plan: Plan) -> BlockFunction:
    return with_checked_outputs(plan, generate(plan)) if is_on("generated-code") else _interpret(plan)


def _make_tiers(thresholds: Thresholds) -> Tiers:
    partial_sorts = partial(_with_partial_sorts, thresholds=thresholds)
    fusions = partial(_with_fusions, thresholds=thresholds)
    stored_code = partial(_with_stored_code, thresholds=thresholds)
    straight_line = partial(_with_straight_line_code, thresholds=thresholds)
    return Tiers(
        first=Tier((_with_interruptible_steps, partial_sorts, fusions, stored_code), _interpret),
        later=Tier((), _generate, straight_line),
        vectorized=Tier((), _generate),
        in_place=Tier((_with_interruptible_steps, fusions), _generate),
    )


_DEFAULT = _make_tiers(DEFAULTS)


def unobserved(thresholds: Thresholds = DEFAULTS) -> Tiers:
    """The tiers of blocks without an observer."""
    return _DEFAULT if thresholds is DEFAULTS else _make_tiers(thresholds)


def observed_by(observer: Observer) -> Tiers:
    """The tiers of blocks with an observer."""

    def executor(plan: Plan) -> BlockFunction:
        return with_checked_outputs(plan, partial(run_observed, plan, observer))

    tier = Tier((), executor)
    return Tiers(tier, tier, tier, tier, is_observed=True)


def timed_by(observer: Observer, planned: Callable[[Plan], Plan], thresholds: Thresholds = DEFAULTS) -> Tiers:
    """The tiers of blocks without an observer, whose steps, after all rewrites, call an observer.

    Args:
      planned: called with each plan before its rewrites; returns the plan.
    """

    def executor(plan: Plan) -> BlockFunction:
        return with_checked_outputs(plan, partial(run_observed, plan, observer))

    tiers = unobserved(thresholds)
    return tiers._replace(
        first=tiers.first._replace(rewrites=(planned, *tiers.first.rewrites), executor=executor),
        later=tiers.later._replace(executor=executor),
        in_place=tiers.in_place._replace(rewrites=(planned, *tiers.in_place.rewrites), executor=executor),
    )
