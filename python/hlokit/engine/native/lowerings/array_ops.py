"""Lowering of array ops: operations that rearrange, select, update or combine elements of arrays.

A family of operations is a module of functions. The functions append instructions to a program, return views
of the results, and raise `NotLowerable` if the VM cannot compute the step.
"""

from __future__ import annotations

from math import prod

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.native.ir.array_parameters import Fft, Lapack, LapackArray
from hlokit.engine.native.ir.instructions import FFT, LAPACK, Instruction
from hlokit.engine.native.ir.target import COMPLEX, NotLowerable
from hlokit.engine.native.ir.views import View, splat_view
from hlokit.engine.native.lowerings import bits, convolutions, products, reductions, sorts, windows
from hlokit.engine.native.lowerings.builder import ProgramBuilder, placed, tensor_type
from hlokit.engine.plan.plan import Plan, Step
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType

# Operations of a factorisation, counted as n^3, that cost as much as one element of another instruction.
_LAPACK_SPEED = 8
# The number of operations, counted as n^3, of routines that iterate for which threads pay.
_LARGE_STACK = 12_000
# The cost of transforming an element, in elements of other instructions.
_FFT_COST = 4
# In the order of lib/kernels/fft/transform.h.
_FFT_TYPES = "FFT", "IFFT", "RFFT", "IRFFT"


def lower(program: ProgramBuilder, plan: Plan, step: Step, operands: list[View]) -> list[View]:
    """Append the instructions of a step with an array op; returns views of the results.

    Raises:
      NotLowerable: the VM cannot compute the step.
    """
    if isinstance(step.kernel.array_op, array_ops.Lapack):  # perhaps without operands or results
        return _lapack(program, step.kernel.array_op, step, operands)
    type_, first = tensor_type(step.result_types[0]), operands[0]
    match step.kernel.array_op:
        case array_ops.Broadcast(dimensions):
            return [first.broadcast(dimensions, type_.dims)]
        case array_ops.Slice(start_indices, strides):
            return [first.sliced(start_indices, strides, type_.dims)]
        case array_ops.Reshape():
            return [program.reshaped(first, type_.dims)]
        case array_ops.Transpose(permutation):
            return [first.transposed(permutation)]
        case array_ops.Reverse(dimensions):
            return [first.reversed(dimensions)]
        case array_ops.ArgExtremum() as array_op:
            if step.results[0] in (*plan.outputs, *[slot for other in plan.steps for slot in other.operands]):
                raise NotLowerable
            # Nothing reads the value.
            return [first, reductions.arg_extremum(program, array_op, step, operands)]
        case array_ops.Bitcast():
            return [bits.bitcast(program, step, first)]
        case array_ops.RandomBits() as array_op:
            return bits.random_bits(program, array_op, step, first)
        case array_ops.Sort() as array_op:
            return sorts.sort(program, array_op, step, operands)
        case array_ops.TopK():
            return sorts.top_k(program, step, first)
        case array_ops.Fft() as array_op:
            return [_fft(program, array_op, type_, first)]
        case array_ops.Dot() as array_op:
            return [products.dot(program, array_op, type_, *operands)]
        case array_ops.Convolution() as array_op:
            return [convolutions.convolution(program, array_op, type_, *operands)]
        case _ if tensor_type(step.operand_types[0]).element_type != type_.element_type:
            raise NotLowerable
        case array_ops.Concatenate(dimension):
            return [_concatenate(program, dimension, type_, operands)]
        case array_ops.Pad() as array_op:
            return [program.pad(array_op, type_, *operands)]
        case array_ops.SumOfPads() as array_op:
            return [_sum_of_pads(program, array_op, type_, operands)]
        case array_ops.DynamicSlice():
            return [windows.dynamic_slice(program, type_, first, operands[1:])]
        case array_ops.DynamicUpdateSlice():
            return [windows.dynamic_update_slice(program, first, operands[1], operands[2:])]
        case array_ops.Gather() as array_op:
            return [windows.gather(program, array_op, type_, *operands)]
        case array_ops.Scatter() as array_op:
            return [windows.scatter(program, array_op, *operands)]
        case array_ops.Reduce(dimensions, name):
            return [reductions.reduce(program, dimensions, name, type_, *operands)]
        case array_ops.ReduceWindow() as array_op:
            return [reductions.reduce_window(program, array_op, type_, *operands)]
        case None:
            raise NotLowerable


# Arrays made of parts --------------------------------------------------------------------------


def _concatenate(program: ProgramBuilder, dimension: int, type_: TensorType, operands: list[View]) -> View:
    operands = [operand for operand in operands if operand.size]
    if len(operands) == 1:
        return operands[0]
    result = program.new_in_parts(type_)
    start = 0
    for operand in operands:
        offset = start * result.strides[dimension]
        program.store(View(result.register, offset, operand.shape, result.strides), operand)
        start += operand.shape[dimension]
    return result


def _sum_of_pads(
    program: ProgramBuilder, sum_: array_ops.SumOfPads, type_: TensorType, operands: list[View]
) -> View:
    """The sum of padded operands whose elements take different places."""
    result, zero = program.new_in_parts(type_), program.zeros(type_._replace(shape=()))
    if not sum_.is_whole:
        program.store(result, splat_view(zero.register, type_.dims))
    for pad, operand in zip(sum_.pads, operands, strict=True):
        target, kept = placed(pad, result, operand)
        if type_.element_type.kind.is_inexact:  # -0 becomes +0
            kept = program.apply("add", type_.element_type.name, kept, zero)
        program.store(target, kept)
    return result


# Linear algebra and Fourier transforms ---------------------------------------------------------


def _lapack(
    program: ProgramBuilder, array_op: array_ops.Lapack, step: Step, operands: list[View]
) -> list[View]:
    """The results of a routine of LAPACK."""
    call = array_op.describe()
    types = list(map(tensor_type, step.result_types))
    if call is None or not all(value.size for value in (*operands, *types)):
        raise NotLowerable
    count = prod(call.batch)
    work = count * max(size for array in call.arrays for size in (1, *array.shape)) ** 3
    is_iterative = not _kernels.lapack_routines()[call.routine][2]
    if is_iterative and count > 1 and work > _LARGE_STACK:
        raise NotLowerable  # the kernel takes several threads
    sources: list[int] = []
    written: list[int] = []
    views: list[View] = []  # of the arrays, and of the first operand
    arrays: list[LapackArray] = []
    for array in call.arrays:
        arrays.append(LapackArray(-1 if array.source is None else len(sources), [*array.shape]))
        view = operands[array.source or 0]
        if array.source is not None:
            start = _reversed(view, array) if call.is_reversed else view
            sources.append(program.whole(program.converted(start, array.type)))
        if array.is_written:
            view = program.new(TensorType((*call.batch, *array.shape), ELEMENT_TYPES[array.type]))
            written.append(view.register)
        views.append(_reversed(view, array) if call.is_reversed else view)
    work //= 1 if is_iterative else _LAPACK_SPEED
    routine = Lapack(call.routine, count, [*call.options], arrays)
    program.add(Instruction(LAPACK, tuple(written), tuple(sources), routine, work=work))
    return _lapack_results(program, call, types, [*views, operands[0]])


def _lapack_results(
    program: ProgramBuilder, call: array_ops.LapackCall, types: list[TensorType], views: list[View]
) -> list[View]:
    results: list[View] = []
    for number in call.results:
        if len(results) == len(types):
            raise NotLowerable
        view, name = views[number], types[len(results)].element_type.name
        if number == array_ops.LAPACK_ZEROS or not view.size:
            results.append(program.zeros(types[len(results)]))
        elif program.is_complex(view.register) and name not in COMPLEX:
            parts = [program.apply(part, "f64", view) for part in ("real", "imag")]
            results += [program.converted(part, name) for part in parts]
        else:
            results.append(program.converted(view, name))
    results += map(program.zeros, types[len(results) :])
    if [view.shape for view in results] != [type_.dims for type_ in types]:
        raise NotLowerable
    return results


def _fft(program: ProgramBuilder, array_op: array_ops.Fft, result: TensorType, view: View) -> View:
    """spec "fft": in complex<f64> between two transforms."""
    if not view.size or not result.size:
        raise NotLowerable
    for number, (dimension, kind, length) in enumerate(array_op.transforms, 1):
        outer, inner = prod(view.shape[:dimension]), prod(view.shape[dimension:][1:])
        transform = Fft(_FFT_TYPES.index(kind), outer, length, inner)
        dims = list(view.shape)
        dims[dimension] = length // 2 + 1 if kind == "RFFT" else length
        wide = TensorType(tuple(dims), ELEMENT_TYPES["complex<f64>"])
        source = program.whole(view)
        view = program.new(result if number == len(array_op.transforms) else wide)
        work = view.size * _FFT_COST
        program.add(Instruction(FFT, (view.register,), (source,), transform, work=work))
    return view


def _reversed(view: View, array: array_ops.MatrixStack) -> View:
    """The view with each matrix of a stack in reverse order."""
    rank = len(view.shape)
    return view.reversed(tuple(range(rank - len(array.shape), rank)))
