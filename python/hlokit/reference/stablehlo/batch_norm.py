"""Batch normalisation: the decompositions of the specification.

Values per feature are computed in f64, values per element in `rules.product_type`: f32 or f64. Results are
rounded once.
"""

from __future__ import annotations

from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import Shape, Tensors, constant
from hlokit.reference.numbers.rules import product_type
from hlokit.reference.stablehlo.conversions import convert
from hlokit.reference.stablehlo.elementwise import add, divide, multiply, subtract
from hlokit.reference.stablehlo.functions import sqrt
from hlokit.reference.stablehlo.reductions import sum_over
from hlokit.reference.stablehlo.shapes import broadcast_in_dim
from hlokit.values.element_types import F64, ElementType
from hlokit.values.tensor import Tensor


def batch_norm_inference(
    operand: Tensor,
    scale: Tensor,
    offset: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: float,
    feature_index: int,
) -> Tensor:
    """spec "batch_norm_inference": result = (operand - mean) * (scale / sqrt(variance + epsilon)) + offset"""
    centered = _centered(operand, _wide(mean), feature_index)
    result = _normalized(centered, scale, offset, _wide(variance), epsilon, feature_index)
    return convert(result, operand.element_type)


def batch_norm_training(
    operand: Tensor, scale: Tensor, offset: Tensor, epsilon: float, feature_index: int
) -> Tensors:
    """spec "batch_norm_training": output, batch_mean, batch_var, where output is the operand normalised by
    its own mean and variance

    batch_var is the sum of the squares of the deviations divided by the number of elements per feature n, not
    by n - 1.
    """
    mean = _mean(operand, feature_index)
    centered = _centered(operand, mean, feature_index)
    variance = _mean(multiply(centered, centered), feature_index)
    output = _normalized(centered, scale, offset, variance, epsilon, feature_index)
    return _narrow(operand.element_type, output, mean, variance)


def batch_norm_grad(
    operand: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    grad_output: Tensor,
    epsilon: float,
    feature_index: int,
) -> Tensors:
    """spec "batch_norm_grad": grad_operand, grad_scale, grad_offset of batch_norm_training's output

    With g = grad_output, c = operand - mean, v = variance + epsilon, n elements per feature, and sums per
    feature: grad_operand = (g - (c * (sum(g * c) / (n * v)) + sum(g) / n)) * (scale / sqrt(v)), grad_scale =
    sum(g * c) / sqrt(v), grad_offset = sum(g).
    """
    g = convert(grad_output, product_type(grad_output.element_type))
    c = _centered(operand, _wide(mean), feature_index)
    v = add(_wide(variance), constant(epsilon, F64, variance.shape))
    n = constant(float(_elements_per_feature(operand, feature_index)), F64, v.shape)
    sum_g, sum_gc = _sum(g, feature_index), _sum(multiply(g, c), feature_index)
    slope = _along(divide(sum_gc, multiply(n, v)), g, feature_index)
    level = _along(divide(sum_g, n), g, feature_index)
    factor = _along(divide(_wide(scale), sqrt(v)), g, feature_index)
    grad_operand = multiply(subtract(g, add(multiply(c, slope), level)), factor)
    return _narrow(operand.element_type, grad_operand, divide(sum_gc, sqrt(v)), sum_g)


def _centered(operand: Tensor, mean: Tensor, feature_index: int) -> Tensor:
    wide = convert(operand, product_type(operand.element_type))
    return subtract(wide, _along(mean, wide, feature_index))


def _normalized(
    centered: Tensor, scale: Tensor, offset: Tensor, variance: Tensor, epsilon: float, feature_index: int
) -> Tensor:
    factor = divide(_wide(scale), sqrt(add(variance, constant(epsilon, F64, variance.shape))))
    scaled = multiply(centered, _along(factor, centered, feature_index))
    return add(scaled, _along(offset, centered, feature_index))


def _along(features: Tensor, like: Tensor, feature_index: int) -> Tensor:
    """One value for each feature, broadcast to the shape and converted to the type of another tensor."""
    return broadcast_in_dim(convert(features, like.element_type), (feature_index,), like.shape)


def _mean(operand: Tensor, feature_index: int) -> Tensor:
    total = _sum(operand, feature_index)
    count = float(_elements_per_feature(operand, feature_index))
    return divide(total, constant(count, F64, total.shape))


def _sum(operand: Tensor, feature_index: int) -> Tensor:
    return sum_over(_wide(operand), _others(operand, feature_index))


def _others(operand: Tensor, feature_index: int) -> Shape:
    return tuple(d for d in range(operand.rank) if d != feature_index)


def _elements_per_feature(operand: Tensor, feature_index: int) -> int:
    features = operand.shape[feature_index]
    return operand.size // features if features else 0


def _wide(tensor: Tensor) -> Tensor:
    return convert(tensor, F64)


def _narrow(element_type: ElementType, *tensors: Tensor) -> Tensors:
    return tuple(convert(tensor, element_type) for tensor in tensors)


def epsilon_of(call: Call) -> float:
    return call.attributes.float_("epsilon")


def feature_index_of(call: Call) -> int:
    return call.attributes.int_("feature_index")
