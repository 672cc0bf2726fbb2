"""Remainders, powers of one exponent, and blocks of every length: the cheaper methods give the same bits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from hlokit import _kernels
from hlokit.values.element_types import ELEMENT_TYPES
from tests.unit.lib.vm.test_machines import same

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

Array = np.ndarray[Any, np.dtype[Any]]
FLOATS = ("f32", "f64", "bf16", "f16")
EDGES = (
    *(0.0, 0.5, 1, 3, 7, 0.1, 5e-324, 1e-310, 2.0**-1022, 1e-45, 2.0**-149, 2.0**-126, 6e-8, 1e-30),
    *(2.0**28, 2.0**29, 2.0**29 - 1, 2.0**30, 2.0**50, 2.0**53, 65504, 3.4028235e38, 1.7e308, np.inf, np.nan),
)


def sweep(name: str, type_: str, *operands: Array) -> Array:
    """One instruction of a loop; operands of rank 0 are one element for all."""
    dtype, arity = ELEMENT_TYPES[type_].dtype, len(operands)
    size = max((operand.size for operand in operands if operand.ndim), default=-1)
    number = _kernels.find_operation(name, type_, type_)
    shape = () if size < 0 else (size,)
    program = _kernels.Program(
        [type_] * (arity + 1),
        [(number, (arity,), range(arity), ())],
        [operand.size if operand.ndim else -1 for operand in operands] + [size],
        operands=[(place, operand.shape, None) for place, operand in enumerate(operands)],
        results=[(arity, shape, dtype)],
    )
    return np.asarray(program.run(operands), dtype)


def anything(type_: str, count: int, rng: np.random.Generator) -> Array:
    """Numbers of random bits; NaNs are canonical, as in all programs."""
    dtype = ELEMENT_TYPES[type_].dtype
    values = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy()
    values[np.isnan(values)] = np.nan
    return values


def fmod(x: float, y: float) -> float:
    return math.fmod(x, y) if math.isfinite(x) and y != 0 and not math.isnan(y) else math.nan


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.sample("f32", "bf16", "f16")
def test_remainders_are_those_of_fmod(type_: str) -> None:
    dtype, rng = ELEMENT_TYPES[type_].dtype, np.random.default_rng(3)
    edges = np.array([*EDGES, *[-edge for edge in EDGES]]).astype(dtype)
    pairs = np.meshgrid(edges, edges)
    divisors = np.exp2(rng.uniform(-6, 6, 6000)).astype(dtype)
    # Exact multiples and their neighbours, and quotients on both sides of the limits.
    whole = (divisors.astype(np.float64) * rng.integers(1, 1 << 20, 6000)).astype(dtype)
    large = (divisors.astype(np.float64) * np.exp2(rng.uniform(20, 56, 6000))).astype(dtype)
    near = np.nextafter(whole.astype(np.float64), 0).astype(dtype)
    x = np.concatenate([pairs[0].reshape(-1), anything(type_, 6000, rng), whole, large, -near, whole])
    y = np.concatenate([pairs[1].reshape(-1), anything(type_, 6000, rng), *[divisors] * 3, -divisors])

    wanted = np.array([fmod(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)]).astype(dtype)
    assert same(sweep("remainder", type_, x, y), wanted)
    for divisor in (3.25, 0.001, np.inf, 0, np.nan, -2.5):
        one = np.asarray(divisor, dtype)
        wanted = np.array([fmod(float(value), float(one)) for value in x]).astype(dtype)
        assert same(sweep("remainder", type_, x, one), wanted), divisor
    for index in rng.integers(0, x.size, 300):
        few = slice(index, index + index % 40 + 1)
        assert same(sweep("remainder", type_, x[few], y[few]), sweep("remainder", type_, x, y)[few])
        scalar = sweep("remainder", type_, np.asarray(x[index]), np.asarray(y[index]))
        assert same(scalar, np.asarray(fmod(float(x[index]), float(y[index])), dtype))


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.sample("f32", "bf16", "f16")
def test_powers_of_one_exponent(type_: str) -> None:
    """An exponent for all elements, and one for each: half of them are integers, or integers and a half."""
    dtype, rng = ELEMENT_TYPES[type_].dtype, np.random.default_rng(4)
    if type_ in ("f32", "f64"):
        usual = (np.exp2(rng.uniform(-9, 9, 2000)) * rng.choice([-1, 1], 2000)).astype(dtype)
        few_bits = np.concatenate([np.arange(-600, 600) / 8, np.exp2(np.arange(-149, 128))]).astype(dtype)
        x = np.concatenate([anything(type_, 2000, rng), usual, few_bits])
    else:
        x = np.arange(1 << 16).astype(np.uint16).view(dtype)
        x = np.where(np.isnan(x), np.asarray(np.nan, dtype), x)
    exponents = [half / 2 for half in range(-65, 66, 5 if type_.endswith("16") else 1)]
    for exponent in (*exponents, 2, 3, 6, -1, -2, 0.25, 33, np.inf, -np.inf, np.nan):
        one = np.asarray(exponent, dtype)
        wanted = sweep("power", type_, x, np.full(x.shape, one))
        assert same(sweep("power", type_, x, one), wanted), exponent
        for index in range(0, x.size, x.size // 20):
            scalar = sweep("power", type_, np.asarray(x[index]), one)
            assert same(scalar, np.asarray(wanted[index])), (x[index], exponent)


def test_powers_between_two_subnormal_numbers() -> None:
    """Squares are exact in f64; those of odd multiples of 2**-75 are midpoints of subnormal f32, or near f32."""
    x = (np.arange(1, 4000) * 2.0**-75).astype(np.float32)
    wanted = (x.astype(np.float64) ** 2).astype(np.float32)
    assert same(sweep("power", "f32", x, np.full_like(x, 2)), wanted)
    assert same(sweep("power", "f32", x, np.asarray(2, np.float32)), wanted)
    cubes = (np.arange(1, 4000) * 2.0**-50).astype(np.float32)
    wanted = (cubes.astype(np.float64) ** 3).astype(np.float32)  # of 36 bits at most
    assert same(sweep("power", "f32", cubes, np.full_like(cubes, 3)), wanted)
    assert same(sweep("power", "f32", cubes, np.asarray(3, np.float32)), wanted)


@pytest.mark.parametrize("type_", ["f32", "bf16", "f16"])
@pytest.mark.parametrize("name", ["exponential", "rsqrt", "sine", "atan2", "power", "remainder"])
def test_blocks_of_every_length(name: str, type_: str) -> None:
    """The last block of an array overlaps the one before, and a short array has a block of its own."""
    rng = np.random.default_rng(5)
    values = [rng.uniform(0.1, 9, 200).astype(ELEMENT_TYPES[type_].dtype) for _ in range(2)]
    operands = values if name in ("atan2", "power", "remainder") else values[:1]
    whole = sweep(name, type_, *operands)
    for length in range(1, 140):
        part = [operand[:length] for operand in operands]
        assert same(sweep(name, type_, *part), whole[:length]), length
        if len(part) == 2:
            one = [part[0], np.asarray(operands[1][3])]
            assert same(sweep(name, type_, *one), sweep(name, type_, part[0], np.full(length, one[1])))
