"""LAPACK calls in the form of JAX before 2024 have the results of current calls, whose oracle is XLA:CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit.kernels.custom_calls.lapack import LAPACK_CALLS, OLD_LAPACK_CALLS
from tests.unit.kernels.custom_calls.test_jax_calls import matrices, run
from tests.unit.kernels.one_op import type_of

A = (2, 4, 3)
SQUARE = (2, 3, 3)
DTYPES = (np.float32, np.complex128)


def ints(*values: int) -> list[np.ndarray]:
    return [np.array(value, np.int32) for value in values]


def letters(text: str) -> list[np.ndarray]:
    return [np.array(ord(letter), np.uint8) for letter in text]


def codes(**values: str) -> str:
    pairs = ", ".join(f"{name} = {ord(letter)} : ui8" for name, letter in values.items())
    return f"{{mhlo.backend_config = {{{pairs}}}}}"


def types(*shapes: tuple[Any, ...]) -> str:
    """From (element type, sizes...)."""
    return ", ".join(
        f"tensor<{''.join(f'{size}x' for size in sizes)}{element}>" for element, *sizes in shapes
    )


def name(target: str, dtype: type) -> str:
    is_complex = np.dtype(dtype).kind == "c"
    prefix = {"f4": "s", "f8": "d", "c8": "c", "c16": "z"}[np.dtype(dtype).str[1:]]
    other = {"orgqr": "ungqr", "syevd": "heevd", "sytrd": "hetrd"}
    return f"lapack_{prefix}{other.get(target, target) if is_complex else target}"


def elements(dtype: type) -> tuple[str, str]:
    """The element type and that of its real part."""
    is_double = np.dtype(dtype).itemsize // (1 + (np.dtype(dtype).kind == "c")) == 8
    return str(type_of(np.zeros(1, dtype)).element_type), "f64" if is_double else "f32"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "target", ["potrf", "getrf", "geqrf", "geqp3", "orgqr", "gesdd", "syevd", "gehrd", "sytrd"]
)
def test_old_and_new(target: str, dtype: type) -> None:
    e, r = elements(dtype)
    a, square = matrices(dtype, *A), matrices(dtype, *SQUARE)
    square = square @ np.conj(np.swapaxes(square, -1, -2)) + np.eye(3, dtype=dtype)
    pivots = np.zeros((2, 3), np.int32)
    tau = matrices(dtype, 2, 3) / 4
    matrix, info, work = (e, *A), ("i32", 2), (e, 7)
    now: dict[str, tuple[list[np.ndarray], str, list[np.ndarray], list[Any], list[Any]]] = {
        # operands before the matrices, configuration of now, matrices, results, memory that old calls return
        "potrf": (ints(1, 2, 3), codes(uplo="L"), [square], [(e, *SQUARE), info], []),
        "getrf": (ints(2, 4, 3), "", [a], [matrix, ("i32", 2, 3), info], []),
        "geqrf": (ints(2, 4, 3, 7), "", [a], [matrix, (e, 2, 3)], [info, work]),
        "geqp3": (ints(2, 4, 3, 7), "", [a, pivots], [matrix, ("i32", 2, 3), (e, 2, 3)], [info, work]),
        "orgqr": (ints(2, 4, 3, 3, 7), "", [a, tau], [matrix], [info, work]),
        "gesdd": (ints(0, 1, 2, 4, 3, 7), codes(mode="S"), [a], [matrix, (r, 2, 3), matrix, (e, *SQUARE), info], [work]),
        "syevd": (ints(0, 2, 3), codes(mode="V", uplo="U"), [square], [(e, *SQUARE), (r, 2, 3), info], [work, ("i32", 5)]),
        "gehrd": (
            ints(3, 1, 3, 3, 2, 7),
            "{mhlo.backend_config = {low = 1 : i32, high = 3 : i32}}",
            [square],
            [(e, *SQUARE), (e, 2, 2), info],
            [work],
        ),
        "sytrd": (ints(3, 1, 3, 2, 7), codes(uplo="L"), [square], [(e, *SQUARE), (r, 2, 3), (r, 2, 2), (e, 2, 2), info], [work]),
    }  # fmt: skip
    sizes, attributes, operands, results, memory = now[target]
    want = run(f"{name(target, dtype)}_ffi", types(*results), attributes, *operands)
    got = run(name(target, dtype), types(*results, *memory), "", *sizes, *operands)
    want = want if isinstance(want, tuple) else (want,)
    assert len(got) == len(want) + len(memory)
    for actual, expected in zip(got, want, strict=False):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_old_geev_and_gees(dtype: type) -> None:
    e, r = elements(dtype)
    a = matrices(dtype, *SQUARE)
    is_complex = np.dtype(dtype).kind == "c"
    vectors = (f"complex<{r}>", *SQUARE)
    values = [(e, 2, 3)] if is_complex else [(r, 2, 3)] * 2
    work = [(e, 3, 3), (r, 6)] if is_complex else [(r, 3, 3)] * 3
    want = run(f"{name('geev', dtype)}_ffi", types(*values, vectors, vectors, ("i32", 2)), codes(compute_left="V", compute_right="V"), a)  # fmt: skip
    got = run(name("geev", dtype), types(*work, *values, vectors, vectors, ("i32", 2)), "", *ints(2, 3), *letters("VV"), a)  # fmt: skip
    for actual, expected in zip(got[len(work) :], want, strict=True):
        np.testing.assert_array_equal(actual, expected)
    matrix, count = (e, *SQUARE), ("i32", 2)
    want = run(
        f"{name('gees', dtype)}_ffi",
        types(matrix, matrix, *values, count, count),
        codes(mode="V", sort="N"),
        a,
    )
    memory = [(r, 3)] if is_complex else []
    got = run(name("gees", dtype), types(matrix, *memory, *values, matrix, count, count), "", *ints(2, 3), *letters("VN"), a)  # fmt: skip
    np.testing.assert_array_equal(got[0], want[0])
    np.testing.assert_array_equal(got[-3], want[1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", [0, 1, 2])
def test_old_trsm(dtype: type, op: int) -> None:
    a, b = matrices(dtype, *SQUARE) + 3 * np.eye(3, dtype=dtype), matrices(dtype, 2, 3, 2)
    alpha = np.array(2, dtype)
    prefix = name("trsm", dtype).removeprefix("lapack_")
    operands = (*ints(1, 1, op, 0, 3, 2, 2), alpha, a, b)
    got = run(f"blas_{prefix}", types((elements(dtype)[0], 2, 3, 2)), "", *operands)
    lower = np.tril(a)
    matrix = (lower, np.swapaxes(lower, -1, -2), np.conj(np.swapaxes(lower, -1, -2)))[op]
    np.testing.assert_allclose(matrix @ got, 2 * b, rtol=1e-4, atol=1e-5)


def test_each_old_call_has_a_new_one() -> None:
    names = {target.replace("blas_", "lapack_") for target in OLD_LAPACK_CALLS}
    assert {f"{target}_ffi" for target in names} < set(LAPACK_CALLS)
