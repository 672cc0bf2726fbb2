"""Copies in row-major order equal NumPy's, for all strides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import ml_dtypes
import numpy as np
import pytest
from hypothesis import given

import hlokit
from hlokit import _kernels
from hlokit.engine.contract.switches import VARIABLE
from hlokit.engine.native.fused.copies import in_rows
from tests.unit.lib.building import FUZZERS, LIBRARY, build, needs_compiler, rounds, run


def numbered(shape: tuple[int, ...], size: int) -> Any:
    """An array whose neighbours differ, far and near."""
    count = int(np.prod(shape))
    return (np.arange(count, dtype=np.uint64) * 0x9E3779B97F4A7C15 >> 20).astype(f"u{size}").reshape(shape)


@st.composite
def views(draw: st.DrawFn) -> Any:
    """Views with transposed, reversed, repeated, cut and strided dimensions."""
    size = draw(st.sampled_from([1, 2, 4, 8]))
    shape = tuple(draw(st.lists(st.sampled_from([0, 1, 2, 3, 5, 16, 17, 33, 70]), max_size=4)))
    if np.prod(shape) > 200_000:
        shape = shape[:2]
    array = numbered(shape, size)
    array = array.transpose(draw(st.permutations(range(len(shape)))))
    for axis in range(array.ndim):
        step = draw(st.sampled_from([1, 1, 1, -1, 2, -3]))
        first = draw(st.integers(0, 2))
        part = slice(first, None, step) if step > 0 else slice(None, first or None, step)
        array = array[(slice(None),) * axis + (part,)]
        if array.shape[axis] == 1 and draw(st.booleans()):
            repeated = [*array.shape]
            repeated[axis] = 19
            array = np.broadcast_to(array, repeated)
    return array


@given(views(), st.integers(1, 3))
def test_any_view(view: Any, threads: int) -> None:
    result: Any = np.zeros(view.shape, view.dtype)
    assert _kernels.copy(view, result, threads)
    assert np.array_equal(result, view)


@given(views(), st.integers(1, 3), st.data())
def test_any_part(view: Any, threads: int, data: st.DataObject) -> None:
    """The result is a part of an array, whose other elements stay."""
    steps = [data.draw(st.sampled_from([1, 1, 2, -1])) for _ in view.shape[:-1]] + [1] * (view.ndim > 0)
    starts = [data.draw(st.integers(0, 2)) for _ in view.shape]
    sizes = [
        start + size * abs(step) + 1 for start, size, step in zip(starts, view.shape, steps, strict=True)
    ]
    whole: Any = np.full(sizes, 99, view.dtype)
    expected = whole.copy()
    place = tuple(
        slice(start, start + size * abs(step), abs(step))
        for start, size, step in zip(starts, view.shape, steps, strict=True)
    )
    turned = tuple(slice(None, None, -1 if step < 0 else 1) for step in steps)
    expected[(*place, ...)][(*turned, ...)] = view
    assert _kernels.copy(view, whole[(*place, ...)][(*turned, ...)], threads)
    assert np.array_equal(whole, expected)


@pytest.mark.parametrize("size", [1, 2, 4, 8])
@pytest.mark.parametrize("shape", [(300, 700), (513, 1024), (7, 130, 257), (3, 5, 7, 900), (200_003,)])
def test_large_views(shape: tuple[int, ...], size: int) -> None:
    array = numbered(shape, size)
    backwards = (slice(None, None, -1),) * len(shape)
    view: Any
    for view in (array.T, array[backwards], array.T[backwards], array[::-1], np.moveaxis(array, 0, -1)):
        for threads in (1, 2, 5):
            result: Any = np.zeros(view.shape, view.dtype)
            assert _kernels.copy(view, result, threads)
            assert np.array_equal(result, view)


@pytest.mark.parametrize("size", [2000, 2047, 2048, 2049, 5000])
def test_places_in_a_page(size: int) -> None:
    """Long rows are copied in another way where both places are almost the same in their pages."""
    memory = numbered((3 * 4096 + size,), 1)
    result: Any = np.zeros(size, np.uint8)
    start = (result.ctypes.data - memory.ctypes.data) % 4096
    for distance in (0, 1, 16, 31, 32, 63, 64, 65, 2048):
        first = (start - distance) % 4096
        assert (result.ctypes.data - memory.ctypes.data - first) % 4096 == distance
        result[:] = 0
        assert _kernels.copy(memory[first : first + size], result)
        assert np.array_equal(result, memory[first : first + size])


def test_invalid_arguments_of_copy() -> None:
    array: Any = np.zeros((4, 6), np.float32)
    wrong: Any
    for wrong in (np.zeros((6, 4), np.float32), np.zeros((4, 6), np.float64), np.zeros(24, np.float32)):
        with pytest.raises(ValueError, match="the shape and the item size of the operand"):
            _kernels.copy(array, wrong)
    with pytest.raises(ValueError, match="no memory"):
        _kernels.copy(array[::-1], array)
    turned: Any = np.zeros((6, 4), np.float32).T
    assert not _kernels.copy(array, turned)
    repeated: Any = np.lib.stride_tricks.as_strided(np.zeros(6, np.float32), (4, 6), (0, 4))
    assert not _kernels.copy(array, repeated)
    pair: Any = np.zeros((2, 5), np.complex128)
    assert not _kernels.copy(pair[0], pair[1])
    unaligned: Any = np.zeros(41, np.uint8)[1:].view(np.float64)
    words: Any = np.zeros(5)
    assert not _kernels.copy(unaligned, words)


@pytest.mark.parametrize(
    "dtype",
    [np.bool_, np.complex64, np.complex128, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.int4],
)
def test_all_types(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    array = np.arange(300 * 400).reshape(300, 400).astype(dtype)
    aligned_to_parts = np.empty(array.nbytes + 4, np.uint8)[4:].view(dtype).reshape(array.shape)
    aligned_to_parts[...] = array
    for view in (array.T, array[:, ::-2], np.broadcast_to(array[0], (50, 400)), aligned_to_parts.T):
        found = in_rows(view)
        assert found.flags.c_contiguous
        assert found.flags.owndata
        assert found.dtype == dtype
        assert found.tobytes() == view.tobytes()
    monkeypatch.setenv(VARIABLE, "native")
    monkeypatch.setattr(_kernels, "copy", None)
    assert in_rows(array.T).tobytes() == array.T.tobytes()


def test_results_that_are_views() -> None:
    x = np.arange(200 * 300, dtype=np.float32).reshape(200, 300)
    program = hlokit.load("""func.func @main(%x: tensor<200x300xf32>) -> (tensor<300x200xf32>, tensor<200x300xf32>) {
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<200x300xf32>) -> tensor<300x200xf32>
      %1 = stablehlo.reverse %x, dims = [0, 1] : tensor<200x300xf32>
      return %0, %1 : tensor<300x200xf32>, tensor<200x300xf32>
    }""")
    transposed, backwards = program(x)
    assert transposed.flags.c_contiguous
    assert backwards.flags.c_contiguous
    assert np.array_equal(transposed, x.T)
    assert np.array_equal(backwards, x[::-1, ::-1])


@needs_compiler
@pytest.mark.deep
def test_random_copies_do_no_harm(tmp_path: Path) -> None:
    sources = [
        FUZZERS / "fuzz_copies.cpp",
        LIBRARY / "kernels" / "copies.cpp",
        LIBRARY / "support" / "threads.cpp",
        LIBRARY / "support" / "watch.cpp",
    ]
    run(build(sources, tmp_path / "fuzz", ["-O1"]), rounds(3_000), "1")
