"""What every bound of a sum is computed from: how many terms it has, and the body that adds them."""

from __future__ import annotations

from math import prod

import numpy as np

from hlokit.mlir.conversion.dimension_numbers import ConvDimensionNumbers, DotDimensionNumbers
from hlokit.mlir.provider.bindings import ir
from hlokit.tools.bounds.rules.bound_operations import Applied


def terms_of(applied: Applied) -> int | None:
    """The number of terms in each sum of an operation; None if it is unknown."""
    shapes = [np.shape(value) for value in applied.operands]
    attributes = applied.attributes
    match applied.name:
        case "stablehlo.dot":
            terms = shapes[0][-1]
        case "stablehlo.dot_general":
            numbers = attributes.read("dot_dimension_numbers", DotDimensionNumbers.read)
            terms = prod(shapes[0][axis] for axis in numbers.lhs_contracting_dimensions)
        case "stablehlo.convolution" | "stablehlo.dynamic_conv":
            numbers = attributes.read("dimension_numbers", ConvDimensionNumbers.read)
            terms = prod(shapes[1]) // max(1, shapes[1][numbers.kernel_output_feature_dimension])
        case "stablehlo.reduce":
            terms = prod(shapes[0]) // max(1, np.size(applied.results[0]))
        case "stablehlo.reduce_window":
            terms = prod(attributes.ints("window_dimensions"))
        case _:
            return None
    return max(1, terms)


def body_of(region: ir.Region) -> str:
    """The name of the only operation of a body, applied to the body's two arguments; "" for other bodies."""
    block = region.blocks[0]
    listed = [view.operation for view in block.operations]
    if len(listed) != 2 or len(block.arguments) != 2:
        return ""
    is_plain = sorted(map(str, listed[0].operands)) == sorted(map(str, block.arguments))
    return str(listed[0].name) if is_plain and list(listed[1].operands) == list(listed[0].results) else ""
