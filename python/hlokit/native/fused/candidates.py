"""Plans that may have fused computations. All others do without an import of the compiler."""

from __future__ import annotations

from collections.abc import Set

from hlokit.contract.array_ops import Reduce
from hlokit.contract.switches import is_on
from hlokit.contract.thresholds import Thresholds
from hlokit.native.ir.target import is_enabled
from hlokit.plan.block import Block
from hlokit.plan.plan import Plan, Step
from hlokit.values.types import TensorType, ValueType

# The operations of the smallest fused computation.
_FEWEST = 2


def may_have_fusions(plan: Plan, thresholds: Thresholds) -> bool:
    """Whether enough steps on large arrays compute elements or rows, or call functions."""
    large, found = large_types(plan, thresholds), 0
    if large:
        for step in plan.steps:
            found += _operations(step, large)
            if found >= _FEWEST:
                return True
    return False


def _operations(step: Step, large: Set[int]) -> int:
    """The number of operations that a step may contribute to a fused computation."""
    kernel = step.kernel
    is_control_flow = bool(kernel.regions) and kernel.array_op is None
    may_inline = isinstance(kernel.function, Block) or is_control_flow
    if not (kernel.pointwise or may_inline or isinstance(kernel.array_op, Reduce)):
        return 0
    if all(id(type_) not in large for type_ in (*step.operand_types, *step.result_types)):
        return 0
    return _FEWEST if may_inline else 1


def large_types(plan: Plan, thresholds: Thresholds) -> set[int]:
    """The ids of the types of arrays that fusion considers; empty if fusion is disabled.

    Planners create one object per type, and ids are faster keys.
    """
    least = max(thresholds.fusion_elements, 2)  # arrays may stand for scalars
    types = {id(type_): type_ for type_ in plan.slot_types}
    large = {key for key, type_ in types.items() if size_of(type_) >= least}
    return large if large and is_enabled() and is_on("fusion") else set()


def size_of(type_: ValueType) -> int:
    """The number of elements; -1 if it is unknown."""
    return type_.size if isinstance(type_, TensorType) and type_.is_static else -1
