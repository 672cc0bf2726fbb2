"""hlokit._kernels.Product: the arguments that it accepts, and products on threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hlokit import _kernels

Array = npt.NDArray[Any]


def integers(*shape: int, dtype: Any = np.float32) -> Array:
    """Random integers, whose sums of products are exact."""
    return np.random.default_rng(len(shape)).integers(-8, 8, shape).astype(dtype)


PLAIN = _kernels.Product("f32", "f32", "f32", "f32", 0, 1)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (300, 200, 400), (15, 3000, 300), (2500, 5, 300), (1, 4000, 900), (4000, 1, 900)]
)
def test_threads_give_the_same(shape: tuple[int, int, int], threads: int) -> None:
    m, n, k = shape
    a, b = integers(m, k), integers(k, n)
    c = np.empty((m, n), np.float32)
    assert PLAIN.run(a, b, c, threads)
    assert np.array_equal(c, a @ b)


def test_batches_and_several_dimensions() -> None:
    product = _kernels.Product("i8", "f32", "f64", "f64", 2, 2)
    a = integers(3, 4, 5, 6, 7, dtype=np.int8)  # batch, batch, row, term, term
    b = integers(3, 4, 6, 7, 8, 9)
    c = np.empty((3, 4, 5, 8, 9))
    assert product.run(a, b, c, 2)
    assert np.array_equal(c, np.einsum("abrst,abstcd->abrcd", a.astype(np.float64), b))


def test_layouts() -> None:
    a, b = integers(50, 60), integers(60, 70)
    expected = a @ b
    wide = np.zeros((70, 100), np.float32)
    results = (np.empty((50, 70), np.float32), np.empty((70, 50), np.float32).T, wide[::-1, ::2].T)
    for left in (a, np.asfortranarray(a), a[::-1, ::-1].copy()[::-1, ::-1]):
        for right in (b, np.asfortranarray(b), np.repeat(b, 2, 1)[:, ::2]):
            for result in results:
                assert PLAIN.run(left, right, result)
                assert np.array_equal(result, expected)
    assert not wide[:, 1::2].any()


@pytest.mark.parametrize("part", ["f32", "f64"])
def test_complex_numbers(part: str) -> None:
    """Sums of small integers are exact: the same values as NumPy's, in any layout."""
    dtype = np.complex64 if part == "f32" else np.complex128
    type_ = f"complex<{part}>"
    product = _kernels.Product(type_, type_, type_, part, 1, 2)

    def numbers(*shape: int) -> Array:
        return (integers(*shape) + 1j * integers(*shape)[..., ::-1]).astype(dtype)

    a, b = numbers(3, 5, 2, 4), numbers(3, 2, 4, 6, 7)  # batch, row, term, term; batch, term, term, columns
    wanted = np.einsum("brst,bstcd->brcd", a, b)
    for left in (a, np.asfortranarray(a), a[:, ::-1].copy()[:, ::-1]):
        for right in (b, np.asfortranarray(b), np.repeat(b, 2, 3)[..., ::2, :]):
            c = np.empty((3, 6, 5, 7), dtype).transpose(0, 2, 1, 3)
            assert product.run(left, right, c, 2)
            assert np.array_equal(c, wanted)
    with pytest.raises(ValueError, match="item sizes"):
        product.run(a.real.copy(), b, np.empty_like(wanted))
    with pytest.raises(ValueError, match="the same batch dimensions"):
        product.run(a[:2], b, np.empty_like(wanted))
    for types in ((type_, part, type_), (type_, type_, part), (part, part, type_), ("complex<f32>",) * 3):
        with pytest.raises(ValueError, match="there is no kernel for products of"):
            _kernels.Product(*types, "f64" if types == ("complex<f32>",) * 3 else part, 1, 2)


def test_calls_of_several_layouts() -> None:
    """A product does not reuse preparations of a call for a call with other sizes, strides or alignment."""
    product = _kernels.Product("f32", "f32", "f32", "f32", 0, 1)
    a, b = integers(6, 8), integers(8, 6)
    unaligned = np.zeros(6 * 8 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(6, 8)
    for left, right in ((a, b), (a[:4], b), (a[::2], b[:, ::3]), (b.T, a.T), (a, b), (a[:, ::2], b[:4])):
        for c in (
            np.empty((len(left), right.shape[1]), np.float32),
            np.empty((right.shape[1], len(left)), np.float32).T,
        ):
            for _ in range(2):
                assert product.run(left, right, c)
                assert np.array_equal(c, left @ right)
                c[...] = 0
                assert not product.run(unaligned[: len(left), : left.shape[1]], right, c)
    square = integers(6, 6)
    assert product.run(square, square, np.empty_like(square))
    with pytest.raises(ValueError, match="share no memory with an operand"):
        product.run(square, square.copy(), square)


def test_functions_that_are_no_products() -> None:
    a, b, c = (np.zeros((4, 4), np.float32) for _ in range(3))
    for wrong in (
        (a[:, :3], b, c),
        (a[:3], b, c),
        (a, b[:, :3], c),
        (a[0], b, c),
        (a.astype(np.float64), b, c),
        (a, b, a),
        (a, c.T, c),
        (a, b, np.lib.stride_tricks.as_strided(c, (4, 4), (4, 4))),
        (a, b, np.broadcast_to(c[:1], (4, 4)).view()),
    ):
        with pytest.raises((ValueError, BufferError)):
            PLAIN.run(*wrong)
    with pytest.raises(TypeError):
        PLAIN.run(a, b, [[1.0]])  # pyright: ignore[reportArgumentType] # what no caller may pass
    for names in (
        ("f64", "f32", "f32", "f32"),
        ("f32", "f32", "i8", "f32"),
        ("f32", "f32", "f32", "i32"),
        ("x",) * 4,
    ):
        with pytest.raises(ValueError, match="there "):
            _kernels.Product(*names, batch=0, terms=1)


def test_unaligned_arrays_are_not_multiplied() -> None:
    memory = np.zeros(4 * 16 + 1, np.uint8)[1:].view(np.float32).reshape(4, 4)
    whole = np.ones((4, 4), np.float32)
    result = np.full((4, 4), 7, np.float32)
    assert not PLAIN.run(memory, whole, result)
    assert not PLAIN.run(whole, memory, result)
    assert (result == 7).all()


def test_callers_on_several_threads() -> None:
    a, b = integers(200, 300), integers(300, 200)
    expected = a @ b

    def call(_: int) -> bool:
        c = np.empty((200, 200), np.float32)
        PLAIN.run(a, b, c, 3)
        return np.array_equal(c, expected)

    with ThreadPoolExecutor(4) as callers:
        assert all(callers.map(call, range(200)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_begins_anew() -> None:
    a, b = integers(200, 300), integers(300, 200)
    c = np.empty((200, 200), np.float32)
    PLAIN.run(a, b, c, 2)
    child = os.fork()
    if child == 0:
        again = np.empty_like(c)
        PLAIN.run(a, b, again, 2)
        os._exit(0 if np.array_equal(again, c) else 1)
    assert os.waitpid(child, 0)[1] == 0
