"""Batch normalisation.

Computed in f32 (f64 for f64) and rounded once: sums are accumulated in f64, and what depends on the feature
alone is computed in f64.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hlokit.interpreter.registry import Kernel, Operation, Value, op
from hlokit.ops.compensated import sum_axes
from hlokit.ops.convert import ArrayFunction, converter
from hlokit.ops.products import Array, work_type
from hlokit.values.element_types import F64, ElementType


@dataclass(frozen=True, slots=True)
class _Normalization:
    """What the three operations share.

    Attributes:
      feature_index, epsilon: the spec's.
      widen: from the element type to the one that is computed in, `work`.
      narrow: from `work` to the element type, rounded once.
      is_compensated: sums are in more than the precision of f64.
    """

    feature_index: int
    epsilon: float
    work: ElementType
    widen: ArrayFunction
    narrow: ArrayFunction
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
            is_precise and type_ is F64,
        )

    def along(self, features: Array, rank: int) -> Array:
        """A value per feature, shaped to be broadcast to the operand."""
        shape = [1] * rank
        shape[self.feature_index] = -1
        return features.astype(self.work.dtype).reshape(shape)

    def sums(self, values: Array) -> Array:
        """The sum per feature, in f64."""
        axes = tuple(axis for axis in range(values.ndim) if axis != self.feature_index)
        if self.is_compensated:
            return sum_axes(values, axes)
        return values.sum(axes, dtype=np.float64)

    def per_feature(self, values: Value) -> Array:
        return self.widen(values).astype(np.float64)

    def normalized(self, centered: Array, scale: Value, offset: Value, variance: Array) -> Array:
        """scale * centered / sqrt(variance + epsilon) + offset. Overwrites `centered`."""
        factor = self.per_feature(scale) / np.sqrt(variance + self.epsilon)
        centered *= self.along(factor, centered.ndim)
        centered += self.along(self.per_feature(offset), centered.ndim)
        return self.narrow(centered)


@op("stablehlo.batch_norm_inference")
def batch_norm_inference(operation: Operation) -> Kernel:
    """spec "batch_norm_inference": result = scale * (operand - mean) / sqrt(variance + epsilon) + offset."""
    form = _Normalization.of(operation)

    def kernel(operand: Value, scale: Value, offset: Value, mean: Value, variance: Value) -> Value:
        centered = form.widen(operand) - form.along(form.per_feature(mean), operand.ndim)
        return form.normalized(centered, scale, offset, form.per_feature(variance))

    return Kernel(kernel)


@op("stablehlo.batch_norm_training")
def batch_norm_training(operation: Operation) -> Kernel:
    """spec "batch_norm_training": output, batch_mean, batch_var, normalised by the operand's own statistics.

    batch_var is the mean square of the deviations: divided by the number of elements, not by one less.
    """
    form = _Normalization.of(operation)

    def kernel(operand: Value, scale: Value, offset: Value) -> tuple[Value, Value, Value]:
        values = form.widen(operand)
        count = _elements_per_feature(values, form.feature_index)
        mean = form.sums(values) / count
        centered = values - form.along(mean, values.ndim)
        variance = form.sums(centered * centered) / count
        batch_mean, batch_var = (
            form.narrow(mean.astype(form.work.dtype)),
            form.narrow(variance.astype(form.work.dtype)),
        )
        return form.normalized(centered, scale, offset, variance), batch_mean, batch_var

    return Kernel(kernel)


@op("stablehlo.batch_norm_grad")
def batch_norm_grad(operation: Operation) -> Kernel:
    """spec "batch_norm_grad": the gradients of batch_norm_training's output.

    With g = grad_output, c = operand - mean, v = variance + epsilon, n elements a feature, sums per feature:
    grad_operand = scale / sqrt(v) * (g - sum(g) / n - c * sum(g * c) / (n * v)),
    grad_scale = sum(g * c) / sqrt(v), grad_offset = sum(g).
    """
    form = _Normalization.of(operation)

    def kernel(
        operand: Value, scale: Value, mean: Value, variance: Value, grad_output: Value
    ) -> tuple[Value, Value, Value]:
        rank = operand.ndim
        gradient = form.widen(grad_output)
        centered = form.widen(operand) - form.along(form.per_feature(mean), rank)
        count = _elements_per_feature(centered, form.feature_index)
        spread = form.per_feature(variance) + form.epsilon
        deviation = np.sqrt(spread)
        gradient_sum, product_sum = form.sums(gradient), form.sums(gradient * centered)
        centered *= form.along(product_sum / (count * spread), rank)
        centered += form.along(gradient_sum / count, rank)
        grad_operand = np.subtract(gradient, centered, out=centered)
        grad_operand *= form.along(form.per_feature(scale) / deviation, rank)
        return (
            form.narrow(grad_operand),
            form.narrow((product_sum / deviation).astype(form.work.dtype)),
            form.narrow(gradient_sum.astype(form.work.dtype)),
        )

    return Kernel(kernel)


def _elements_per_feature(values: Array, feature_index: int) -> np.float64:
    features = values.shape[feature_index]
    return np.float64(values.size // features if features else 0)
