"""Products of i8 whose sums are i32: exact, in every layout, also where the processor has instructions for them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import hlokit
from hlokit import _kernels
from hlokit.engine.contract.switches import CPU_LEVELS, CPU_VARIABLE

Array = npt.NDArray[Any]

# Sizes around those of vectors (16), tiles (6, 12 and 32 rows, 64 columns), blocks (120 or 128 rows, 512 columns, 2048 terms).
SIZES = [
    (2, 16, 2),
    (3, 17, 15),
    (6, 64, 16),
    (13, 65, 17),
    (7, 130, 63),
    (12, 259, 64),
    (33, 64, 33),
    (121, 31, 513),
    (5, 2049, 70),
    (300, 100, 130),
]


def layouts() -> Iterator[tuple[str, str, int]]:
    """The orders of both operands in memory, and a distance between neighbours."""
    for lhs in ("rt", "tr"):
        for rhs in ("tc", "ct"):
            yield lhs, rhs, 1
    yield "rt", "tc", 2
    yield "tr", "ct", 3


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_bytes_are_multiplied_exactly(sizes: tuple[int, int, int]) -> None:
    rows, terms, columns = sizes
    run: Any = _kernels.Product("i8", "i8", "i32", "f64", 1, 1).run  # arrays are buffers, which no stub says
    random = np.random.default_rng(rows)
    a, b = (random.integers(-128, 128, shape, np.int8) for shape in ((2, rows, terms), (2, terms, columns)))
    a[0, 0], b[0, :, 0] = -128, -128
    expected = a.astype(np.int64) @ b.astype(np.int64)
    for lhs, rhs, gap in layouts():

        def laid_out(array: Array, is_reversed: bool, gap: int = gap) -> Array:
            array = array.transpose(0, 2, 1) if is_reversed else array
            memory = np.zeros((*array.shape[:-1], array.shape[-1] * gap), array.dtype)
            memory[..., ::gap] = array
            view = memory[..., ::gap]
            return view.transpose(0, 2, 1) if is_reversed else view

        for threads in (1, 2):
            result = laid_out(np.full((2, rows, columns), 7, np.int32), lhs == "tr")
            assert run(laid_out(a, lhs == "tr"), laid_out(b, rhs == "ct"), result, threads)
            np.testing.assert_array_equal(result, expected, f"{lhs} {rhs} {gap} {threads}")


def test_whole_tiles_are_written_where_their_rows_are() -> None:
    """Rows of a convolution's result: evenly spaced in one dimension only."""
    run: Any = _kernels.Product("i8", "i8", "i32", "f64", 1, 1).run  # arrays are buffers, which no stub says
    random = np.random.default_rng(5)
    a, b = (
        random.integers(-128, 128, (1, 4, 40, 65), np.int8),
        random.integers(-128, 128, (1, 65, 64), np.int8),
    )
    memory = np.full((1, 4, 43, 80), 7, np.int32)
    assert run(a, b, memory[:, :, 1:41, 8:72], 1)
    expected = np.full_like(memory, 7)
    expected[:, :, 1:41, 8:72] = a.astype(np.int32) @ b[0].astype(np.int32)
    np.testing.assert_array_equal(memory, expected)


@pytest.mark.deep
@pytest.mark.parametrize("level", CPU_LEVELS)
def test_every_level_multiplies_exactly(level: str) -> None:
    """Levels differ in instructions: products of four bytes, or of tiles of bytes."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        __file__,
        "-k",
        "multiplied_exactly or whole_tiles",
    ]
    run = subprocess.run(
        command, env={**os.environ, CPU_VARIABLE: level}, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
    assert f"{len(SIZES) + 1} passed" in run.stdout


def test_windows_of_bytes() -> None:
    text = """
      func.func @main(%x: tensor<2x9x9x5xi8>, %k: tensor<3x3x5x20xi8>) -> tensor<2x4x4x20xi32> {
        %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {stride = [2, 2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<2x9x9x5xi8>, tensor<3x3x5x20xi8>) -> tensor<2x4x4x20xi32>
        return %0 : tensor<2x4x4x20xi32>
      }"""
    random = np.random.default_rng(3)
    x, k = (random.integers(-128, 128, shape, np.int8) for shape in ((2, 9, 9, 5), (3, 3, 5, 20)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (1, 2))[:, ::2, ::2]
    expected = np.einsum("bijfhw,hwfo->bijo", windows.astype(np.int64), k.astype(np.int64))
    np.testing.assert_array_equal(hlokit.load(text)(x, k), expected)


@pytest.mark.parametrize(("bits", "terms"), [(8, 1 << 16), (8, (1 << 17) + 16), (16, 1), (16, 3)])
def test_the_largest_sums_wrap(bits: int, terms: int) -> None:
    text = f"""
      func.func @main(%x: tensor<2x{terms}xi{bits}>, %y: tensor<{terms}x2xi{bits}>) -> tensor<2x2xi32> {{
        %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x{terms}xi{bits}>, tensor<{terms}x2xi{bits}>) -> tensor<2x2xi32>
        return %0 : tensor<2x2xi32>
      }}"""
    lowest = -(1 << (bits - 1))
    x = np.full((2, terms), lowest, f"i{bits // 8}")
    assert (hlokit.load(text)(x, x.T) == np.int64(terms * lowest**2).astype(np.int32)).all()
