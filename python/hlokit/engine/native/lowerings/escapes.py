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
    return holds_operands(step.name)


def holds_operands(name: str) -> bool:
    """Whether an operation without regions lets its operands escape."""
    traits = traits_of(name)
    is_known = name.startswith(("stablehlo.", "chlo.", "vm.", "func.", "builtin."))
    return not is_known or traits.collective or traits.channel or traits.feed or traits.foreign
