"""Random numbers: counter-based bit generators, and distributions.

The specification leaves the variants of Threefry and Philox to the implementation: these variants equal XLA's
on the CPU bit by bit, including the order of words in the output and the new state.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from hlokit.errors import EvaluationError
from hlokit.reference.model.calls import Call
from hlokit.reference.model.tensors import (
    Index,
    Shape,
    Tensors,
    build,
    from_array,
    index_space,
    integers,
    item,
    vector,
)
from hlokit.reference.numbers.rules import DEFAULT_RNG_ALGORITHM, RandomStream
from hlokit.values.element import Element
from hlokit.values.element_types import UI64, ElementType, Kind
from hlokit.values.tensor import Tensor

_WORD = (1 << 32) - 1
_STATE = 1 << 64


def rng_bit_generator(
    initial_state: Tensor, rng_algorithm: str, shape: Shape, element_type: ElementType
) -> Tensors:
    """spec "rng_bit_generator": output_state, output = rng_algorithm(initial_state)

    The state consists of a key of 64 bits and a counter of 64 bits (PHILOX: 64 or 128 bits). Each counter
    gives two (PHILOX: four) words of 32 bits; an element of 64 bits takes two words, other elements take the
    lowest bits of one word. The new state has the counter after the last used counter.
    """
    algorithm = DEFAULT_RNG_ALGORITHM if rng_algorithm == "DEFAULT" else rng_algorithm
    sizes = (2,) if algorithm == "THREE_FRY" else (2, 3)
    if initial_state.rank != 1 or initial_state.size not in sizes:
        raise EvaluationError(
            f"initial_state must have {' or '.join(map(str, sizes))} elements for {algorithm}, "
            f"got shape {list(initial_state.shape)}"
        )
    state = integers(initial_state)
    is_double = element_type.width == 64
    if algorithm == "THREE_FRY" and not is_double:
        numbers, used = _threefry_words(state, shape)
    else:
        numbers, used = _in_order(algorithm, state, prod(shape), words=2 if is_double else 1)
    places = {index: number for index, number in zip(_row_major(shape), numbers, strict=True)}
    mask = (1 << element_type.width) - 1
    output = build(shape, element_type, lambda index: Element.from_bits(element_type, places[index] & mask))
    counter = state[1] + (state[2] << 64 if len(state) == 3 else 0) + used
    new_state = (state[0], counter % _STATE, (counter >> 64) % _STATE)
    return vector([Element(UI64, number) for number in new_state[: len(state)]], UI64), output


def _row_major(shape: Shape) -> list[Index]:
    return list(index_space(shape))


def _in_order(algorithm: str, state: Sequence[int], count: int, words: int) -> tuple[list[int], int]:
    """`count` numbers of one or two words, from the words of consecutive counters."""
    per_counter = 2 if algorithm == "THREE_FRY" else 4
    used = -(-count * words // per_counter)
    stream: list[int] = []
    for k in range(used):
        stream += threefry_2x32(state[0], state[1] + k) if algorithm == "THREE_FRY" else _philox(state, k)
    numbers = [stream[i] | (stream[i + 1] << 32 if words == 2 else 0) for i in range(0, len(stream), words)]
    return numbers[:count], used


# Threefry ---------------------------------------------------------------------------------------------

_THREEFRY_PARITY = 0x1BD11BDA
_THREEFRY_ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))


def threefry_2x32(key: int, counter: int) -> tuple[int, int]:
    """Threefry-2x32 with 20 rounds of a counter of 64 bits: the low and the high word.

    Source: Salmon and others, Parallel random numbers: as easy as 1, 2, 3 (2011).
    """
    keys = (key & _WORD, key >> 32, (key & _WORD) ^ (key >> 32) ^ _THREEFRY_PARITY)
    x0, x1 = (counter + keys[0]) & _WORD, ((counter >> 32) + keys[1]) & _WORD
    for group in range(5):
        for rotation in _THREEFRY_ROTATIONS[group % 2]:
            x0 = (x0 + x1) & _WORD
            x1 = ((x1 << rotation | x1 >> (32 - rotation)) & _WORD) ^ x0
        x0 = (x0 + keys[(group + 1) % 3]) & _WORD
        x1 = (x1 + keys[(group + 2) % 3] + group + 1) & _WORD
    return x0, x1


def _threefry_words(state: Sequence[int], shape: Shape) -> tuple[list[int], int]:
    """Numbers of one word. The two words of a counter are neighbours along one dimension: the first dimension
    of even size, or else the largest."""
    sizes = shape or (1,)
    even = [d for d, size in enumerate(sizes) if size % 2 == 0]
    d = even[0] if even else sizes.index(max(sizes))
    pairs, after = (sizes[d] + 1) // 2, prod(sizes[d + 1 :])
    count = prod(sizes[:d]) * pairs * after
    words = [threefry_2x32(state[0], state[1] + k) for k in range(count)]

    def number(index: Index) -> int:
        before, rest = 0, 0
        for i, size in zip(index[:d], sizes[:d], strict=True):
            before = before * size + i
        for i, size in zip(index[d + 1 :], sizes[d + 1 :], strict=True):
            rest = rest * size + i
        pair, side = divmod(index[d], 2)
        return words[(before * pairs + pair) * after + rest][side]

    return [number(index) for index in _row_major(sizes)], count


# Philox -----------------------------------------------------------------------------------------------

_PHILOX_MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
_PHILOX_WEYL = 0x9E3779B9, 0xBB67AE85


def philox_4x32(key: int, counter: int) -> tuple[int, int, int, int]:
    """Philox-4x32 with 10 rounds of a counter of 128 bits: four words.

    Source: Salmon and others, Parallel random numbers: as easy as 1, 2, 3 (2011).
    """
    a, b, c, d = (counter >> shift & _WORD for shift in (0, 32, 64, 96))
    k0, k1 = key & _WORD, key >> 32
    for _ in range(10):
        p, q = _PHILOX_MULTIPLIERS[0] * a, _PHILOX_MULTIPLIERS[1] * c
        a, b, c, d = (q >> 32) ^ b ^ k0, q & _WORD, (p >> 32) ^ d ^ k1, p & _WORD
        k0, k1 = (k0 + _PHILOX_WEYL[0]) & _WORD, (k1 + _PHILOX_WEYL[1]) & _WORD
    return a, b, c, d


def _philox(state: Sequence[int], step: int) -> tuple[int, int, int, int]:
    """The words of the counter `step` steps later; a state without a third word uses the key as the third."""
    upper = state[2] if len(state) == 3 else state[0]
    return philox_4x32(state[0], state[1] + (upper << 64) + step)


# Distributions ----------------------------------------------------------------------------------------


def rng(a: Tensor, b: Tensor, shape: Tensor, rng_distribution: str, stream: RandomStream) -> Tensor:
    """spec "rng": result = random numbers of `rng_distribution` with parameters a and b, in shape `shape`

    UNIFORM: from a, up to but excluding b. NORMAL: mean a, standard deviation b. All operations of a run draw
    from one `rules.RandomStream`, in the order of their evaluation.
    """
    sizes, type_ = integers(shape), a.element_type
    if any(size < 0 for size in sizes):
        raise EvaluationError(f"shape must have no negative sizes, got {list(sizes)}")
    generator = stream.generator
    if type_.kind is not Kind.FLOAT:
        low, high = int(item(a)), int(item(b))
        wide = "int64" if type_.kind is Kind.SIGNED else "uint64"
        return from_array(generator.integers(low, max(high, low + 1), sizes, wide), type_)
    low, high = float(item(a)), float(item(b))
    if rng_distribution == "NORMAL":
        drawn = generator.standard_normal(sizes).reshape(-1) * high + low
        numbers = [Element(type_, float(number)) for number in drawn]
    else:
        drawn = generator.random(sizes).reshape(-1) * (high - low) + low
        numbers = [Element(type_, float(number)) for number in drawn]
        # Rounding may reach b, which is outside of the interval.
        numbers = [number if float(number) < high else item(a) for number in numbers]
    places = dict(zip(_row_major(sizes), numbers, strict=True))
    return build(sizes, type_, lambda index: places[index])


def call_rng_bit_generator(call: Call) -> Tensors:
    output = call.result(1)
    algorithm = call.attributes.enum("rng_algorithm")
    return rng_bit_generator(call.tensor(), algorithm, output.dims, output.element_type)
