"""hlokit's collective operations, implemented with MPI's collectives.

All participants have arrived at the same operation, with operands of the same element types, and know the
shapes of all operands.

MPI may reduce in any order. Therefore MPI's operations reduce only integers and booleans, for which all
orders give the same result. Floats and complex numbers are reduced as on threads, from left to right with a
rounding at each step; MPI does not define its maximum and minimum for NaN and for zeros of both signs. Each
participant reduces a piece of a large array, and all gather the pieces: MPI's own reduction would move as
much data.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.process import Reduction, Values, shard
from hlokit.engine.contract.registry import Value
from hlokit.engine.grid.mpi.transport import MPI, wait_for

Array = npt.NDArray[Any]
Bytes = npt.NDArray[np.uint8]
Shape = tuple[int, ...]

# Every process reduces smaller arrays itself, with one exchange instead of two.
_PIECEWISE_BYTES = 1 << 14


class _Native(NamedTuple):
    """An operation of MPI, and whether it distinguishes signed integers."""

    operation: MPI.Op
    signed: bool = False


_OF_INTEGERS: dict[np.ufunc, _Native] = {
    # Unsigned, because unsigned integers wrap in C; overflow of signed integers is undefined.
    np.add: _Native(MPI.SUM),
    np.multiply: _Native(MPI.PROD),
    np.maximum: _Native(MPI.MAX, signed=True),
    np.minimum: _Native(MPI.MIN, signed=True),
    np.bitwise_and: _Native(MPI.BAND),
    np.bitwise_or: _Native(MPI.BOR),
    np.bitwise_xor: _Native(MPI.BXOR),
}
# On the bytes 0 and 1.
_OF_BOOLEANS: dict[np.ufunc, _Native] = {
    np.logical_or: _Native(MPI.BOR),
    np.logical_and: _Native(MPI.BAND),
    np.bitwise_xor: _Native(MPI.BXOR),
}


def _native(reduction: Reduction) -> tuple[MPI.Op, np.dtype[Any]] | None:
    """MPI's operation with the same results as the reduction, and its dtype; None if there is none."""
    dtype, ufunc = reduction.dtype, reduction.ufunc
    if ufunc is None or dtype.isbuiltin != 1:
        return None
    if dtype.kind == "b":
        native = _OF_BOOLEANS.get(ufunc)
        return None if native is None else (native.operation, np.dtype(np.uint8))
    if dtype.kind not in "iu":
        return None
    native = _OF_INTEGERS.get(ufunc)
    if native is None:
        return None
    return native.operation, dtype if native.signed else np.dtype(f"u{dtype.itemsize}")


def reduction_kind(reduction: Reduction) -> tuple[str, str | None]:
    """A key that must be equal in all processes that call `all_reduce` or `reduce_scatter`."""
    native = _native(reduction)
    return str(reduction.dtype), reduction.ufunc.__name__ if native and reduction.ufunc else None


def all_gather(comm: MPI.Intracomm, operands: Values, shapes: Sequence[Sequence[Shape]]) -> list[Values]:
    """The operands of all participants (Allgatherv).

    Args:
      shapes: the shapes of the operands of each participant.
    """
    requests: list[MPI.Request] = []
    columns: list[list[Array]] = []
    kept: list[Bytes] = []
    for i, operand in enumerate(operands):
        dtype, shapes_of_one = np.asarray(operand).dtype, [of_one[i] for of_one in shapes]
        counts = [dtype.itemsize * prod(shape) for shape in shapes_of_one]
        received, sent = np.empty(sum(counts), np.uint8), _bytes(operand)
        kept.append(sent)
        requests.append(comm.Iallgatherv([sent, MPI.BYTE], [received, counts, _starts(counts), MPI.BYTE]))
        columns.append(_arrays(received, counts, dtype, shapes_of_one))
    wait_for(requests)
    return [tuple([column[rank] for column in columns]) for rank in range(comm.size)]


def all_to_all(
    comm: MPI.Intracomm, operands: Values, shapes: Sequence[Sequence[Shape]], dimension: int
) -> list[Values]:
    """This process's shard of each participant's operands (Alltoallv); see `Process.all_to_all`."""
    requests: list[MPI.Request] = []
    columns: list[list[Array]] = []
    kept: list[Bytes] = []
    for i, operand in enumerate(operands):
        shard_shapes = [_shard_shape(of_one[i], dimension, comm.size) for of_one in shapes]
        pieces = [_bytes(shard(operand, dimension, rank, comm.size)) for rank in range(comm.size)]
        counts = [operand.dtype.itemsize * prod(shape) for shape in shard_shapes]
        sent, received = np.concatenate(pieces), np.empty(sum(counts), np.uint8)
        kept.append(sent)
        requests.append(_exchange(comm, sent, [piece.size for piece in pieces], received, counts))
        columns.append(_arrays(received, counts, operand.dtype, shard_shapes))
    wait_for(requests)
    return [tuple([column[rank] for column in columns]) for rank in range(comm.size)]


def all_reduce(comm: MPI.Intracomm, operand: Value, shapes: Sequence[Shape], reduction: Reduction) -> Value:
    """The reduction of all operands (Allreduce, or Alltoallv and Allgatherv, or Allgatherv)."""
    array = np.asarray(operand).astype(reduction.dtype, copy=False)
    native = _native(reduction)
    are_equal = all(shape == array.shape for shape in shapes)
    if are_equal and native is not None:
        operation, dtype = native
        sent = np.ascontiguousarray(array).reshape(-1).view(dtype)
        received = np.empty_like(sent)
        wait_for([comm.Iallreduce(sent, received, operation)])
        result: npt.NDArray[Any] = received.view(reduction.dtype)
        return result.reshape(array.shape)
    if not are_equal or array.nbytes < _PIECEWISE_BYTES:
        gathered = all_gather(comm, (array,), [(shape,) for shape in shapes])
        return reduction.fold([of_one for (of_one,) in gathered])
    return _reduce_piecewise(comm, array, reduction)


def _reduce_piecewise(comm: MPI.Intracomm, array: Array, reduction: Reduction) -> Array:
    flat = np.ascontiguousarray(array).reshape(-1)
    limits = [array.size * rank // comm.size for rank in range(comm.size + 1)]
    sizes = [end - start for start, end in pairwise(limits)]
    own, width = sizes[comm.rank], array.dtype.itemsize
    received = np.empty(own * width * comm.size, np.uint8)
    counts = [own * width] * comm.size
    wait_for([_exchange(comm, _bytes(flat), [size * width for size in sizes], received, counts)])
    pieces = _arrays(received, counts, array.dtype, [(own,)] * comm.size)
    reduced = np.asarray(reduction.fold(pieces))
    (whole,) = zip(*all_gather(comm, (reduced,), [((size,),) for size in sizes]), strict=True)
    return np.concatenate(whole).reshape(array.shape)


def reduce_scatter(
    comm: MPI.Intracomm, operand: Value, shapes: Sequence[Shape], dimension: int, reduction: Reduction
) -> Value:
    """The reduction of this process's shards of all operands (Reduce_scatter, or Alltoallv)."""
    native = _native(reduction)
    if native is None or any(shape != operand.shape for shape in shapes):
        received = all_to_all(comm, (operand,), [(shape,) for shape in shapes], dimension)
        return reduction.fold([array for (array,) in received])
    operation, dtype = native
    array = operand.astype(reduction.dtype, copy=False)
    pieces = [_bytes(shard(array, dimension, rank, comm.size)) for rank in range(comm.size)]
    sent = np.concatenate(pieces).view(dtype)
    result = np.empty(sent.size // comm.size, dtype)
    wait_for([comm.Ireduce_scatter_block(sent, result, operation)])
    return result.view(reduction.dtype).reshape(_shard_shape(operand.shape, dimension, comm.size))


def broadcast(
    comm: MPI.Intracomm, operands: Values, shapes: Sequence[Sequence[Shape]], roots: Sequence[int]
) -> Values:
    """The value of each operand at its root (Bcast)."""
    requests: list[MPI.Request] = []
    results: list[Array] = []
    for i, (operand, root) in enumerate(zip(operands, roots, strict=True)):
        dtype, shape = np.asarray(operand).dtype, shapes[root][i]
        data = _bytes(operand) if root == comm.rank else np.empty(prod(shape) * dtype.itemsize, np.uint8)
        requests.append(comm.Ibcast([data, MPI.BYTE], root))
        results.append(data.view(dtype).reshape(shape))
    wait_for(requests)
    return tuple(results)


def permute(
    comm: MPI.Intracomm, operand: Value, shapes: Sequence[Shape], pairs: Sequence[tuple[int, int]]
) -> Value | None:
    """The operand of the source whose pair (source, target) ends here (Isend, Irecv); None without a pair."""
    sent, dtype = _bytes(operand), np.asarray(operand).dtype
    result = None
    requests: list[MPI.Request] = []
    for source, target in pairs:
        if target == comm.rank:
            received = np.empty(prod(shapes[source]) * dtype.itemsize, np.uint8)
            requests.append(comm.Irecv([received, MPI.BYTE], source))
            result = received.view(dtype).reshape(shapes[source])
    requests += [comm.Isend([sent, MPI.BYTE], target) for source, target in pairs if source == comm.rank]
    wait_for(requests)
    return result


def _exchange(
    comm: MPI.Intracomm, sent: Bytes, sent_counts: list[int], received: Bytes, counts: list[int]
) -> MPI.Request:
    return comm.Ialltoallv(
        [sent, sent_counts, _starts(sent_counts), MPI.BYTE], [received, counts, _starts(counts), MPI.BYTE]
    )


def _bytes(value: Value) -> Bytes:
    return np.ascontiguousarray(value).reshape(-1).view(np.uint8)


def _starts(counts: Sequence[int]) -> list[int]:
    return list(accumulate(counts, initial=0))[:-1]


def _arrays(data: Bytes, counts: Sequence[int], dtype: np.dtype[Any], shapes: Sequence[Shape]) -> list[Array]:
    """Views of the data that each participant has sent or will send."""
    return [
        data[start : start + count].view(dtype).reshape(shape)
        for start, count, shape in zip(_starts(counts), counts, shapes, strict=True)
    ]


def _shard_shape(shape: Shape, dimension: int, count: int) -> Shape:
    return (*shape[:dimension], shape[dimension] // count, *shape[dimension + 1 :])
