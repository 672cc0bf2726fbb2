"""Radii of operations on whole arrays: Fourier transforms, factorisations, batch normalisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod, sqrt

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.tools.bounds.rules.bound_operations import (
    Array,
    Radii,
    Reordered,
    growth,
    unit_of,
    unit_of_work,
)
from hlokit.tools.bounds.rules.bound_sums import rounded_terms
from hlokit.tools.numerics.rules.widening import widened
from hlokit.values.element_types import Kind

Rule = Callable[[Reordered], Radii]

_F64 = 2.0**-53


def _size(value: Value) -> Array:
    return np.abs(np.asarray(widened(value))).astype(np.float64)


def _rounded(applied: Reordered, spread: Array) -> Array:
    """The radii of results after both evaluations have rounded them to their type."""
    unit, tiny = unit_of(applied.element_type)
    return spread + 6 * (unit * (_size(applied.results[0]) + spread) + tiny)


def exact_on_exact(rule: Rule) -> Rule:
    """The rule of an operation that splits no sum: exact operands give equal bits in every partitioning."""

    def rule_or_exact(applied: Reordered) -> Radii:
        if applied.is_exact:
            return [np.zeros(np.shape(result)) for result in applied.results]
        return rule(applied)

    return rule_or_exact


# Fourier transforms -------------------------------------------------------------------------------------


@exact_on_exact
def fft(applied: Reordered) -> Radii:
    """Each result is a sum of a row's elements times numbers of magnitude 1; each step of the transform
    rounds."""
    lengths, kind = applied.attributes.ints("fft_length"), applied.attributes.enum("fft_type")
    axes = tuple(range(-len(lengths), 0))
    weight = 1.0 / prod(lengths) if kind in ("IFFT", "IRFFT") and prod(lengths) else 1.0
    if kind == "IRFFT":
        weight *= 2  # for each conjugate
    x, r = _size(applied.operands[0]), applied.r[0]
    total, spread = (weight * magnitudes.sum(axes, keepdims=True) for magnitudes in (x + r, r))
    error = 2 * sum(_roundings_of_fft(length) for length in lengths) * _F64 * total
    shape = np.shape(applied.results[0])
    return [_rounded(applied, np.broadcast_to(spread + error, shape))]


def _roundings_of_fft(length: int) -> float:
    """The error of the transform of a row, in units of f64 of the sum of magnitudes.

    A step of radix p makes sums of p products with factors of magnitude at most 1: 8 p + 16 roundings are
    more than the kernels need. Rows of real numbers take one more step. For prime factors above 13 NumPy may
    transform by a convolution (Bluestein): two transforms of fewer than 4 n elements, whose intermediate sums
    are larger by the same factor.
    """
    rest, count, largest = length, 40, 1
    for radix in range(2, length + 1):
        while rest % radix == 0:
            rest //= radix
            count, largest = count + 8 * radix + 16, radix
        if radix * radix > rest > 1:
            count, largest, rest = count + 8 * rest + 16, max(largest, rest), 1
        if rest == 1:
            break
    # 64: the steps of the longer lines; their radices are at most 11.
    return max(count, 4 * length * 3 * 104 * 64) if largest > 13 else count


# Triangular systems -------------------------------------------------------------------------------------


@exact_on_exact
def triangular_solve(applied: Reordered) -> Radii:
    """Substitution, in any order of its sums, solves exactly a system whose elements differ by a small
    relative error (backward analysis); the bound covers the results of all systems within the radii."""
    attributes = applied.attributes
    a, x = _size(applied.operands[0]), _size(applied.results[0])
    r, f = (np.asarray(radius) for radius in applied.r)
    is_lower = attributes.bool_("lower")
    mask = (np.tril if is_lower else np.triu)(np.ones(a.shape[-2:]))
    a, r = a * mask, r * mask
    if attributes.bool_("unit_diagonal"):
        diagonal = np.arange(int(a.shape[-1]))
        a[..., diagonal, diagonal], r[..., diagonal, diagonal] = 1, 0
    if attributes.enum("transpose_a") != "NO_TRANSPOSE":
        a, r, is_lower = a.swapaxes(-1, -2), r.swapaxes(-1, -2), not is_lower
    is_left = attributes.bool_("left_side")
    if not is_left:
        a, r, is_lower = a.swapaxes(-1, -2), r.swapaxes(-1, -2), not is_lower
        x, f = x.swapaxes(-1, -2), f.swapaxes(-1, -2)
    if not is_lower:
        a, r = a[..., ::-1, ::-1], r[..., ::-1, ::-1]
        x, f = x[..., ::-1, :], f[..., ::-1, :]
    unit, tiny = unit_of(applied.element_type)
    g = _backward(applied, a.shape[-1])
    x = x * (1 + 2 * unit) + tiny  # before rounding to the type
    changed = r + g * (2 * a + r)
    _, smallest = unit_of(applied.element_type)
    right = (
        f + changed @ x + 4 * (a.shape[-1] + 2) * smallest * (1 + a.max((-1, -2), keepdims=True, initial=0))
    )
    magnitudes = _substituted(a * (1 - g) - changed, a * (1 + g) + changed, right)
    if not is_lower:
        magnitudes = magnitudes[..., ::-1, :]
    return [_rounded(applied, magnitudes if is_left else magnitudes.swapaxes(-1, -2))]


def _backward(applied: Reordered, size: int) -> float:
    """The relative change of elements that explains the rounding of a factorisation or substitution."""
    factor = 2 if applied.element_type.kind is Kind.COMPLEX else 1
    return growth(factor * (4 * size + 16), unit_of_work(applied.element_type))


def _substituted(diagonal: Array, below: Array, right: Array) -> Array:
    """The magnitudes x with diagonal x = right + below x, row by row; infinite if a pivot may be 0."""
    solution = np.zeros(right.shape)
    for row in range(right.shape[-2]):
        sum_ = right[..., row, :] + (below[..., None, row, :row] @ solution[..., :row, :])[..., 0, :]
        pivot = diagonal[..., row, row, None]
        solution[..., row, :] = np.where(pivot > 0, sum_ / pivot, np.inf)
    return solution


@exact_on_exact
def cholesky(applied: Reordered) -> Radii:
    """L is the exact factor of a matrix near a. If that matrix changes by F, let G = inverse(L) F
    adjoint(inverse(L)): then L changes by L D with sqrt(2) |D| <= |G| + |D|^2 in the norm of Frobenius, if
    |G| <= 1/2."""
    is_lower = applied.attributes.bool_("lower", False)
    factor, r = _size(applied.results[0]), np.asarray(applied.r[0])
    size = factor.shape[-1]
    if not is_lower:
        factor, r = factor.swapaxes(-1, -2), r.swapaxes(-1, -2)
    r = np.tril(r) + np.tril(r, -1).swapaxes(-1, -2)
    unit, tiny = unit_of(applied.element_type)
    work = unit_of_work(applied.element_type)
    g = _backward(applied, size) + (4 * unit if unit > work else 0)
    diagonal = np.arange(int(size))
    of_matrix = _size(applied.operands[0])[..., diagonal, diagonal] + r[..., diagonal, diagonal]
    lengths = np.sqrt(of_matrix / (1 - g)) if g < 1 else np.full(of_matrix.shape, np.inf)
    change = r + 2 * g * lengths[..., :, None] * lengths[..., None, :] + 4 * (size + 2) * tiny
    inverse = _substituted(factor, factor, np.broadcast_to(np.eye(size), factor.shape))
    norm = np.sqrt(np.square(inverse @ change @ inverse.swapaxes(-1, -2)).sum((-1, -2), keepdims=True))
    norm = norm * (1 + 1e-9)
    step = norm * 2 / (sqrt(2) + np.sqrt(np.maximum(2 - 4 * norm, 0)))  # the lesser root
    rows = np.sqrt(np.square(factor).sum(-1, keepdims=True)) * (1 + 4 * unit)
    bound = np.tril(np.where(norm <= 0.5, rows * step, np.inf) + np.zeros(factor.shape))
    bound = np.where(np.tril(np.ones(bound.shape[-2:])) > 0, bound, 0)
    bound = bound if is_lower else bound.swapaxes(-1, -2)
    return [np.where(bound > 0, _rounded(applied, bound), 0)]


# Batch normalisation --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ball:
    """Values that contain those of every evaluation: at most `r` from `x`, and each operation rounds them to
    within two units."""

    x: Array
    r: Array
    unit: float
    tiny: float

    def _rounded(self, x: Array, r: Array) -> Ball:
        return Ball(x, r + 2 * (self.unit * (np.abs(x) + r) + self.tiny), self.unit, self.tiny)

    def __add__(self, other: Ball) -> Ball:
        return self._rounded(self.x + other.x, self.r + other.r)

    def __sub__(self, other: Ball) -> Ball:
        return self._rounded(self.x - other.x, self.r + other.r)

    def __mul__(self, other: Ball) -> Ball:
        x, y = np.abs(self.x), np.abs(other.x)
        return self._rounded(self.x * other.x, x * other.r + y * self.r + self.r * other.r)

    def __truediv__(self, other: Ball) -> Ball:
        x, y = np.abs(self.x), np.abs(other.x)
        least = y - other.r
        spread = np.where(least > 0, (x * other.r + y * self.r) / (y * least), np.inf)
        return self._rounded(self.x / other.x, spread)

    def sqrt(self) -> Ball:
        root = np.sqrt(self.x)
        ends = np.sqrt(np.maximum(self.x - self.r, 0)), np.sqrt(self.x + self.r)
        return self._rounded(root, np.maximum(root - ends[0], ends[1] - root))

    def sum(self, axes: tuple[int, ...], count: int) -> Ball:
        """The sum of elements, each of which is rounded `count` times."""
        magnitude = (np.abs(self.x) + self.r).sum(axes, keepdims=True)
        r = self.r.sum(axes, keepdims=True) + growth(count, self.unit) * magnitude + 2 * count * self.tiny
        return self._rounded(self.x.sum(axes, keepdims=True), r)


@dataclass(frozen=True, slots=True)
class _Normalization:
    """Operands of a batch norm as balls that broadcast to the first of them, and the formulas of the
    kernels."""

    balls: list[Ball]
    axes: tuple[int, ...]
    epsilon: Ball
    elements: Ball
    roundings: int

    def mean(self, values: Ball) -> Ball:
        return values.sum(self.axes, self.roundings) / self.elements

    def normalized(self, centered: Ball, scale: Ball, offset: Ball, variance: Ball) -> Ball:
        return centered * (scale / (variance + self.epsilon).sqrt()) + offset

    def inference(self) -> list[Ball]:
        operand, scale, offset, mean, variance = self.balls
        return [self.normalized(operand - mean, scale, offset, variance)]

    def training(self) -> list[Ball]:
        operand, scale, offset = self.balls
        mean = self.mean(operand)
        centered = operand - mean
        variance = self.mean(centered * centered)
        return [self.normalized(centered, scale, offset, variance), mean, variance]

    def grad(self) -> list[Ball]:
        operand, scale, mean, variance, gradient = self.balls
        centered, spread = operand - mean, variance + self.epsilon
        product = (gradient * centered).sum(self.axes, self.roundings)
        level = centered * (product / (self.elements * spread)) + self.mean(gradient)
        of_operand = (gradient - level) * (scale / spread.sqrt())
        return [of_operand, product / spread.sqrt(), gradient.sum(self.axes, self.roundings)]


def _batch_norm(formula: Callable[[_Normalization], list[Ball]]) -> Rule:
    def rule(applied: Reordered) -> Radii:
        feature = applied.attributes.int_("feature_index")
        shape = np.shape(applied.operands[0])
        axes = tuple(axis for axis in range(len(shape)) if axis != feature)
        unit, tiny = unit_of(applied.element_type)
        count = prod(shape[axis] for axis in axes)
        roundings = rounded_terms(count, applied.element_type.width) + 2 * applied.parts

        def ball(value: Value, radius: npt.ArrayLike = 0.0) -> Ball:
            x, r = np.asarray(value), np.asarray(radius, np.float64) + np.zeros(np.shape(value))
            if x.ndim == 1 and len(shape) > 1:
                x, r = np.expand_dims(x, axes), np.expand_dims(r, axes)
            return Ball(x, r, unit, tiny)

        balls = [ball(widened(x), r) for x, r in zip(applied.operands, applied.r, strict=True)]
        epsilon = ball(np.float64(applied.attributes.float_("epsilon")))
        results = formula(_Normalization(balls, axes, epsilon, ball(np.float64(max(count, 1))), roundings))
        # Both evaluations are in the ball.
        return [
            2 * ball_of_result.r.astype(np.float64).reshape(np.shape(result))
            for ball_of_result, result in zip(results, applied.results, strict=True)
        ]

    return rule


batch_norm_grad = _batch_norm(_Normalization.grad)
batch_norm_inference = exact_on_exact(_batch_norm(_Normalization.inference))
batch_norm_training = _batch_norm(_Normalization.training)
