"""Collective operations: functions of the operands of all processes of a group.

Each operation is a function of `operands@process_group`, in the order of the group. The second part of this
file, and `grid`, define the groups and the rendezvous of processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.dimension_numbers import ChannelHandle
from hlokit.reference.model.calls import Call, Region, Values
from hlokit.reference.model.grid import Arrival, Process, ProcessGroup
from hlokit.reference.model.tensors import Tensors, as_tensor, constant, elementwise, integers
from hlokit.reference.numbers.rules import fold
from hlokit.reference.stablehlo.elementwise import add
from hlokit.reference.stablehlo.quantized import zero_result
from hlokit.reference.stablehlo.reductions import apply, promoted
from hlokit.reference.stablehlo.shapes import concatenate
from hlokit.reference.stablehlo.slicing import split
from hlokit.values.element_types import UI32
from hlokit.values.tensor import Tensor


def all_gather(operands: Sequence[Tensor], all_gather_dim: int) -> Tensor:
    """spec "all_gather": result = concatenate(operands..., all_gather_dim)"""
    return concatenate(operands, all_gather_dim)


def all_reduce(operands: Sequence[Tensor], computation: Region) -> Tensor:
    """spec "all_reduce": result[i] = exec(schedule) over operands...[i]

    The schedule is `rules.fold`: from left to right in the order of the group.
    """

    def combine(lhs: Tensor, rhs: Tensor) -> Tensor:
        return elementwise(lambda x, y: apply(computation, (x,), (y,))[0], lhs, rhs)

    return fold([promoted((operand,), computation)[0] for operand in operands], combine)


def all_to_all(
    operands: Sequence[Tensor],
    receiver_index: int,
    split_dimension: int,
    concat_dimension: int,
    split_count: int,
) -> Tensor:
    """spec "all_to_all": result = concatenate(scattered_parts..., concat_dimension), where scattered_parts =
    [split(operand, split_count, split_dimension)[receiver_index] for operand of each sender]"""
    parts = [split(operand, split_count, split_dimension)[receiver_index] for operand in operands]
    return concatenate(parts, concat_dimension)


def collective_broadcast(operands: Sequence[Tensor], root: int) -> Tensor:
    """spec "collective_broadcast": result = operand of the source process, by default the first process of
    the group
    """
    return operands[root]


def reduce_scatter(
    operands: Sequence[Tensor], receiver_index: int, scatter_dimension: int, computation: Region
) -> Tensor:
    """spec "reduce_scatter": result = parts[receiver_index], where
    parts = split(all_reduce(operands..., computation), size(process_group), scatter_dimension)"""
    reduced = all_reduce(operands, computation)
    return split(reduced, len(operands), scatter_dimension)[receiver_index]


def cross_replica_sum(operands: Sequence[Tensor]) -> Tensor:
    """deprecated "cross-replica-sum": all_reduce by addition"""
    return fold(operands, add)


def partition_id(process: Process) -> Tensor:
    """spec "partition_id": result = partition_id of the process"""
    return constant(process.id.partition, UI32)


def replica_id(process: Process) -> Tensor:
    """spec "replica_id": result = replica_id of the process"""
    return constant(process.id.replica, UI32)


# Rendezvous -------------------------------------------------------------------------------------------


def channel_id(call: Call) -> int:
    """The `channel_id` of an operation; 0 without one."""
    if "channel_handle" in call.attributes:
        return call.attributes.read("channel_handle", ChannelHandle.read).handle
    return call.attributes.int_("channel_id", 0)


def groups_across_both(call: Call) -> list[ProcessGroup]:
    """spec `process_groups` of operations that may cross replicas and partitions."""
    grid, groups = call.process.grid, call.attributes.replica_groups()
    if "use_global_device_ids" in call.attributes:
        return list(grid.flattened_ids(groups))
    if channel_id(call) > 0:
        return list(grid.cross_replica_and_partition(groups))
    return list(grid.cross_replica(groups))


def groups_across_one(call: Call, pairs: Sequence[Sequence[int]] | None = None) -> list[ProcessGroup]:
    """spec `process_groups` of operations that cross either replicas or partitions."""
    grid = call.process.grid
    groups = call.attributes.replica_groups() if pairs is None else pairs
    return list(grid.cross_partition(groups) if channel_id(call) > 0 else grid.cross_replica(groups))


def own_group(call: Call, groups: Iterable[ProcessGroup]) -> ProcessGroup:
    """The group of the process.

    Raises:
      EvaluationError: no group contains the process.
    """
    group = _group_of(call, groups)
    if group is None:
        raise EvaluationError(
            f"replica_groups must cover every process, got none with process {call.process.id}"
        )
    return group


def _group_of(call: Call, groups: Iterable[ProcessGroup]) -> ProcessGroup | None:
    return next((group for group in groups if call.process.id in group), None)


def gather_from_group(call: Call, group: ProcessGroup, values: Values | None = None) -> list[Values]:
    """The operands (or other values) of each process of a group, in order, after their rendezvous."""
    process, attributes = call.process, call.attributes
    shown = tuple(str(attributes.raw(name)) for name in sorted(_SHARED) if name in attributes)
    signature = (call.name, channel_id(call), call.operand_types, call.result_types, shown)
    own = call.operands if values is None else values
    arrival = Arrival(process.program, attributes.position(), own)
    return process.communication.rendezvous(process.id, group, signature, arrival)


# Attributes that must agree at a rendezvous of processes of different programs.
_SHARED = (
    *("all_gather_dim", "concat_dimension", "replica_groups", "scatter_dimension", "source_target_pairs"),
    *("split_count", "split_dimension"),
)


def _columns(gathered: Sequence[Values]) -> list[Tensors]:
    """The tensors of all processes, for each operand."""
    return [tuple(map(as_tensor, column)) for column in zip(*gathered, strict=True)]


def _gathered(call: Call, size: int | None = None) -> tuple[int, list[Tensors]]:
    """The position of the process in its group, and operands@process_group."""
    group = own_group(call, groups_across_both(call))
    _require_size(group, size)
    return group.index(call.process.id), _columns(gather_from_group(call, group))


def _require_size(group: ProcessGroup, size: int | None) -> None:
    if size is not None and len(group) != size:
        raise EvaluationError(f"groups must have {size} processes, as the types require, got {len(group)}")


def _ratio(larger: int, smaller: int) -> int | None:
    """The number of processes whose shards form a dimension; None if the sizes do not determine it."""
    return larger // smaller if larger > 0 and smaller > 0 else None


def call_all_gather(call: Call) -> Values:
    dimension = call.attributes.int_("all_gather_dim")
    size = _ratio(call.result().dims[dimension], call.tensor().shape[dimension])
    return tuple([all_gather(operands, dimension) for operands in _gathered(call, size)[1]])


def call_all_reduce(call: Call) -> Values:
    return tuple([all_reduce(operands, call.regions[0]) for operands in _gathered(call)[1]])


def call_reduce_scatter(call: Call) -> Tensor:
    dimension = call.attributes.int_("scatter_dimension")
    size = _ratio(call.tensor().shape[dimension], call.result().dims[dimension])
    index, (operands,) = _gathered(call, size)
    return reduce_scatter(operands, index, dimension, call.regions[0])


def call_cross_replica_sum(call: Call) -> Tensor:
    group = own_group(call, call.process.grid.cross_replica(call.attributes.replica_groups()))
    return cross_replica_sum(_columns(gather_from_group(call, group))[0])


def call_all_to_all(call: Call) -> Values:
    names = ("split_dimension", "concat_dimension", "split_count")
    attributes = [call.attributes.int_(name) for name in names]
    group = own_group(call, groups_across_one(call))
    _require_size(group, attributes[-1])
    index = group.index(call.process.id)
    return tuple(
        [all_to_all(operand, index, *attributes) for operand in _columns(gather_from_group(call, group))]
    )


def call_collective_broadcast(call: Call) -> Values:
    group = _group_of(call, groups_across_one(call))
    if group is None:
        return _zeros(call)
    operands = _columns(gather_from_group(call, group))[: len(call.result_types)]
    return tuple(map(collective_broadcast, operands, _roots(call, group)))


def call_collective_permute(call: Call) -> Tensor:
    """spec "collective_permute": result = operand@source for the pair (source, process), 0 without a pair"""
    pairs = groups_across_one(call, call.attributes.pairs("source_target_pairs", ()))
    process, result = call.process.id, zero_result(call, 0, call.tensor().shape)
    for source, target in pairs:
        if process in (source, target):
            operands = _columns(gather_from_group(call, (source, target)))[0]
            result = operands[0] if process == target else result
    return result


def call_collective_reduce(call: Call) -> Values:
    """spec "collective_reduce": results = all_reduce(operands...) in the root of the group, 0 in all
    others
    """
    is_global = "use_global_device_ids" in call.attributes
    group = _group_of(call, groups_across_both(call) if is_global else groups_across_one(call))
    if group is None:
        return _zeros(call)
    operands = _columns(gather_from_group(call, group))[: len(call.result_types)]
    index, computation = group.index(call.process.id), call.regions[0]
    return tuple(
        all_reduce(operand, computation) if root == index else zero
        for operand, root, zero in zip(operands, _roots(call, group), _zeros(call), strict=True)
    )


def _zeros(call: Call) -> Tensors:
    count = len(call.result_types)
    return tuple([zero_result(call, i, call.tensor(i).shape) for i in range(count)])


def _roots(call: Call, group: ProcessGroup) -> list[int]:
    """The position of the root of each result in the group."""
    count = len(call.result_types)
    if "has_dynamic_root" not in call.attributes:
        return [0] * count
    roots = list(integers(call.tensor(count)))
    if any(not 0 <= root < len(group) for root in roots):
        raise EvaluationError(f"roots must be below {len(group)}, the size of the group, got {roots}")
    return roots
