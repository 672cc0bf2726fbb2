"""Kernels as libraries have them: streams, merged blocks, trees, parts of factors, polynomials; and their tricks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from unit.tools.judge.definitions import DEFINITIONS
from unit.tools.judge.other_kernels import BF16, F, Row, integers, normal

SOFTMAX, MATMUL = DEFINITIONS["softmax"], DEFINITIONS["matmul"]
ATTENTION, LAYER_NORM = DEFINITIONS["attention"], DEFINITIONS["layer_norm"]
F16, F8 = np.float16, ml_dtypes.float8_e4m3fn
HALVES = normal(8, 64).astype(F16), normal(64, 8, seed=1).astype(F16)
SQUARE = normal(16, 16), normal(16, 16, seed=1)
IMAGE = normal(2, 7, 6, 5), normal(3, 3, 5, 4, seed=1)
TIES = np.round(normal(6, 40) * 2) / 2


# Definitions ----------------------------------------------------------------------------------------


def in_halves(a: Any, b: Any) -> Any:
    preset = jax.lax.DotAlgorithmPreset.F16_F16_F16
    return jax.lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision=preset)


def halves_in_f32(a: Any, b: Any) -> Any:
    return jax.lax.dot_general(a, b, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)


def convolution(x: Any, w: Any) -> Any:
    numbers = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=numbers)


def recurrence(a: Any, b: Any) -> Any:
    def step(h: Any, row: Any) -> Any:
        h = row[0] * h + row[1]
        return h, h

    return jax.lax.scan(step, jnp.zeros(a.shape[1], a.dtype), (a, b))[1]


def rope(x: Any, c: Any, s: Any) -> Any:
    one, two = x[:, :8], x[:, 8:]
    return jnp.concatenate([one * c - two * s, two * c + one * s], -1)


def cross_entropy(x: Any, y: Any) -> Any:
    return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1)[:, 0].mean()


def polynomial(x: Any) -> Any:
    result = jnp.zeros_like(x)
    for number in (0.1, -0.3, 0.7, -1.1, 0.9, 0.5, -0.2, 1.0):
        result = result * x + F(number)
    return result


def first_largest(x: Any) -> Any:
    return jnp.argmax(x, -1).astype(jnp.int32)


def distances(a: Any, b: Any) -> Any:
    return ((a[:, None] - b[None]) ** 2).sum(-1)


# Right ----------------------------------------------------------------------------------------------


def streamed_softmax(x: Any) -> Any:
    largest, total = np.full(len(x), -np.inf, F), np.zeros(len(x), F)
    for column in x.T:
        new = np.maximum(largest, column)
        total, largest = total * np.exp(largest - new) + np.exp(column - new), new
    return np.exp(x - largest[:, None]) / total[:, None]


def exp_by_polynomial(x: Any) -> Any:
    k = np.floor(x * F(1.44269504) + F(0.5))
    r = x - k * F(0.693359375) - k * F(-2.12194440e-4)
    p = F(1.9875691500e-4)
    for number in (1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        p = p * r + F(number)
    power = np.clip(np.nan_to_num(k), -200, 200).astype(np.int32)
    return np.where(np.isnan(x), x, np.where(x < -103.9, F(0), np.ldexp(p * r * r + r + F(1), power))).astype(
        F
    )


def softmax_with(exp: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def softmax(x: Any) -> Any:
        powers = exp(x - x.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)

    return softmax


def norm_of_merged_blocks(x: Any, g: Any, b: Any) -> Any:
    count, mean, squares = F(0), np.zeros(len(x), F), np.zeros(len(x), F)
    for start in range(0, x.shape[1], 8):
        block = x[:, start : start + 8]
        size, own = F(block.shape[1]), block.mean(-1)
        gap, total = own - mean, count + F(block.shape[1])
        squares = squares + ((block - own[:, None]) ** 2).sum(-1) + gap * gap * (count * size / total)
        mean, count = mean + gap * (size / total), total
    return (x - mean[:, None]) / np.sqrt((squares / count)[:, None] + F(1e-5)) * g + b


def scanned_in_blocks(x: Any) -> Any:
    sums, carry = np.empty_like(x), np.zeros((len(x), 1), F)
    for start in range(0, x.shape[1], 8):
        sums[:, start : start + 8] = np.cumsum(x[:, start : start + 8], -1, dtype=F) + carry
        carry = sums[:, start : start + 8][:, -1:].copy()
    return sums


def fused(a: Any, b: Any) -> Any:
    total = np.zeros((len(a), b.shape[1]), F)
    for k in range(a.shape[1]):
        total = (a[:, k : k + 1].astype(np.float64) * b[k : k + 1] + total).astype(F)
    return total


def of_parts(dtype: Any, pairs: Sequence[tuple[int, int]]) -> Callable[..., Any]:
    """The sum of products of parts of the factors; a NaN of the smaller ones counts as zero."""

    def parts(x: Any) -> list[Any]:
        high = x.astype(dtype).astype(F)
        middle = (x - high).astype(dtype).astype(F)
        return [high, middle, ((x - high) - middle).astype(dtype).astype(F)]

    def product(a: Any, b: Any) -> Any:
        left, right = parts(a), parts(b)
        small = np.add.reduce([left[i] @ right[j] for i, j in pairs])
        return left[0] @ right[0] + np.where(np.isnan(small), F(0), small)

    return product


def flash_of_powers_of_2(q: Any, k: Any, v: Any) -> Any:
    """Rescales only if the largest score grows by a factor of 256."""
    scores = q @ k.T * F(np.log2(np.e) / np.sqrt(q.shape[1]))
    largest, total, result = np.full((len(q), 1), -np.inf, F), np.zeros((len(q), 1), F), F(0)
    for start in range(0, len(k), 4):
        part = scores[:, start : start + 4]
        top = part.max(1, keepdims=True)
        grows = (top > largest + 8) | ~np.isfinite(largest) | np.isnan(top)
        new = np.where(grows, np.maximum(largest, top), largest)
        power, old = np.exp2(part - new), np.exp2(largest - new)
        total, result = total * old + power.sum(1, keepdims=True), result * old + power @ v[start : start + 4]
        largest = new
    return result / total


def split_keys(q: Any, k: Any, v: Any) -> Any:
    parts: list[tuple[Any, Any, Any]] = []
    for start in range(0, len(k), 6):
        scores = q @ k[start : start + 6].T / F(np.sqrt(q.shape[1]))
        largest = scores.max(1, keepdims=True)
        power = np.exp(scores - largest)
        total = power.sum(1, keepdims=True)
        parts.append((largest, total, power @ v[start : start + 6] / total))
    top = np.maximum.reduce([largest for largest, _, _ in parts])
    weights = [total * np.exp(largest - top) for largest, total, _ in parts]
    return sum(part * (own / sum(weights)) for (_, _, part), own in zip(parts, weights, strict=True))


def shifts(x: Any) -> list[Any]:
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    height, width = x.shape[1:3]
    return [padded[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]


def by_columns_of_patches(x: Any, w: Any) -> Any:
    return np.concatenate(shifts(x), -1) @ w.reshape(-1, w.shape[-1])


def gelu_by_erfc(x: Any) -> Any:
    tail = np.vectorize(math.erfc, otypes=[np.float64])(-x.astype(np.float64) * np.sqrt(0.5))
    return (F(0.5) * x * tail.astype(F)).astype(F)


def rope_fused(x: Any, c: Any, s: Any) -> Any:
    one, two = x[:, :8].astype(np.float64), x[:, 8:].astype(np.float64)
    parts = one * c - (two * s).astype(F), two * c + (one * s).astype(F)
    return np.concatenate([part.astype(F) for part in parts], -1)


def entropy_of_rows(x: Any, y: Any) -> Any:
    shifted = x - x.max(-1, keepdims=True)
    return np.asarray((np.log(np.exp(shifted).sum(-1)) - shifted[np.arange(len(x)), y]).mean(), F)


def estrin(x: Any) -> Any:
    c = [F(number) for number in (1.0, -0.2, 0.5, 0.9, -1.1, 0.7, -0.3, 0.1)]
    x2 = x * x
    return ((c[0] + c[1] * x) + (c[2] + c[3] * x) * x2) + ((c[4] + c[5] * x) + (c[6] + c[7] * x) * x2) * (
        x2 * x2
    )


def sums_in_f16(a: Any, b: Any) -> Any:
    total = np.zeros((len(a), b.shape[1]), F16)
    for k in range(a.shape[1]):
        total = (total + a[:, k : k + 1] * b[k : k + 1]).astype(F16)
    return total


def radix_2(x: Any) -> Any:
    count = x.shape[-1]
    if count == 1:
        return x
    even, odd = radix_2(x[..., ::2]), radix_2(x[..., 1::2])
    turned = np.exp(-2j * np.pi * np.arange(count // 2) / count).astype(np.complex64) * odd
    return np.concatenate([even + turned, even - turned], -1)


def tanh_by_expm1(x: Any) -> Any:
    change = np.expm1(F(-2) * np.abs(x))
    return np.where(np.isnan(x), x, np.copysign(-change / (F(2) + change), x)).astype(F)


SIX, NINE = (
    ((2, 0), (1, 1), (0, 2), (1, 0), (0, 1)),
    ((2, 2), (2, 1), (1, 2), (2, 0), (1, 1), (0, 2), (1, 0), (0, 1)),
)
ANGLES = np.random.default_rng(3).uniform(0, 6, (9, 8))
RIGHT: dict[str, Row] = {
    "streamed softmax": (*SOFTMAX, streamed_softmax),
    "softmax with a polynomial": (*SOFTMAX, softmax_with(exp_by_polynomial)),
    "norm of merged blocks": (*LAYER_NORM, norm_of_merged_blocks),
    "scan in blocks": (*DEFINITIONS["cumulative"], scanned_in_blocks),
    "fused product": (*MATMUL, fused),
    "bf16x9": (*MATMUL, of_parts(BF16, NINE)),
    "bf16x6": (*MATMUL, of_parts(BF16, SIX)),
    "flash in powers of 2": (*ATTENTION, flash_of_powers_of_2),
    "split keys": (*ATTENTION, split_keys),
    "patches": (convolution, IMAGE, by_columns_of_patches),
    "sum of shifts": (
        convolution,
        IMAGE,
        lambda x, w: np.add.reduce(
            [part @ own for part, own in zip(shifts(x), w.reshape(9, 5, 4), strict=True)]
        ),
    ),
    "gelu by erfc": (lambda x: jax.nn.gelu(x, approximate=False), (normal(8, 33),), gelu_by_erfc),
    "silu as a quotient": (jax.nn.silu, (normal(8, 33),), lambda x: x / (1 + np.exp(-x))),
    "rope with fused products": (
        rope,
        (normal(9, 16), np.cos(ANGLES).astype(F), np.sin(ANGLES).astype(F)),
        rope_fused,
    ),
    "cross entropy": (cross_entropy, (normal(12, 20), integers(20, 12)), entropy_of_rows),
    "polynomial as a tree": (polynomial, (normal(50),), estrin),
    "softplus with a threshold": (
        *DEFINITIONS["softplus"],
        lambda x: np.where(x > 20, x, np.log1p(np.exp(np.minimum(x, F(20))))).astype(F),
    ),
    "f16 sums that the program names": (in_halves, HALVES, sums_in_f16),
    "transform by halves": (*DEFINITIONS["fft"], radix_2),
    "tanh by expm1": (jnp.tanh, (normal(50),), tanh_by_expm1),
}


# Wrong ----------------------------------------------------------------------------------------------


def strassen(a: Any, b: Any) -> Any:
    if len(a) <= 2:
        return a @ b
    h = len(a) // 2
    (a1, a2), (a3, a4) = (a[:h, :h], a[:h, h:]), (a[h:, :h], a[h:, h:])
    (b1, b2), (b3, b4) = (b[:h, :h], b[:h, h:]), (b[h:, :h], b[h:, h:])
    m1, m2, m3 = strassen(a1 + a4, b1 + b4), strassen(a3 + a4, b1), strassen(a1, b2 - b4)
    m4, m5 = strassen(a4, b3 - b1), strassen(a1 + a2, b4)
    m6, m7 = strassen(a3 - a1, b1 + b2), strassen(a2 - a4, b3 + b4)
    return np.block([[m1 + m4 - m5 + m7, m3 + m5], [m2 + m4, m1 - m2 + m3 + m6]])


def root_by_bits(x: Any) -> Any:
    y = (np.int32(0x5F3759DF) - (np.ascontiguousarray(x).view(np.int32) >> 1)).view(F)
    return y * (F(1.5) - F(0.5) * x * y * y)


def fast_norm(x: Any, g: Any, b: Any) -> Any:
    d = x - x.mean(-1, keepdims=True)
    return d * root_by_bits((d * d).mean(-1, keepdims=True) + F(1e-5)) * g + b


def running_mean(x: Any) -> Any:
    mean = np.zeros(len(x), F)
    for number, column in enumerate(x.T, 1):
        mean = mean + (column - mean) / F(number)
    return mean


def half_copied(x: Any) -> Any:
    result = streamed_softmax(x)
    result[4:] = result[:4]
    return result


def without_border(x: Any, w: Any) -> Any:
    result = by_columns_of_patches(x, w)
    result[:, 0] = 0
    return result


class Memorised:
    """Right for the first arguments, zero for others."""

    def __init__(self) -> None:
        self._first: Any = None

    def __call__(self, a: Any, b: Any) -> Any:
        self._first = a if self._first is None else self._first
        return a @ b if np.array_equal(a, self._first) else np.zeros((len(a), b.shape[1]), F)


def f8(x: Any) -> Any:
    return x.astype(F8).astype(F)


# And a word of the report.
WRONG: dict[str, tuple[Row, str]] = {
    "bf16x3": ((*MATMUL, of_parts(BF16, ((1, 0), (0, 1)))), "products of two parts in bf16x3"),
    "Strassen": ((MATMUL[0], SQUARE, strassen), "Strassen's"),
    "f8 operands": ((*MATMUL, lambda a, b: f8(a) @ f8(b)), "operands of products in f8E4M3FN"),
    "f16 sums": ((halves_in_f32, HALVES, lambda a, b: sums_in_f16(a, b).astype(F)), "results in f16"),
    "bf16 probabilities": (
        (*ATTENTION, lambda q, k, v: streamed_softmax(q @ k.T / F(np.sqrt(32))).astype(BF16).astype(F) @ v),
        "in bf16",
    ),
    "running mean of infinities": (
        (lambda x: x.mean(-1), (normal(5, 41),), running_mean),
        "is NaN where an infinity is right",
    ),
    "half of the rows copied": ((*SOFTMAX, half_copied), "leaves out rows 4, 5, 6, 7 of dimension 0 (of 8)"),
    "border": ((convolution, IMAGE, without_border), "leaves out rows 0 of dimension 1 (of 7)"),
    "memorised": ((*MATMUL, Memorised), "elements are wrong"),
    "clamped": ((*SOFTMAX, lambda x: streamed_softmax(np.clip(x, F(-2), F(2)))), "elements are wrong"),
    "root by bits": ((*LAYER_NORM, fast_norm), "elements are wrong"),
    "missing keys": ((*ATTENTION, lambda q, k, v: split_keys(q, k[:15], v[:15])), "elements are wrong"),
    "gelu of 1.702": (
        (*DEFINITIONS["gelu"], lambda x: x / (1 + np.exp(F(-1.702) * x))),
        "elements are wrong",
    ),
    "scan without a carry": (
        (
            *DEFINITIONS["cumulative"],
            lambda x: np.concatenate([np.cumsum(p, -1) for p in np.split(x, [32], -1)], -1),
        ),
        "elements are wrong",
    ),
    "last of equal maxima": (
        (first_largest, (TIES,), lambda x: (39 - np.argmax(x[:, ::-1], -1)).astype(np.int32)),
        "elements are wrong",
    ),
    "sum without NaN": ((*DEFINITIONS["sums"], lambda x: np.nansum(x, -1, dtype=F)), "numbers where NaN"),
    "relu without NaN": (
        (lambda x: jnp.maximum(x, 0), (normal(50),), lambda x: np.where(x > 0, x, F(0))),
        "numbers where NaN",
    ),
    "identity": ((lambda x: jnp.maximum(x, 0), (np.abs(normal(50)),), np.copy), "elements are wrong"),
    "distances by expansion": (
        (
            distances,
            (normal(6, 8), normal(6, 8, seed=1)),
            lambda a, b: (a * a).sum(-1)[:, None] + (b * b).sum(-1) - 2 * a @ b.T,
        ),
        "far from zero",
    ),
    "transposed": ((MATMUL[0], SQUARE, lambda a, b: a @ b.T), "elements are wrong"),
}
# Kernels with a memory: made anew for each judgement.
MAKERS = ("memorised",)
