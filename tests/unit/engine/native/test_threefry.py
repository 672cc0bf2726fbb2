"""Threefry in native programs: one instruction, with the words of the published test vectors and of XLA."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import hlokit
from hlokit import _kernels
from hlokit.engine.native.ir.instructions import THREEFRY
from hlokit.engine.plan.executors import generate
from tests.unit.engine.native.test_peephole import operations, plan_of
from tests.unit.engine.native.test_straight_line import with_all_straight_lines

# Counter, key and result of 20 rounds: the vectors that the authors of Threefry publish.
VECTORS = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
]
PARITY = 0x1BD11BDA


def run(counters: Any, key: Any) -> Any:
    """The words of counters [n, 2]; of keys [n, 2], or of one key [2]."""
    low, high = (counters + key).astype(np.uint32).T
    schedule = [*key.T, key.T[0] ^ key.T[1] ^ np.uint32(PARITY)]
    operands = [np.ascontiguousarray(each) for each in (low, high, *schedule)]
    counts = [len(low)] * 2 + [each.size if each.ndim else -1 for each in operands]
    program = _kernels.Program(
        ["ui32"] * 7,
        [(THREEFRY, (0, 1), (2, 3, 4, 5, 6), ())],
        counts,
        [(i + 2, each.shape, None) for i, each in enumerate(operands)],
        [(i, (len(low),), np.dtype(np.uint32)) for i in range(2)],
    )
    return np.stack(program.run(tuple(operands)), axis=-1)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 15, 16, 17, 50])
def test_published_vectors(count: int) -> None:
    rows = [VECTORS[i % 3] for i in range(count)]
    counters, keys, words = (np.array([row[i] for row in rows], np.uint32) for i in range(3))
    assert run(counters, keys).tolist() == words.tolist()
    for counter, key, expected in VECTORS:
        counters = np.array([counter] * count, np.uint32)
        assert run(counters, np.uint32(key)).tolist() == [list(expected)] * count


def hashed(
    key: Any, low: Any, high: Any, rotations: Any = ((13, 15, 26, 6), (17, 29, 16, 24)), order: Any = (1, 2)
) -> Any:
    """As JAX writes it."""
    schedule = (key[0], key[1], key[0] ^ key[1] ^ np.uint32(PARITY))
    low, high = low + schedule[0], high + schedule[1]
    for group in range(5):
        for rotation in rotations[group % 2]:
            low = low + high
            high = (high << np.uint32(rotation)) | (high >> np.uint32(32 - rotation))
            high = low ^ high
        low = low + schedule[(group + order[0]) % 3]
        high = high + schedule[(group + order[1]) % 3] + np.uint32(group + 1)
    return low, high


def draws(key: Any) -> Any:
    key, one, other = jax.random.split(key, 3)
    return jax.random.key_data(key), jax.random.normal(one, (5,)), jax.random.bits(other, (4, 3))


KEY = np.uint32([3, 1 << 31])


@pytest.fixture(autouse=True)
def wrapping() -> Iterator[None]:
    with np.errstate(over="ignore"):
        yield


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 5)])
def test_one_instruction(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    low, high = rng.integers(0, 2**32, (2, *shape), np.uint32)
    plan = plan_of(hashed, KEY, low, high)
    assert operations(plan).count(THREEFRY) == 1
    assert len(operations(plan)) <= 8
    for ours, plain in zip(
        generate(with_all_straight_lines(plan))(KEY, low, high), hashed(KEY, low, high), strict=True
    ):
        assert ours.tobytes() == plain.tobytes()


def test_keys_of_their_own() -> None:
    rng = np.random.default_rng(0)
    keys, low, high = rng.integers(0, 2**32, (3, 2, 6), np.uint32)
    plan = plan_of(hashed, keys, low, high)
    assert operations(plan).count(THREEFRY) == 1
    for ours, plain in zip(
        generate(with_all_straight_lines(plan))(keys, low, high), hashed(keys, low, high), strict=True
    ):
        assert ours.tobytes() == plain.tobytes()


@pytest.mark.parametrize(
    "other",
    [
        lambda key, low, high: hashed(key, low, high, ((13, 15, 26, 6), (17, 29, 16, 23))),
        lambda key, low, high: hashed(key, low, high, ((13, 15, 26, 7), (17, 29, 16, 24))),
        lambda key, low, high: hashed(key, low, high, order=(2, 1)),
        lambda key, low, high: hashed(key, low, high, order=(1, 1)),
        lambda key, low, high: (low + key[0], high + 5),
    ],
)
def test_patterns_that_look_alike(other: Callable[..., Any]) -> None:
    low, high = np.arange(3, dtype=np.uint32), np.arange(5, 8, dtype=np.uint32)
    plan = plan_of(other, KEY, low, high)
    assert THREEFRY not in operations(plan)
    expected = other(KEY, low, high)
    for ours, plain in zip(generate(with_all_straight_lines(plan))(KEY, low, high), expected, strict=True):
        assert ours.tobytes() == np.asarray(plain).tobytes()


def test_low_words_that_are_used_before() -> None:
    """The instruction stands where the low words were computed; what used them before the high words still can."""

    def used(key: Any, low: Any, high: Any) -> Any:
        low, high = hashed(key, low, high)
        return jnp.stack([low * 3, high, low ^ high])

    low, high = np.arange(3, dtype=np.uint32), np.arange(5, 8, dtype=np.uint32)
    plan = plan_of(used, KEY, low, high)
    assert operations(plan).count(THREEFRY) == 1
    ours = generate(with_all_straight_lines(plan))(KEY, low, high)
    words = hashed(KEY, low, high)
    assert ours.tobytes() == np.stack([words[0] * 3, words[1], words[0] ^ words[1]]).tobytes()


def test_draws_of_jax_in_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    def many(key: Any) -> Any:
        def body(_: Any, carried: Any) -> Any:
            key, total, words = carried
            key, normal, bits = draws(key)
            return key, total + normal, words ^ bits

        start = (key, jnp.zeros(5), jnp.zeros((4, 3), jnp.uint32))
        return jax.lax.fori_loop(0, 30, body, start)

    expected = jax.jit(many)(KEY)
    runs: list[bytes] = []
    for disabled in ("", "native"):
        monkeypatch.setenv("HLOKIT_DISABLE", disabled)
        program = hlokit.from_jax(jax.jit(many), KEY)
        for _ in range(4):
            key, total, words = program(KEY)
            assert key.tolist() == np.asarray(expected[0]).tolist()
            assert words.tolist() == np.asarray(expected[2]).tolist()
            np.testing.assert_allclose(total, expected[1], rtol=1e-4)
            runs.append(b"".join(each.tobytes() for each in (key, total, words)))
    assert len(set(runs)) == 1
