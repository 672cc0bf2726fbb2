"""batch_norm_* against the spec's formulas in exact-enough arithmetic, XLA, and JAX's gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hlokit
import oracles
from hlokit.values.element_types import BF16, F16, F32, F64, ElementType
from tests.unit.kernels.one_op import Array, assert_near, assert_same, evaluate, program, sample, type_of

TYPES = (F32, F64, BF16, F16)
SHAPES = [((5, 3, 4), 2), ((5, 3, 4), 0), ((2, 3, 5, 4), 1), ((7,), 0), ((6, 1), 1)]
EPSILON = 0.001


def epsilon(type_: ElementType) -> float:
    return {F16: 2.0**-10, BF16: 2.0**-7, F32: 2.0**-22, F64: 2.0**-50}[type_]


def attributes(feature_index: int) -> str:
    return f"epsilon = {EPSILON} : f32, feature_index = {feature_index} : i64"


class Case:
    """Operands, and the formulas in longdouble."""

    def __init__(self, type_: ElementType, shape: tuple[int, ...], feature_index: int) -> None:
        random = np.random.default_rng(len(shape))
        self.feature_index = feature_index
        features = (shape[feature_index],)
        self.operand = sample(random, type_, shape)
        self.grad_output = sample(random, type_, shape)
        self.scale, self.offset, self.mean = (sample(random, type_, features) for _ in range(3))
        self.variance = (random.random(features) + 0.1).astype(type_.dtype)
        self.epsilon = np.longdouble(np.float32(EPSILON))

    def bcast(self, values: Array) -> Array:
        shape = [1] * self.operand.ndim
        shape[self.feature_index] = -1
        return values.astype(np.longdouble).reshape(shape)

    def total(self, values: Array) -> Array:
        axes = tuple(axis for axis in range(values.ndim) if axis != self.feature_index)
        return values.sum(axes, dtype=np.longdouble)

    def inference(self, mean: Array, variance: Array) -> Array:
        centered = self.operand.astype(np.longdouble) - self.bcast(mean)
        normalized = centered / np.sqrt(self.bcast(variance) + self.epsilon)
        return self.bcast(self.scale) * normalized + self.bcast(self.offset)

    def training(self) -> tuple[Array, Array, Array]:
        operand = self.operand.astype(np.longdouble)
        count = operand.size // operand.shape[self.feature_index]
        mean = self.total(operand) / count
        variance = self.total(np.square(operand - self.bcast(mean))) / count
        return self.inference(mean, variance), mean, variance

    def grad(self) -> tuple[Array, Array, Array]:
        """The spec's, with its names."""
        operand, grad_output = (a.astype(np.longdouble) for a in (self.operand, self.grad_output))
        elements_per_feature = np.longdouble(operand.size // operand.shape[self.feature_index])
        centered_operand = operand - self.bcast(self.mean)
        variance = self.bcast(self.variance) + self.epsilon
        stddev = np.sqrt(variance)
        i1 = grad_output * elements_per_feature
        i2 = self.bcast(self.total(grad_output))
        i3 = self.bcast(self.total(grad_output * centered_operand))
        i5 = i3 * centered_operand / variance
        grad_operand = self.bcast(self.scale) / stddev / elements_per_feature * (i1 - i2 - i5)
        grad_scale = self.total(grad_output * (centered_operand / stddev))
        return grad_operand, grad_scale, self.total(grad_output)

    def programs(self) -> list[tuple[str, list[Array]]]:
        """inference, training, grad."""
        of_operand, of_feature = type_of(self.operand), type_of(self.scale)
        inference = [self.operand, self.scale, self.offset, self.mean, self.variance]
        training = [self.operand, self.scale, self.offset]
        grad = [self.operand, self.scale, self.mean, self.variance, self.grad_output]
        three = [of_operand, of_feature, of_feature]
        return [
            (program(f"batch_norm_{name}", attributes(self.feature_index), operands, results), operands)
            for name, operands, results in (
                ("inference", inference, [of_operand]),
                ("training", training, three),
                ("grad", grad, three),
            )
        ]


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("shape, feature_index", SHAPES, ids=str)
def test_formulas(type_: ElementType, shape: tuple[int, ...], feature_index: int) -> None:
    case = Case(type_, shape, feature_index)
    formulas = [(case.inference(case.mean, case.variance),), case.training(), case.grad()]
    for (text, operands), expected in zip(case.programs(), formulas, strict=True):
        for actual, exact in zip(evaluate(text, *operands), expected, strict=True):
            assert_near(actual, exact.astype(type_.dtype), 4 * epsilon(type_))


@pytest.mark.parametrize("type_", [F32, F64, BF16], ids=str)
@pytest.mark.parametrize("shape, feature_index", [((5, 3, 4), 2), ((2, 3, 5, 4), 1)], ids=str)
def test_against_xla(type_: ElementType, shape: tuple[int, ...], feature_index: int) -> None:
    for text, operands in Case(type_, shape, feature_index).programs():
        for actual, expected in zip(evaluate(text, *operands), oracles.xla(text, *operands), strict=True):
            # XLA rounds bf16 after each operation.
            assert_near(actual, expected, 8 * epsilon(type_))


@pytest.mark.parametrize("type_", [BF16, F16], ids=str)
def test_narrow_floats_round_once(type_: ElementType) -> None:
    """The results are those of f32, rounded."""
    narrow, wide = Case(type_, (40, 6), 1), Case(type_, (40, 6), 1)
    for name in ("operand", "grad_output", "scale", "offset", "mean", "variance"):
        setattr(wide, name, getattr(narrow, name).astype(np.float32))
    for (text, operands), (wide_text, wide_operands) in zip(narrow.programs(), wide.programs(), strict=True):
        pairs = zip(evaluate(text, *operands), evaluate(wide_text, *wide_operands), strict=True)
        for actual, expected in pairs:
            assert_same(actual, expected.astype(type_.dtype))


def test_many_elements_lose_no_accuracy() -> None:
    """Sums of 2^18 f32 near 1000: added up in f32 one after the other, the variance would be wrong."""
    case = Case(F32, (1 << 18, 2), 1)
    case.operand = case.operand + np.float32(1000)
    text, operands = case.programs()[1]
    _, mean, variance = evaluate(text, *operands)
    _, exact_mean, exact_variance = case.training()
    assert np.allclose(mean, exact_mean.astype(np.float64), rtol=1e-7, atol=0)
    assert np.allclose(variance, exact_variance.astype(np.float64), rtol=1e-5, atol=0)


def test_grad_is_the_gradient_of_training() -> None:
    jax: Any = pytest.importorskip("jax")
    case = Case(F32, (6, 4, 3), 1)
    mean, variance = (values.astype(np.float32) for values in case.training()[1:])
    case.mean, case.variance = mean, variance

    def output(operand: Array, scale: Array, offset: Array) -> Array:
        batch_mean = operand.mean((0, 2), keepdims=True)
        batch_variance = operand.var((0, 2), keepdims=True)
        normalized = (operand - batch_mean) / jax.numpy.sqrt(batch_variance + EPSILON)
        return scale[:, None] * normalized + offset[:, None]

    _, pullback = jax.vjp(output, case.operand, case.scale, case.offset)
    text, operands = case.programs()[2]
    for actual, expected in zip(evaluate(text, *operands), pullback(case.grad_output), strict=True):
        assert_near(actual, np.asarray(expected), 1e-5)


def test_empty() -> None:
    for shape, feature_index in (((0, 3), 1), ((3, 0), 1), ((3, 0), 0)):
        case = Case(F32, shape, feature_index)
        for text, operands in case.programs():
            for actual, operand in zip(
                evaluate(text, *operands), [case.operand, case.scale, case.scale], strict=False
            ):
                assert actual.shape == operand.shape
    # The mean of no elements is 0 / 0.
    case = Case(F32, (0, 3), 1)
    text, operands = case.programs()[1]
    assert np.isnan(evaluate(text, *operands)[1]).all()


def test_views_are_taken_as_they_are() -> None:
    case = Case(F32, (6, 4, 3), 1)
    for text, operands in case.programs():
        expected = evaluate(text, *operands)
        views = [np.asfortranarray(np.repeat(operand, 2, 0)[::2]) for operand in operands]
        for view in views:
            view.flags.writeable = False
        results = hlokit.load(text)(*views)
        for actual, value in zip(results if isinstance(results, tuple) else [results], expected, strict=True):
            assert_same(actual, value)


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("operation", ["training", "grad"])
def test_sums_begin_with_plus_zero(type_: ElementType, operation: str) -> None:
    case = Case(type_, (3, 2), 1)
    zeros = np.full((3, 2), -0.0).astype(type_.dtype)
    if operation == "training":
        operands = [zeros, case.scale, case.offset]
        results = [zeros, case.scale, case.scale]
    else:
        operands = [zeros, case.scale, case.mean, case.variance, zeros]
        results = [zeros, case.scale, case.scale]
    text = program(
        f"batch_norm_{operation}", attributes(1), operands, [type_of(result) for result in results]
    )
    loaded = hlokit.load(text)
    sums = loaded(*operands)[1:3]
    assert not np.signbit(np.asarray(sums[-1 if operation == "grad" else 0]).astype(np.float64)).any()
    for first, again, reference in zip(
        loaded(*operands), loaded(*operands), loaded(*operands, tier="reference"), strict=True
    ):
        assert_same(first, again)
        assert_same(first, reference)
    if type_ is F64:
        assert not np.signbit(loaded(*operands, precision="high")[2 if operation == "grad" else 1]).any()
