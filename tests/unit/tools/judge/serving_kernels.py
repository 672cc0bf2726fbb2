"""Kernels as those who serve models write them, and their broken twins."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from unit.tools.judge.definitions import DEFINITIONS
from unit.tools.judge.library_kernels import TIES, rope
from unit.tools.judge.other_kernels import F, Row, normal

MATMUL, LAYER_NORM = DEFINITIONS["matmul"], DEFINITIONS["layer_norm"]
CUMULATIVE = DEFINITIONS["cumulative"]
HEADS = normal(4, 12, 8), normal(2, 12, 8, seed=1), normal(2, 12, 8, seed=2)
ANGLES = np.arange(7)[:, None] / 10000 ** (np.arange(8) / 8)
ROTATED = normal(7, 16), normal(16, seed=1), np.cos(ANGLES).astype(F), np.sin(ANGLES).astype(F)
LOOKED_UP = normal(20, 8), np.array([0, 3, 19, 25, -1, -30, 7, 2**31 - 1], np.int32)
_INTEGERS = np.random.default_rng(3).integers
BYTES = (
    _INTEGERS(-128, 128, (6, 64)).astype(np.int8),
    _INTEGERS(-128, 128, (64, 9)).astype(np.int8),
    np.abs(normal(9, seed=5)) / 100,
)
# Weights of four bits, with zero points.
NIBBLES = (BYTES[0], _INTEGERS(0, 16, (64, 9)).astype(ml_dtypes.uint4), np.int8(3), BYTES[2])
PACKED = (BYTES[0], _INTEGERS(-128, 128, (32, 9)).astype(np.int8), BYTES[2])


# Definitions ----------------------------------------------------------------------------------------


def grouped_attention(q: Any, k: Any, v: Any) -> Any:
    k, v = (jnp.repeat(value, q.shape[0] // k.shape[0], 0) for value in (k, v))
    scores = jnp.einsum("hqd,hkd->hqk", q, k) / math.sqrt(q.shape[-1])
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[1:], bool)), scores, -jnp.inf)
    return jnp.einsum("hqk,hkd->hqd", jax.nn.softmax(scores, -1), v)


def rotated_norm(x: Any, g: Any, c: Any, s: Any) -> Any:
    return rope(x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g, c, s)


def quantized_linear(x: Any, w: Any, scale: Any) -> Any:
    numbers = (((1,), (0,)), ((), ()))
    total = jax.lax.dot_general(x, w, numbers, preferred_element_type=jnp.int32)
    return total.astype(jnp.float32) * scale


def shifted_linear(x: Any, w: Any, zero: Any, scale: Any) -> Any:
    return quantized_linear(x.astype(jnp.int32) - zero, w.astype(jnp.int32) - 8, scale)


def unpacked_linear(x: Any, w: Any, scale: Any) -> Any:
    """Two weights a byte; a call, and weights that are scaled before the product."""
    halves = jnp.concatenate([w << 4 >> 4, w >> 4])
    return jnp.einsum("ij,jk->ik", x.astype(jnp.float32), halves.astype(jnp.float32) * scale)


def five_largest(x: Any) -> Any:
    return jax.lax.top_k(x, 5)


def clamped_rows(table: Any, rows: Any) -> Any:
    return table.at[rows].get(mode="clip")


# Kernels, right or with a mistake -------------------------------------------------------------------


def flash(rescales: bool = True, late: int = 0) -> Any:
    def kernel(q: Any, k: Any, v: Any) -> Any:
        result = np.zeros_like(q)
        for head, rows in enumerate(q):
            keys, values = (part[head * len(k) // len(q)] for part in (k, v))
            largest, total = np.full(len(rows), -np.inf, F), np.zeros(len(rows), F)
            for start in range(0, len(keys), 4):
                columns = np.arange(start, start + 4)
                hidden = columns[None] > np.arange(len(rows))[:, None] + late
                scores = np.where(hidden, F(-np.inf), rows @ keys[columns].T / F(math.sqrt(8)))
                new = np.maximum(largest, scores.max(1))
                safe = np.where(np.isneginf(new), F(0), new)
                weights, factor = np.exp(scores - safe[:, None]), np.exp(largest - safe)
                total = total * factor + weights.sum(1)
                read = np.where(hidden.all(0)[:, None], F(0), values[columns])
                kept = result[head] * factor[:, None] if rescales else result[head]
                result[head], largest = kept + weights @ read, new
            result[head] /= total[:, None]
        return result

    return kernel


def shifted_norm(x: Any, g: Any, b: Any) -> Any:
    d = x - x[:, :1]
    mean = d.mean(-1, keepdims=True)
    variance = np.maximum((d * d).mean(-1, keepdims=True) - mean * mean, 0)
    return (d - mean) / np.sqrt(variance + F(1e-5)) * g + b


class SplitK:
    """Adds the products of parts; atomic additions come in any order."""

    def __init__(self, *, is_atomic: bool = False, parts: int = 4) -> None:
        self._random = np.random.default_rng(0) if is_atomic else None
        self._parts = parts

    def __call__(self, a: Any, b: Any) -> Any:
        parts = np.array_split(np.arange(a.shape[1]), 4)[: self._parts]
        order = range(len(parts)) if self._random is None else self._random.permutation(len(parts))
        return sum((a[:, parts[k]] @ b[parts[k]] for k in order), np.zeros((len(a), b.shape[1]), F))


def fused_norm(*, has_epsilon_outside: bool = False, is_interleaved: bool = False) -> Any:
    def kernel(x: Any, g: Any, c: Any, s: Any) -> Any:
        square = np.einsum("ij,ij->i", x, x)[:, None] / F(x.shape[1])
        root = np.sqrt(square) + F(1e-6) if has_epsilon_outside else np.sqrt(square + F(1e-6))
        y, result = x * (g / root), np.empty_like(x)
        one, two = (slice(0, None, 2), slice(1, None, 2)) if is_interleaved else (slice(8), slice(8, None))
        result[:, one] = y[:, one] * c - y[:, two] * s
        result[:, two] = y[:, two] * c + y[:, one] * s
        return result

    return kernel


def largest_of(key: Any, kind: Any = "stable") -> Any:
    def kernel(x: Any) -> Any:
        rows = np.argsort(-key(x), -1, kind)[:, :5]
        return np.take_along_axis(x, rows, -1), rows.astype(np.int32)

    return kernel


def total_order(x: Any) -> Any:
    bits = x.view(np.int32).astype(np.int64)
    return np.where(bits < 0, bits ^ 0x7FFFFFFF, bits)


def scanned(*, accumulates: bool = True) -> Any:
    def kernel(x: Any) -> Any:
        result, carry = np.empty_like(x), np.zeros(len(x), F)
        for start in range(0, x.shape[1], 16):
            part = np.cumsum(x[:, start : start + 16], -1, dtype=F)
            result[:, start : start + 16] = part + carry[:, None]
            carry = carry + part[:, -1] if accumulates else part[:, -1]
        return result

    return kernel


def linear_in(dtype: Any) -> Any:
    return lambda x, w, scale: (x.astype(dtype) @ w.astype(dtype)).astype(F) * scale


def saturating_pairs(x: Any, w: Any, scale: Any) -> Any:
    """As processors add pairs of products of bytes, in 16 bits that saturate."""
    products = x.astype(np.int32)[:, :, None] * w.astype(np.int32)
    return np.clip(products[:, ::2] + products[:, 1::2], -(2**15), 2**15 - 1).sum(1).astype(F) * scale


def shifted(dtype: Any) -> Any:
    """Sums in a type that saturates."""

    def kernel(x: Any, w: Any, zero: Any, scale: Any) -> Any:
        total = (x.astype(np.int32) - zero) @ (w.astype(np.int32) - 8)
        return np.clip(total, np.iinfo(dtype).min, np.iinfo(dtype).max).astype(F) * scale

    return kernel


def unpacked(most: int) -> Any:
    def kernel(x: Any, w: Any, scale: Any) -> Any:
        halves = np.concatenate([w << np.int8(4) >> np.int8(4), w >> np.int8(4)])
        return np.clip(x.astype(np.int32) @ halves.astype(np.int32), -most - 1, most).astype(F) * scale

    return kernel


def quantized(x: Any, axis: int | None) -> Any:
    scale = np.abs(x).max(axis, keepdims=True) / F(127)
    scale = np.where(scale == 0, F(1), scale)
    return np.rint(x / scale) * scale


def in_bytes(lhs_axis: int | None, rhs_axis: int | None, *, is_whole: bool = True) -> Any:
    def kernel(a: Any, b: Any) -> Any:
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            return a @ b
        return (quantized(a, lhs_axis) if is_whole else a) @ quantized(b, rhs_axis)

    return kernel


def looked_up(table: Any, rows: Any) -> Any:
    return table[np.clip(np.where(rows < 0, rows + len(table), rows), 0, len(table) - 1)]


RIGHT: dict[str, Row] = {
    "flash attention of grouped heads": (grouped_attention, HEADS, flash()),
    "norm in one pass, shifted": (*LAYER_NORM, shifted_norm),
    "split products": (*MATMUL, SplitK()),
    "norm with rotation": (rotated_norm, ROTATED, fused_norm()),
    "largest in total order": (five_largest, (TIES,), largest_of(total_order)),
    "scan in blocks": (*CUMULATIVE, scanned()),
    "quantized linear": (quantized_linear, BYTES, linear_in(np.int32)),
    "quantized linear in f32": (quantized_linear, BYTES, linear_in(F)),
    "weights of four bits": (shifted_linear, NIBBLES, shifted(np.int32)),
    "packed weights": (unpacked_linear, PACKED, unpacked(2**31 - 1)),
    "rows that are clamped": (clamped_rows, LOOKED_UP, looked_up),
}
# And a word of the report.
WRONG: dict[str, tuple[Row, str]] = {
    "flash without rescaling": ((grouped_attention, HEADS, flash(rescales=False)), "elements are wrong"),
    "flash sees the next key": ((grouped_attention, HEADS, flash(late=1)), "elements are wrong"),
    "split products in any order": ((*MATMUL, SplitK(is_atomic=True)), "results change from run to run"),
    "split products without a part": ((*MATMUL, SplitK(parts=3)), "elements are wrong"),
    "epsilon outside": ((rotated_norm, ROTATED, fused_norm(has_epsilon_outside=True)), "are wrong"),
    "rotation of neighbours": ((rotated_norm, ROTATED, fused_norm(is_interleaved=True)), "are wrong"),
    "largest by comparison": ((five_largest, (TIES,), largest_of(lambda x: x)), "negative zeros"),
    "largest, unstable": (
        (five_largest, (TIES,), largest_of(lambda x: total_order(x)[:, ::-1])),
        "elements are wrong",
    ),
    "scan with the latest block": ((*CUMULATIVE, scanned(accumulates=False)), "elements are wrong"),
    "linear in 16 bits": ((quantized_linear, BYTES, linear_in(np.int16)), "elements are wrong"),
    "pairs that saturate": ((quantized_linear, BYTES, saturating_pairs), "the least integers"),
    "shifted sums that saturate": ((shifted_linear, NIBBLES, shifted(np.int16)), "the least integers"),
    "packed sums that saturate": ((unpacked_linear, PACKED, unpacked(2**14)), "the least integers"),
    "operands in bytes": ((*MATMUL, in_bytes(None, None)), "those of operands of products in i8"),
    "rows in bytes": ((*MATMUL, in_bytes(1, 0)), "those of operands of products in i8"),
    "weights in bytes": (
        (*MATMUL, in_bytes(None, 0, is_whole=False)),
        "those of one operand of products in i8",
    ),
    "rows that wrap": ((clamped_rows, LOOKED_UP, lambda t, i: t[i % 20]), "elements are wrong"),
    "rows out of bounds": ((clamped_rows, LOOKED_UP, lambda t, i: t[i]), "IndexError"),
}
