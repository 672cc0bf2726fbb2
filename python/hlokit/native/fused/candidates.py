"""Arrays that are large enough for fusion. Programs without such arrays do not import the compiler."""

from __future__ import annotations

from hlokit.contract.switches import is_on
from hlokit.contract.thresholds import Thresholds
from hlokit.native.ir.target import is_enabled
from hlokit.plan.plan import Plan
from hlokit.values.types import TensorType, ValueType


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
