"""Batch normalisation.

Element-wise steps run in f32 (f64 for f64), and results are rounded once. Sums accumulate in f64, and values
per feature are computed in f64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.kernels.contractions.compensated import sum_axes
from hlokit.kernels.contractions.products import Array, work_type
from hlokit.kernels.contractions.sums import sum_in_f64
from hlokit.kernels.elementwise.convert import ArrayFunction, converter
from hlokit.values.element_types import F64, ElementType


class _Normalization(NamedTuple):
    """Parameters and steps shared by the three operations.

    Attributes:
      feature_index, epsilon: the attributes of the specification.
      work: the element type of the element-wise steps.
      widen: converts from the operand's element type to `work`.
      narrow: converts from `work` to the operand's element type, rounding once.
      narrow_features: converts from f64 to the operand's element type, rounding once.
      is_compensated: whether sums have more than the precision of f64.
    """

    feature_index: int
    epsilon: float
    work: ElementType
    widen: ArrayFunction
    narrow: ArrayFunction
    narrow_features: ArrayFunction
    is_compensated: bool

    @classmethod
    def of(cls, operation: Operation) -> _Normalization:
        type_ = operation.operand().element_type
        is_precise = operation.is_precise
        work = F64 if is_precise else work_type(type_)
        return cls(
            operation.attributes.int_("feature_index"),
            operation.attributes.float_("epsilon"),
            work,
            converter(type_, work),
            converter(work, type_),
            converter(F64, type_),
            is_precise and type_ is F64,
        )

    def along(self, features: Array, rank: int) -> Array:
        """One value per feature, shaped to broadcast to the operand."""
        shape = [1] * rank
        shape[self.feature_index] = -1
        return features.astype(self.work.dtype).reshape(shape)

    def sums(self, values: Array) -> Array:
        """The sum of each feature, in f64."""
        axes = tuple(axis for axis in range(values.ndim) if axis != self.feature_index)
        if self.is_compensated:
            return sum_axes(values, axes)
        return sum_in_f64(values, axes)

    def per_feature(self, values: Value) -> Array:
        return self.widen(values).astype(np.float64)

    def normalized(self, centered: Array, scale: Value, offset: Value, variance: Array) -> Array:
        """scale * centered / sqrt(variance + epsilon) + offset. Overwrites `centered`."""
        factor = self.per_feature(scale) / np.sqrt(variance + self.epsilon)
        centered *= self.along(factor, centered.ndim)
        centered += self.along(self.per_feature(offset), centered.ndim)
        return self.narrow(centered)


def batch_norm_inference(operation: Operation) -> Kernel:
    """spec "batch_norm_inference": result = scale * (operand - mean) / sqrt(variance + epsilon) + offset."""
    norm = _Normalization.of(operation)

    def kernel(operand: Value, scale: Value, offset: Value, mean: Value, variance: Value) -> Value:
        centered = norm.widen(operand) - norm.along(norm.per_feature(mean), operand.ndim)
        return norm.normalized(centered, scale, offset, norm.per_feature(variance))

    return Kernel(kernel)


def batch_norm_training(operation: Operation) -> Kernel:
    """spec "batch_norm_training": output, batch_mean, batch_var, normalised by the operand's own statistics.

    batch_var is the biased variance: the sum of squared deviations divided by the number of elements.
    """
    norm = _Normalization.of(operation)

    def kernel(operand: Value, scale: Value, offset: Value) -> tuple[Value, Value, Value]:
        values = norm.widen(operand)
        count = _elements_per_feature(values, norm.feature_index)
        mean = norm.sums(values) / count
        centered = values - norm.along(mean, values.ndim)
        variance = norm.sums(centered * centered) / count
        batch_mean, batch_var = norm.narrow_features(mean), norm.narrow_features(variance)
        return norm.normalized(centered, scale, offset, variance), batch_mean, batch_var

    return Kernel(kernel)


def batch_norm_grad(operation: Operation) -> Kernel:
    """spec "batch_norm_grad": the gradients of batch_norm_training's output.

    With g = grad_output, c = operand - mean, v = variance + epsilon, n elements per feature, and sums per
    feature:
    grad_operand = scale / sqrt(v) * (g - sum(g) / n - c * sum(g * c) / (n * v)),
    grad_scale = sum(g * c) / sqrt(v), grad_offset = sum(g).
    """
    norm = _Normalization.of(operation)

    def kernel(
        operand: Value, scale: Value, mean: Value, variance: Value, grad_output: Value
    ) -> tuple[Value, Value, Value]:
        rank = operand.ndim
        gradient = norm.widen(grad_output)
        centered = norm.widen(operand) - norm.along(norm.per_feature(mean), rank)
        count = _elements_per_feature(centered, norm.feature_index)
        spread = norm.per_feature(variance) + norm.epsilon
        deviation = np.sqrt(spread)
        gradient_sum, product_sum = norm.sums(gradient), norm.sums(gradient * centered)
        centered *= norm.along(product_sum / (count * spread), rank)
        centered += norm.along(gradient_sum / count, rank)
        grad_operand = np.subtract(gradient, centered, out=centered)
        grad_operand *= norm.along(norm.per_feature(scale) / deviation, rank)
        return (
            norm.narrow(grad_operand),
            norm.narrow_features(product_sum / deviation),
            norm.narrow_features(gradient_sum),
        )

    return Kernel(kernel)


def _elements_per_feature(values: Array, feature_index: int) -> np.float64:
    features = values.shape[feature_index]
    return np.float64(values.size // features if features else 0)
