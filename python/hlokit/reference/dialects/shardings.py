"""Shardy's operations, which describe the distribution of tensors among devices and do not change whole
tensors.

Source: the representation of shardings in the documentation of Shardy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from hlokit.errors import EvaluationError
from hlokit.mlir.conversion.shardings import ManualComputation, Split
from hlokit.reference.model.calls import Call, Values
from hlokit.reference.model.grid import Communication, Process, ProcessGrid, ProcessId, run_processes
from hlokit.reference.model.tensors import Tensors, add, as_tensor, build, constant, index_space
from hlokit.reference.stablehlo import elementwise
from hlokit.reference.stablehlo.collectives import gather_from_group
from hlokit.reference.stablehlo.slicing import slice_
from hlokit.values.tensor import Tensor


def piece(operand: Tensor, split: Split, position: int) -> Tensor:
    """The piece of a tensor that the device at a position of the mesh holds; the first device of a sum holds
    the sum, the others zeros."""
    if split.terms and split.terms[position]:
        operand = constant(0, operand.element_type, operand.shape)
    if any(size % count for size, count in zip(operand.shape, split.counts, strict=True)):
        raise EvaluationError(f"shape {operand.shape} must be divisible into {split.counts} equal pieces")
    sizes = [size // count for size, count in zip(operand.shape, split.counts, strict=True)]
    start = tuple([size * number for size, number in zip(sizes, split.pieces[position], strict=True)])
    limit = tuple([first + size for first, size in zip(start, sizes, strict=True)])
    return slice_(operand, start, limit, (1,) * operand.rank)


def joined(pieces: Sequence[Tensor], split: Split, places: Sequence[int]) -> Tensor:
    """The tensor joined from the pieces of devices; a sum is that of its terms in order."""
    terms = [
        _assembled([pieces[index] for index in indices], split, [places[index] for index in indices])
        for indices in split.positions_by_term(places)
    ]
    return reduce(elementwise.add, terms)


def _assembled(pieces: Sequence[Tensor], split: Split, places: Sequence[int]) -> Tensor:
    """The tensor of the pieces of devices; the first of several devices with a piece provides it."""
    first = pieces[0]
    if any(part.shape != first.shape for part in pieces):
        raise EvaluationError("devices must return pieces of equal shapes")
    shape = tuple([size * count for size, count in zip(first.shape, split.counts, strict=True)])
    whole = build(shape, first.element_type, lambda _: next(first.elements()))
    for part, position in zip(reversed(pieces), reversed(places), strict=True):
        numbers = zip(first.shape, split.pieces[position], strict=True)
        corner = tuple([size * number for size, number in numbers])
        for index in index_space(part.shape):
            whole[add(corner, index)] = part[index]
    return whole


def manual_computation(call: Call, manual: ManualComputation) -> Values:
    """sdy "manual_computation": results = body(operands...) on the pieces of each device of a mesh; the
    results are joined

    Devices are the partitions of a process grid. In the body of another manual computation, which splits
    along other axes, the devices are the existing partitions: each device takes pieces of its own pieces.
    """
    (body,) = call.regions
    if len(manual.devices) == 1:
        return body(*call.operands)
    if len(call.process.grid.process_ids) == 1:
        return _on_own_grid(call, manual)
    if call.process.grid.num_partitions != len(manual.devices):
        raise EvaluationError(
            f"the mesh must have a device for each of {call.process.grid.num_partitions} partitions, "
            f"got {len(manual.devices)}"
        )
    own = manual.devices.index(call.process.id.partition)
    places = next(group for group in manual.groups if own in group)
    group = tuple(ProcessId(call.process.id.replica, manual.devices[position]) for position in places)
    returned = gather_from_group(call, group, body(*_pieces_at(call, manual, own)))
    return _all_joined(manual, places, returned)


def _on_own_grid(call: Call, manual: ManualComputation) -> Values:
    """Evaluate the devices as the processes of a new grid."""
    grid = ProcessGrid(1, len(manual.devices))

    def make(id_: ProcessId, communication: Communication) -> Callable[[], Values]:
        device = Process(id_, grid, communication, call.process.execution, call.process.program)
        position = manual.devices.index(id_.partition)
        return partial(call.regions[0].on(device), *_pieces_at(call, manual, position))

    returned = run_processes(grid, make)
    places = range(len(manual.devices))
    return _all_joined(manual, places, [returned[device] for device in manual.devices])


def _pieces_at(call: Call, manual: ManualComputation, position: int) -> Tensors:
    pairs = zip(call.tensors, manual.operands, strict=True)
    return tuple([piece(operand, split, position) for operand, split in pairs])


def _all_joined(manual: ManualComputation, places: Sequence[int], returned: Sequence[Values]) -> Values:
    columns = [tuple(map(as_tensor, column)) for column in zip(*returned, strict=True)]
    return tuple(
        [joined(pieces, split, places) for pieces, split in zip(columns, manual.results, strict=True)]
    )


def unchanged(call: Call) -> Values:
    """results = operands: another sharding keeps the global value."""
    return call.operands


def named_computation(call: Call) -> Values:
    """results = body(operands...)"""
    return call.regions[0](*call.operands)


def sharding_group(call: Call) -> Values:
    """Tensors of one group have the same sharding; no results."""
    del call
    return ()
