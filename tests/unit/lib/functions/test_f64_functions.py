"""Functions of f64: correctly rounded, and the same bytes in every tier, layout and on every processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit import _kernels
from hlokit.engine.contract.switches import VARIABLE
from hlokit.kernels.elementwise.native import f64_function
from hlokit.reference.numbers import element_functions, powers_and_angles, special_functions
from hlokit.values.element import Element
from hlokit.values.element_types import F64
from tests.unit.lib.functions import f64_tiers

ROOT = Path(__file__).parents[4]
MODULES = (element_functions, powers_and_angles, special_functions)
BINARY = ("atan2", "power")
# sqrt is exact in hardware; canonical_nan is no function of numbers (the modules import another function of this name).
OPCODES = [
    name
    for _, name, result, operands in _kernels.opcodes()
    if result == "f64" and set(operands) == {"f64"} and name not in ("sqrt", "canonical_nan")
]
SPECIAL = sorted(name for name in OPCODES if hasattr(special_functions, name))
UNARY = sorted(name for name in OPCODES if hasattr(element_functions, name) and name not in BINARY)
UNARY_SPECIAL = [name for name in SPECIAL if name not in ("zeta", "polygamma")]
Array = np.ndarray[Any, np.dtype[np.float64]]


def exactly(name: str, *operands: Array) -> Array:
    """The correctly rounded results, by MPFR or mpmath."""
    function = next(vars(module)[name] for module in MODULES if name in vars(module))
    results = [function(*[Element(F64, float(x)) for x in row]).bits for row in zip(*operands, strict=True)]
    return np.array(results, np.uint64).view(np.float64)


def assert_exact(name: str, *operands: Array) -> None:
    with np.errstate(all="ignore"):
        found = f64_function(name, len(operands))(*operands)
    wanted = exactly(name, *operands)
    (differ,) = np.nonzero(found.view(np.uint64) != wanted.view(np.uint64))
    assert differ.size == 0, [(*[x[i].hex() for x in operands], found[i], wanted[i]) for i in differ[:5]]


def samples(name: str, count: int) -> Array:
    """Random bits, ordinary numbers, and numbers next to points where formulas change."""
    rng = np.random.default_rng([*map(ord, name)])
    bits = rng.integers(0, 1 << 64, count // 4, dtype=np.uint64).view(np.float64)
    usual = rng.normal(0, 1, count // 2) * 2.0 ** rng.integers(-30, 8, count // 2)
    edges = f64_tiers.special_values()
    near = np.concatenate([np.nextafter(edges, 0), edges, np.nextafter(edges, 9)])
    return np.concatenate([bits, usual, 1 + usual[: count // 4], near])


@pytest.mark.parametrize("name", UNARY)
def test_samples_are_correctly_rounded(name: str) -> None:
    assert_exact(name, samples(name, 1500))


@pytest.mark.parametrize("name", UNARY_SPECIAL)
def test_samples_of_special_functions_are_correctly_rounded(name: str) -> None:
    """Ordinary numbers, numbers next to zeros and poles, and numbers of all sizes for which mpmath is fast."""
    rng = np.random.default_rng([*map(ord, name)])
    usual = np.concatenate([rng.normal(0, 2, 200), rng.uniform(-40, 80, 150), samples(name, 100)])
    turns = np.array([-2.4570247382208006, -2.7476826467274127, -0.5040830082644554, 1.4616321449683622])
    near = np.concatenate([edge + rng.normal(size=8) * 2.0**-30 for edge in (*turns, 1, 2, -1, -2, 6, 12.5)])
    chosen = np.concatenate([usual, turns, near, 1 - 2.0 ** -rng.uniform(1, 53, 60)])
    assert_exact(name, chosen[~((np.abs(chosen) > 1e4) & np.isfinite(chosen))])


@pytest.mark.parametrize("name", ["zeta", "polygamma"])
@pytest.mark.sample("zeta")
def test_zeta_and_polygamma_are_correctly_rounded(name: str) -> None:
    rng = np.random.default_rng(7)
    count = 100
    exponents = [rng.uniform(1, 20, count), rng.integers(1, 40, count), 1 + 2.0 ** -rng.uniform(0, 50, count)]
    x = np.concatenate([*exponents, rng.uniform(1, 500, count)])
    q = np.concatenate(
        [rng.uniform(low, high, count) for low, high in ((0.1, 20), (-20, 20), (0.1, 90), (0.3, 900))]
    )
    special = np.array(
        [0, 1, 2, 3, 0.5, 53, 0.1, -0.5, -1, -2.5, -3, -1e-100, -50.5, np.inf, -np.inf, np.nan, 1e-310]
    )
    x = np.concatenate([x, np.repeat(special, special.size)])
    q = np.concatenate([q, np.tile(special, special.size)])
    assert_exact(name, np.floor(x) if name == "polygamma" else x, q)


@pytest.mark.deep
def test_the_reference_s_zeta_is_mpmath_s() -> None:
    """mpmath computes with 2,000 bits, so that enough of them remain after cancellation."""
    rng = np.random.default_rng(8)
    for x, q in zip(rng.uniform(1, 60, 40), rng.uniform(0.1, 900, 40), strict=True):
        with mpmath.workprec(2000):
            wanted = float(mpmath.zeta(float(x), float(q)))
        assert float(special_functions.zeta(Element(F64, float(x)), Element(F64, float(q)))) == wanted


@pytest.mark.parametrize("name", UNARY)
def test_results_next_to_midpoints_are_correctly_rounded(name: str) -> None:
    """Small x, for which the second term of the series is just below the last bit of x, and hard cases from the
    literature."""
    few = np.arange(1, 60)
    scale = 2.0 ** -np.arange(15, 60)[:, None]
    small = ((1 + few * 2.0**-52) * scale).reshape(-1)[::7]
    halves = (2.0 ** -np.arange(20, 60)[:, None] * np.array([1, 1.5, 3, 5, 1.25, 1.75])).reshape(-1)
    hard = [float.fromhex(x) for x in HARD.split()]
    x = np.concatenate([small, halves, hard])
    assert_exact(name, np.concatenate([x, -x, 1 + x]))


# For some function, the result is within about 2**-50 units of a midpoint (Lefèvre and Muller).
HARD = """
    0x1.9E9CBBFD6080Bp-31 0x1.62A88613629B5p+678 0x1.E0000000001C2p-20 0x1.8000000000009p-23 0x1.DFFFFFFFFFF1Fp-22
    0x1.E000000000546p-21 0x1.22E8D75E2BC7Fp-11 0x1.DFFFFFFFFFE3Ep-20 0x1.598BAE9E632F6p-7 0x1.7FE8B4A6A4A3Ap-9
    0x1.AFB3D6CB0E5BAp-2 0x1.1D5C2DAEBE367p+4 0x1.C44CE0D716A1Ap+2 0x1.AB3F7A5FE0A37p-1 0x1.2F0B9E1D6C7A5p-3
"""


def test_logarithms_of_sums_are_correctly_rounded() -> None:
    """Next to midpoints, where the sum's second tail decides."""
    near = {
        "asinh": "-0x1.23746d122eb28p+2 0x1.ce7b5e3c2ba48p-3 0x1.b83086e67f326p-1 -0x1.c787a8ac8d8b7p-1",
        "acosh": "0x1.886396ff17585p+0 0x1.993a400b3b0aep+2",
        "atanh": "0x1.4124526b77ba4p-3 -0x1.5a9304d29546ap-2 -0x1.cd83c17c6f718p-1",
    }
    for name, operands in near.items():
        assert_exact(name, np.array([float.fromhex(operand) for operand in operands.split()]))


def pairs(name: str, count: int) -> list[Array]:
    rng = np.random.default_rng([*map(ord, name)])
    first, second = samples(name, count), samples(f"{name}!", count)
    rng.shuffle(second)
    near, other = np.exp(rng.normal(0, 3, count)), rng.normal(0, 5, count)
    return [np.concatenate([first, near]), np.concatenate([second, other])]


@pytest.mark.parametrize("name", BINARY)
def test_pairs_are_correctly_rounded(name: str) -> None:
    assert_exact(name, *pairs(name, 1500))


@pytest.mark.parametrize("name", BINARY)
def test_special_pairs(name: str) -> None:
    values = f64_tiers.special_values()[::3]
    assert_exact(name, np.repeat(values, values.size), np.tile(values, values.size))


def test_powers_that_are_midpoints_are_rounded_to_even() -> None:
    rng = np.random.default_rng(3)
    odd = rng.integers(1 << 26, 1 << 27, 500) | 1  # squares have 53 and 54 bits
    x = odd * 2.0 ** rng.integers(-60, 60, 500)
    assert np.array_equal(f64_function("power", 2)(x, np.full_like(x, 2)), x * x)
    cubes = (np.arange(1, 1 << 18, 97) | 1).astype(np.float64)
    assert_exact("power", cubes, np.full_like(cubes, 3))
    assert np.array_equal(f64_function("power", 2)(x * x, np.full_like(x, 0.5)), np.sqrt(x * x))


def test_angles_among_subnormal_numbers_are_below_their_midpoints() -> None:
    tiny = np.finfo(np.float64).smallest_subnormal
    y = np.arange(1.0, 64) * tiny
    found = f64_function("atan2", 2)(y, np.full_like(y, 8))
    assert np.array_equal(found / tiny, np.ceil(np.arange(1, 64) / 8 - 0.5))


def test_there_is_one_nan() -> None:
    strange = np.array([0xFFF8000000000000, 0x7FF0000000000001, 0x7FF8000000001234], np.uint64).view(
        np.float64
    )
    for name in (*UNARY, *UNARY_SPECIAL):
        assert set(f64_function(name)(strange).view(np.uint64)) == {0x7FF8000000000000}, name


def test_scalar_functions() -> None:
    assert _kernels.scalar_function("power", "f64")(3, 0.5) == 3**0.5
    with pytest.raises(ValueError, match="no function sine of i32"):
        _kernels.scalar_function("sine", "i32")
    with pytest.raises(ValueError, match="no function add of f64"):
        _kernels.scalar_function("add", "f64")


@pytest.fixture(scope="module")
def hashes() -> dict[str, str]:
    return hashes_with()


def hashes_with(**variables: str) -> dict[str, str]:
    run = subprocess.run(
        [sys.executable, "-m", "tests.unit.lib.functions.f64_tiers"],
        capture_output=True, text=True, check=False, cwd=ROOT, env=os.environ | variables,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("level", ["baseline", "avx2", "avx512"])
@pytest.mark.deep
def test_all_tiers_give_the_same_bytes_on_every_level(level: str, hashes: dict[str, str]) -> None:
    """Arrays of any layout, scalars, fused code and loops, with NumPy's own dispatch limited to the level."""
    disabled = {"baseline": "AVX2 FMA3 AVX512F AVX512_SKX", "avx2": "AVX512F AVX512_SKX", "avx512": ""}
    assert hashes_with(HLOKIT_CPU=level, NPY_DISABLE_CPU_FEATURES=disabled[level]) == hashes


@pytest.mark.deep
def test_switches_change_no_byte(hashes: dict[str, str]) -> None:
    assert hashes_with(**{VARIABLE: "native"}) == hashes
