"""Lowering of array ops: operations that rearrange, select, update or combine elements of arrays."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from hlokit import _kernels
from hlokit.contract import array_ops
from hlokit.contract.array_ops import ArrayOp
from hlokit.native.ir.instructions import LAPACK, Instruction
from hlokit.native.ir.target import NotLowerable
from hlokit.native.ir.views import View
from hlokit.native.lowerings.builder import VM_DIMENSIONS, ProgramBuilder, tensor_type
from hlokit.plan.plan import Step
from hlokit.traits.table import has
from hlokit.values.element_types import I32
from hlokit.values.types import TensorType

if TYPE_CHECKING:
    from hlokit.native.lowerings.products import ProductLowering
    from hlokit.native.lowerings.reductions import ReductionLowering
    from hlokit.native.lowerings.windows import WindowLowering

_WINDOWS = array_ops.DynamicSlice, array_ops.DynamicUpdateSlice, array_ops.Gather, array_ops.Scatter
# Operations of a factorisation, counted as n^3, that cost as much as one element of another instruction.
_LAPACK_SPEED = 8


class ArrayOpLowering:
    """Lowers the array op of a step; returns a view of the result.

    Raises:
      NotLowerable: the VM cannot compute the step.
    """

    def __init__(self, program: ProgramBuilder) -> None:
        self._program = program

    @cached_property
    def _windows(self) -> WindowLowering:
        from hlokit.native.lowerings.windows import WindowLowering

        return WindowLowering(self._program)

    @cached_property
    def _products(self) -> ProductLowering:
        from hlokit.native.lowerings.products import ProductLowering

        return ProductLowering(self._program)

    @cached_property
    def reductions(self) -> ReductionLowering:
        """The lowering of reductions, window reductions, and the index of an extremum."""
        from hlokit.native.lowerings.reductions import ReductionLowering

        return ReductionLowering(self._program)

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
                return self._program.reshaped(first, shape)
            case array_ops.Concatenate(dimension):
                return self._concatenate(dimension, result, operands)
            case array_ops.Pad(low, interior):
                return self._program.pad(low, interior, result, *operands)
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
            case array_ops.Bitcast() | array_ops.RandomBits():
                raise NotLowerable  # change the type: see `lower_bits`
            case array_ops.Dot():
                return self._products.dot(array_op, result, *operands)
            case array_ops.Convolution():
                return self._products.convolution(array_op, result, *operands)
            case array_ops.Reduce(dimensions, name):
                return self.reductions.reduce(dimensions, name, result, *operands)
            case array_ops.ReduceWindow():
                return self.reductions.reduce_window(array_op, result, *operands)

    # Arrays made of parts --------------------------------------------------------------------------

    def _concatenate(self, dimension: int, type_: TensorType, operands: list[View]) -> View:
        operands = [operand for operand in operands if operand.size]
        if len(operands) == 1:
            return operands[0]
        result = self._program.new_in_parts(type_)
        start = 0
        for operand in operands:
            offset = start * result.strides[dimension]
            self._program.store(View(result.register, offset, operand.shape, result.strides), operand)
            start += operand.shape[dimension]
        return result

    # Linear algebra --------------------------------------------------------------------------------

    def lapack(self, array_op: array_ops.Lapack, step: Step, operands: list[View]) -> list[View]:
        """The results of a routine of LAPACK."""
        call = array_op.describe()
        if call is None:
            raise NotLowerable
        matrix_type = tensor_type(step.operand_types[0]).element_type
        if not all(view.size for view in operands):
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
