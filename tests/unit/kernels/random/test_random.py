"""rng_bit_generator against XLA and word-by-word Threefry and Philox; the distributions of rng."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hlokit
import oracles
from hlokit.errors import EvaluationError
from hlokit.values.element_types import (
    BF16,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E4M3FN,
    F16,
    F32,
    F64,
    I1,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    UI2,
    UI4,
    UI8,
    UI32,
    UI64,
    ElementType,
    Kind,
)
from hlokit.values.types import TensorType
from tests.unit.kernels.one_op import Array, assert_same, evaluate, program, tensor

WORD = (1 << 32) - 1
DOUBLE_WORD = (1 << 64) - 1


def text(algorithm: str, state: Array, shape: tuple[int, ...], type_: ElementType) -> str:
    results = [tensor(state.shape, UI64), tensor(shape, type_)]
    return program(
        "rng_bit_generator", f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>", [state], results
    )


def generate(algorithm: str, state: list[int], shape: tuple[int, ...], type_: ElementType) -> list[Array]:
    initial_state = np.array(state, np.uint64)
    return evaluate(text(algorithm, initial_state, shape, type_), initial_state)


# In Python's integers, a counter at a time -------------------------------------------------------


def threefry(key: int, counter: int) -> tuple[int, int]:
    """Salmon et al. 2011, Threefry-2x32 with 20 rounds."""
    k = [key & WORD, key >> 32]
    k.append(k[0] ^ k[1] ^ 0x1BD11BDA)
    x, y = ((counter & WORD) + k[0]) & WORD, ((counter >> 32) + k[1]) & WORD
    for round_ in range(20):
        rotation = (13, 15, 26, 6, 17, 29, 16, 24)[round_ % 8]
        x = (x + y) & WORD
        y = ((y << rotation | y >> 32 - rotation) & WORD) ^ x
        if round_ % 4 == 3:
            step = round_ // 4 + 1
            x = (x + k[step % 3]) & WORD
            y = (y + k[(step + 1) % 3] + step) & WORD
    return x, y


def philox(key: int, counter: int) -> tuple[int, int, int, int]:
    """Salmon et al. 2011, Philox-4x32 with 10 rounds."""
    a, b, c, d = (counter >> shift & WORD for shift in (0, 32, 64, 96))
    k0, k1 = key & WORD, key >> 32
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = q >> 32 ^ b ^ k0, q & WORD, p >> 32 ^ d ^ k1, p & WORD
        k0, k1 = (k0 + 0x9E3779B9) & WORD, (k1 + 0xBB67AE85) & WORD
    return a, b, c, d


STATES = st.integers(0, DOUBLE_WORD) | st.integers(DOUBLE_WORD - 20, DOUBLE_WORD)


@given(STATES, STATES, st.integers(0, 40))
@settings(max_examples=50)
def test_threefry_words(key: int, counter: int, size: int) -> None:
    new_state, output = generate("THREE_FRY", [key, counter], (size,), UI32)
    pairs = (size + 1) // 2
    words = [word for i in range(pairs) for word in threefry(key, (counter + i) & DOUBLE_WORD)]
    assert output.tolist() == words[:size]
    assert new_state.tolist() == [key, (counter + pairs) & DOUBLE_WORD]
    new_state, output = generate("THREE_FRY", [key, counter], (size,), UI64)
    pairs_of_words = (threefry(key, (counter + i) & DOUBLE_WORD) for i in range(size))
    assert output.tolist() == [low | high << 32 for low, high in pairs_of_words]
    assert new_state.tolist() == [key, (counter + size) & DOUBLE_WORD]


@given(st.lists(STATES, min_size=2, max_size=3), st.integers(0, 40))
@settings(max_examples=50)
def test_philox_words(state: list[int], size: int) -> None:
    key, low = state[:2]
    counter = low | (state[2] if len(state) == 3 else key) << 64
    new_state, output = generate("PHILOX", state, (size,), UI32)
    blocks = -(-size // 4)
    words = [word for i in range(blocks) for word in philox(key, (counter + i) % (1 << 128))]
    assert output.tolist() == words[:size]
    after = (counter + blocks) % (1 << 128)
    assert new_state.tolist() == [key, after & DOUBLE_WORD, after >> 64][: len(state)]
    _, output = generate("PHILOX", state, (size,), UI64)
    blocks = -(-size // 2)
    words = [word for i in range(blocks) for word in philox(key, (counter + i) % (1 << 128))]
    assert output.tolist() == [words[2 * i] | words[2 * i + 1] << 32 for i in range(size)]


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX"])
def test_blocks_of_counters(algorithm: str) -> None:
    """Long outputs continue where short outputs end; the counter carries within a block and between
    blocks."""
    for offset in (0, 1, 16383, 16384, 16385, 40000):
        low = (DOUBLE_WORD - offset + 1) & DOUBLE_WORD
        state = [7, low, 3] if algorithm == "PHILOX" else [7, low]
        _, output = generate(algorithm, state, (100_000,), UI64)
        for index in (0, offset, 16383, 16384, 32767, 32768, 49999):
            if algorithm == "THREE_FRY":
                words = threefry(7, (low + index) & DOUBLE_WORD)
                assert int(output[index]) == words[0] | words[1] << 32
            else:
                words4 = philox(7, (low | 3 << 64) + index)
                assert output[2 * index : 2 * index + 2].tolist() == [
                    words4[0] | words4[1] << 32,
                    words4[2] | words4[3] << 32,
                ]


# Against XLA -------------------------------------------------------------------------------------

SHAPES = [(), (1,), (5,), (0,), (3, 5), (7, 3), (4, 6), (3, 3, 3), (3, 4, 5), (3, 0)]


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX", "DEFAULT"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.sample("(4, 6)-*", "(5,)-*")
def test_shapes_against_xla(algorithm: str, shape: tuple[int, ...]) -> None:
    for size in (2,) if algorithm == "THREE_FRY" else (2, 3):
        state = np.array([0x0123456789ABCDEF, DOUBLE_WORD - 2, 5][:size], np.uint64)
        source = text(algorithm, state, shape, UI32)
        for actual, expected in zip(evaluate(source, state), oracles.xla(source, state), strict=True):
            assert_same(actual, expected)


@pytest.mark.parametrize("algorithm", ["THREE_FRY", "PHILOX"])
@pytest.mark.parametrize(
    "type_", [I2, I4, UI4, I8, UI8, I16, I32, I64, UI64, F8E4M3FN, BF16, F16, F32, F64], ids=str
)
@pytest.mark.sample("f32-*", "i4-*", "bf16-*")
def test_types_against_xla(algorithm: str, type_: ElementType) -> None:
    state = np.array([11, 22], np.uint64)
    # XLA gives back narrow integers as unsigned ones, or not at all.
    oracle_type = {I2: UI2, I4: UI4}.get(type_, type_)
    (_, actual) = evaluate(text(algorithm, state, (7,), type_), state)
    (_, expected) = oracles.xla(text(algorithm, state, (7,), oracle_type), state)
    assert actual.dtype == type_.dtype
    if type_.is_narrow_integer:
        modulus = 1 << type_.width
        assert [int(value) % modulus for value in actual] == [int(value) for value in expected]
    else:
        assert actual.tobytes() == expected.tobytes()


@pytest.mark.parametrize("type_", [F4E2M1FN, F6E2M3FN, F6E3M2FN], ids=str)
def test_narrow_floats_have_no_bits_above_their_width(type_: ElementType) -> None:
    (_, words), (_, floats) = (generate("PHILOX", [11, 22], (64,), each) for each in (UI8, type_))
    assert floats.view(np.uint8).tolist() == (words & ((1 << type_.width) - 1)).tolist()


def test_jax_keys_of_the_hardware_generator() -> None:
    jax = pytest.importorskip("jax")

    def draw(seed: Array) -> Array:
        return jax.random.normal(jax.random.wrap_key_data(seed, impl="unsafe_rbg"), (50, 3))

    seed = np.array([1, 2, 3, 4], np.uint32)
    actual, expected = hlokit.from_jax(draw, seed)(seed), np.asarray(jax.jit(draw)(seed))
    assert np.allclose(actual, expected, rtol=1e-5, atol=1e-6)


# rng ---------------------------------------------------------------------------------------------


def draw(distribution: str, type_: ElementType, a: object, b: object, shape: tuple[int, ...]) -> Array:
    low, high = np.array(a).astype(type_.dtype), np.array(b).astype(type_.dtype)
    sizes = np.array(shape, np.int64)
    attributes = f"rng_distribution = #stablehlo<rng_distribution {distribution}>"
    source = program("rng", attributes, [low, high, sizes], [tensor(shape, type_)])
    (values,) = evaluate(source, low, high, sizes)
    assert values.dtype == type_.dtype
    assert values.shape == shape
    return values


@pytest.mark.parametrize("type_", [F64, F32, BF16, F16, F8E4M3FN], ids=str)
@pytest.mark.parametrize("interval", [(0.0, 1.0), (-3.0, 5.0), (1.0, 1.5)])
def test_uniform_floats(type_: ElementType, interval: tuple[float, float]) -> None:
    low, high = interval
    values = draw("UNIFORM", type_, low, high, (300, 200)).astype(np.float64)
    assert values.min() >= low
    assert values.max() < high
    if type_.width >= 16:
        assert abs(values.mean() - (low + high) / 2) < 0.01 * (high - low)
        assert abs(values.std() - (high - low) / 12**0.5) < 0.01 * (high - low)


@pytest.mark.parametrize("type_", [I4, UI4, I8, UI8, I32, UI32, I64, UI64], ids=str)
def test_uniform_integers(type_: ElementType) -> None:
    low = -(1 << (type_.width - 1)) if type_.kind is Kind.SIGNED else 0
    high = low + (1 << type_.width) - 1
    values = draw("UNIFORM", type_, low, high, (40_000,)).astype(np.float64)
    assert values.min() >= low
    assert values.max() <= (high - 1)
    assert abs(values.mean() - (low + high - 1) / 2) < 0.01 * 2.0**type_.width
    assert sorted(set(draw("UNIFORM", type_, 1, 5, (1000,)).astype(np.int64).tolist())) == [1, 2, 3, 4]


def test_uniform_bools_exclude_true() -> None:
    assert not draw("UNIFORM", I1, False, True, (100,)).any()


@pytest.mark.parametrize("type_", [F64, F32, BF16, F16], ids=str)
def test_normal(type_: ElementType) -> None:
    values = draw("NORMAL", type_, 3.0, 2.0, (50_000,)).astype(np.float64)
    assert abs(values.mean() - 3) < 0.05
    assert abs(values.std() - 2) < 0.05
    assert abs((values < 5).mean() - 0.841) < 0.01


def test_runs_repeat_and_operations_do_not() -> None:
    source = """
      func.func @main() -> (tensor<9xf32>, tensor<9xf32>) {
        %a = stablehlo.constant dense<0.0> : tensor<f32>
        %b = stablehlo.constant dense<1.0> : tensor<f32>
        %shape = stablehlo.constant dense<9> : tensor<1xi64>
        %0 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<9xf32>
        %1 = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<9xf32>
        return %0, %1 : tensor<9xf32>, tensor<9xf32>
      }"""
    program_ = hlokit.load(source)
    first, second = program_(), program_()
    for one, other in zip(first, second, strict=True):
        assert_same(one, other)
    assert not np.array_equal(first[0], first[1])


def test_negative_shape() -> None:
    zero, sizes = np.float32(0), np.array([2, -1])
    source = program(
        "rng", "rng_distribution = #stablehlo<rng_distribution UNIFORM>",
        [np.asarray(zero), np.asarray(zero), sizes], [TensorType((-1, -1), F32)],
    )  # fmt: skip
    with pytest.raises(EvaluationError, match="shape must not be negative, got"):
        evaluate(source, np.asarray(zero), np.asarray(zero), sizes)


def test_every_word_is_used_once() -> None:
    """No two elements of an output are the same word of the same counter."""
    for algorithm, shape in product(("THREE_FRY", "PHILOX"), [(31, 17), (5, 6, 7), (101,)]):
        _, output = generate(algorithm, [1, 2], shape, UI64)
        assert len(np.unique(output)) == prod(shape)
