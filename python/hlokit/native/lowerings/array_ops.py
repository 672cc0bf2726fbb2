"""Lowering of array ops: operations that rearrange, select, update or combine elements of arrays."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hlokit import _kernels
from hlokit.contract import array_ops
from hlokit.contract.array_ops import ArrayOp
from hlokit.native.ir.instructions import FFT, LAPACK, Instruction
from hlokit.native.ir.target import COMPLEX, NotLowerable
from hlokit.native.ir.views import View
from hlokit.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.plan.plan import Step
from hlokit.traits.table import has
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType

if TYPE_CHECKING:
    from hlokit.native.lowerings.convolutions import ConvolutionLowering
    from hlokit.native.lowerings.products import ProductLowering
    from hlokit.native.lowerings.reductions import ReductionLowering
    from hlokit.native.lowerings.windows import WindowLowering

# Operations of a factorisation, counted as n^3, that cost as much as one element of another instruction.
_LAPACK_SPEED = 8
# The number of operations, counted as n^3, of routines that iterate for which threads pay.
_LARGE_STACK = 12_000
# The cost of transforming an element, in elements of other instructions.
_FFT_COST = 4
# In the order of lib/kernels/fft/transform.h.
_FFT_TYPES = "FFT", "IFFT", "RFFT", "IRFFT"


class ArrayOpLowering:
    """Lowers the array op of a step; returns a view of the result.

    Raises:
      NotLowerable: the VM cannot compute the step.
    """

    def __init__(self, program: ProgramBuilder) -> None:
        self._program = program

    @property
    def _windows(self) -> WindowLowering:
        from hlokit.native.lowerings.windows import WindowLowering

        return WindowLowering(self._program)

    @property
    def _products(self) -> ProductLowering:
        from hlokit.native.lowerings.products import ProductLowering

        return ProductLowering(self._program)

    @property
    def _convolutions(self) -> ConvolutionLowering:
        from hlokit.native.lowerings.convolutions import ConvolutionLowering

        return ConvolutionLowering(self._program)

    @property
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
            case array_ops.Bitcast() | array_ops.RandomBits() | array_ops.Fft():
                raise NotLowerable  # change the type: see `BitLowering` and `fft`
            case array_ops.Dot():
                return self._products.dot(array_op, result, *operands)
            case array_ops.Convolution():
                return self._convolutions.convolution(array_op, result, *operands)
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

    # Linear algebra and Fourier transforms ---------------------------------------------------------

    def lapack(self, array_op: array_ops.Lapack, step: Step, operands: list[View]) -> list[View]:
        """The results of a routine of LAPACK."""
        call = array_op.describe()
        types = list(map(tensor_type, step.result_types))
        if call is None or not all(each.size for each in (*operands, *types)):
            raise NotLowerable
        program, count = self._program, prod(call.batch)
        work = count * max(size for array in call.arrays for size in (1, *array.shape)) ** 3
        is_iterative = not _kernels.lapack_routines()[call.routine][2]
        if is_iterative and count > 1 and work > _LARGE_STACK:
            raise NotLowerable  # the kernel takes several threads
        sources: list[int] = []
        written: list[int] = []
        views: list[View] = []  # of the arrays, and of the first operand
        immediates = [call.routine, count, len(call.options), *call.options]
        for array in call.arrays:
            immediates += [-1 if array.source is None else len(sources), *array.shape]
            view = operands[array.source or 0]
            if array.source is not None:
                start = _reversed(view, array) if call.is_reversed else view
                sources.append(program.whole(program.converted(start, array.type)))
            if array.is_written:
                view = program.new(TensorType((*call.batch, *array.shape), ELEMENT_TYPES[array.type]))
                written.append(view.register)
            views.append(_reversed(view, array) if call.is_reversed else view)
        program.add(
            Instruction(
                LAPACK,
                written[0],
                tuple(sources),
                immediates,
                is_early_clobber=True,
                work=work // (1 if is_iterative else _LAPACK_SPEED),
                more_results=tuple(written[1:]),
            )
        )
        return self._lapack_results(call, types, [*views, operands[0]])

    def _lapack_results(
        self, call: array_ops.LapackCall, types: list[TensorType], views: list[View]
    ) -> list[View]:
        results: list[View] = []
        for place in call.results:
            if len(results) == len(types):
                raise NotLowerable
            view, name = views[place], types[len(results)].element_type.name
            if place == array_ops.LAPACK_ZEROS or not view.size:
                results.append(self._zeros(types[len(results)]))
            elif self._program.is_complex(view.register) and name not in COMPLEX:
                parts = [self._program.unary(part, "f64", view) for part in ("real", "imag")]
                results += [self._program.converted(part, name) for part in parts]
            else:
                results.append(self._program.converted(view, name))
        results += map(self._zeros, types[len(results) :])
        if [view.shape for view in results] != [type_.dims for type_ in types]:
            raise NotLowerable
        return results

    def _zeros(self, type_: TensorType) -> View:
        zero = type_.element_type.dtype.type(0)
        return self._program.constant(type_, np.broadcast_to(zero, type_.dims))

    def fft(self, array_op: array_ops.Fft, step: Step, view: View) -> View:
        """spec "fft": in complex<f64> between two transforms."""
        result = tensor_type(step.result_types[0])
        if not view.size or not result.size:
            raise NotLowerable
        for number, (dimension, kind, length) in enumerate(array_op.transforms, 1):
            outer, inner = prod(view.shape[:dimension]), prod(view.shape[dimension:][1:])
            immediates = [_FFT_TYPES.index(kind), outer, length, inner]
            dims = list(view.shape)
            dims[dimension] = length // 2 + 1 if kind == "RFFT" else length
            wide = TensorType(tuple(dims), ELEMENT_TYPES["complex<f64>"])
            source = self._program.whole(view)
            view = self._program.new(result if number == len(array_op.transforms) else wide)
            work = view.size * _FFT_COST
            self._program.add(
                Instruction(FFT, view.register, (source,), immediates, is_early_clobber=True, work=work)
            )
        return view


def _reversed(view: View, array: array_ops.MatrixStack) -> View:
    """The view with each matrix of a stack in reverse order."""
    rank = len(view.shape)
    return view.reversed(tuple(range(rank - len(array.shape), rank)))
