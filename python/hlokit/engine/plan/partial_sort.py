"""Partial sorts: a sort computes only its first elements if the program uses no others.

The slices that read the results of the sort show which elements are used. The slices stay in the plan,
applied to the shorter results.
"""

from __future__ import annotations

from hlokit.engine.contract.array_ops import Slice
from hlokit.engine.contract.registry import Kernel
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.plan.plan import Plan, Step
from hlokit.values.types import TensorType, ValueType


def with_partial_sorts(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Plan:
    """The plan with a partial sort wherever only the first elements of all results are used."""
    sorts = [index for index, step in enumerate(plan.steps) if step.kernel.partial_sort is not None]
    if not sorts:
        return plan
    steps, types = list(plan.steps), list(plan.slot_types)
    for index in sorts:
        step = steps[index]
        partial_sort = step.kernel.partial_sort
        if partial_sort is None:
            continue
        dimension = partial_sort.dimension
        count = _used_count(plan, step, dimension, thresholds.partial_sort_ratio)
        if count is None:
            continue
        for slot in step.results:
            types[slot] = _shortened(types[slot], dimension, count)
        results = tuple([types[slot] for slot in step.results])
        kernel = Kernel(partial_sort.make(count), array_op=step.kernel.array_op)
        steps[index] = step._replace(kernel=kernel, result_types=results)
        for number, reader in enumerate(steps):
            if not set(step.results).isdisjoint(reader.operands):
                operands = tuple([types[slot] for slot in reader.operands])
                steps[number] = reader._replace(operand_types=operands)
    return plan._replace(steps=tuple(steps), slot_types=tuple(types))


def _used_count(plan: Plan, step: Step, dimension: int, ratio: int) -> int | None:
    """The number of used elements along a dimension; None if a partial sort would not be faster."""
    type_ = step.result_types[0]
    if not isinstance(type_, TensorType) or not type_.is_static:
        return None
    if not set(step.results).isdisjoint(plan.outputs):
        return None
    count = 0
    for reader in plan.steps:
        if set(step.results).isdisjoint(reader.operands):
            continue
        array_op = reader.kernel.array_op
        if not isinstance(array_op, Slice):  # other steps may have no results
            return None
        slice_type = reader.result_types[0]
        if not isinstance(slice_type, TensorType):
            return None
        if array_op.start_indices[dimension] != 0 or array_op.strides[dimension] != 1:
            return None
        count = max(count, slice_type.dims[dimension])
    return count if count > 0 and ratio * count <= type_.dims[dimension] else None


def _shortened(type_: ValueType, dimension: int, count: int) -> ValueType:
    assert isinstance(type_, TensorType)
    dims = type_.dims
    return type_._replace(shape=(*dims[:dimension], count, *dims[dimension + 1 :]))
