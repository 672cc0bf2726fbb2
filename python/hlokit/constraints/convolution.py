"""Strict checks of convolution and dynamic_conv.

The bindings treat an empty array as an absent one, and verify the window of a dynamic_conv only if its
padding is a constant.
"""

from __future__ import annotations

from collections.abc import Mapping

from hlokit.constraints.checks import Check, Checks
from hlokit.constraints.reading import (
    Ints,
    constant_operand,
    different_element_type,
    different_shape,
    is_any_quantized,
    operand_types,
    padding_of,
    positive,
    precision_config,
    result_types,
    size_of,
)
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers
from hlokit.mlir.provider.bindings import ir


def _spatial(op: ir.Operation) -> int:
    return operand_types(op)[0].rank - 2


def _element_types(op: ir.Operation) -> str | None:
    if is_any_quantized(op):
        return None
    return different_element_type("result", result_types(op)[0], "lhs", operand_types(op)[0])


def _dynamic_rank(op: ir.Operation) -> str | None:
    must, got = operand_types(op)[0].rank, result_types(op)[0].rank
    return None if got == must else f"result must have rank {must}, got {got}"


def _dynamic_shape(op: ir.Operation) -> str | None:
    attributes = Attributes(op)
    numbers = attributes.read("dimension_numbers", ConvDimensionNumbers.read)
    lhs, rhs = (type_.dims for type_ in operand_types(op)[:2])
    batch = lhs[numbers.input_batch_dimension]
    shape = [-1] * len(lhs)
    shape[numbers.output_batch_dimension] = -1 if batch < 0 else batch // attributes.int_("batch_group_count")
    shape[numbers.output_feature_dimension] = rhs[numbers.kernel_output_feature_dimension]
    windows = _num_windows(
        tuple(lhs[dimension] for dimension in numbers.input_spatial_dimensions),
        tuple(rhs[dimension] for dimension in numbers.kernel_spatial_dimensions),
        constant_operand(op, 2),
        attributes,
    )
    for dimension, size in zip(numbers.output_spatial_dimensions, windows, strict=True):
        shape[dimension] = size
    return different_shape("result", result_types(op)[0], shape)


def _num_windows(sizes: Ints, kernel: Ints, padding: Ints | None, attributes: Attributes) -> Ints:
    ones, unknown = (1,) * len(sizes), (-1,) * len(sizes)
    names = ("window_strides", "lhs_dilation", "rhs_dilation")
    strides, dilations, kernel_dilations = (attributes.ints(name, ones) or ones for name in names)
    arrays = (strides, dilations, kernel_dilations)
    # Other constraints report wrong values.
    if padding is None or any(len(array) != len(sizes) or min(array, default=1) < 1 for array in arrays):
        return unknown
    counts: list[int] = []
    for i, (size, window) in enumerate(zip(sizes, kernel, strict=True)):
        if size < 0 or window < 0:
            counts.append(-1)
            continue
        padded = padding[2 * i] + _dilated(size, dilations[i]) + padding[2 * i + 1]
        dilated = _dilated(window, kernel_dilations[i])
        counts.append(0 if padded <= 0 or dilated > padded else (padded - dilated) // strides[i] + 1)
    return tuple(counts)


def _dilated(size: int, dilation: int) -> int:
    return (size - 1) * dilation + 1 if size else 0


_SIZES: Mapping[str, Check] = {
    "C2": size_of("window_strides", _spatial),
    "C5": size_of("lhs_dilation", _spatial),
    "C7": size_of("rhs_dilation", _spatial),
    "C9": size_of("window_reversal", _spatial),
    "C24": precision_config,
    "C27": _element_types,
}
CHECKS: Checks = {
    "convolution": {**_SIZES, "C4": padding_of(_spatial)},
    "dynamic_conv": {
        **_SIZES,
        "C3": positive("window_strides"),
        "C6": positive("lhs_dilation"),
        "C8": positive("rhs_dilation"),
        "C25": _dynamic_shape,
        "C26": _dynamic_rank,
    },
}
