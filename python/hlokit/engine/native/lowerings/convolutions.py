"""Lowering of convolutions, to products of windows and kernels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as combinations

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.array_ops import Pad, Phase
from hlokit.engine.native.ir.array_parameters import DotAxis
from hlokit.engine.native.ir.views import Ints, View
from hlokit.engine.native.lowerings.builder import ProgramBuilder
from hlokit.engine.native.lowerings.products import Factors, product, trivial
from hlokit.engine.native.lowerings.reductions import reduce
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.types import TensorType


def convolution(
    program: ProgramBuilder, array_op: array_ops.Convolution, type_: TensorType, lhs: View, rhs: View
) -> View:
    """spec "convolution": the windows of the padded lhs are views of it."""
    result = trivial(program, type_, lhs, rhs)
    if result is not None:
        return result
    numbers, groups = array_op.numbers, array_op.feature_group_count * array_op.batch_group_count
    # [batch, space..., feature] and [space..., feature, output feature]
    x = lhs.transposed(
        (
            numbers.input_batch_dimension,
            *numbers.input_spatial_dimensions,
            numbers.input_feature_dimension,
        )
    )
    w = rhs.transposed(
        (
            *numbers.kernel_spatial_dimensions,
            numbers.kernel_input_feature_dimension,
            numbers.kernel_output_feature_dimension,
        )
    )
    w = w.reversed(tuple([d for d, is_reversed in enumerate(array_op.window_reversal) if is_reversed]))
    order = (
        numbers.output_batch_dimension,
        *numbers.output_spatial_dimensions,
        numbers.output_feature_dimension,
    )
    sizes = [type_.dims[d] for d in order]
    shape = (groups, x.shape[0] // array_op.batch_group_count, *sizes[1:-1], w.shape[-1] // groups)
    view = _of_phases(program, array_op, type_._replace(shape=shape), x, w)
    view = view.transposed((*range(1, len(shape) - 1), 0, len(shape) - 1))
    merged = program.reshaped(view, tuple(sizes))
    return merged.transposed(tuple([order.index(d) for d in range(len(order))]))


def _of_phases(
    program: ProgramBuilder, array_op: array_ops.Convolution, type_: TensorType, x: View, w: View
) -> View:
    """The outputs [group, batch, space..., output feature] of all phases."""
    chosen, *others = combinations(*array_op.phases)
    if not others:
        return _of_phase(program, array_op, type_, x, w, chosen)
    result = program.new_in_parts(type_)
    for phases in (chosen, *others):
        shape = (*type_.dims[:2], *[phase.size for phase in phases], type_.dims[-1])
        starts = (0, 0, *[phase.outputs.start for phase in phases], 0)
        steps = (1, 1, *[phase.outputs.step for phase in phases], 1)
        part = _of_phase(program, array_op, type_._replace(shape=shape), x, w, phases)
        program.store(result.sliced(starts, steps, shape), part)
    return result


def _of_phase(
    program: ProgramBuilder,
    array_op: array_ops.Convolution,
    type_: TensorType,
    x: View,
    w: View,
    phases: Sequence[Phase],
) -> View:
    window = tuple([len(range(w.shape[d])[phase.taps]) for d, phase in enumerate(phases)])
    taps = w.sliced(
        (*[phase.taps.start for phase in phases], 0, 0),
        (*[phase.taps.step for phase in phases], 1, 1),
        (*window, *w.shape[-2:]),
    )
    if taps.size and type_.size:
        result = _of_windows(program, array_op, type_, _padded(program, x, window, phases), taps, phases)
    else:
        result = program.zeros(type_)
    return result if taps.size == w.size else _with_nans(program, type_, result, w, phases)


def _of_windows(
    program: ProgramBuilder,
    array_op: array_ops.Convolution,
    type_: TensorType,
    x: View,
    w: View,
    phases: Sequence[Phase],
) -> View:
    groups, batches, *sizes, outputs = type_.dims
    features = x.shape[-1] // array_op.feature_group_count
    stride_of_group = batches * x.strides[0] if array_op.batch_group_count > 1 else features * x.strides[-1]
    windows = [DotAxis(batches, lhs=x.strides[0])]
    terms: list[DotAxis] = []
    for size, taps, stride, of_w, phase in zip(
        sizes, w.shape, x.strides[1:], w.strides, phases, strict=False
    ):
        windows.append(DotAxis(size, lhs=stride * phase.stride))
        terms.append(DotAxis(taps, stride * phase.dilation, of_w))
    factors = Factors(
        x,
        w,
        batch=[DotAxis(groups, stride_of_group, outputs * w.strides[-1])],
        rows=windows,
        terms=[*terms, DotAxis(features, x.strides[-1], w.strides[-2])],
        columns=[DotAxis(outputs, rhs=w.strides[-1])],
    )
    return product(program, type_, factors)


def _padded(program: ProgramBuilder, x: View, window: Ints, phases: Sequence[Phase]) -> View:
    """The part of the input that the windows need, with zeros around it."""
    needed = [
        (phase.size - 1) * phase.stride + (taps - 1) * phase.dilation + 1
        for taps, phase in zip(window, phases, strict=True)
    ]
    low, shape = (0, *[phase.low for phase in phases], 0), (x.shape[0], *needed, x.shape[-1])
    if shape == x.shape and not any(low):
        return x
    type_ = TensorType(shape, ELEMENT_TYPES[program.registers[x.register].type])
    return program.pad(Pad(low, (0,) * len(low)), type_, x, program.zeros(type_._replace(shape=())))


def _with_nans(
    program: ProgramBuilder, type_: TensorType, result: View, w: View, phases: Sequence[Phase]
) -> View:
    """The result, with NaNs where an infinite or NaN kernel element multiplies a zero between inputs."""
    if program.is_known(w) and np.isfinite(program.known(w)).all():
        return result
    name = program.registers[w.register].type
    kernel = TensorType(w.shape, ELEMENT_TYPES[name])
    is_hole = np.ones(w.shape, bool)
    is_hole[tuple([phase.taps for phase in phases])] = False
    holes = program.constant(kernel._replace(element_type=ELEMENT_TYPES["i1"]), is_hole)
    zero = program.zeros(kernel._replace(shape=()))
    products = program.apply("select", name, holes, program.apply("multiply", name, w, zero), zero)
    dimensions, features = tuple(range(len(w.shape) - 1)), kernel._replace(shape=w.shape[-1:])
    sums = reduce(program, dimensions, "stablehlo.add", features, products, zero)
    sums = program.converted(sums, type_.element_type.name)
    groups, outputs = type_.dims[0], type_.dims[-1]
    sums = program.reshaped(sums, (groups, outputs)).broadcast((0, len(type_.dims) - 1), type_.dims)
    # A sum is NaN or +0, and a result may be -0, to which its sum was rounded.
    return program.apply("subtract", type_.element_type.name, result, sums)
