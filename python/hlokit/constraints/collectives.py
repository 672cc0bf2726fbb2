"""Strict checks of collective operations: channels, sizes of groups, types with scales and zero points."""

from __future__ import annotations

from hlokit.constraints.checks import Checks
from hlokit.constraints.reducers import reducer
from hlokit.constraints.types import agree, element_type, operands, results, returned
from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import ChannelHandle
from hlokit.mlir.provider.bindings import ir
from hlokit.values.types import TensorType


def _channel(attributes: Attributes) -> int:
    if "channel_handle" not in attributes:
        return 0
    return attributes.read("channel_handle", ChannelHandle.read).handle


def channel_of_global_ids(operation: ir.Operation) -> str | None:
    """Global device ids need a channel."""
    attributes = Attributes(operation)
    channel = _channel(attributes)
    if "use_global_device_ids" not in attributes or channel > 0:
        return None
    return f"channel_id must be positive if use_global_device_ids is set, got {channel}"


def _group_size(attributes: Attributes) -> tuple[int, bool] | None:
    """The size of the groups, and whether their ids are process ids rather than replica ids.

    None if the groups differ in size or are not listed.
    """
    try:
        groups = attributes.replica_groups()
    except UnsupportedError:  # a mesh of another dialect
        return None
    if groups is None or len({len(group) for group in groups}) != 1:
        return None
    is_exact = _channel(attributes) <= 0 or "use_global_device_ids" in attributes
    return len(groups[0]), is_exact


def _ratio(operation: ir.Operation, *, dimension: str, is_gathered: bool) -> str | None:
    """The dimension must grow or shrink by a factor of the size of the process groups."""
    attributes = Attributes(operation)
    group = _group_size(attributes)
    axis = attributes.int_(dimension)
    if group is None:
        return None
    size, is_exact = group
    for operand, result in zip(operands(operation), results(operation), strict=True):
        pair = (operand, result) if is_gathered else (result, operand)
        if not all(isinstance(type_, TensorType) and type_.shape is not None for type_ in pair):
            continue
        small, large = (type_.dims[axis] for type_ in pair if isinstance(type_, TensorType))
        if small <= 0 or large < 0:
            continue
        if large % (small * size) or (is_exact and large != small * size):
            change = "grow" if is_gathered else "shrink"
            change = f"{dimension} must {change} by the size of the process groups, {size}"
            return f"{change}, got {operand} and {result}"
    return None


def gathered_size(operation: ir.Operation) -> str | None:
    """all_gather: the gathered dimension grows by a factor of the group size."""
    return _ratio(operation, dimension="all_gather_dim", is_gathered=True)


def scattered_size(operation: ir.Operation) -> str | None:
    """reduce_scatter: the scattered dimension shrinks by a factor of the group size."""
    return _ratio(operation, dimension="scatter_dimension", is_gathered=False)


def divisible_size(operation: ir.Operation) -> str | None:
    """reduce_scatter: the group size divides the scattered dimension."""
    attributes = Attributes(operation)
    group = _group_size(attributes)
    (operand,) = operands(operation)[:1]
    if group is None or not isinstance(operand, TensorType) or operand.shape is None:
        return None
    size = operand.dims[attributes.int_("scatter_dimension")]
    if size < 0 or size % group[0] == 0:
        return None
    return (
        f"scatter_dimension must be a multiple of the size of the process groups, got {size} and {group[0]}"
    )


def reduced_elements(operation: ir.Operation) -> str | None:
    """The results have the element type that the computation returns."""
    computed = element_type(returned(operation)[0])
    for result in results(operation):
        # Types that are not tensors violate C5.
        if computed is not None and element_type(result) != computed:
            return f"results must have the element type that computation returns, got {result} and {computed}"
    return None


def _broadcast_types(operation: ir.Operation, *, of_dynamic_root: bool) -> str | None:
    if ("has_dynamic_root" in Attributes(operation)) is not of_dynamic_root:
        return None
    for operand, result in zip(operands(operation), results(operation), strict=False):
        if not agree(operand, result):
            return f"results must be of the types of the operands, got {result} and {operand}"
    return None


def broadcast_types(operation: ir.Operation) -> str | None:
    """collective_broadcast: the results have the types of the operands."""
    return _broadcast_types(operation, of_dynamic_root=False)


def broadcast_types_with_root(operation: ir.Operation) -> str | None:
    """collective_broadcast: the results have the types of all operands but the last."""
    return _broadcast_types(operation, of_dynamic_root=True)


CHECKS: Checks = {
    "all_gather": {"C5": channel_of_global_ids, "C6": gathered_size},
    "all_reduce": {"C5": reducer("computation", 0), "C7": reduced_elements},
    "collective_broadcast": {"C3": broadcast_types, "C4": broadcast_types_with_root},
    "collective_reduce": {"C4": reducer("computation", 0)},
    "reduce_scatter": {"C1": divisible_size, "C7": reducer("computation", 0), "C8": scattered_size},
}
