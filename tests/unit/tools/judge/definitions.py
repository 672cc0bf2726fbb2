"""Definitions of kernels, right implementations in other orders, and wrong ones that look right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

F = np.float32
Function = Callable[..., Any]


class Definition(NamedTuple):
    """A definition with typical arguments."""

    function: Function
    arguments: tuple[Any, ...]


def _random(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(F)


def _softmax(x: Any) -> Any:
    return jax.nn.softmax(x, axis=-1)


def _matmul(a: Any, b: Any) -> Any:
    return a @ b


def _layer_norm(x: Any, g: Any, b: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * g + b


def _attention(q: Any, k: Any, v: Any) -> Any:
    return jax.nn.softmax(q @ k.T / F(np.sqrt(q.shape[-1])), axis=-1) @ v


def _gelu(x: Any) -> Any:
    return jax.nn.gelu(x)


def _sums(x: Any) -> Any:
    return x.sum(-1)


def _causal(q: Any, k: Any, v: Any) -> Any:
    scores = jnp.where(jnp.tril(jnp.ones((len(q), len(k)), bool)), q @ k.T, -jnp.inf)
    return jax.nn.softmax(scores, axis=-1) @ v


def _cumulative(x: Any) -> Any:
    return jnp.cumsum(x, axis=-1)


def _variance(x: Any) -> Any:
    return jnp.var(x, axis=-1)


DEFINITIONS = {
    "softmax": Definition(_softmax, (_random(8, 33),)),
    "matmul": Definition(_matmul, (_random(8, 129), _random(129, 16, seed=1))),
    "layer_norm": Definition(_layer_norm, (_random(8, 33), _random(33, seed=1), _random(33, seed=2))),
    "attention": Definition(_attention, (_random(16, 32), _random(16, 32, seed=1), _random(16, 32, seed=2))),
    "gelu": Definition(_gelu, (_random(8, 33),)),
    "sums": Definition(_sums, (_random(8, 257),)),
    "causal": Definition(_causal, (_random(8, 4), _random(8, 4, seed=1), _random(8, 5, seed=2))),
    "fft": Definition(jnp.fft.fft, ((_random(2, 16) + 1j * _random(2, 16, seed=1)).astype(np.complex64),)),
    "softplus": Definition(jax.nn.softplus, (4 * _random(40),)),
    "cumulative": Definition(_cumulative, (_random(3, 65),)),
    "variance": Definition(_variance, (_random(5, 40) + 3,)),
}


# Right ----------------------------------------------------------------------------------------------


def _numpy_softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _softmax_by_reciprocal(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e * (F(1) / e.sum(-1, keepdims=True))


def _softmax_base_2(x: Any) -> Any:
    scaled = (x - x.max(-1, keepdims=True)) * F(np.log2(np.e))
    e = np.exp2(scaled)
    return e / e.sum(-1, keepdims=True)


def _in_f64(function: Function) -> Function:
    return lambda *arguments: function(*[value.astype(np.float64) for value in arguments]).astype(F)


def _blocked(block: int) -> Function:
    def matmul(a: Any, b: Any) -> Any:
        total = np.zeros((a.shape[0], b.shape[1]), F)
        for start in range(0, a.shape[1], block):
            total = total + a[:, start : start + block] @ b[start : start + block]
        return total

    return matmul


def _split(parts: int) -> Function:
    def matmul(a: Any, b: Any) -> Any:
        return np.add.reduce([a[:, part::parts] @ b[part::parts] for part in range(parts)])

    return matmul


def _flash(block: int) -> Function:
    def attention(q: Any, k: Any, v: Any) -> Any:
        scores = (q @ k.T) / F(np.sqrt(q.shape[-1]))
        largest = np.full((len(q), 1), -np.inf, F)
        total, result = np.zeros((len(q), 1), F), np.zeros((len(q), v.shape[1]), F)
        for start in range(0, len(k), block):
            part = scores[:, start : start + block]
            new = np.maximum(largest, part.max(1, keepdims=True))
            power, old = np.exp(part - new), np.exp(largest - new)
            total = total * old + power.sum(1, keepdims=True)
            result, largest = result * old + power @ v[start : start + block], new
        return result / total

    return attention


def _summed(block: int) -> Function:
    def sums(x: Any) -> Any:
        parts = [x[:, start : start + block].sum(-1, dtype=F) for start in range(0, x.shape[1], block)]
        return np.add.reduce(parts, dtype=F)

    return sums


def _kahan(x: Any) -> Any:
    total, lost = np.zeros(len(x), F), np.zeros(len(x), F)
    for column in x.T:
        y = column - lost
        new = total + y
        lost, total = np.where(np.isfinite(new), (new - total) - y, F(0)).astype(F), new
    return total


def _layer_norm_by_rsqrt(x: Any, g: Any, b: Any) -> Any:
    d = x - x.mean(-1, keepdims=True)
    return d * (F(1) / np.sqrt((d * d).mean(-1, keepdims=True) + F(1e-5))) * g + b


def _layer_norm_folded(x: Any, g: Any, b: Any) -> Any:
    d = x - x.mean(-1, keepdims=True)
    scale = g / np.sqrt((d * d).mean(-1, keepdims=True) + F(1e-5))
    return d * scale + b


def _gelu_by_tanh(x: Any) -> Any:
    return F(0.5) * x * (1 + np.tanh(F(np.sqrt(2 / np.pi)) * (x + F(0.044715) * x * x * x)))


def _skipping(q: Any, k: Any, v: Any) -> Any:
    """Attention that never reads what the mask hides, as kernels do that skip blocks."""
    rows = [_numpy_softmax((k[: row + 1] @ q[row])[None]) @ v[: row + 1] for row in range(len(q))]
    return np.concatenate(rows)


def _matrix_of_waves(x: Any) -> Any:
    places = np.arange(x.shape[-1])
    waves = np.exp(-2j * np.pi * np.outer(places, places) / len(places))
    return (x.astype(np.complex128) @ waves).astype(np.complex64)


def _by_doubling(x: Any) -> Any:
    distance, total = 1, x.copy()
    while distance < total.shape[-1]:
        more = np.pad(total[..., :-distance], ((0, 0), (distance, 0)))
        distance, total = 2 * distance, total + more
    return total


def _welford(x: Any) -> Any:
    mean, squares = np.zeros(len(x), F), np.zeros(len(x), F)
    for number, column in enumerate(x.T, 1):
        gap = column - mean
        mean = mean + gap / F(number)
        squares = squares + gap * (column - mean)
    return squares / F(x.shape[-1])


def right() -> Iterator[tuple[str, str, Function]]:
    """Legitimate variants: the definition, a name, the function."""
    yield "softmax", "numpy", _numpy_softmax
    yield "softmax", "f64", _in_f64(_numpy_softmax)
    yield "softmax", "reciprocal", _softmax_by_reciprocal
    yield "softmax", "base 2", _softmax_base_2
    yield "softmax", "columns backwards", lambda x: _numpy_softmax(x[:, ::-1])[:, ::-1]
    for block in (1, 2, 3, 4, 5, 7, 8, 16, 32, 43, 64, 128):
        yield "matmul", f"blocks of {block}", _blocked(block)
    for parts in (2, 3, 4, 8, 16, 32, 64):
        yield "matmul", f"{parts} accumulators", _split(parts)
    yield "matmul", "f64", _in_f64(np.matmul)
    yield "matmul", "backwards", lambda a, b: a[:, ::-1] @ b[::-1]
    yield "matmul", "transposed", lambda a, b: (b.T @ a.T).T
    yield "matmul", "einsum", lambda a, b: np.einsum("ij,jk->ik", a, b)
    for block in (1, 2, 3, 4, 5, 6, 7, 8, 11, 16):
        yield "attention", f"flash, blocks of {block}", _flash(block)
    yield "attention", "f64", _in_f64(_flash(16))
    for block in (1, 2, 3, 4, 8, 16, 32, 64, 100, 128, 129, 256):
        yield "sums", f"blocks of {block}", _summed(block)
    yield "sums", "f64", _in_f64(lambda x: x.sum(-1))
    yield "sums", "compensated", _kahan
    yield "sums", "backwards", lambda x: x[:, ::-1].sum(-1)
    yield "sums", "product with ones", lambda x: x @ np.ones(x.shape[1], F)
    yield "layer_norm", "rsqrt", _layer_norm_by_rsqrt
    yield "layer_norm", "folded scale", _layer_norm_folded
    yield "layer_norm", "f64", _in_f64(_layer_norm_folded)
    yield "causal", "skips what is hidden", _skipping
    yield "fft", "matrix", _matrix_of_waves
    yield "softplus", "logaddexp", lambda x: np.logaddexp(x, F(0))
    yield "cumulative", "by doubling", _by_doubling
    yield "variance", "Welford", _welford
    yield "gelu", "tanh", _gelu_by_tanh
    yield "gelu", "f64", _in_f64(_gelu_by_tanh)
    yield (
        "gelu",
        "logistic",
        lambda x: x / (1 + np.exp(F(-2) * F(np.sqrt(2 / np.pi)) * (x + F(0.044715) * x**3))),
    )


# Wrong ----------------------------------------------------------------------------------------------


def _bf16(x: Any) -> Any:
    return x.astype(ml_dtypes.bfloat16).astype(F)


def _tf32(x: Any) -> Any:
    return (x.view(np.uint32) & np.uint32(0xFFFFE000)).view(F)


class _Cached:
    def __init__(self) -> None:
        self._results: list[Any] = []

    def __call__(self, a: Any, b: Any) -> Any:
        self._results.append(a @ b)
        return self._results[0] if len(self._results) == 2 else self._results[-1]


class _Buffered:
    def __init__(self) -> None:
        self._buffer = np.zeros((8, 16), F)

    def __call__(self, a: Any, b: Any) -> Any:
        self._buffer[:] = a @ b
        return self._buffer


class _Noisy:
    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def __call__(self, a: Any, b: Any) -> Any:
        order = self._random.permutation(a.shape[1])
        return a[:, order] @ b[order]


def _in_place(a: Any, b: Any) -> Any:
    result = a @ b
    a[:] = 0
    return result


def _one_pass(x: Any, g: Any, b: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = (x * x).mean(-1, keepdims=True) - mean * mean
    return (x - mean) / np.sqrt(variance + F(1e-5)) * g + b


def _unbiased(x: Any, g: Any, b: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True, ddof=1) + F(1e-5)) * g + b


def _without_epsilon(x: Any, g: Any, b: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True)) * g + b


def _unstable(x: Any) -> Any:
    e = np.exp(x)
    return e / e.sum(-1, keepdims=True)


def _without_row(a: Any, b: Any) -> Any:
    result = a @ b
    result[-1] = 0
    return result


def _exits(a: Any, b: Any) -> Any:
    raise SystemExit(3)


def _fails(a: Any, b: Any) -> Any:
    raise RuntimeError("no such kernel")


# The definition, the function (or a class of functions with a memory), and a word of the report.
WRONG: dict[str, tuple[str, Function, str]] = {
    "zeros": ("softmax", np.zeros_like, "is zero whatever the inputs are"),
    "constant": ("softmax", lambda x: np.full_like(x, 1 / 33), "is constant whatever the inputs are"),
    "cached": ("matmul", _Cached, "the answer of an earlier call ('arguments' in 'other data'): cached"),
    "row": ("matmul", _without_row, "leaves out rows 7 of dimension 0 (of 8)"),
    "operands bf16": ("matmul", lambda a, b: _bf16(a) @ _bf16(b), "operands of products in bf16"),
    "operands tf32": ("matmul", lambda a, b: _tf32(a) @ _tf32(b), "operands of products in tf32"),
    "result bf16": ("matmul", lambda a, b: _bf16(a @ b), "in bf16"),
    "bf16 scores": ("attention", lambda q, k, v: _flash(16)(_bf16(q), _bf16(k), v), "in bf16"),
    "noise": ("matmul", _Noisy, "results change from run to run"),
    "buffer": ("matmul", _Buffered, "writes into the results of an earlier call"),
    "in place": ("matmul", _in_place, "writes into argument 0"),
    "last term": ("matmul", lambda a, b: a[:, :128] @ b[:128], "elements are wrong"),
    "f64 result": (
        "matmul",
        lambda a, b: a.astype(np.float64) @ b,
        "float64[8, 16] instead of float32[8, 16]",
    ),
    "shape": ("matmul", lambda a, b: (a @ b)[:4], "float32[4, 16] instead of float32[8, 16]"),
    "one result too many": ("matmul", lambda a, b: (a @ b, a), "returned 2 results instead of 1"),
    "error": ("matmul", _fails, "RuntimeError: no such kernel"),
    "exit": ("matmul", _exits, "SystemExit: 3"),
    "unstable": ("softmax", _unstable, "large"),
    "no NaN": (
        "softmax",
        lambda x: np.nan_to_num(_numpy_softmax(x)),
        "numbers where NaN or infinity is right",
    ),
    "one pass": ("layer_norm", _one_pass, "far from zero"),
    "unbiased": ("layer_norm", _unbiased, "elements are wrong"),
    "no epsilon": ("layer_norm", _without_epsilon, "elements are wrong"),
    "no scale": ("attention", lambda q, k, v: _flash(16)(q * F(np.sqrt(32)), k, v), "elements are wrong"),
    "other gelu": ("gelu", lambda x: np.asarray(jax.nn.gelu(x, approximate=False)), "elements are wrong"),
    "no tail": (
        "softplus",
        lambda x: np.where(np.abs(x) > 6, np.maximum(x, F(0)), np.logaddexp(x, F(0))),
        "elements are wrong",
    ),
    "mask off by one": (
        "causal",
        lambda q, k, v: _numpy_softmax(np.where(np.tri(8, k=1), q @ k.T, F(-np.inf)).astype(F)) @ v,
        "elements are wrong",
    ),
    "spreads NaN": (
        "cumulative",
        lambda x: x @ np.triu(np.ones((x.shape[-1],) * 2, F)),
        "NaN or infinity where numbers are right",
    ),
    "half of the samples": ("variance", lambda x: x[:, ::2].var(-1), "elements are wrong"),
    "f16 sums": ("sums", lambda x: x.astype(np.float16).sum(-1).astype(F), "elements are wrong"),
}
