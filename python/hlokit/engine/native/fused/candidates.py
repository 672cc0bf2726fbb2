"""Plans that may have fused computations."""

from __future__ import annotations

from collections.abc import Set

from hlokit.engine.contract.array_ops import ArrayOp, Dot, Reduce
from hlokit.engine.contract.switches import is_on
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.native.ir.target import cost_of, is_enabled, operation_of
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan, Step
from hlokit.values.types import TensorType, ValueType

# The operations of the smallest fused computation.
_FEWEST = 2
# Assumed of regions and functions, which may contain many operations.
_COST_OF_REGIONS = 1 << 10


def may_have_fusions(plan: Plan, thresholds: Thresholds) -> bool:
    """Whether enough steps on large arrays compute elements or rows, or call functions."""
    large, count = large_types(plan, thresholds), 0
    if large:
        for step in plan.steps:
            count += _operations(step, large)
            if count >= _FEWEST:
                return True
    return False


def _operations(step: Step, large: Set[int]) -> int:
    """The number of operations that a step may contribute to a fused computation."""
    may_inline = _may_inline(step)
    if not (step.kernel.pointwise or may_inline or _combines(step.kernel.array_op)):
        return 0
    if all(id(type_) not in large for type_ in (*step.operand_types, *step.result_types)):
        return 0
    return _FEWEST if may_inline else 1


def _combines(array_op: ArrayOp | None) -> bool:
    """Whether an operation is a reduction, or multiplies pairs of elements without a contraction."""
    is_product = isinstance(array_op, Dot) and not array_op.numbers.lhs_contracting_dimensions
    return is_product or isinstance(array_op, Reduce)


def large_types(plan: Plan, thresholds: Thresholds) -> set[int]:
    """The ids of the types of arrays that fusion considers; empty if fusion is disabled.

    Planners create one object per type, and ids are faster keys.
    """
    least = max(thresholds.fusion_elements, 2)  # arrays may stand for scalars
    types = {id(type_): type_ for type_ in plan.slot_types}
    large = {key: size for key, type_ in types.items() if (size := size_of(type_)) >= least}
    if not large or not (is_enabled() and is_on("fusion")):
        return set()
    if min(large.values()) < thresholds.straight_line_elements:
        costs = _costs_by_size(plan, large)
        large = {
            key: size for key, size in large.items() if may_pay_off(size, costs.get(size, 0), thresholds)
        }
    return set(large)


def may_pay_off(size: int, cost: int, thresholds: Thresholds) -> bool:
    """Whether a fused computation takes several threads, or its arrays are too large for straight-line code.

    Args:
      size: the number of elements.
      cost: the cost of an element, in additions.
    """
    return size >= thresholds.straight_line_elements or size * cost >= thresholds.fusion_work


def _costs_by_size(plan: Plan, large: dict[int, int]) -> dict[int, int]:
    """The largest cost of an element that fused computations of each size may have."""
    costs: dict[int, int] = {}
    for step in plan.steps:
        size = max(
            [large.get(id(type_), 0) for type_ in (*step.operand_types, *step.result_types)], default=0
        )
        if size:
            costs[size] = costs.get(size, 0) + _cost_of(step)
    return costs


def _cost_of(step: Step) -> int:
    """The largest cost of an element of a step."""
    return _COST_OF_REGIONS if _may_inline(step) else cost_of(operation_of(step))


def _may_inline(step: Step) -> bool:
    """Whether a step calls a function, or is control flow."""
    is_control_flow = bool(step.kernel.regions) and step.kernel.array_op is None
    return isinstance(step.kernel.function, Block) or is_control_flow


def size_of(type_: ValueType) -> int:
    """The number of elements; -1 if it is unknown."""
    return type_.size if isinstance(type_, TensorType) and type_.is_static else -1
