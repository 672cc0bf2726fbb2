"""Gathers and scatters whose index vectors are concatenated: they read the components instead.

Front ends make the index vectors of `x[i, j]` by a concatenation of `i` and `j`. Without it, the components
can be computed where they are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from hlokit.engine.contract.array_ops import Concatenate, Gather, Scatter
from hlokit.engine.contract.registry import Kernel, KernelFunction
from hlokit.engine.contract.switches import is_on
from hlokit.engine.plan.plan import Plan, Step, combined_step, with_steps
from hlokit.values.types import TensorType

# The operand of gathers and scatters that has the index vectors.
_INDICES = 1


def with_index_components(plan: Plan, names: Container[str]) -> Plan:
    """The plan with one step for each gather or scatter and the concatenation of its index vectors.

    Args:
      names: of the operations of the module.
    """
    if "stablehlo.concatenate" not in names or not is_on("fusion"):
        return plan
    concatenations = {step.results[0]: step for step in plan.steps if _is_concatenation_of_ones(step)}
    if not concatenations:
        return plan
    reads = Counter([*plan.outputs, *[slot for step in plan.steps for slot in step.operands]])
    steps: list[Step] = []
    absorbed: set[int] = set()
    for step in plan.steps:
        slot = step.operands[_INDICES] if len(step.operands) > _INDICES else -1
        concatenation = concatenations.get(slot)
        if concatenation is not None and reads[slot] == 1 and _is_for(concatenation, step):
            absorbed.add(slot)
            steps.append(_combined(plan, step, concatenation))
        else:
            steps.append(step)
    if not absorbed:
        return plan
    return with_steps(plan, [step for step in steps if absorbed.isdisjoint(step.results)])


def _is_concatenation_of_ones(step: Step) -> bool:
    """Whether a step concatenates arrays of size 1 along the dimension."""
    array_op = step.kernel.array_op
    return isinstance(array_op, Concatenate) and all(
        isinstance(type_, TensorType) and type_.is_static and type_.dims[array_op.dimension] == 1
        for type_ in step.operand_types
    )


def _is_for(concatenation: Step, step: Step) -> bool:
    """Whether a step on static shapes has index vectors with the concatenated arrays as components."""
    array_op, concatenate = step.kernel.array_op, concatenation.kernel.array_op
    if not isinstance(array_op, Gather | Scatter) or not isinstance(concatenate, Concatenate):
        return False
    is_static = all(isinstance(type_, TensorType) and type_.is_static for type_ in step.operand_types)
    return is_static and concatenate.dimension == array_op.numbers.index_vector_dim


def _combined(plan: Plan, step: Step, concatenation: Step) -> Step:
    """A gather or scatter with the components of its index vectors as operands."""
    end = _INDICES + len(concatenation.operands)

    def of_components(function: KernelFunction) -> KernelFunction:
        return lambda *operands: function(*operands[:_INDICES], operands[_INDICES:end], *operands[end:])

    kernel = step.kernel
    in_place = None if kernel.in_place is None else of_components(kernel.in_place)
    combined = Kernel(of_components(kernel.function), in_place=in_place, array_op=kernel.array_op)
    slots = (*step.operands[:_INDICES], *concatenation.operands, *step.operands[_INDICES + 1 :])
    return combined_step(plan, step, combined, slots, step.results)
