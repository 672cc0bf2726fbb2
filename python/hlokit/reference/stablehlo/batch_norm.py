"""Batch normalisation: the decompositions of the specification, in f64 and rounded once."""

from __future__ import annotations

from hlokit.reference.model.calls import Call, Table
from hlokit.reference.model.tensors import Shape, Tensors, constant
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
    wide = _wide(operand, scale, offset, mean, variance)
    result = _normalized(*wide, epsilon=epsilon, feature_index=feature_index)
    return convert(result, operand.element_type)


def batch_norm_training(
    operand: Tensor, scale: Tensor, offset: Tensor, epsilon: float, feature_index: int
) -> Tensors:
    """spec "batch_norm_training": output, batch_mean, batch_var: normalised by the operand's own statistics

    batch_var is the mean square of the deviations: divided by the number of elements, not by one less.
    """
    wide, scale_, offset_ = _wide(operand, scale, offset)
    mean = _mean(wide, feature_index)
    centered = subtract(wide, _along(mean, wide.shape, feature_index))
    variance = _mean(multiply(centered, centered), feature_index)
    output = _normalized(wide, scale_, offset_, mean, variance, epsilon, feature_index)
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

    With g = grad_output, c = operand - mean, v = variance + epsilon, n elements a feature, and sums per
    feature: grad_operand = (g - (sum(g) / n + c * (sum(g * c) / (n * v)))) * (scale / sqrt(v)), grad_scale =
    sum(g * c) / sqrt(v), grad_offset = sum(g).
    """
    wide, scale_, mean_, variance_, g = _wide(operand, scale, mean, variance, grad_output)
    c = subtract(wide, _along(mean_, wide.shape, feature_index))
    v = add(variance_, constant(epsilon, F64, variance_.shape))
    n = constant(float(_elements_per_feature(wide, feature_index)), F64, v.shape)
    sum_g, sum_gc = (sum_over(each, _others(wide, feature_index)) for each in (g, multiply(g, c)))
    slope = _along(divide(sum_gc, multiply(n, v)), wide.shape, feature_index)
    level = _along(divide(sum_g, n), wide.shape, feature_index)
    factor = _along(divide(scale_, sqrt(v)), wide.shape, feature_index)
    grad_operand = multiply(subtract(g, add(level, multiply(c, slope))), factor)
    return _narrow(operand.element_type, grad_operand, divide(sum_gc, sqrt(v)), sum_g)


def _normalized(
    operand: Tensor,
    scale: Tensor,
    offset: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: float,
    feature_index: int,
) -> Tensor:
    factor = divide(scale, sqrt(add(variance, constant(epsilon, F64, variance.shape))))
    mean_, factor_, offset_ = (_along(each, operand.shape, feature_index) for each in (mean, factor, offset))
    return add(multiply(subtract(operand, mean_), factor_), offset_)


def _along(features: Tensor, shape: Shape, feature_index: int) -> Tensor:
    return broadcast_in_dim(features, (feature_index,), shape)


def _mean(operand: Tensor, feature_index: int) -> Tensor:
    total = sum_over(operand, _others(operand, feature_index))
    count = float(_elements_per_feature(operand, feature_index))
    return divide(total, constant(count, F64, total.shape))


def _others(operand: Tensor, feature_index: int) -> Shape:
    return tuple(d for d in range(operand.rank) if d != feature_index)


def _elements_per_feature(operand: Tensor, feature_index: int) -> int:
    features = operand.shape[feature_index]
    return operand.size // features if features else 0


def _wide(*tensors: Tensor) -> Tensors:
    return tuple(convert(tensor, F64) for tensor in tensors)


def _narrow(element_type: ElementType, *tensors: Tensor) -> Tensors:
    return tuple(convert(tensor, element_type) for tensor in tensors)


def _epsilon(call: Call) -> float:
    return call.attributes.float_("epsilon")


def _feature_index(call: Call) -> int:
    return call.attributes.int_("feature_index")


TABLE: Table = {
    "stablehlo.batch_norm_grad": lambda call: batch_norm_grad(
        *call.tensors, epsilon=_epsilon(call), feature_index=_feature_index(call)
    ),
    "stablehlo.batch_norm_inference": lambda call: batch_norm_inference(
        *call.tensors, epsilon=_epsilon(call), feature_index=_feature_index(call)
    ),
    "stablehlo.batch_norm_training": lambda call: batch_norm_training(
        *call.tensors, epsilon=_epsilon(call), feature_index=_feature_index(call)
    ),
}
