"""Counter-based generators of random bits: Threefry and Philox.

The specification leaves the variants to the implementation. hlokit matches XLA:CPU bit by bit: the words,
their order in the output, and the returned state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np
import numpy.typing as npt

from hlokit.contract.generators import (
    PHILOX_MULTIPLIERS,
    PHILOX_WEYL,
    THREEFRY_PARITY,
    THREEFRY_ROTATIONS,
)
from hlokit.contract.registry import Value
from hlokit.errors import EvaluationError
from hlokit.values.element_types import ElementType

Words = npt.NDArray[np.uint32]
DoubleWords = npt.NDArray[np.uint64]

_LOW = 0xFFFFFFFF
_SHIFT_WORD = np.uint64(32)
_STATE_SIZE = 1 << 64

# Counters processed together: the words of one block stay in the second-level cache.
_BLOCK = 1 << 14


def _blocks(first: int, count: int) -> Iterator[tuple[slice, DoubleWords]]:
    """The counters first, first + 1, ... modulo 2^64 in blocks, each with its slice of the output."""
    steps = np.arange(min(count, _BLOCK), dtype=np.uint64)
    for start in range(0, count, _BLOCK):
        stop = min(start + _BLOCK, count)
        yield slice(start, stop), steps[: stop - start] + np.uint64((first + start) % _STATE_SIZE)


# Threefry -----------------------------------------------------------------------------------------


def threefry_2x32(key: int, first: int, count: int) -> tuple[Words, Words]:
    """Threefry-2x32 with 20 rounds on the 64-bit counters from `first` on: low words and high words."""
    schedule = (key & _LOW, key >> 32, (key & _LOW) ^ (key >> 32) ^ THREEFRY_PARITY)
    low, high = np.empty(count, np.uint32), np.empty(count, np.uint32)
    for place, counters in _blocks(first, count):
        x0, x1 = low[place], high[place]
        x0[:] = counters
        x1[:] = counters >> _SHIFT_WORD
        x0 += np.uint32(schedule[0])
        x1 += np.uint32(schedule[1])
        scratch = np.empty_like(x0)
        for group in range(5):
            for rotation in THREEFRY_ROTATIONS[group % 2]:
                x0 += x1
                np.left_shift(x1, np.uint32(rotation), out=scratch)
                x1 >>= np.uint32(32 - rotation)
                x1 |= scratch
                x1 ^= x0
            x0 += np.uint32(schedule[(group + 1) % 3])
            x1 += np.uint32((schedule[(group + 2) % 3] + group + 1) & _LOW)
    return low, high


def _split_dimension(shape: tuple[int, ...]) -> int:
    """The dimension along which the two words of a counter are adjacent: the first even dimension, else the
    largest.
    """
    for dimension, size in enumerate(shape):
        if size % 2 == 0:
            return dimension
    return int(np.argmax(shape))


def _threefry_words(state: tuple[int, ...], shape: tuple[int, ...]) -> tuple[npt.NDArray[np.uint32], int]:
    dimension = _split_dimension(shape or (1,))
    size = (shape or (1,))[dimension]
    before, after = prod(shape[:dimension]), prod(shape[dimension + 1 :])
    pairs = (size + 1) // 2
    count = before * pairs * after
    low, high = threefry_2x32(state[0], state[1], count)
    words = np.empty((before, pairs, 2, after), np.uint32)
    words[:, :, 0] = low.reshape(before, pairs, after)
    words[:, :, 1] = high.reshape(before, pairs, after)
    return words.reshape(before, 2 * pairs, after)[:, :size].reshape(shape), count


def _threefry_double_words(state: tuple[int, ...], shape: tuple[int, ...]) -> tuple[DoubleWords, int]:
    count = prod(shape)
    low, high = threefry_2x32(state[0], state[1], count)
    return _joined(low, high).reshape(shape), count


def _joined(low: Words, high: Words) -> DoubleWords:
    words = high.astype(np.uint64)
    words <<= _SHIFT_WORD
    words |= low
    return words


# Philox -------------------------------------------------------------------------------------------


def philox_4x32(key: int, first: int, count: int) -> Words:
    """Philox-4x32 with 10 rounds on the 128-bit counters from `first` on: an array of count x 4 words.

    A round takes the words (a, b, c, d) to (high(q) ^ b ^ k0, low(q), high(p) ^ d ^ k1, low(p)) with the
    products p = m0 a and q = m1 c. `ab` and `cd` hold two words each, a and c in the upper half. The new `ab`
    is then q ^ ((b ^ k0) << 32), which requires no separate half of a product.
    """
    words = np.empty((count, 4), np.uint32)
    m0, m1 = map(np.uint64, PHILOX_MULTIPLIERS)
    for place, counters in _blocks(first, count):
        upper = np.full_like(counters, ((first + place.start) >> 64) % _STATE_SIZE)
        upper += counters < counters[0]  # carry where the lower half of the counter wraps
        ab = (counters << _SHIFT_WORD) | (counters >> _SHIFT_WORD)
        cd = (upper << _SHIFT_WORD) | (upper >> _SHIFT_WORD)
        p, q = np.empty_like(ab), np.empty_like(cd)
        k0, k1 = key & _LOW, key >> 32
        for _ in range(10):
            np.right_shift(ab, _SHIFT_WORD, out=p)
            np.right_shift(cd, _SHIFT_WORD, out=q)
            p *= m0
            q *= m1
            ab ^= np.uint64(k0)
            cd ^= np.uint64(k1)
            ab <<= _SHIFT_WORD
            cd <<= _SHIFT_WORD
            ab ^= q
            cd ^= p
            k0, k1 = (k0 + PHILOX_WEYL[0]) & _LOW, (k1 + PHILOX_WEYL[1]) & _LOW
        block = words[place]
        block[:, 0] = ab >> _SHIFT_WORD
        block[:, 1] = ab
        block[:, 2] = cd >> _SHIFT_WORD
        block[:, 3] = cd
    return words


def _philox_counter(state: tuple[int, ...]) -> int:
    """The 128-bit counter; a state of two words repeats the key as the upper word."""
    return state[1] | (state[2] if len(state) == 3 else state[0]) << 64


def _philox_words(state: tuple[int, ...], shape: tuple[int, ...]) -> tuple[Words, int]:
    count = prod(shape)
    blocks = -(-count // 4)
    words = philox_4x32(state[0], _philox_counter(state), blocks)
    return words.reshape(-1)[:count].reshape(shape), blocks


def _philox_double_words(state: tuple[int, ...], shape: tuple[int, ...]) -> tuple[DoubleWords, int]:
    count = prod(shape)
    blocks = -(-count // 2)
    words = philox_4x32(state[0], _philox_counter(state), blocks)
    return _joined(words[:, 0::2], words[:, 1::2]).reshape(-1)[:count].reshape(shape), blocks


# State and output ---------------------------------------------------------------------------------


def _from_bits(element_type: ElementType) -> Callable[[npt.NDArray[np.unsignedinteger]], Value]:
    """A function from words to values of an element type; the bits of a value are the lowest bits of a
    word."""
    dtype, width = element_type.dtype, element_type.width
    if element_type.is_narrow_integer:
        return lambda words: words.astype(np.uint8).astype(dtype)
    if width < 8:
        return lambda words: (words.astype(np.uint8) & np.uint8((1 << width) - 1)).view(dtype)
    return lambda words: words.astype(element_type.bits_dtype, copy=False).view(dtype)


def bit_generator(
    algorithm: str, element_type: ElementType
) -> Callable[[Value, tuple[int, ...]], tuple[Value, Value]]:
    """A function from (state, shape) to (new state, random bits); see `rng_bit_generator`."""
    is_double = element_type.width == 64
    if algorithm == "THREE_FRY":
        generate = _threefry_double_words if is_double else _threefry_words
    else:
        generate = _philox_double_words if is_double else _philox_words
    from_bits = _from_bits(element_type)

    sizes = (2,) if algorithm == "THREE_FRY" else (2, 3)

    def kernel(initial_state: Value, shape: tuple[int, ...]) -> tuple[Value, Value]:
        if initial_state.ndim != 1 or initial_state.shape[0] not in sizes:
            raise EvaluationError(
                f"initial_state must have {' or '.join(map(str, sizes))} elements for "
                f"{algorithm}, got shape {list(initial_state.shape)}"
            )
        state = tuple(initial_state.tolist())
        bits, used = generate(state, shape)
        counter = state[1] + (state[2] << 64 if len(state) == 3 else 0) + used
        new_state = (state[0], counter % _STATE_SIZE, (counter >> 64) % _STATE_SIZE)
        return np.array(new_state[: len(state)], np.uint64), from_bits(bits)

    return kernel
