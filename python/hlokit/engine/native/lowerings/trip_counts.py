"""The number of iterations of a loop, where constants determine it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.block import plan_of
from hlokit.engine.plan.plan import Plan, Step, needed_steps
from hlokit.values.types import TensorType


def trip_count(cond: Region, body: Region, operands: Sequence[Value | None], most: int) -> int | None:
    """The number of iterations of a loop, if scalar constants determine its condition.

    Evaluates the condition and the state that it reads, usually a counter.

    Args:
      operands: the values of the initial state, and those that the regions capture; None if unknown.
      most: the largest number of iterations that the caller is interested in.

    Returns:
      None for more iterations, and for a condition that depends on other values.
    """
    condition, plan = plan_of(cond), plan_of(body)
    test = _Slice.of(condition, condition.outputs)
    if test is None or any(operands[slot] is None for slot in test.arguments):
        return None
    state = {*test.arguments}
    while True:  # the state that the condition reads, directly or through the state of another iteration
        step = _Slice.of(plan, [plan.outputs[slot] for slot in state if slot < len(plan.outputs)])
        if step is None:
            return None
        if state.issuperset(step.arguments):
            break
        state.update(step.arguments)
    values = {slot: operands[slot] for slot in state}
    if any(value is None for value in values.values()):
        return None
    with np.errstate(all="ignore"):
        for count in range(most + 1):
            if not test.evaluate(values)[condition.outputs[0]]:
                return count
            after = step.evaluate(values)
            values.update((slot, after[plan.outputs[slot]]) for slot in state if slot < len(plan.outputs))
    return None


class _Slice:
    """The steps of a plan that some of its slots depend on, all of them pointwise on scalars.

    Attributes:
      arguments: the arguments of the plan that these steps read.
    """

    def __init__(self, plan: Plan, steps: Sequence[Step], arguments: Sequence[int]) -> None:
        self._constants, self._steps, self.arguments = dict(plan.constants), steps, arguments

    @classmethod
    def of(cls, plan: Plan, slots: Collection[int]) -> _Slice | None:
        """The steps that compute some slots; None if another step is necessary."""
        steps = needed_steps(plan, slots)
        for step in steps:
            types = (*step.operand_types, *step.result_types)
            if not step.kernel.pointwise or not all(map(_is_scalar, types)):
                return None
        read = {*slots, *[slot for step in steps for slot in step.operands]}
        return cls(plan, steps, [slot for slot in read if slot < plan.argument_count])

    def evaluate(self, arguments: dict[int, Value]) -> dict[int, Value]:
        """The values of the slots."""
        values = {**self._constants, **arguments}
        for step in self._steps:
            results = step.kernel.function(*[values[slot] for slot in step.operands])
            values.update(zip(step.results, (results,) if len(step.results) == 1 else results, strict=True))
        return values


def _is_scalar(type_: object) -> bool:
    return isinstance(type_, TensorType) and type_.shape == ()
