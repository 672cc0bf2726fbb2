"""Collective operations: the processes of a group exchange operands, and each computes its results.

Processes on threads share values that one of them computes for all, since no kernel writes to a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.canonical_nan import with_canonical_nans
from hlokit.engine.contract.process import Collective, Process, Reduction, Values
from hlokit.engine.contract.process_groups import GroupMode, ProcessGroup, ReplicaGroups, connected
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Operation, Value, find
from hlokit.engine.grid.threads import current_process
from hlokit.errors import EvaluationError
from hlokit.kernels.contractions.compensated import fold_arrays
from hlokit.kernels.regions.reducers import Reducer, find_reducer, float_sum, in_pairs
from hlokit.mlir.conversion.dimension_numbers import ChannelHandle
from hlokit.values.types import TensorType

T = TypeVar("T")
Array = npt.NDArray[Any]
# Reduces arrays from left to right; the second argument contains the values that the computation captures.
Fold = Callable[[Sequence[Value], Sequence[Value]], Value]


def all_gather(operation: Operation) -> Kernel:
    """spec "all_gather": results... = concatenate(operands...@process_group, all_gather_dim)."""
    dimension = operation.attributes.int_("all_gather_dim")
    collective = _collective(operation, "all_gather_dim", "replica_groups")
    groups = ReplicaGroups(_mode_across_both(operation), operation.attributes.replica_groups())
    size = _size_ratio(operation.result(), operation.operand(), dimension)

    def combine(operands: list[Values]) -> Values:
        return tuple([np.concatenate(arrays, dimension) for arrays in zip(*operands, strict=True)])

    def kernel(*operands: Value) -> Values:
        process = current_process()
        group = _own_group(process, groups, size)
        return process.all_gather(collective, group, operands, combine)

    return Kernel(_one_or_all(kernel, operation))


def all_reduce(operation: Operation) -> Kernel:
    """spec "all_reduce": results... = exec(schedule) over operands...@process_group.

    The schedule runs from left to right in the order of the group; each step rounds like the computation.
    """
    groups = ReplicaGroups(_mode_across_both(operation), operation.attributes.replica_groups())
    return _all_reduce(operation, groups, *_fold(operation))


def cross_replica_sum(operation: Operation) -> Kernel:
    """spec (deprecated): all_reduce by addition, within groups of replicas."""
    type_ = operation.operand()
    bind = find("stablehlo.add")
    add = bind(Operation("stablehlo.add", (type_, type_), (type_,), operation.attributes)) if bind else None
    assert isinstance(add, Kernel), "stablehlo.add is registered"
    function = with_canonical_nans(add.function, (type_,))

    def fold(arrays: Sequence[Value], captured: Sequence[Value]) -> Value:
        total, *rest = arrays
        for array in rest:
            total = function(total, array)
        return total

    groups = ReplicaGroups(GroupMode.CROSS_REPLICA, operation.attributes.replica_groups())
    if operation.is_precise and (reducer := float_sum(type_.element_type)) is not None:
        return _all_reduce(operation, groups, *_precise_fold(reducer.precise()))
    reduction = Reduction(lambda arrays: fold(arrays, ()), type_.element_type.dtype, add.ufunc)
    return _all_reduce(operation, groups, fold, reduction)


def _all_reduce(operation: Operation, groups: ReplicaGroups, fold: Fold, reduction: Reduction) -> Kernel:
    count = len(operation.operand_types)
    collective = _collective(operation, "replica_groups")

    def kernel(*operands: Value) -> Values:
        process = current_process()
        return process.all_reduce(collective, _own_group(process, groups), operands, reduction)

    def capturing_kernel(*values: Value) -> Values:
        # Captured values may differ between processes.
        process = current_process()
        operands = process.all_gather(collective, _own_group(process, groups), values[:count])
        return tuple([fold(arrays, values[count:]) for arrays in zip(*operands, strict=True)])

    return Kernel(_one_or_all(capturing_kernel if operation.capture_count else kernel, operation))


def reduce_scatter(operation: Operation) -> Kernel:
    """spec "reduce_scatter": result = split(all_reduce(operand), scatter_dimension)[receiver_index]."""
    dimension = operation.attributes.int_("scatter_dimension")
    collective = _collective(operation, "scatter_dimension", "replica_groups")
    groups = ReplicaGroups(_mode_across_both(operation), operation.attributes.replica_groups())
    size = _size_ratio(operation.operand(), operation.result(), dimension)
    fold, reduction = _fold(operation)

    def kernel(operand: Value, *captured: Value) -> Value:
        process = current_process()
        group = _own_group(process, groups, size)
        _require_shards(operand, dimension, len(group))
        # A reduction is elementwise, so each process reduces only its own shard.
        if not captured:
            return process.reduce_scatter(collective, group, operand, dimension, reduction)
        shards = process.all_to_all(collective, group, (operand,), dimension)
        return fold([array for (array,) in shards], captured)

    return Kernel(kernel)


def all_to_all(operation: Operation) -> Kernel:
    """spec "all_to_all": results... = concatenate([split(operands...@sender, split_count,
    split_dimension)[receiver_index] for sender in process_group], concat_dimension)."""
    split_dimension = operation.attributes.int_("split_dimension")
    concat_dimension = operation.attributes.int_("concat_dimension")
    split_count = operation.attributes.int_("split_count")
    collective = _collective(
        operation, "split_dimension", "concat_dimension", "split_count", "replica_groups"
    )
    groups = ReplicaGroups(_mode_across_one(operation), operation.attributes.replica_groups())

    def kernel(*operands: Value) -> Values:
        process = current_process()
        group = _own_group(process, groups, split_count)
        shards = process.all_to_all(collective, group, operands, split_dimension)
        return tuple([np.concatenate(arrays, concat_dimension) for arrays in zip(*shards, strict=True)])

    return Kernel(_one_or_all(kernel, operation))


def collective_broadcast(operation: Operation) -> Kernel:
    """spec "collective_broadcast": results... = operands...@source, where the source is the group's first
    process, or the process that the last operand names; 0 in processes of no group.
    """
    collective = _collective(operation, "replica_groups")
    groups = ReplicaGroups(_mode_across_one(operation), operation.attributes.replica_groups())
    count = len(operation.result_types)
    roots_of = _roots(operation)

    def kernel(*operands: Value) -> Values:
        process = current_process()
        group = process.group(groups)
        if group is None:
            return _zeros(operation, operands)
        return process.broadcast(collective, group, operands[:count], roots_of(operands, group))

    return Kernel(_one_or_all(kernel, operation))


def collective_permute(operation: Operation) -> Kernel:
    """spec "collective_permute": result = operand@source for the pair (source, process), or 0."""
    collective = _collective(operation, "source_target_pairs")
    pairs = operation.attributes.pairs("source_target_pairs", ())
    groups = ReplicaGroups(_mode_across_one(operation), pairs, "source_target_pairs")

    def kernel(operand: Value) -> Value:
        process = current_process()
        process_groups = process.groups(groups)
        # A process may be in two pairs, so all processes that pairs connect wait for each other.
        participants = connected(process_groups, process.id)
        if not participants:
            return np.zeros_like(operand)
        received = process.permute(collective, participants, operand, process_groups)
        return np.zeros_like(operand) if received is None else received

    return Kernel(kernel)


def collective_reduce(operation: Operation) -> Kernel:
    """spec "collective_reduce": results... = all_reduce(operands...) in the group's first process, or in the
    process that the last operand names; 0 in all others.
    """
    count = len(operation.result_types)
    operand_count = len(operation.operand_types)
    collective = _collective(operation, "replica_groups")
    is_global = "use_global_device_ids" in operation.attributes
    mode = GroupMode.FLATTENED_IDS if is_global else _mode_across_one(operation)
    groups = ReplicaGroups(mode, operation.attributes.replica_groups())
    roots_of = _roots(operation)
    fold, reduction = _fold(operation)

    def kernel(*values: Value) -> Values:
        operands, captured = values[:operand_count], values[operand_count:]
        process = current_process()
        group = process.group(groups)
        if group is None:
            return _zeros(operation, operands)
        roots = roots_of(operands, group)
        index = group.index(process.id)
        zeros = _zeros(operation, operands)
        if captured:
            gathered = process.all_gather(collective, group, operands[:count])
            reduced = [
                fold(arrays, captured) if root == index else None
                for arrays, root in zip(zip(*gathered, strict=True), roots, strict=True)
            ]
        else:
            reduced = process.all_reduce(collective, group, operands[:count], reduction)
        return tuple([reduced[i] if roots[i] == index else zeros[i] for i in range(count)])

    return Kernel(_one_or_all(kernel, operation))


def partition_id(operation: Operation) -> Kernel:
    """spec "partition_id": result = partition_id of the process."""
    return Kernel(lambda: np.uint32(current_process().id.partition))


def replica_id(operation: Operation) -> Kernel:
    """spec "replica_id": result = replica_id of the process."""
    return Kernel(lambda: np.uint32(current_process().id.replica))


# Groups -------------------------------------------------------------------------------------------


def channel_id(operation: Operation) -> int:
    """The `channel_id` of an operation; 0 without one."""
    attributes = operation.attributes
    if "channel_handle" in attributes:
        return attributes.read("channel_handle", ChannelHandle.read).handle
    return attributes.int_("channel_id", 0)


def _collective(operation: Operation, *attributes: str) -> Collective:
    shown = tuple(str(operation.attributes.raw(name)) for name in attributes if name in operation.attributes)
    bodies = tuple([(body.binary, body.returned_argument) for body in operation.regions])
    signature = (operation.name, operation.operand_types, operation.result_types, shown, bodies)
    is_dynamic = any(
        isinstance(type_, TensorType) and not type_.is_static for type_ in operation.operand_types
    )
    return Collective(channel_id(operation), signature, operation.attributes.position, is_dynamic)


def _mode_across_both(operation: Operation) -> GroupMode:
    """The group mode of operations that may cross both replicas and partitions."""
    if "use_global_device_ids" in operation.attributes:
        return GroupMode.FLATTENED_IDS
    return GroupMode.CROSS_REPLICA_AND_PARTITION if channel_id(operation) > 0 else GroupMode.CROSS_REPLICA


def _mode_across_one(operation: Operation) -> GroupMode:
    """The group mode of operations that cross either replicas or partitions."""
    return GroupMode.CROSS_PARTITION if channel_id(operation) > 0 else GroupMode.CROSS_REPLICA


def _own_group(process: Process, groups: ReplicaGroups, size: int | None = None) -> ProcessGroup:
    """The group of a process, checked against the size that the operation's types require."""
    group = process.group(groups)
    if group is None:
        raise EvaluationError(f"{groups.name} must cover every process, got none with process {process.id}")
    if size is not None and len(group) != size:
        raise EvaluationError(
            f"{groups.name} must form groups of {size} processes, as the types require, got {len(group)} "
            f"({groups.mode.value} in a process grid of {process.grid.replicas} x {process.grid.partitions})"
        )
    return group


def _require_shards(operand: Value, dimension: int, count: int) -> None:
    """Check that a dimension, whose size may be known at run time only, has equal shards for all."""
    size = np.shape(operand)[dimension]
    if size % count:
        raise EvaluationError(f"dimension {dimension} of an operand must be divisible by {count}, got {size}")


def _size_ratio(larger: TensorType, smaller: TensorType, dimension: int) -> int | None:
    """The number of processes from which a dimension is gathered; None if the types do not determine it."""
    if larger.shape is None or smaller.shape is None:
        return None
    whole, part = larger.shape[dimension], smaller.shape[dimension]
    return whole // part if whole > 0 and part > 0 else None


def _roots(operation: Operation) -> Callable[[Values, ProcessGroup], list[int]]:
    """A function from operands and group to the index in the group of each result's root."""
    count = len(operation.result_types)
    if "has_dynamic_root" not in operation.attributes:
        return lambda operands, group: [0] * count

    def roots_of(operands: Values, group: ProcessGroup) -> list[int]:
        roots = [int(root) for root in np.ravel(operands[count])]
        for root in roots:
            if not 0 <= root < len(group):
                raise EvaluationError(f"root must be below {len(group)}, the size of the group, got {root}")
        return roots

    return roots_of


# Values -------------------------------------------------------------------------------------------


def _one_or_all(kernel: Callable[..., Values], operation: Operation) -> Callable[..., Any]:
    """The kernel with results in the form of the registry: a single value, or a tuple."""
    return kernel if len(operation.result_types) != 1 else lambda *operands: kernel(*operands)[0]


def _zeros(operation: Operation, operands: Values) -> Values:
    """Zeros in the shape of the operands."""
    types = [operation.result(i) for i in range(len(operation.result_types))]
    return tuple(
        [
            np.zeros(np.shape(value), type_.element_type.dtype)
            for value, type_ in zip(operands, types, strict=False)
        ]
    )


def _fold(operation: Operation) -> tuple[Fold, Reduction]:
    """A fold of arrays of one shape and captured values: body(body(first, second), third) ..., elementwise.

    Also returns the fold as a reduction, for bodies that capture nothing.
    """
    body = operation.regions[0]
    (type_, _) = body.argument_types
    assert isinstance(type_, TensorType), "a computation takes tensors"
    dtype = type_.element_type.dtype
    apply = _whole(body) if body.is_pointwise else _loop(body, dtype)

    reducer = find_reducer(body)
    if operation.is_precise and reducer is not None and reducer.rounds:
        return _precise_fold(reducer.precise())

    def fold(arrays: Sequence[Value], captured: Sequence[Value]) -> Value:
        total, *rest = [array.astype(dtype, copy=False) for array in arrays]
        for array in rest:
            if array.shape != total.shape:
                raise EvaluationError(
                    f"operands of all processes must have one shape, got {total.shape} and {array.shape}"
                )
            if not operation.is_pairwise:
                total = apply(total, array, captured)
        if operation.is_pairwise:
            typed = [total, *rest]
            return in_pairs(
                lambda one, other: apply(one, other, captured), typed.__getitem__, range(len(typed))
            )
        return total

    ufunc = None if reducer is None or operation.is_pairwise else reducer.ufunc
    return fold, Reduction(lambda arrays: fold(arrays, ()), dtype, ufunc)


def _precise_fold(reducer: Reducer) -> tuple[Fold, Reduction]:
    """The fold of a sum or product that is rounded once."""
    ufunc, dtype = reducer.ufunc, reducer.dtype

    def fold(arrays: Sequence[Value], captured: Sequence[Value] = ()) -> Value:
        del captured
        typed = [np.asarray(array).astype(dtype, copy=False) for array in arrays]
        shapes = {array.shape for array in typed}
        if len(shapes) > 1:
            first, second, *_ = sorted(shapes)
            raise EvaluationError(f"operands of all processes must have one shape, got {first} and {second}")
        if reducer.is_compensated:
            return fold_arrays(ufunc, typed)
        return reducer.narrow(ufunc.reduce(np.stack(list(map(reducer.widen, typed)))))

    return fold, Reduction(fold, dtype, None)


def _whole(body: Region) -> Callable[[Value, Value, Sequence[Value]], Value]:
    """A pointwise body as a function of two arrays and captured values."""
    compute = body.vectorized

    def apply(lhs: Value, rhs: Value, captured: Sequence[Value]) -> Value:
        result = compute(lhs, rhs, *captured)
        return result if np.shape(result) == lhs.shape else np.broadcast_to(result, lhs.shape)

    return apply


def _loop(body: Region, dtype: np.dtype[np.generic]) -> Callable[[Value, Value, Sequence[Value]], Value]:
    """A body, called for each element, as a function of two arrays and captured values."""

    def apply(lhs: Value, rhs: Value, captured: Sequence[Value]) -> Value:
        result = np.empty(lhs.shape, dtype)
        for index in np.ndindex(lhs.shape):
            result[index] = body(lhs[index], rhs[index], *captured)
        return result

    return apply
