"""The number of iterations of a loop, where constants determine it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.plan.block import Block, plan_of
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


def counters(body: Region, operands: Sequence[Value | None]) -> list[int]:
    """The scalars of the state to which a loop adds 1.

    Args:
      operands: see `trip_count`.
    """
    plan = plan_of(body)
    captured = dict(enumerate(operands[len(plan.outputs) :], len(plan.outputs)))
    return [n for n, output in enumerate(plan.outputs) if output != n and _is_next(plan, output, n, captured)]


def _is_next(plan: Plan, slot: int, argument: int, operands: dict[int, Value | None]) -> bool:
    """Whether a slot of a plan is an argument plus 1, also if a function computes it."""
    step = next((step for step in plan.steps if slot in step.results), None)
    if step is None or argument not in step.operands:
        return False
    values = {**operands, **dict(plan.constants)}
    if isinstance(step.kernel.function, Block):
        called = plan_of(step.kernel.function)
        output = called.outputs[step.results.index(slot)]
        constants = {n: values.get(operand) for n, operand in enumerate(step.operands)}
        return any(
            _is_next(called, output, n, constants)
            for n, operand in enumerate(step.operands)
            if operand == argument
        )
    if step.name != "stablehlo.add" or not _is_scalar(step.result_types[0]):
        return False
    one = values.get(next((operand for operand in step.operands if operand != argument), -1))
    return one is not None and one.dtype.kind in "iu" and bool(one == 1)


def ranges_of_counters(
    cond: Region, body: Region, counting: Sequence[int], operands: Sequence[Value | None]
) -> dict[int, tuple[int, int]]:
    """The first and the last value of counters, where these are known: before the first iteration and after
    the last one of a loop that goes on while a counter is less than a constant, which no iteration changes.

    Args:
      counting: the `counters`.
      operands: see `trip_count`.
    """
    plan = plan_of(cond)
    tests = needed_steps(plan, plan.outputs)
    if len(tests) != 1 or tests[0].name != "stablehlo.compare" or tests[0].kernel.native != "LT":
        return {}
    values = {**dict(enumerate(operands)), **dict(plan.constants)}
    counter, bound = tests[0].operands
    if dict(enumerate(plan_of(body).outputs)).get(bound, bound) != bound:
        return {}
    first, limit = values[counter], values[bound]
    if counter not in counting or first is None or limit is None or first.dtype.kind != "i":
        return {}
    count = max(0, int(limit) - int(first))
    firsts = {n: value for n in counting if (value := operands[n]) is not None}
    return {
        n: (int(value), int(value) + count)
        for n, value in firsts.items()
        if int(value) + count <= np.iinfo(value.dtype).max
    }


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
