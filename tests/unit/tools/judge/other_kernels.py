"""Kernels of more kinds: pytrees, integers, random numbers, ties, caches, masks, linear algebra, narrow sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

F, BF16 = np.float32, ml_dtypes.bfloat16
# The definition, its arguments, the kernel: a function, or a class of functions with a memory.
Row = tuple[Any, tuple[Any, ...], Callable[..., Any]]


def normal(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).standard_normal(shape).astype(F)


def integers(most: int, *shape: int) -> Any:
    return np.random.default_rng(0).integers(0, most, shape).astype(np.int32)


def near_singular(size: int, condition: float) -> Any:
    basis, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((size, size)))
    return ((basis * np.geomspace(1, 1 / condition, size)) @ basis.T).astype(F)


def by_columns(a: Any) -> Any:
    factor = np.zeros_like(a)
    for j in range(len(a)):
        factor[j, j] = np.sqrt(a[j, j] - (factor[j, :j] ** 2).sum(dtype=F))
        rest = a[j + 1 :, j] - factor[j + 1 :, :j] @ factor[j, :j]
        factor[j + 1 :, j] = rest / factor[j, j]
    return factor


def one_by_one(x: Any) -> Any:
    total = np.zeros(x.shape[:-1], BF16)
    for column in np.moveaxis(x, -1, 0):
        total = (total.astype(F) + column.astype(F)).astype(BF16)
    return total


def in_pairs(x: Any) -> Any:
    while x.shape[-1] > 1:
        x = (x[..., ::2].astype(F) + x[..., 1::2].astype(F)).astype(BF16)
    return x[..., 0]


def three_largest(x: Any) -> tuple[Any, Any]:
    ranks = np.where(np.isnan(x), np.inf, x), np.signbit(x) & (x == 0), np.isnan(x)
    places = np.lexsort((ranks[1], -ranks[0], ~ranks[2]), axis=-1)[..., :3].astype(np.int32)
    return np.take_along_axis(x, places, -1), places


def last_of_ties(x: Any) -> tuple[Any, Any]:
    places = np.argsort(x, axis=-1, kind="stable")[..., ::-1][..., :3].astype(np.int32)
    return np.take_along_axis(x, places, -1), places


def dropped(key: Any, x: Any) -> Any:
    return jnp.where(jax.random.bernoulli(jax.random.wrap_key_data(key), 0.7, x.shape), x, 0)


def pair_of_trees(p: Any) -> Any:
    return {"a": p["x"] * 2 + p["y"], "b": (p["x"].sum(), p["y"].max())}


def rms(x: Any, scale: Any) -> Any:
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale


def rms_of(epsilon: float) -> Callable[..., Any]:
    def norm(x: Any, scale: Any) -> Any:
        mean = (x.astype(np.float64) ** 2).mean(-1, keepdims=True)
        return (x / np.sqrt(mean + epsilon) * scale).astype(F)

    return norm


def sorted_pairs(keys: Any, values: Any) -> Any:
    return jax.lax.sort((keys, values), num_keys=1)


def added(x: Any, rows: Any) -> Any:
    total = np.zeros((5, x.shape[1]), F)
    np.add.at(total, rows, x)
    return total


def last_wins(x: Any, rows: Any) -> Any:
    total = np.zeros((5, x.shape[1]), F)
    total[rows] += x
    return total


def without_last_row(a: Any, b: Any) -> Any:
    result = np.full((len(a), b.shape[1]), np.nan, F)
    result[:-1] = a[:-1] @ b
    return result


class Remembering:
    """Answers that depend on a part of the arguments only."""

    def __init__(self, function: Callable[..., Any], key: Callable[..., Any]) -> None:
        self._function, self._key = function, key
        self._answers: dict[Any, Any] = {}

    def __call__(self, *arguments: Any) -> Any:
        key = self._key(*arguments)
        if key not in self._answers:
            self._answers[key] = self._function(*arguments)
        return self._answers[key].copy()


class StaleMask:
    def __init__(self) -> None:
        self._mask: Any = None

    def __call__(self, x: Any, mask: Any) -> Any:
        self._mask = mask if self._mask is None else self._mask
        return np.where(self._mask, x, F(0)).sum(-1)


def product(a: Any, b: Any) -> Any:
    return a @ b


def masked(x: Any, mask: Any) -> Any:
    return jnp.where(mask, x, 0).sum(-1)


def row_sums(x: Any) -> Any:
    return x.sum(-1)


def narrow_sums(x: Any) -> Any:
    return x.astype(jnp.float32).sum(-1).astype(jnp.bfloat16)


def cholesky(a: Any) -> Any:
    return jnp.linalg.cholesky(a, symmetrize_input=False)


def quotients(x: Any) -> Any:
    return jax.lax.div(x - 500, jnp.int32(7))


def squares(x: Any) -> Any:
    return (x * x).sum()


def triangular_solution(a: Any, b: Any) -> Any:
    return jax.lax.linalg.triangular_solve(a, b, left_side=True, lower=True)


def by_inverse(a: Any, b: Any) -> Any:
    """What compilers do with blocks; zeros of the inverse spread NaN to all rows."""
    inverse = np.zeros_like(a)
    for row in range(len(a)):
        inverse[row] = (np.eye(len(a), dtype=F)[row] - a[row, :row] @ inverse[:row]) / a[row, row]
    return inverse @ b


KEY = np.array([0, 42], np.uint32)
TIES = np.round(normal(4, 17) * 2) / 2
TREE = ({"x": normal(5, 3), "y": normal(5, 3, seed=1)},)
TRIANGLE = np.tril(normal(6, 6)) + 4 * np.eye(6, dtype=F), normal(6, 3)
FACTORS = normal(8, 64), normal(64, 8, seed=1)
MASK = integers(2, 6, 20).astype(np.bool_)
WIDE = normal(16, 32)

RIGHT: dict[str, Row] = {
    "top-k with ties": (lambda x: jax.lax.top_k(x, 3), (TIES,), three_largest),
    "pytree": (
        pair_of_trees,
        TREE,
        lambda p: {"a": p["x"] + p["x"] + p["y"], "b": (p["x"].sum(dtype=F), p["y"].max())},
    ),
    "dropout": (dropped, (KEY, WIDE), lambda key, x: np.asarray(dropped(key, x))),
    "RMS norm in f64": (rms, (normal(6, 40), normal(40)), rms_of(1e-5)),
    "segments": (lambda x, i: jax.ops.segment_sum(x, i, 5), (normal(20, 3), integers(5, 20)), added),
    "sorted pairs": (
        sorted_pairs,
        (integers(4, 40), normal(40)),
        lambda k, v: (np.sort(k), v[np.argsort(k, kind="stable")]),
    ),
    "masked": (masked, (normal(6, 20), MASK), lambda x, m: np.where(m, x, F(0))[:, ::-1].sum(-1)),
    "bf16 of f32 sums": (
        narrow_sums,
        (WIDE.astype(BF16),),
        lambda x: x.astype(F)[:, ::-1].sum(-1).astype(BF16),
    ),
    "bf16 softmax in f32": (
        jax.nn.softmax,
        (normal(6, 33).astype(BF16),),
        lambda x: np.asarray(jax.nn.softmax(x.astype(F))).astype(BF16),
    ),
    "inverse": (jnp.linalg.inv, (near_singular(6, 10),), np.linalg.inv),
    "solution": (
        jnp.linalg.solve,
        (near_singular(6, 10), normal(6, 2)),
        lambda a, b: np.linalg.solve(a.astype(np.float64), b).astype(F),
    ),
    "quotients": (quotients, (integers(1000, 50),), lambda x: np.trunc((x - 500) / 7).astype(np.int32)),
    "cholesky": (cholesky, (near_singular(12, 10),), by_columns),
    "cholesky near singularity": (cholesky, (near_singular(12, 1e6),), by_columns),
    "triangular solution by an inverse": (triangular_solution, TRIANGLE, by_inverse),
    "eigenvalues": (
        jnp.linalg.eigvalsh,
        (near_singular(6, 10),),
        lambda a: np.linalg.eigvalsh((a + a.T).astype(np.float64) / 2).astype(F),
    ),
    "plan by shape": (
        jnp.fft.fft,
        ((normal(3, 12) + 1j * normal(3, 12, seed=1)).astype(np.complex64),),
        lambda x: np.fft.fft(x.astype(np.complex128)).astype(np.complex64),
    ),
}
# And a word of the report.
WRONG: dict[str, tuple[Row, str]] = {
    "last of ties": ((lambda x: jax.lax.top_k(x, 3), (TIES,), last_of_ties), "result 1 at"),
    "pytree exchanged": (
        (pair_of_trees, TREE, lambda p: {"a": p["x"] * 2 + p["y"], "b": (p["y"].sum(), p["x"].max())}),
        "result 1 at",
    ),
    "dropout of another key": (
        (dropped, (KEY, WIDE), lambda key, x: np.asarray(dropped(KEY + 1, x))),
        "result 0",
    ),
    "RMS norm, epsilon": ((rms, (normal(6, 40), normal(40)), rms_of(1e-6)), "240 of 240"),
    "last of duplicates wins": (
        (lambda x, i: jax.ops.segment_sum(x, i, 5), (normal(20, 3), integers(5, 20)), last_wins),
        "elements are wrong",
    ),
    "unstable sort": (
        (
            sorted_pairs,
            (integers(4, 40), normal(40)),
            lambda k, v: (np.sort(k), v[::-1][np.argsort(k[::-1], kind="stable")]),
        ),
        "result 1 at",
    ),
    "stale mask": ((masked, (normal(6, 20), MASK), StaleMask), "elements are wrong"),
    "bf16 sums one by one": ((narrow_sums, (WIDE.astype(BF16),), one_by_one), "those of sums in bf16"),
    "bf16 sums in pairs": ((narrow_sums, (WIDE.astype(BF16),), in_pairs), "those of sums in bf16"),
    "f32 sums in bf16": ((row_sums, (WIDE,), lambda x: in_pairs(x).astype(F)), "those of results in bf16"),
    "floored quotients": (
        (quotients, (integers(1000, 50),), lambda x: ((x - 500) // 7).astype(np.int32)),
        "elements are wrong",
    ),
    "integers in f32": (
        (squares, (integers(30000, 64),), lambda x: np.int32(int((x.astype(F) ** 2).sum()) % 2**31)),
        "result 0",
    ),
    "cached by the first elements": (
        (product, FACTORS, lambda: Remembering(np.matmul, lambda a, b: (*a.flat[:4], *b.flat[:4]))),
        "numbers where NaN or infinity is right",
    ),
    "cached by a checksum": (
        (product, FACTORS, lambda: Remembering(np.matmul, lambda a, b: round(float(np.abs(a).sum()), 1))),
        "cached",
    ),
    "row that nothing writes": (
        (product, FACTORS, without_last_row),
        "leaves out rows 7 of dimension 0 (of 8)",
    ),
    "drops small factors": (
        (product, FACTORS, lambda a, b: np.where(np.abs(a) < 1e-2, F(0), a) @ b),
        "elements are wrong",
    ),
    "maximum without NaN": (
        (lambda x: x.max(-1), (WIDE,), lambda x: np.fmax.reduce(x, -1)),
        "numbers where NaN or infinity is right",
    ),
    "logarithm of softmax": (
        (jax.nn.log_softmax, (WIDE,), lambda x: np.log(np.asarray(jax.nn.softmax(x)))),
        "large",
    ),
    "solution without NaN": (
        (triangular_solution, TRIANGLE, lambda a, b: by_inverse(np.nan_to_num(a), np.nan_to_num(b))),
        "numbers where NaN or infinity is right",
    ),
    "overflowing solution": (
        (triangular_solution, TRIANGLE, lambda a, b: by_inverse(a, b * F(1e35)) / F(1e35)),
        "NaN or infinity where numbers are right",
    ),
    "cholesky of the transpose": (
        (cholesky, (near_singular(12, 10),), lambda a: by_columns(a).T.copy()),
        "elements are wrong",
    ),
}
# Kernels with a memory: made anew for each judgement.
MAKERS = ("stale mask", "cached by the first elements", "cached by a checksum")
