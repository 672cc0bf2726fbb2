"""Steps of plans that are native programs."""

from __future__ import annotations

from hlokit.engine.native.program import NativeProgram
from hlokit.engine.plan.plan import Step


def is_native(step: Step) -> bool:
    """Whether a step is a native program in the place of several steps."""
    return isinstance(getattr(step.kernel.function, "__self__", None), NativeProgram)
