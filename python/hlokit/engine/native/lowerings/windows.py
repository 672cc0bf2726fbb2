"""Lowering of operations on windows: dynamic slices and updates, gathers, scatters.

One instruction moves the windows of a whole batch. Each component of a start index consists of the register
element that holds the index, the limit of the index, and the stride of its dimension in the array.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Iterable, Sequence
from math import prod
from operator import mul
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.array_ops import Gather, Scatter
from hlokit.engine.native.ir.array_parameters import WindowAxis, Windows, WindowStart
from hlokit.engine.native.ir.instructions import READ_WINDOWS, WRITE_WINDOWS, Instruction, virtual_register
from hlokit.engine.native.ir.target import FLOATS, NotLowerable, canonical_nan_operation, operation
from hlokit.engine.native.ir.views import Ints, View, dense_view, splat_view
from hlokit.engine.native.lowerings.builder import ProgramBuilder
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType

# The most elements of a constant whose values bound those that are read of it.
_MOST_KNOWN = 4096
# The most windows of a scatter that instructions of their own combine.
_MOST_UPDATES = 8


class Start(NamedTuple):
    """A component of a start index: the register that holds the index, and what the index moves."""

    register: int
    component: WindowStart


def dynamic_slice(program: ProgramBuilder, type_: TensorType, operand: View, indices: list[View]) -> View:
    """spec "dynamic_slice"."""
    if not type_.size:
        return program.new(type_)
    if not operand.size:
        raise NotLowerable
    starts, operand = _scalar_starts(program, operand, type_.dims, indices)
    window = operand._replace(shape=type_.dims)
    if not starts or operand.is_splat:
        return window
    table = _integers(program, operand) if type_.size == 1 else None
    index = starts[0].register
    if table is not None and _is_own_index(program, table, operand, index):
        return dense_view(index, type_.dims)
    key = ("dynamic_slice", window, tuple([(register, *start[:-1]) for register, start in starts]))
    if key not in program.available:
        result = program.new(type_)
        _Windows(window, result, starts).read(program)
        program.available[key] = result
        if table is not None:
            program.peephole.bounds[result.register] = int(table.min()), int(table.max())
    return program.available[key]


def _integers(program: ProgramBuilder, view: View) -> npt.NDArray[Any] | None:
    """The elements of a view of one dimension, if they are a few known integers."""
    if len(view.shape) != 1 or view.size > _MOST_KNOWN or not program.is_known(view):
        return None
    table = np.asarray(program.known(view))
    return table if table.dtype.kind == "i" else None


def _is_own_index(program: ProgramBuilder, table: npt.NDArray[Any], view: View, index: int) -> bool:
    """Whether the element at an index is the index: of an iota, where the index is known to be inside."""
    low, high = program.peephole.bounds.get(index, (-1, 0))
    return (
        low >= 0
        and high < table.size
        and program.registers[index].type == program.registers[view.register].type
        and bool((table == np.arange(table.size)).all())
    )


def dynamic_update_slice(program: ProgramBuilder, operand: View, update: View, indices: list[View]) -> View:
    """spec "dynamic_update_slice"."""
    if not update.size:
        return operand
    result = program.writable_copy(operand)
    starts, windows = _scalar_starts(program, result, update.shape, indices)
    _Windows(windows._replace(shape=update.shape), update, starts).write(program)
    return result


def take(program: ProgramBuilder, table: View, indices: View) -> View:
    """The elements of a table of one dimension at these indices, which are in bounds."""
    if table.is_splat:
        return splat_view(table.register, indices.shape)
    type_ = program.registers[table.register].type
    result = program.new(TensorType(indices.shape, ELEMENT_TYPES[type_]))
    rank = len(indices.shape)
    start = WindowStart(indices.offset, table.size - 1, 1, -1, [*indices.strides])
    places = View(table.register, table.offset, indices.shape, (0,) * rank)
    _Windows(places, result, [Start(indices.register, start)], rank).read(program)
    return result


def gather(
    program: ProgramBuilder, array_op: Gather, type_: TensorType, operand: View, *indices: View
) -> View:
    """spec "gather"."""
    if not type_.size:
        return program.new(type_)
    if not operand.size:
        raise NotLowerable
    numbers, sizes = array_op.numbers, array_op.slice_sizes
    dropped = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    limits: dict[int, tuple[int, int, int]] = {}
    for component, d in enumerate(numbers.start_index_map):
        if d in dropped and sizes[d] != 1:
            raise NotLowerable
        if operand.shape[d] > sizes[d]:
            limits[component] = operand.shape[d] - sizes[d], operand.strides[d], -1
    starts = _vector_starts(indices, numbers.index_vector_dim, limits)
    batching = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    result = program.new(type_)
    batch = [axis for axis in range(type_.rank) if axis not in numbers.offset_dims]
    part = result.transposed((*batch, *numbers.offset_dims))
    strides = _batch_strides(operand, len(batch), batching, numbers.index_vector_dim)
    strides += [stride for d, stride in enumerate(operand.strides) if d not in dropped]
    windows = View(operand.register, operand.offset, part.shape, tuple(strides))
    _Windows(windows, part, starts, len(batch)).read(program)
    return result


def scatter(program: ProgramBuilder, array_op: Scatter, operand: View, *others: View) -> View:
    """spec "scatter" of one input. The last operand has the updates, those before it the indices."""
    *indices, updates = others
    if not updates.size or not operand.size:
        return operand
    numbers = array_op.numbers
    type_ = program.registers[operand.register].type
    combine = -1
    if array_op.operation is not None:
        combine = operation(array_op.operation.removeprefix("stablehlo."), type_, type_)
        if combine < 0:
            raise NotLowerable
    result = program.writable_copy(operand)
    dropped = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
    kept = [d for d in range(len(operand.shape)) if d not in dropped]
    limits: dict[int, tuple[int, int, int]] = {}
    for component, d in enumerate(numbers.scatter_dims_to_operand_dims):
        dimension = kept.index(d) if d in kept else -1
        size = updates.shape[numbers.update_window_dims[dimension]] if dimension >= 0 else 1
        if result.shape[d] < size:
            raise NotLowerable
        limits[component] = result.shape[d] - size, result.strides[d], dimension
    starts = _vector_starts(indices, numbers.index_vector_dim, limits)
    batch = [axis for axis in range(len(updates.shape)) if axis not in numbers.update_window_dims]
    batching = zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
    strides = _batch_strides(result, len(batch), batching, numbers.index_vector_dim)
    strides += [result.strides[d] for d in kept]
    part = updates.transposed((*batch, *numbers.update_window_dims))
    first = View(result.register, 0, part.shape, tuple(strides))
    windows = _Windows(first, part, starts, len(batch), clamps=False, combine=combine)
    if combine < 0 or (updates.size > 1 and not program.is_complex(operand.register)):
        windows.write(program)
    else:
        windows.update_each(program, type_)
    return result


def _scalar_starts(
    program: ProgramBuilder, operand: View, sizes: Ints, indices: list[View]
) -> tuple[list[Start], View]:
    """The starts that are not constant, and the operand, offset by the constant ones."""
    starts: list[Start] = []
    offset = operand.offset
    for index, whole, size, stride in zip(indices, operand.shape, sizes, operand.strides, strict=True):
        limit = whole - size
        if not limit:
            continue
        register = program.scalar(index)
        if register in program.constants:
            offset += min(max(int(program.constants[register]), 0), limit) * stride
        else:
            starts.append(Start(register, WindowStart(0, limit, stride, -1, [])))
    return starts, operand._replace(offset=offset)


def _vector_starts(
    indices: Sequence[View], index_vector_dim: int, limits: dict[int, tuple[int, int, int]]
) -> list[Start]:
    """The starts that index vectors hold.

    Args:
      indices: the index vectors, or their components.
      limits: (limit, stride, window dimension) of the components, by their number.
    """
    starts: list[Start] = []
    for number, limit in limits.items():
        view, place = (indices[0], number) if len(indices) == 1 else (indices[number], 0)
        step = view.strides[index_vector_dim] if index_vector_dim < len(view.shape) else 0
        strides = [stride for axis, stride in enumerate(view.strides) if axis != index_vector_dim]
        starts.append(Start(view.register, WindowStart(view.offset + place * step, *limit, strides)))
    return starts


def _batch_strides(
    array: View, rank: int, batching: Iterable[tuple[int, int]], index_vector_dim: int
) -> list[int]:
    """The strides of an array along the dimensions of the batch.

    Args:
      batching: dimensions of the array, and the dimensions of the indices that they correspond to.
    """
    strides = [0] * rank
    for d, axis in batching:
        strides[axis - (axis > index_vector_dim)] += array.strides[d]
    return strides


class _Windows(NamedTuple):
    """Windows of an array, and the array with their elements.

    Attributes:
      windows: the first window of each place of the batch, as a view of the array.
      other: the elements of the windows.
      batch_rank: the number of first dimensions of both views that are the batch.
      clamps: indices that are out of bounds are clamped; otherwise their windows are dropped.
      combine: the operation on the old and the new elements; -1 replaces the old elements.
    """

    windows: View
    other: View
    starts: list[Start]
    batch_rank: int = 0
    clamps: bool = True
    combine: int = -1

    def read(self, program: ProgramBuilder) -> None:
        """Append an instruction that copies the windows to the other array."""
        is_window = (
            prod(self.windows.shape[: self.batch_rank]) == 1
            and (self.windows.is_dense and program.is_whole(self.other))
            and program.registers[self.windows.register].is_constant
        )
        if is_window:
            old = program.registers[self.other.register]
            program.registers[self.other.register] = virtual_register(old.type, old.count, is_window=True)
        registers = (self.other.register,), (self.windows.register, *self._start_registers)
        work = 0 if is_window else self.windows.size
        program.add(Instruction(READ_WINDOWS, *registers, self._parameters, work=work))

    def write(self, program: ProgramBuilder) -> None:
        """Append an instruction that writes the other array to the windows."""
        registers = (self.windows.register,), (self.other.register, *self._start_registers)
        work = self.windows.size
        program.add(Instruction(WRITE_WINDOWS, *registers, self._parameters, is_partial=True, work=work))

    def update_each(self, program: ProgramBuilder, type_: str) -> None:
        """Combine the windows with the elements of the other array, one after the other."""
        places = self.windows.shape[: self.batch_rank]
        size = self.windows.size // prod(places)
        is_cut = size > 1 and any(start.component.window_dimension >= 0 for start in self.starts)
        if is_cut or prod(places) > _MOST_UPDATES:
            raise NotLowerable
        for place in np.ndindex(*places):
            self._at(place, is_element=size == 1)._update(program, type_)

    def _at(self, place: tuple[int, ...], *, is_element: bool) -> "_Windows":
        """The window at a place of the batch, which is outside of the array or inside, but not in part."""
        rank = len(place) if not is_element else len(self.windows.shape)
        array, other = (
            view._replace(
                offset=view.offset + sum(map(mul, place, view.strides)),
                shape=view.shape[rank:],
                strides=view.strides[rank:],
            )
            for view in (self.windows, self.other)
        )
        components = [
            start.component._replace(
                offset=start.component.offset + sum(map(mul, place, start.component.batch)),
                window_dimension=-1,
                batch=[],
            )
            for start in self.starts
        ]
        starts = [
            Start(start.register, component) for start, component in zip(self.starts, components, strict=True)
        ]
        return self._replace(windows=array, other=other, starts=starts, batch_rank=0)

    def _update(self, program: ProgramBuilder, type_: str) -> None:
        """Combine a window with the other array: three instructions and, for floats, one that makes NaNs
        canonical. Out of bounds, no element is written, whichever was read."""
        shape = self.windows.shape
        old = program.new(TensorType(shape, ELEMENT_TYPES[type_]))
        self._replace(other=old, clamps=True, combine=-1).read(program)
        update = program.whole(self.other) if shape else program.element(self.other)
        new = program.pointwise(self.combine, type_, shape, (old.register, update))
        if type_ in FLOATS:
            new = program.pointwise(canonical_nan_operation(type_), type_, shape, (new.register,))
        self._replace(other=new, combine=-1).write(program)

    @property
    def _start_registers(self) -> list[int]:
        return [start.register for start in self.starts]

    @property
    def _parameters(self) -> Windows:
        axes = list(map(WindowAxis, self.windows.shape, self.windows.strides, self.other.strides))
        return Windows(
            self.windows.offset,
            self.other.offset,
            axes[: self.batch_rank],
            axes[self.batch_rank :],
            [start.component for start in self.starts],
            self.clamps,
            self.combine,
        )
