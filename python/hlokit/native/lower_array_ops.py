"""Lowering of array ops: operations that rearrange, select, update or combine elements of arrays."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.contract import array_ops
from hlokit.contract.array_ops import ArrayOp
from hlokit.contract.traits import has
from hlokit.native.builder import VM_DIMENSIONS, ProgramBuilder, tensor_type
from hlokit.native.instructions import DOT, IMPLICIT_DEF, LAPACK, REDUCE, Instruction
from hlokit.native.lower_windows import WindowLowering
from hlokit.native.target import NotLowerable, operation
from hlokit.native.views import Ints, View, dense_strides
from hlokit.plan.plan import Step
from hlokit.values.element_types import I32, Kind
from hlokit.values.types import TensorType

_WINDOWS = array_ops.DynamicSlice, array_ops.DynamicUpdateSlice, array_ops.Gather, array_ops.Scatter
_DOT_TYPES = {"f32", "f64", "bf16", "f16", "complex<f32>"}
# The number of multiply-adds in the time of one element of another instruction.
_DOT_SPEED = 64
# The same number for factorisations, which count n^3 multiply-adds.
_LAPACK_SPEED = 8
# The VM accumulates a reduction in one piece; for more elements the kernels are faster.
_VM_REDUCED_ELEMENTS = 1 << 18
# The largest number of elements of all windows: kernels of running sums read each element once.
_VM_WINDOW_ELEMENTS = 1 << 13
# Larger windows of floats are combined in another order.
_FOLDED_WINDOW = 32


class ArrayOpLowering:
    """Lowers the array op of a step; returns a view of the result.

    Raises:
      NotLowerable: the VM cannot compute the step.
    """

    def __init__(self, program: ProgramBuilder) -> None:
        self._program = program
        self._windows = WindowLowering(program)

    def lower(self, array_op: ArrayOp, step: Step, operands: list[View]) -> View:
        """Append the instructions of a step with one result."""
        result = tensor_type(step.result_types[0])
        if tensor_type(step.operand_types[0]).element_type != result.element_type and not has(
            step.name, "contraction"
        ):
            raise NotLowerable
        # Windows have two groups of dimensions.
        rank = max(tensor_type(type_).rank for type_ in (result, *step.operand_types))
        if rank > VM_DIMENSIONS // 2 and isinstance(array_op, _WINDOWS):
            raise NotLowerable
        shape, first = result.dims, operands[0]
        match array_op:
            case array_ops.Slice(start_indices, strides):
                return first.sliced(start_indices, strides, shape)
            case array_ops.Transpose(permutation):
                return first.transposed(permutation)
            case array_ops.Reverse(dimensions):
                return first.reversed(dimensions)
            case array_ops.Broadcast(dimensions):
                return first.broadcast(dimensions, shape)
            case array_ops.Reshape():
                view = first.reshaped(shape)
                if view is None:
                    view = self._program.dense(first)._replace(shape=shape, strides=dense_strides(shape))
                return view
            case array_ops.Concatenate(dimension):
                return self._concatenate(dimension, result, operands)
            case array_ops.Pad(low, interior):
                return self._pad(low, interior, result, operands)
            case array_ops.DynamicSlice():
                return self._windows.dynamic_slice(result, first, operands[1:])
            case array_ops.DynamicUpdateSlice():
                return self._windows.dynamic_update_slice(first, operands[1], operands[2:])
            case array_ops.Gather():
                return self._windows.gather(array_op, result, first, operands[1])
            case array_ops.Scatter():
                return self._windows.scatter(array_op, *operands)
            case array_ops.ArgExtremum() | array_ops.Lapack() | array_ops.Sort() | array_ops.TopK():
                raise NotLowerable  # have several results: see `arg_extremum`, `lapack` and `lower_sorts`
            case array_ops.Dot():
                return self._dot(array_op, result, *operands)
            case array_ops.Reduce(dimensions, name):
                return self._reduce(dimensions, name, result, *operands)
            case array_ops.ReduceWindow():
                return self._reduce_window(array_op, result, *operands)

    # Arrays made of parts --------------------------------------------------------------------------

    def _new_in_parts(self, type_: TensorType) -> View:
        result = self._program.new(type_)
        self._program.add(Instruction(IMPLICIT_DEF, result.register))
        return result

    def _concatenate(self, dimension: int, type_: TensorType, operands: list[View]) -> View:
        operands = [operand for operand in operands if operand.size]
        if len(operands) == 1:
            return operands[0]
        result = self._new_in_parts(type_)
        start = 0
        for operand in operands:
            offset = start * result.strides[dimension]
            self._program.store(View(result.register, offset, operand.shape, result.strides), operand)
            start += operand.shape[dimension]
        return result

    def _pad(self, low: Ints, interior: Ints, type_: TensorType, operands: list[View]) -> View:
        operand, value = operands
        result = self._new_in_parts(type_)
        zeros = (0,) * type_.rank
        self._program.store(result, View(self._program.element(value), 0, type_.dims, zeros))
        first: list[int] = []
        count: list[int] = []
        for size, low_, interior_, whole in zip(operand.shape, low, interior, type_.dims, strict=True):
            step = interior_ + 1
            # Negative padding drops elements: the first remaining element, and one past the last.
            start = min(-(low_ // step), size) if low_ < 0 else 0
            stop = max(min((whole - 1 - low_) // step + 1, size), start)
            first.append(start)
            count.append(stop - start)
        shape = tuple(count)
        if all(shape):
            starts = tuple([lo + at * (i + 1) for lo, at, i in zip(low, first, interior, strict=True)])
            target = result.sliced(starts, tuple([i + 1 for i in interior]), shape)
            self._program.store(target, operand.sliced(tuple(first), (1,) * len(shape), shape))
        return result

    # Products --------------------------------------------------------------------------------------

    def _dot(self, array_op: array_ops.Dot, type_: TensorType, lhs: View, rhs: View) -> View:
        types = {self._program.registers[operand.register].type for operand in (lhs, rhs)}
        result_type = type_.element_type.name
        if len(types) != 1 or not types <= _DOT_TYPES or result_type not in _DOT_TYPES:
            raise NotLowerable
        if any((name in types) != (result_type == name) for name in ("f64", "complex<f32>")):
            raise NotLowerable
        if not type_.size:
            return self._program.new(type_)
        if not (lhs.size and rhs.size):
            return self._program.constant(type_, np.zeros((), type_.element_type.dtype))
        numbers = array_op.numbers
        batch = numbers.lhs_batching_dimensions, numbers.rhs_batching_dimensions
        pairs = sorted(
            zip(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions, strict=True)
        )
        terms = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        rows = [d for d in range(len(lhs.shape)) if d not in (*batch[0], *terms[0])]
        columns = [d for d in range(len(rhs.shape)) if d not in (*batch[1], *terms[1])]
        result = self._program.new(type_)
        strides = iter(result.strides)
        batch_strides, row_strides, column_strides = (
            [next(strides) for _ in group] for group in (batch[0], rows, columns)
        )
        immediates = [lhs.offset, rhs.offset]
        immediates += [len(batch[0]), *[lhs.shape[d] for d in batch[0]]]
        immediates += [*[lhs.strides[d] for d in batch[0]], *[rhs.strides[d] for d in batch[1]]]
        immediates += batch_strides
        immediates += [len(rows), *[lhs.shape[d] for d in rows], *[lhs.strides[d] for d in rows]]
        immediates += row_strides
        immediates += [len(pairs), *[lhs.shape[d] for d in terms[0]]]
        immediates += [*[lhs.strides[d] for d in terms[0]], *[rhs.strides[d] for d in terms[1]]]
        immediates += [len(columns), *[rhs.shape[d] for d in columns], *[rhs.strides[d] for d in columns]]
        immediates += column_strides
        count = type_.size
        for d in terms[0]:
            count *= lhs.shape[d]
        registers = lhs.register, rhs.register
        work = count // _DOT_SPEED
        self._program.add(
            Instruction(DOT, result.register, registers, immediates, is_early_clobber=True, work=work)
        )
        return result

    # Linear algebra --------------------------------------------------------------------------------

    def lapack(self, array_op: array_ops.Lapack, step: Step, operands: list[View]) -> list[View]:
        """The results of a routine of LAPACK."""
        call = array_op.describe()
        if call is None:
            raise NotLowerable
        matrix_type = tensor_type(step.operand_types[0]).element_type
        if matrix_type.name not in ("f32", "f64") or not all(view.size for view in operands):
            raise NotLowerable
        program, found = self._program, dict[int, View]()
        sources: list[int] = []
        written: list[int] = []
        immediates = [_kernels.lapack_routines().index(call.routine), prod(call.batch)]
        immediates += [len(call.options), *call.options]
        for array in call.arrays:
            immediates += [-1 if array.source is None else len(sources), *array.shape]
            if array.source is not None:
                sources.append(program.whole(operands[array.source]))
            if not array.is_written:
                assert array.source is not None
                view = operands[array.source]
            else:
                type_ = TensorType((*call.batch, *array.shape), I32 if array.is_integer else matrix_type)
                if not type_.size:
                    raise NotLowerable
                view = program.new(type_)
                written.append(view.register)
            if array.result is not None:
                found[array.result] = view
        results = [found[index] for index in range(len(step.result_types))]
        for view, result_type in zip(results, map(tensor_type, step.result_types), strict=True):
            has_type = program.registers[view.register].type == result_type.element_type.name
            if not has_type or view.shape != result_type.dims:
                raise NotLowerable
        largest = max(size for array in call.arrays for size in (1, *array.shape))
        work = prod(call.batch) * largest**3 // _LAPACK_SPEED
        first, *more = written
        program.add(
            Instruction(
                LAPACK,
                first,
                tuple(sources),
                immediates,
                is_early_clobber=True,
                work=work,
                more_results=tuple(more),
            )
        )
        return results

    # Reductions ------------------------------------------------------------------------------------

    def _reduce(self, dimensions: Ints, name: str, type_: TensorType, operand: View, init: View) -> View:
        number = operation(name.removeprefix("stablehlo."), type_.element_type.name, type_.element_type.name)
        if number < 0 or (type_.element_type.name in ("bf16", "f16") and not has(name, "extremum")):
            raise NotLowerable
        if operand.size > _VM_REDUCED_ELEMENTS or type_.element_type.kind is Kind.COMPLEX:
            raise NotLowerable
        result = self._program.new(type_)
        kept = [d for d in range(len(operand.shape)) if d not in dimensions]
        immediates = [number, operand.offset]
        for group in (kept, dimensions):
            sizes, strides = [operand.shape[d] for d in group], [operand.strides[d] for d in group]
            immediates += [len(group), *sizes, *strides]
        registers = operand.register, self._program.scalar(init)
        work = operand.size
        self._program.add(
            Instruction(REDUCE, result.register, registers, immediates, is_early_clobber=True, work=work)
        )
        return result

    def _reduce_window(
        self, array_op: array_ops.ReduceWindow, type_: TensorType, operand: View, init: View
    ) -> View:
        """Windows are views of the padded operand. Floats are folded from the left, as in small windows."""
        sizes, strides, dilations = (
            array_op.window_dimensions,
            array_op.window_strides,
            array_op.window_dilations,
        )
        count = prod(sizes)
        is_exact = type_.element_type.kind is not Kind.FLOAT or has(array_op.operation, "extremum")
        if not operand.size or not 0 < count * type_.size <= _VM_WINDOW_ELEMENTS:
            raise NotLowerable
        if not is_exact and count > _FOLDED_WINDOW:
            raise NotLowerable
        dimensions = zip(type_.dims, strides, sizes, dilations, strict=True)
        padded = tuple([(n - 1) * stride + (size - 1) * step + 1 for n, stride, size, step in dimensions])
        if any(array_op.low) or {*array_op.base_dilations} - {1} or padded != operand.shape:
            interior = tuple([step - 1 for step in array_op.base_dilations])
            operand = self._pad(array_op.low, interior, replace(type_, shape=padded), [operand, init])
        between = tuple([stride * n for stride, n in zip(operand.strides, strides, strict=True)])
        inside = tuple([stride * n for stride, n in zip(operand.strides, dilations, strict=True)])
        if is_exact:
            windows = operand._replace(shape=(*type_.dims, *sizes), strides=(*between, *inside))
            dimensions = tuple(range(type_.rank, 2 * type_.rank))
            return self._reduce(dimensions, array_op.operation, type_, windows, init)
        program, name = self._program, type_.element_type.name
        number = operation(array_op.operation.removeprefix("stablehlo."), name, name)
        register = program.scalar if type_.size == 1 else program.splat_or_whole
        total = View(program.scalar(init), 0, type_.dims, (0,) * type_.rank)
        for place in product(*map(range, sizes)):
            offset = operand.offset + sum(n * stride for n, stride in zip(place, inside, strict=True))
            part = View(operand.register, offset, type_.dims, between)
            total = program.pointwise(number, name, type_.dims, (register(total), register(part)))
        return total

    def arg_extremum(
        self, array_op: array_ops.ArgExtremum, step: Step, operands: list[View], is_value_used: bool
    ) -> View:
        """The index of the extremum: the lowest index with the extremum, or with a NaN."""
        program = self._program
        extremum_name = array_op.find() if len(operands) == 4 else None  # two inputs, two initial values
        if extremum_name is None:
            raise NotLowerable
        values, indices, first, first_index = operands
        type_, index_type = tensor_type(step.operand_types[0]), tensor_type(step.operand_types[1])
        name, index_name = type_.element_type.name, index_type.element_type.name
        if is_value_used or not values.size or len(array_op.dimensions) != 1:
            raise NotLowerable
        init, init_index = [program.constants.get(program.scalar(view)) for view in (first, first_index)]
        if init is None or init_index is None:
            raise NotLowerable
        if init != _identity(type_, extremum_name) or init_index != 0:
            raise NotLowerable
        if not self._is_iota(indices, array_op):
            raise NotLowerable
        result = tensor_type(step.result_types[1])
        (dimension,) = array_op.dimensions
        extrema = self._reduce(
            (dimension,), f"stablehlo.{extremum_name}", replace(type_, shape=result.shape), values, first
        )
        kept = tuple([d for d in range(type_.rank) if d != dimension])
        extremum = program.splat_or_whole(extrema.broadcast(kept, type_.dims))
        value = program.splat_or_whole(values)
        shape = type_.dims
        chosen = program.pointwise(operation("EQ", "i1", name), "i1", shape, (value, extremum))
        if type_.element_type.kind is Kind.FLOAT:
            nan = program.pointwise(operation("NE", "i1", name), "i1", shape, (value, value))
            both = program.splat_or_whole(chosen), program.splat_or_whole(nan)
            chosen = program.pointwise(operation("or", "i1", "i1"), "i1", shape, both)
        none = program.scalar_constant(_identity(index_type, "minimum"), index_name)
        registers = program.splat_or_whole(chosen), program.splat_or_whole(indices), none
        select = operation("select", index_name, index_name)
        picked = program.pointwise(select, index_name, shape, registers)
        return self._reduce((dimension,), "stablehlo.minimum", result, picked, View(none, 0, (), ()))

    def _is_iota(self, indices: View, array_op: array_ops.ArgExtremum) -> bool:
        """Whether indices count from 0 along the reduced dimension."""
        array = self._program.constant_arrays.get(indices.register)
        if array is None or array.shape != indices.shape or not self._program.is_whole(indices):
            return False
        (dimension,) = array_op.dimensions
        counts = [*range(array.shape[dimension])]
        rows: Any = np.moveaxis(array, dimension, -1).reshape(-1, len(counts)).tolist()
        return all(row == counts for row in rows)


def _identity(type_: TensorType, name: str) -> Any:
    """The identity element of maximum or minimum."""
    dtype = type_.element_type.dtype
    if type_.element_type.kind is Kind.FLOAT:
        return np.asarray(-np.inf if name == "maximum" else np.inf, dtype)[()]
    if not type_.element_type.kind.is_integer:
        raise NotLowerable
    info = np.iinfo(dtype)
    return np.asarray(info.min if name == "maximum" else info.max, dtype)[()]
