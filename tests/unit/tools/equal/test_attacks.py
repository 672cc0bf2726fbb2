"""Attacks on `hlokit.equal`: functions that differ in a corner, and functions that mean the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import hlokit

_RANDOM = np.random.default_rng(0)
X, B = (_RANDOM.normal(size=size).astype(np.float32) for size in ((6, 6), (4, 4)))
INTEGERS = np.arange(12, dtype=np.int32).reshape(3, 4) - 5
Row = tuple[Callable[[Any], Any], Callable[[Any], Any], Any]


def _in_blocks(x: Any, *, is_rescaled: bool) -> Any:
    """Attention in blocks of two keys, whose running maximum begins with an infinity."""
    largest, size, result = jnp.full((6,), -jnp.inf, x.dtype), 0.0, 0.0
    for start in range(0, 6, 2):
        scores = x @ x[start : start + 2].T * 0.5
        larger = jnp.maximum(largest, scores.max(-1))
        weights = jnp.exp(scores - larger[:, None])
        scale = jnp.exp(largest - larger)
        size = size * scale + weights.sum(-1)
        result = result * (scale if is_rescaled else jnp.ones_like(scale))[:, None]
        result, largest = result + weights @ x[start : start + 2], larger
    return result / size[:, None]


DIFFERENT: dict[str, Row] = {
    "attention in blocks without a factor": (
        lambda x: jax.nn.softmax(x @ x.T * 0.5) @ x,
        lambda x: _in_blocks(x, is_rescaled=False),
        X,
    ),
    "mask causal vs strict": (
        lambda x: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((6, 6), bool)), x, -1e9)),
        lambda x: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((6, 6), bool), -1), x, -1e9)),
        X,
    ),
    "mask value -1e9 vs -inf": (
        lambda x: jnp.where(x > 0, x, -1e9),
        lambda x: jnp.where(x > 0, x, -jnp.inf),
        X,
    ),
    "compare ties gt/ge on integers": (
        lambda x: (jnp.round(x) > 0).astype("f4"),
        lambda x: (jnp.round(x) >= 0).astype("f4"),
        X,
    ),
    "gt/ge zeros": (lambda x: x * 0 > 0, lambda x: x * 0 >= 0, X),
    "argmax first/last tie": (
        lambda x: jnp.argmax(jnp.stack([x, x], -1), -1),
        lambda x: 1 - jnp.argmax(jnp.stack([x, x], -1)[..., ::-1], -1),
        X,
    ),
    "select nan": (
        lambda x: jnp.where(jnp.log(x) > 0, 1.0, 0.0),
        lambda x: jnp.where(jnp.log(x) <= 0, 0.0, 1.0),
        X,
    ),
    "nan max vs nan-ignoring": (lambda x: jnp.max(jnp.log(x), -1), lambda x: jnp.nanmax(jnp.log(x), -1), X),
    "isnan": (lambda x: jnp.isnan(jnp.sqrt(x)), jnp.isnan, X),
    "i32 overflow avg": (lambda x: (x * 400000000 + x * 400000000) // 2, lambda x: x * 400000000, INTEGERS),
    "convert trunc vs round": (lambda x: (x * 3).astype("i4"), lambda x: jnp.round(x * 3).astype("i4"), X),
    "convert bool": (lambda x: x.astype(bool).astype("f4"), lambda x: (x > 0).astype("f4"), X),
    "sort payload": (
        lambda x: lax.sort((x, x.T), num_keys=1)[1],
        lambda x: lax.sort((x.T, x), num_keys=1)[0],
        X,
    ),
    "argsort stable ties": (
        lambda x: lax.sort((x * 0, x), num_keys=1, is_stable=True)[1],
        lambda x: lax.sort((x * 0, x), num_keys=2)[1],
        X,
    ),
    "reduce sub": (lambda x: lax.reduce(x, np.float32(0), lambda a, b: a - b, (1,)), lambda x: -x.sum(1), X),
    "while float condition": (
        lambda x: lax.while_loop(lambda c: c.sum() < 100, lambda c: c * 1.5 + 1, x),
        lambda x: lax.while_loop(lambda c: c.sum() <= 200, lambda c: c * 1.5 + 1, x),
        X,
    ),
    "fori count": (
        lambda x: lax.fori_loop(0, 5, lambda i, c: jnp.tanh(c), x),
        lambda x: lax.fori_loop(0, 6, lambda i, c: jnp.tanh(c), x),
        X,
    ),
    "gather clamp vs fill": (
        lambda x: jnp.take(x, jnp.array([0, 9]), axis=0, mode="clip"),
        lambda x: jnp.take(x, jnp.array([0, 9]), axis=0, mode="fill"),
        X,
    ),
    "gather oob wrap": (
        lambda x: jnp.take(x, jnp.array([0, 9]), axis=0, mode="clip"),
        lambda x: jnp.take(x, jnp.array([0, 9]), axis=0, mode="wrap"),
        X,
    ),
    "dynamic slice clamp": (
        lambda x: lax.dynamic_slice(x, (jnp.int32(4), 0), (3, 6)),
        lambda x: lax.dynamic_slice(x, (jnp.int32(2), 0), (3, 6)),
        X,
    ),
    "scatter drop": (
        lambda x: x.at[jnp.array([0, 9])].add(1.0, mode="drop"),
        lambda x: x.at[jnp.array([0, 5])].add(1.0),
        X,
    ),
    "scatter set dup": (
        lambda x: x.at[jnp.array([0, 0])].set(jnp.array([[1.0], [2.0]])),
        lambda x: x.at[jnp.array([0, 0])].set(jnp.array([[2.0], [1.0]])),
        X,
    ),
    "div zero sign": (lambda x: 1 / (x * 0), lambda x: -1 / (x * 0), X),
    "0/0 vs 1": (lambda x: (x - x) / (x - x), lambda x: x / x, X),
    "integer div neg": (lambda x: lax.div(x, jnp.full_like(x, 2)), lambda x: x >> 1, INTEGERS),
    "rem sign": (lambda x: lax.rem(x, jnp.full_like(x, 3)), lambda x: x % 3, INTEGERS),
    "subnormal": (lambda x: x * 1e-40, lambda x: x * 0, X),
    "f8 consts": (
        lambda x: x + jnp.float8_e4m3fn(1.125).astype("f4"),
        lambda x: x + jnp.float8_e4m3fn(1.25).astype("f4"),
        X,
    ),
    "conj": (lambda x: x + 1j * x.T, lambda x: jnp.conj(x + 1j * x.T), X),
    "conj mul": (lambda x: (x + 1j * x.T) ** 2, lambda x: abs(x + 1j * x.T) ** 2 + 0j, X),
    "fft vs ifft": (lambda x: jnp.fft.fft(x).real, lambda x: jnp.fft.ifft(x).real, X),
    "tri solve lower/upper": (
        lambda b: jax.scipy.linalg.solve_triangular(b + 4 * jnp.eye(4), b, lower=True),
        lambda b: jax.scipy.linalg.solve_triangular(b + 4 * jnp.eye(4), b, lower=False),
        B,
    ),
    "tri solve trans": (
        lambda b: jax.scipy.linalg.solve_triangular(b + 4 * jnp.eye(4), b, lower=True),
        lambda b: jax.scipy.linalg.solve_triangular(b + 4 * jnp.eye(4), b, lower=True, trans=1),
        B,
    ),
    "cholesky other operand": (
        lambda b: jnp.linalg.cholesky(b @ b.T + jnp.eye(4)),
        lambda b: jnp.linalg.cholesky(b.T @ b + jnp.eye(4)),
        B,
    ),
    "erf_inv": (lambda x: jax.lax.erf_inv(jnp.tanh(x)), lambda x: jax.lax.erf_inv(jnp.tanh(-x)), X),
    "abs vs id": (abs, lambda x: x, X),
    "sign 0": (lambda x: jnp.sign(x - x), lambda x: jnp.sign(x - x) + 1, X),
    "pow odd/even": (lambda x: x**2, lambda x: x**4, X),
    "pow frac": (lambda x: abs(x) ** 0.5, lambda x: abs(x) ** 0.25, X),
    "atan2 swap": (lambda x: jnp.arctan2(x, x.T), lambda x: jnp.arctan2(x.T, x), X),
    "clip order": (lambda x: jnp.clip(x, -1, 0.5), lambda x: jnp.clip(x, -1, 0.25), X),
    "cumsum reverse": (lambda x: jnp.cumsum(x, 1), lambda x: jnp.cumsum(x[:, ::-1], 1), X),
    "cummax vs max": (
        lambda x: lax.cummax(x, 1),
        lambda x: jnp.broadcast_to(x.max(1, keepdims=True), (6, 6)),
        X,
    ),
    "var ddof": (lambda x: jnp.var(x, 1), lambda x: jnp.var(x, 1, ddof=1), X),
    "mean axes": (lambda x: x.mean(0), lambda x: x.mean(1), X),
    "popcount": (lax.population_count, lambda x: lax.population_count(~x), INTEGERS),
    "int shift": (lambda x: x << 1, lambda x: x << 2, INTEGERS),
    "bitcast": (
        lambda x: lax.bitcast_convert_type(x, jnp.int32) & 1,
        lambda x: (lax.bitcast_convert_type(x, jnp.int32) >> 1) & 1,
        X,
    ),
    "nextafter": (lambda x: jnp.nextafter(x, x + 1), lambda x: x, X),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 8, 3) * 1.5, lambda x: x * 1.25, X),
    "where both": (lambda x: jnp.where(x > x.T, x, x.T), lambda x: jnp.where(x > x.T, x.T, x), X),
    "dot transpose batch": (
        lambda x: jnp.einsum("ij,ij->i", x, x.T),
        lambda x: jnp.einsum("ij,ji->i", x, x.T),
        X,
    ),
    "zero padding": (
        lambda x: jnp.pad(x, ((0, 1), (0, 0))),
        lambda x: jnp.pad(x, ((0, 1), (0, 0)), constant_values=1e-30),
        X,
    ),
    "cond": (
        lambda x: lax.cond(x.sum() > 0, lambda x: x, lambda x: -x, x),
        lambda x: lax.cond(x.sum() > 0, lambda x: -x, lambda x: x, x),
        X,
    ),
    "2^61 factor in sum": (lambda x: x + x.T, lambda x: x + x.T * 2.0**61, X),
    "tiny factor hidden": (lambda x: x + 1e-30 * x * x, lambda x: x + 2e-30 * x * x, X),
    "prime const": (lambda x: x, lambda x: x * float(2**61), X),
    "exp of sum shift": (jnp.exp, lambda x: jnp.exp(x + 1e-8), X),
    "log prod": (lambda x: jnp.log(x * x + 1), lambda x: jnp.log(x * x + 1 + 1e-7), X),
}

SAME: dict[str, Row] = {
    "attention in blocks": (
        lambda x: jax.nn.softmax(x @ x.T * 0.5) @ x,
        lambda x: _in_blocks(x, is_rescaled=True),
        X,
    ),
    "dynamic slice clamp same": (
        lambda x: lax.dynamic_slice(x, (jnp.int32(9), 0), (3, 6)),
        lambda x: x[3:],
        X,
    ),
    "ge tie": (lambda x: jnp.where(x >= x.T, x, x.T), lambda x: jnp.maximum(x, x.T), X),
    "not lt": (lambda x: ~(x < x.T), lambda x: x >= x.T, X),
    "argmax": (lambda x: jnp.argmax(x, -1), lambda x: jnp.argmax(x * 2 + 1, -1), X),
    "sort payload": (
        lambda x: lax.sort((x, x.T), num_keys=1)[1],
        lambda x: jnp.take_along_axis(x.T, jnp.argsort(x), -1),
        X,
    ),
    "median": (lambda x: jnp.median(x, 1), lambda x: (jnp.sort(x, 1)[:, 2] + jnp.sort(x, 1)[:, 3]) / 2, X),
    "int mul shift": (lambda x: x * 4, lambda x: x << 2, INTEGERS),
    "int neg": (lambda x: -x, lambda x: ~x + 1, INTEGERS),
    "int floor div": (lambda x: x // 2, lambda x: x >> 1, INTEGERS),
    "int mod": (lambda x: x % 4, lambda x: x & 3, INTEGERS),
    "convert": (lambda x: x.astype("f4") * 2, lambda x: (x * 2).astype("f4"), INTEGERS),
    "abs": (abs, lambda x: jnp.maximum(x, -x), X),
    "abs2": (abs, lambda x: x * jnp.sign(x), X),
    "sqrt sq": (lambda x: jnp.sqrt(x * x), abs, X),
    "clip": (lambda x: jnp.clip(x, -1, 1), lambda x: jnp.minimum(jnp.maximum(x, -1), 1), X),
    "relu grad": (jax.grad(lambda x: jax.nn.relu(x).sum()), lambda x: (x > 0).astype("f4"), X),
    "cumsum": (lambda x: jnp.cumsum(x, 1), lambda x: x @ jnp.triu(jnp.ones((6, 6))), X),
    "cumprod": (lambda x: jnp.cumprod(x, 1)[:, -1], lambda x: x.prod(1), X),
    "prod": (lambda x: jnp.exp(jnp.log(x * x).sum(1) * 0) * x.prod(1), lambda x: x.prod(1), X),
    "scan/unroll": (
        lambda x: lax.scan(lambda c, y: (jnp.tanh(c + y), c), x[0], x)[0],
        lambda x: lax.scan(lambda c, y: (jnp.tanh(c + y), c), x[0], x, unroll=3)[0],
        X,
    ),
    "while/fori": (
        lambda x: lax.fori_loop(0, 4, lambda i, c: jnp.sin(c), x),
        lambda x: jnp.sin(jnp.sin(jnp.sin(jnp.sin(x)))),
        X,
    ),
    "vmap": (jax.vmap(lambda v: v @ v), lambda x: (x * x).sum(1), X),
    "jvp/vjp": (
        lambda x: jax.jvp(lambda y: jnp.tanh(y) * y, (x,), (x,))[1],
        lambda x: jax.vjp(lambda y: jnp.tanh(y) * y, x)[1](x)[0],
        X,
    ),
    "complex mul": (lambda x: ((x + 1j) * (x - 1j)).real, lambda x: x * x + 1, X),
    "complex abs": (lambda x: abs(x + 1j * x.T) ** 2, lambda x: x * x + x.T * x.T, X),
    "conj conj": (lambda x: jnp.conj(jnp.conj(x + 1j * x)).imag, lambda x: x, X),
    "exp complex real": (lambda x: jnp.exp(1j * x).real, jnp.cos, X),
    "nan propagates": (lambda x: jnp.log(x) * 0, lambda x: jnp.where(x < 0, jnp.nan, 0.0), X),
    "triangular": (lambda b: jnp.linalg.solve(jnp.eye(4), b), lambda b: b, B),
    "inverse product": (lambda b: (b / (b.T + 9)) * (b.T + 9), lambda b: b, B),
    "softplus": (jax.nn.softplus, lambda x: jnp.log1p(jnp.exp(x)), X),
    "silu": (jax.nn.silu, lambda x: x / (1 + jnp.exp(-x)), X),
    "gelu tanh": (
        jax.nn.gelu,
        lambda x: x * jax.nn.sigmoid(2 * np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x**3)),
        X,
    ),
    "logit": (jax.nn.log_sigmoid, lambda x: -jax.nn.softplus(-x), X),
    "layernorm": (
        lambda x: (x - x.mean(1, keepdims=True)) / jnp.sqrt(x.var(1, keepdims=True) + 1e-5),
        lambda x: (
            (x - x.mean(1, keepdims=True))
            * lax.rsqrt((x * x).mean(1, keepdims=True) - x.mean(1, keepdims=True) ** 2 + 1e-5)
        ),
        X,
    ),
    "rope": (
        lambda x: jnp.concatenate([x[:, :3] * jnp.cos(x[:, 3:]) - x[:, 3:] * jnp.sin(x[:, :3]), x[:, 3:]], 1),
        lambda x: jnp.concatenate(
            [-x[:, 3:] * jnp.sin(x[:, :3]) + jnp.cos(x[:, 3:]) * x[:, :3], x[:, 3:]], 1
        ),
        X,
    ),
    "conv as dot": (
        lambda x: lax.conv(x[None, None], x[None, None, :1, :1], (1, 1), "VALID")[0, 0],
        lambda x: x * x[0, 0],
        X,
    ),
    "avg pool": (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (2, 2), (2, 2), "VALID") / 4,
        lambda x: x.reshape(3, 2, 3, 2).mean((1, 3)),
        X,
    ),
    "max pool": (
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"),
        lambda x: x.reshape(3, 2, 3, 2).max((1, 3)),
        X,
    ),
    "onehot": (
        lambda x: jax.nn.one_hot(jnp.argmax(x, 1), 6),
        lambda x: (x == x.max(1, keepdims=True)).astype("f4"),
        X,
    ),
    "segment": (
        lambda x: jax.ops.segment_sum(x, jnp.array([0, 0, 1, 1, 2, 2]), 3),
        lambda x: x.reshape(3, 2, 6).sum(1),
        X,
    ),
    "topk": (lambda x: lax.top_k(x, 2)[0], lambda x: jnp.sort(x, 1)[:, ::-1][:, :2], X),
    "kron": (
        lambda x: jnp.kron(x, jnp.eye(2)),
        lambda x: jnp.einsum("ij,kl->ikjl", x, jnp.eye(2)).reshape(12, 12),
        X,
    ),
    "where double": (
        lambda x: jnp.where(x > 0, jnp.sqrt(jnp.where(x > 0, x, 1)), 0),
        lambda x: jnp.where(x > 0, jnp.sqrt(abs(x)), 0),
        X,
    ),
    "mod float": (lambda x: jnp.mod(x, 2.0), lambda x: x - 2 * jnp.floor(x / 2), X),
    "floor neg": (lambda x: jnp.floor(-x), lambda x: -jnp.ceil(x), X),
    "round trip int": (lambda x: x.astype("f4").astype("i4"), lambda x: x, INTEGERS),
    "log10": (lambda x: jnp.log(abs(x)) / np.log(10), lambda x: jnp.log10(abs(x)), X),
    "exp2": (jnp.exp2, lambda x: jnp.exp(x * np.float32(np.log(2))), X),
    "hypot": (lambda x: jnp.sqrt(x * x + x.T * x.T), lambda x: jnp.sqrt(x.T * x.T + x * x), X),
    "det2": (
        lambda x: x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0],
        lambda x: x[1, 1] * x[0, 0] - x[1, 0] * x[0, 1],
        X,
    ),
}


def _verdicts(rows: dict[str, Row]) -> dict[str, str]:
    return {
        name: hlokit.equal(one, other, value, runs=1).status for name, (one, other, value) in rows.items()
    }


@pytest.mark.deep
def test_functions_that_differ_in_a_corner_are_not_equal() -> None:
    verdicts = _verdicts(DIFFERENT)
    assert [name for name, status in verdicts.items() if status == "equal"] == []
    assert Counter(verdicts.values())["differs"] >= 0.85 * len(verdicts)


@pytest.mark.deep
def test_functions_that_mean_the_same_do_not_differ() -> None:
    verdicts = _verdicts(SAME)
    assert [name for name, status in verdicts.items() if status == "differs"] == []
    assert Counter(verdicts.values())["equal"] >= 0.9 * len(verdicts)
