"""Lowering of operations on windows: dynamic slices and updates, gathers, scatters.

One instruction moves the windows of a whole batch. Each component of a start index consists of the register
element that holds the index, the limit of the index, and the stride of its dimension in the array.
"""

from __future__ import annotations

from math import prod

from hlokit.contract.array_ops import Gather, Scatter
from hlokit.native.ir.instructions import READ_WINDOWS, WRITE_WINDOWS, Instruction
from hlokit.native.ir.target import FLOATS, NotLowerable, canonical_nan_operation, operation
from hlokit.native.ir.views import Ints, View
from hlokit.native.lowerings.builder import ProgramBuilder
from hlokit.values.types import TensorType

# A component in the VM's format: register, offset, strides of the batch, then limit, stride, window
# dimension.
Component = list[int]


class WindowLowering:
    """Lowers steps that read or write windows; each method returns a view of the result.

    Raises:
      NotLowerable: the VM cannot compute the step.
    """

    def __init__(self, program: ProgramBuilder) -> None:
        self._program = program

    def dynamic_slice(self, type_: TensorType, operand: View, starts: list[View]) -> View:
        """spec "dynamic_slice"."""
        if not type_.size:
            return self._program.new(type_)
        if not operand.size:
            raise NotLowerable
        components, operand = self._start_components(operand, type_.dims, starts)
        window = operand._replace(shape=type_.dims)
        if not components or operand.is_splat:
            return window
        key = ("dynamic_slice", window, tuple(map(tuple, components)))
        if key not in self._program.available:
            result = self._program.new(type_)
            self._windows(READ_WINDOWS, window, result, components)
            self._program.available[key] = result
        return self._program.available[key]

    def dynamic_update_slice(self, operand: View, update: View, starts: list[View]) -> View:
        """spec "dynamic_update_slice"."""
        if not update.size:
            return operand
        result = self._program.writable_copy(operand)
        components, place = self._start_components(result, update.shape, starts)
        self._windows(WRITE_WINDOWS, place._replace(shape=update.shape), update, components)
        return result

    def gather(self, array_op: Gather, type_: TensorType, operand: View, indices: View) -> View:
        """spec "gather"."""
        if not type_.size:
            return self._program.new(type_)
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
        batch, components = self._index_components(indices, numbers.index_vector_dim, limits)
        operand_batch = [0] * len(batch)
        for d, axis in zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True):
            operand_batch[axis - (axis > numbers.index_vector_dim)] += operand.strides[d]
        kept = [d for d in range(len(operand.shape)) if d not in dropped]
        window = View(
            operand.register,
            operand.offset,
            tuple([sizes[d] for d in kept]),
            tuple([operand.strides[d] for d in kept]),
        )
        result = self._program.new(type_)
        batch_axes = [axis for axis in range(type_.rank) if axis not in numbers.offset_dims]
        part = View(result.register, 0, window.shape, tuple([result.strides[a] for a in numbers.offset_dims]))
        self._windows(
            READ_WINDOWS,
            window,
            part,
            components,
            batch=batch,
            operand_batch=tuple(operand_batch),
            other_batch=tuple([result.strides[axis] for axis in batch_axes]),
        )
        return result

    def scatter(self, array_op: Scatter, operand: View, indices: View, updates: View) -> View:
        """spec "scatter" of one input."""
        if not updates.size or not operand.size:
            return operand
        numbers = array_op.numbers
        type_ = self._program.registers[operand.register].type
        combine = -1
        if array_op.operation is not None and self._program.is_complex(operand.register):
            raise NotLowerable
        if array_op.operation is not None:
            combine = operation(array_op.operation.removeprefix("stablehlo."), type_, type_)
            if combine < 0:
                raise NotLowerable
        result = self._program.writable_copy(operand)
        dropped = (*numbers.inserted_window_dims, *numbers.input_batching_dims)
        kept = [d for d in range(len(operand.shape)) if d not in dropped]
        shape = tuple([updates.shape[axis] for axis in numbers.update_window_dims])
        limits: dict[int, tuple[int, int, int]] = {}
        for component, d in enumerate(numbers.scatter_dims_to_operand_dims):
            dimension = kept.index(d) if d in kept else -1
            room = result.shape[d] - (shape[dimension] if dimension >= 0 else 1)
            if room < 0:
                raise NotLowerable
            limits[component] = room, result.strides[d], dimension
        batch, components = self._index_components(indices, numbers.index_vector_dim, limits)
        operand_batch = [0] * len(batch)
        pairs = zip(numbers.input_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
        for d, axis in pairs:
            operand_batch[axis - (axis > numbers.index_vector_dim)] += result.strides[d]
        if combine >= 0 and updates.size == 1:
            self._update_element(combine, type_, result, updates, len(batch), components)
            return result
        batch_axes = [a for a in range(len(updates.shape)) if a not in numbers.update_window_dims]
        window = View(result.register, 0, shape, tuple([result.strides[d] for d in kept]))
        part_strides = tuple([updates.strides[a] for a in numbers.update_window_dims])
        self._windows(
            WRITE_WINDOWS,
            window,
            View(updates.register, updates.offset, shape, part_strides),
            components,
            batch=batch,
            operand_batch=tuple(operand_batch),
            other_batch=tuple([updates.strides[a] for a in batch_axes]),
            clamps=False,
            combine=combine,
        )
        return result

    def _update_element(
        self,
        number: int,
        type_: str,
        array: View,
        update: View,
        batch_rank: int,
        components: list[Component],
    ) -> None:
        """Combine one element of an array with another one: three scalar instructions and, for floats, one
        that makes NaNs canonical. Out of bounds, no element is written, whichever was read."""
        program = self._program
        starts = [[*each[:2], *each[2 + batch_rank : -1], -1] for each in components]
        place, old = array._replace(shape=(), strides=()), View(program.new_scalar(type_), 0, (), ())
        self._windows(READ_WINDOWS, place, old, starts)
        new = program.pointwise(number, type_, (), (old.register, program.scalar(update)))
        if type_ in FLOATS:
            new = program.pointwise(canonical_nan_operation(type_), type_, (), (new.register,))
        self._windows(WRITE_WINDOWS, place, new, starts, clamps=False)

    def _start_components(
        self, operand: View, sizes: Ints, starts: list[View]
    ) -> tuple[list[Component], View]:
        """The components of starts that are not constant, and the operand, offset by the constant starts."""
        components: list[Component] = []
        offset = operand.offset
        for start, whole, size, stride in zip(starts, operand.shape, sizes, operand.strides, strict=True):
            limit = whole - size
            if not limit:
                continue
            register = self._program.scalar(start)
            if register in self._program.constants:
                offset += min(max(int(self._program.constants[register]), 0), limit) * stride
            else:
                components.append([register, 0, limit, stride, -1])
        return components, operand._replace(offset=offset)

    def _index_components(
        self, indices: View, index_vector_dim: int, limits: dict[int, tuple[int, int, int]]
    ) -> tuple[Ints, list[Component]]:
        """The batch sizes of index vectors, and the components.

        Args:
          limits: (limit, stride, window dimension) of the components, by their number.
        """
        axes = [axis for axis in range(len(indices.shape)) if axis != index_vector_dim]
        step = indices.strides[index_vector_dim] if index_vector_dim < len(indices.shape) else 0
        strides = [indices.strides[axis] for axis in axes]
        components = [
            [indices.register, indices.offset + number * step, *strides, *limit]
            for number, limit in limits.items()
        ]
        return tuple([indices.shape[axis] for axis in axes]), components

    def _windows(
        self,
        kind: int,
        operand: View,
        other: View,
        components: list[Component],
        *,
        batch: Ints = (),
        operand_batch: Ints = (),
        other_batch: Ints = (),
        clamps: bool = True,
        combine: int = -1,
    ) -> None:
        """Append an instruction that moves windows.

        Args:
          kind: READ_WINDOWS from `operand` to `other`, or WRITE_WINDOWS in the other direction.
          batch: sizes; `operand_batch` and `other_batch` are strides.
          clamps: indices that are out of bounds are clamped; otherwise their windows are dropped.
          combine: the operation on the old and the new elements; -1 replaces the old elements.
        """
        immediates = [
            *(len(batch), *batch),
            *(len(operand.shape), *operand.shape),
            *(operand.offset, *operand_batch, *operand.strides),
            *(other.offset, *other_batch, *other.strides),
            *(int(clamps), combine, len(components)),
        ]
        registers: list[int] = []
        for component in components:
            registers.append(len(immediates))
            immediates += component
        to, source = (other, operand) if kind == READ_WINDOWS else (operand, other)
        count = prod(batch)
        is_window = (
            (kind == READ_WINDOWS and count == 1)
            and (operand.is_dense and self._program.is_whole(other))
            and self._program.registers[operand.register].is_constant
        )
        if is_window:
            self._program.registers[other.register].is_window = True
        self._program.add(
            Instruction(
                kind,
                to.register,
                (source.register,),
                immediates,
                tuple(registers),
                is_partial=kind == WRITE_WINDOWS,
                is_early_clobber=True,
                work=0 if is_window else operand.size * count,
            )
        )
