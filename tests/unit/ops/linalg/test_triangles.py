"""Triangular systems and LU in compiled blocks: equal to NumPy's, whatever is in the matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.ops.linalg import triangles
from hlokit.ops.linalg.triangles import as_stack, factorise, substitute

Array = np.typing.NDArray[Any]
TYPES = ["f4", "f8", "c8", "c16"]
SIZES = [0, 1, 2, 31, 32, 33, 100]


def random_matrices(dtype: str, shape: tuple[int, ...], specials: int = 0) -> Array:
    random = np.random.default_rng(sum(shape) + specials)
    array = random.standard_normal(shape) + (1j * random.standard_normal(shape) if dtype[0] == "c" else 0)
    for _ in range(specials * (array.size > 0)):
        array[tuple(random.integers(0, shape))] = random.choice([0.0, -0.0, np.inf, -np.inf, np.nan])
    return array.astype(dtype)


def without_native(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(triangles, "is_enabled", lambda: False)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("columns", [0, 1, 300])
@pytest.mark.parametrize("unit", [False, True])
def test_substitution(
    dtype: str, size: int, columns: int, unit: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lower = random_matrices(dtype, (3, size, size)) / max(size, 1) + 2 * np.eye(size, dtype=dtype)
    x = random_matrices(dtype, (3, size, columns))
    solved, plain = x.copy(), x.copy()
    substitute(lower, solved, unit)
    without_native(monkeypatch)
    substitute(lower, plain, unit)
    np.testing.assert_array_equal(solved, plain)
    triangle = np.tril(lower, -1) + np.eye(size) if unit else np.tril(lower)
    np.testing.assert_allclose(triangle @ solved, x, rtol=0, atol=2e-5 if dtype in ("f4", "c8") else 1e-13)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("columns", SIZES)
def test_factors(dtype: str, rows: int, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    matrices = random_matrices(dtype, (2, rows, columns))
    native, plain = matrices.copy(), matrices.copy()
    pivots, info = factorise(native)
    without_native(monkeypatch)
    plain_pivots, plain_info = factorise(plain)
    np.testing.assert_array_equal(native, plain)
    np.testing.assert_array_equal(pivots, plain_pivots)
    np.testing.assert_array_equal(info, plain_info)
    assert not info.any()
    count = min(rows, columns)
    lower = np.tril(native[:, :, :count], -1) + np.eye(rows, count)
    product = lower @ np.triu(native[:, :count])
    for matrix, swaps in zip(matrices, pivots, strict=True):
        for row, other in enumerate(swaps - 1):
            matrix[[row, other]] = matrix[[other, row]]
    np.testing.assert_allclose(product, matrices, rtol=0, atol=3e-4 if dtype in ("f4", "c8") else 1e-12)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("seed", range(1, 20))
def test_special_values(dtype: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 1 + 3 * seed
    matrices = random_matrices(dtype, (4, size, size), seed)
    matrices[0] = np.eye(size)
    matrices[0, size // 2] = 0  # singular
    native, plain = matrices.copy(), matrices.copy()
    with np.errstate(all="ignore"):
        found = (*factorise(native), native)
        solved = random_matrices(dtype, (4, size, 3), seed)
        expected = solved.copy()
        substitute(matrices, solved, False)
        without_native(monkeypatch)
        wanted = (*factorise(plain), plain)
        substitute(matrices, expected, False)
    for one, other in zip((*found, solved), (*wanted, expected), strict=True):
        np.testing.assert_array_equal(one, other)
    assert found[1][0] == size // 2 + 1


def test_stacks_of_stacks() -> None:
    assert as_stack(np.zeros((2, 0, 3, 4))).shape == (0, 3, 4)
    assert as_stack(np.zeros((2, 5, 0, 4))).shape == (10, 0, 4)
    assert as_stack(np.zeros((3, 4))).shape == (1, 3, 4)


def test_wrong_arguments() -> None:
    a, x = np.eye(3)[np.newaxis], np.ones((1, 3, 2))
    pivots, info = np.zeros((1, 3), np.int32), np.zeros(1, np.int32)
    solve: Any = _kernels.solve_triangle
    wrong: list[tuple[Any, ...]] = [
        ("f16", a, x, 0, 3, 0, False),
        ("f32", a, x, 0, 3, 0, False),
        ("f64", a[0], x, 0, 3, 0, False),
        ("f64", a, x, 2, 1, 0, False),
        ("f64", a, x, 0, 4, 0, False),
        ("f64", a, x, 0, 3, 3, False),
        ("f64", a, x[:, :2].copy(), 0, 3, 0, False),
        ("f64", a, np.concatenate([x, x]), 0, 3, 0, False),
        ("f64", a, a, 0, 3, 0, False),
        ("f64", a, a[:, 1:], 0, 2, 2, False),
    ]
    for arguments in wrong:
        with pytest.raises(ValueError):
            solve(*arguments)
    eliminate: Any = _kernels.eliminate
    wrong = [
        ("c64", a, 0, 3, pivots, info),
        ("f64", a, 0, 4, pivots, info),
        ("f64", a, 2, 1, pivots, info),
        ("f64", a, 0, 3, pivots[:, :2].copy(), info),
        ("f64", a, 0, 3, pivots.astype(np.int64), info),
        ("f64", a, 0, 3, pivots, pivots),
        ("f64", a, 0, 3, pivots, pivots[0, :1]),
    ]
    for arguments in wrong:
        with pytest.raises(ValueError):
            eliminate(*arguments)
    with pytest.raises((ValueError, BufferError)):
        solve("f64", a, np.swapaxes(x, 1, 2), 0, 2, 0, False)
    frozen = x.copy()
    frozen.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        solve("f64", a, frozen, 0, 3, 0, False)
    np.testing.assert_array_equal(x, 1)
