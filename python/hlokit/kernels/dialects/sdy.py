"""Shardy's operations, which describe the sharding of tensors among devices.

These operations do not change the global value of a tensor. Partitioned programs do not contain them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce
from operator import add

import numpy as np

from hlokit.engine.contract.canonical_nan import with_canonical_nans
from hlokit.engine.contract.process import Collective, ProcessRun, Values
from hlokit.engine.contract.process_groups import ProcessId
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, KernelFunction, Operation, Value
from hlokit.engine.grid.threads import current_process, run_processes
from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.shardings import ManualComputation, Split


def _same(operand: Value) -> Value:
    return operand


def _nothing(*_: Value) -> tuple[()]:
    return ()


def marker(operation: Operation) -> Kernel:
    """result = operand: resharding keeps the global value."""
    return Kernel(_same, pointwise=True, source="{0}")


def sharding_group(operation: Operation) -> Kernel:
    """Tensors of one group have the same sharding; no results."""
    return Kernel(_nothing)


def named_computation(operation: Operation) -> Kernel:
    """results = body(operands...)."""
    (body,) = operation.regions
    return Kernel(body)


def manual_computation(operation: Operation) -> Kernel:
    """results = body(operands...) on the shards of each device of a mesh; the global results are joined.

    Devices are the partitions of a process grid. Inside the body of another manual computation, which splits
    along other axes, the existing devices run the body: each device takes shards of its own shards. Devices
    that differ only along axes that are not manual compute the same values. An operand that is the sum of the
    devices' values is whole on the first device of the sum, and zero on the others.
    """
    (body,) = operation.regions
    manual = operation.attributes.manual_computation()
    count = len(manual.devices)
    if count == 1:
        return Kernel(body)
    return Kernel(_ManualComputation(operation, body, manual).run)


class _ManualComputation:
    """The kernel of a manual computation on several devices."""

    def __init__(self, operation: Operation, body: Region, manual: ManualComputation) -> None:
        self._body, self._manual = body, manual
        signature = (operation.name, operation.operand_types, operation.result_types)
        self._collective = Collective(0, signature, operation.attributes.position)
        self._positions = {device: position for position, device in enumerate(manual.devices)}
        self._is_single = len(operation.result_types) == 1
        self._sums = [with_canonical_nans(add, (type_,)) for type_ in operation.result_types]

    def run(self, *operands: Value) -> Value:
        process, devices = current_process(), self._manual.devices
        grid, count = process.grid, len(devices)
        if len(grid.ids) == 1:
            returned = run_processes(1, count, [ProcessRun(self._on_device, operands)] * count)
            results = self._join(range(count), [returned[device] for device in devices])
        else:
            if grid.partitions != count:
                raise EvaluationError(
                    f"the mesh must have a device for each of {grid.partitions} partitions, got {count}"
                )
            own = self._positions[process.id.partition]
            positions = next(group for group in self._manual.groups if own in group)
            group = tuple(ProcessId(process.id.replica, devices[position]) for position in positions)
            join = partial(self._join, positions)
            results = process.all_gather(self._collective, group, self._on_device(*operands), join)
        return results[0] if self._is_single else results

    def _on_device(self, *operands: Value) -> Values:
        """The results of the body on the shards of the device that calls this function."""
        position = self._positions[current_process().id.partition]
        splits = self._manual.operands
        pieces = [_piece(operand, split, position) for operand, split in zip(operands, splits, strict=True)]
        returned = self._body(*pieces)
        return (returned,) if self._is_single else returned

    def _join(self, positions: Sequence[int], returned: Sequence[Values]) -> Values:
        """The global results, from those of the devices at some positions of the mesh."""
        columns = zip(*returned, strict=True)
        return tuple(
            _joined(pieces, split, positions, sum_)
            for pieces, split, sum_ in zip(columns, self._manual.results, self._sums, strict=True)
        )


def _piece(operand: Value, split: Split, position: int) -> Value:
    if split.terms and split.terms[position]:
        operand = np.zeros_like(operand)[()]
    if max(split.counts, default=1) == 1:
        return operand
    slices: list[slice] = []
    for size, count, piece in zip(operand.shape, split.counts, split.pieces[position], strict=True):
        if size % count:
            raise EvaluationError(
                f"a dimension of {size} elements must be split into equal pieces, got {count}"
            )
        slices.append(slice(size // count * piece, size // count * (piece + 1)))
    return operand[tuple(slices)]


def _joined(pieces: Sequence[Value], split: Split, positions: Sequence[int], sum_: KernelFunction) -> Value:
    """The global tensor, which may be the sum of terms in order."""
    terms = [
        _assembled([pieces[index] for index in indices], split, [positions[index] for index in indices])
        for indices in split.positions_by_term(positions)
    ]
    return reduce(sum_, terms)


def _assembled(pieces: Sequence[Value], split: Split, positions: Sequence[int]) -> Value:
    """The tensor of shards, from the first of all devices with the same shard."""
    first = pieces[0]
    if max(split.counts, default=1) == 1:
        return first
    shapes = {piece.shape for piece in pieces}
    if len(shapes) > 1:
        raise EvaluationError(f"devices must return pieces of one shape, got {sorted(shapes)}")
    whole = np.empty(
        [size * count for size, count in zip(first.shape, split.counts, strict=True)], first.dtype
    )
    for piece, position in zip(reversed(pieces), reversed(positions), strict=True):
        at = zip(first.shape, split.pieces[position], strict=True)
        whole[tuple(slice(size * number, size * (number + 1)) for size, number in at)] = piece
    return whole
