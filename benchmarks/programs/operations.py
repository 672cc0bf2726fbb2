"""Single operations over sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from benchmarks.case import (
    CASES,
    CHAIN,
    CONTRACTION,
    OTHER,
    Array,
    Case,
    Kind,
    Program,
    integers,
    lower,
    values,
)

BF16 = ml_dtypes.bfloat16
Arguments = Callable[[int], Sequence[Array]]

SIZES = (100, 10_000, 1_000_000)
FAMILY = "single operations"


def _build(function: Callable[..., Any], arguments: Arguments, size: int) -> Program:
    return lower(function, *arguments(size))


def _add(
    name: str,
    function: Callable[..., Any],
    arguments: Arguments,
    kind: Kind = CHAIN,
    *,
    sizes: Sequence[int] = SIZES,
    reference: bool = True,
    largest_reference: int = 1_000_000,
    quick: bool = False,
) -> None:
    for size in sizes:
        CASES.append(
            Case(
                f"{name}, {size:,}",
                f"{FAMILY}: {name}",
                kind,
                partial(_build, function, arguments, size),
                reference=reference and size <= largest_reference,
                is_quick=quick and size == sizes[-1],
            )
        )


def _matrix(size: int, dtype: Any = np.float32, seed: int = 0) -> Array:
    """A matrix with this number of elements, as square as possible."""
    rows = {100: 10, 10_000: 100, 1_000_000: 1000}[size]
    return values(rows, size // rows, dtype=dtype, seed=seed)


def _one(dtype: Any = np.float32) -> Arguments:
    return lambda size: [_matrix(size, dtype)]


def _two(dtype: Any = np.float32) -> Arguments:
    return lambda size: [_matrix(size, dtype), _matrix(size, dtype, seed=1)]


# Elementwise --------------------------------------------------------------------------------------

_add("add f32", lax.add, _two(), quick=True)
_add("multiply i32", lax.mul, _two(np.int32))
_add("divide f32", lax.div, _two())
_add("divide i32", lambda a, b: lax.div(a, b + 1), _two(np.int32))
_add("add bf16", lax.add, _two(BF16), quick=True)
_add("maximum f32", lax.max, _two())
_add("compare and select f32", lambda a, b: jnp.where(a < b, a, b * 2), _two())
_add("and i32", lax.bitwise_and, _two(np.int32))
_add("shift_left ui32", lambda a, b: a << (b & np.uint32(31)), _two(np.uint32))
_add("clamp f32", lambda a: lax.clamp(np.float32(0.5), a, np.float32(1.5)), _one())
_add("exponential f32", lax.exp, _one(), quick=True)
_add("log f32", lax.log, _one())
_add("tanh f32", lax.tanh, _one())
_add("logistic f32", lax.logistic, _one())
_add("rsqrt f32", lax.rsqrt, _one())
_add("sine f32", lax.sin, _one())
_add("power f32", lax.pow, _two())
_add("erf f32", lax.erf, _one(), reference=False)
_add("exponential bf16", lax.exp, _one(BF16))
_add("floor f32", lax.floor, _one())
_add("multiply c64", lambda a, b: lax.complex(a, b) * lax.complex(b, a), _two(), reference=False)
_add("convert f32 to bf16", lambda a: a.astype(jnp.bfloat16), _one())
_add("convert f32 to i8", lambda a: (a * 50).astype(np.int8), _one())

# Shapes -------------------------------------------------------------------------------------------

_add("transpose f32", jnp.transpose, _one(), OTHER, quick=True)
_add("broadcast_in_dim f32", lambda a: lax.broadcast_in_dim(a[0], (64, a.shape[1]), (1,)), _one(), OTHER)
_add("concatenate f32", lambda a, b: lax.concatenate([a, b], 1), _two(), OTHER)
_add("slice with strides f32", lambda a: a[::2, 1::3], _one(), OTHER)
_add("pad f32", lambda a: jnp.pad(a, ((2, 2), (3, 3))), _one(), OTHER)
_add("reverse f32", lambda a: lax.rev(a, (0, 1)), _one(), OTHER)
_add("iota i32", lambda a: lax.iota(np.int32, a.size), _one(), OTHER)


def _updated(operand: Any, start: Any) -> Any:
    return lax.dynamic_update_slice(operand, jnp.zeros((4, 4), operand.dtype), (start, start))


_add(
    "dynamic_update_slice f32",
    _updated,
    lambda size: [_matrix(size), np.array(3, np.int32)],
    OTHER,
)

# Indices ------------------------------------------------------------------------------------------

_add("gather rows f32", lambda a, i: a[i], lambda n: [values(1000, 10), integers(1000, n // 10)], OTHER)
_add(
    "scatter add f32, duplicates",
    lambda a, i, u: a.at[i].add(u),
    lambda n: [values(1000), integers(1000, n), values(n)],
    OTHER,
    sizes=(100, 100_000),
    quick=True,
)

# Reductions ---------------------------------------------------------------------------------------

_add("reduce add f32, dimension 0", lambda a: jnp.sum(a, 0), _one())
_add("reduce add f32, dimension 1", lambda a: jnp.sum(a, 1), _one(), quick=True)
_add("reduce maximum f32, all", jnp.max, _one())
_add("reduce add bf16, dimension 1", lambda a: jnp.sum(a, 1), _one(BF16))
_add("argmax f32, dimension 1", lambda a: jnp.argmax(a, 1), _one(), reference=False)
_add("cumulative sum f32", lambda a: lax.cumsum(a, 1), _one())


def _pooled(images: Any) -> Any:
    return lax.reduce_window(images, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


_add(
    "reduce_window maximum 2x2 f32",
    _pooled,
    lambda n: [values(1, 16, 16, n // 256)],
    sizes=(10_240, 1_024_000),
)

# Sorting, transforms, random numbers ---------------------------------------------------------------

_add("sort f32", jnp.sort, lambda n: [np.random.default_rng(2).permutation(values(n))], OTHER, quick=True)
_add("argsort f32", jnp.argsort, lambda n: [values(n)], OTHER, sizes=(100, 100_000), reference=False)
_add("top_k 8 f32", lambda a: lax.top_k(a, 8), _one(), OTHER, reference=False)
_add("fft c64", lambda a: jnp.fft.fft(lax.complex(a, a)), _one(), OTHER, reference=False)
_add(
    "rng threefry uniform f32",
    lambda key: jax.random.uniform(key, (1000, 1000)),
    lambda n: [np.array([1, 2], np.uint32)],
    OTHER,
    sizes=(1_000_000,),
)

# Contractions -------------------------------------------------------------------------------------


def _dot_arguments(dtype: Any = np.float32) -> Arguments:
    return lambda n: [values(n, n, dtype=dtype), values(n, n, dtype=dtype, seed=1)]


def _dot_i8(a: Any, b: Any) -> Any:
    return lax.dot(a, b, preferred_element_type=np.int32)


_add("dot f32, side", lax.dot, _dot_arguments(), CONTRACTION, sizes=(32, 256, 1024), largest_reference=32)
_add("dot bf16, side", lax.dot, _dot_arguments(BF16), CONTRACTION, sizes=(256,), largest_reference=32)
_add("dot i8 to i32, side", _dot_i8, _dot_arguments(np.int8), CONTRACTION, sizes=(256,), largest_reference=32)
_add(
    "dot c64, side",
    lambda a, b: lax.dot(lax.complex(a, b), lax.complex(b, a)),
    _dot_arguments(),
    CONTRACTION,
    sizes=(256,),
    reference=False,
)
_add(
    "batched dot f32, batch",
    lambda a, b: jnp.einsum("bij,bkj->bik", a, b),
    lambda n: [values(n, 64, 64), values(n, 64, 64)],
    CONTRACTION,
    sizes=(8, 64),
    reference=False,
)
_add(
    "matrix times vector f32, side",
    lambda a, b: a @ b,
    lambda n: [values(n, n), values(n)],
    CONTRACTION,
    sizes=(1024,),
    quick=True,
)


def _convolved(images: Any, kernel: Any, groups: int = 1) -> Any:
    numbers = lax.conv_dimension_numbers(images.shape, kernel.shape, ("NHWC", "HWIO", "NHWC"))
    return lax.conv_general_dilated(
        images, kernel, (1, 1), "SAME", dimension_numbers=numbers, feature_group_count=groups
    )


_add(
    "convolution 3x3, 32 to 64 features, side",
    _convolved,
    lambda n: [values(4, n, n, 32), values(3, 3, 32, 64)],
    CONTRACTION,
    sizes=(8, 32),
    reference=False,
    quick=True,
)
_add(
    "depthwise convolution 3x3, 32 features, side",
    lambda images, kernel: _convolved(images, kernel, 32),
    lambda n: [values(4, n, n, 32), values(3, 3, 1, 32)],
    CONTRACTION,
    sizes=(32,),
    reference=False,
)
