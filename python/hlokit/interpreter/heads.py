"""Sorts of which a program uses only the first elements: these are had sooner than all of them in order.

Nothing says so in the sort, only the slices that read its results. They stay where they are, and cut what is
that short already.
"""

from __future__ import annotations

from dataclasses import replace

from hlokit.interpreter.forms import Slice
from hlokit.interpreter.registry import Kernel
from hlokit.interpreter.steps import Plan, Step
from hlokit.interpreter.switches import is_on
from hlokit.values.types import TensorType, ValueType

# A sort is this much longer than what is used of it.
_WORTH = 4


def with_heads(plan: Plan) -> Plan:
    """The plan with kernels that give the first elements only, where no more is used."""
    wanted = [index for index, step in enumerate(plan.steps) if step.kernel.head is not None]
    if not wanted or not is_on("heads"):
        return plan
    steps, types = list(plan.steps), list(plan.slot_types)
    for index in wanted:
        step = steps[index]
        head = step.kernel.head
        count = None if head is None else _used(plan, step, head.dimension)
        if head is None or count is None:
            continue
        for slot in step.results:
            types[slot] = _first(types[slot], head.dimension, count)
        results = tuple([types[slot] for slot in step.results])
        steps[index] = step._replace(kernel=Kernel(head.make(count)), result_types=results)
        for number, reader in enumerate(steps):
            if not set(step.results).isdisjoint(reader.operands):
                operands = tuple([types[slot] for slot in reader.operands])
                steps[number] = reader._replace(operand_types=operands)
    return replace(plan, steps=tuple(steps), slot_types=tuple(types))


def _used(plan: Plan, step: Step, dimension: int) -> int | None:
    """How many elements along a dimension are read of the results of a step; None if too many."""
    type_ = step.result_types[0]
    if (
        not isinstance(type_, TensorType)
        or not type_.is_static
        or not set(step.results).isdisjoint(plan.outputs)
    ):
        return None
    count = 0
    for reader in plan.steps:
        if set(step.results).isdisjoint(reader.operands):
            continue
        form = reader.kernel.form
        if not isinstance(form, Slice):  # it may have no results
            return None
        cut = reader.result_types[0]
        if not isinstance(cut, TensorType):
            return None
        if form.start_indices[dimension] != 0 or form.strides[dimension] != 1:
            return None
        count = max(count, cut.dims[dimension])
    return count if count > 0 and _WORTH * count <= type_.dims[dimension] else None


def _first(type_: ValueType, dimension: int, count: int) -> ValueType:
    assert isinstance(type_, TensorType)
    dims = type_.dims
    return replace(type_, shape=(*dims[:dimension], count, *dims[dimension + 1 :]))
