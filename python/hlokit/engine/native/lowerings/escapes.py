"""Operands that outlive their step: nothing may write into an array that other code still holds."""

from __future__ import annotations

from hlokit.engine.contract.region import Region
from hlokit.engine.plan.block import blocks_of, plan_of
from hlokit.engine.plan.plan import Step
from hlokit.operations.lookup import traits_of


def lets_operands_escape(step: Step, seen: set[Region] | None = None) -> bool:
    """Whether Python code or other processes may still hold an operand after the step.

    Args:
      seen: blocks that are being analysed, or have been: functions may be recursive.
    """
    seen = set() if seen is None else seen
    blocks = blocks_of(step)
    if blocks:
        fresh = [block for block in blocks if block not in seen]
        seen.update(fresh)
        return any(lets_operands_escape(inner, seen) for block in fresh for inner in plan_of(block).steps)
    return not step.name.startswith(("stablehlo.", "chlo.", "vm.")) or (
        traits_of(step.name).collective
        or traits_of(step.name).channel
        or traits_of(step.name).feed
        or traits_of(step.name).foreign
    )
