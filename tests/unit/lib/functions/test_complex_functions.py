"""Functions of complex numbers against the reference: usual and special parts, on branch cuts and at infinities."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hlokit.kernels.elementwise.native import complex_function, f64_function
from hlokit.values.element_types import ElementType
from hlokit.values.float_format import float_format
from reference.evaluating import results
from tests.unit.lib.functions.complex_hashes import FUNCTIONS, OPERANDS, TYPES, operands

Array = np.ndarray[Any, Any]
SIZE = 400
# From some exponent on, 256 bits do not hold the angle of a power of complex<f64> (docs/numerics.md).
MOST_EXACT = 2.0**110
_POSITIVE = [0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 1e-30, 1e5, np.inf]
_SPECIAL = [*_POSITIVE, *[-x for x in _POSITIVE], np.nan]


def special_operands(element_type: ElementType, count: int) -> list[Array]:
    """All numbers with special parts, or some pairs of them."""
    size = len(_SPECIAL)
    numbers = np.empty(size * size, element_type.dtype)
    numbers.real, numbers.imag = np.repeat(_SPECIAL, size), np.tile(_SPECIAL, size)
    if count == 1:
        return [numbers]
    rng = np.random.default_rng(4)
    return [rng.choice(numbers, 600), rng.choice(numbers, 600)]


def differing(name: str, element_type: ElementType, values: list[Array]) -> list[tuple[Any, ...]]:
    """Operands for which kernel and reference differ, and both results."""
    type_ = f"tensor<{values[0].size}x{element_type}>"
    arguments = ", ".join(f"%{i}: {type_}" for i in range(len(values)))
    used = ", ".join(f"%{i}" for i in range(len(values)))
    types = ", ".join([type_] * len(values))
    (expected,) = results(
        f"func.func @main({arguments}) -> {type_} {{\n"
        f'%r = "{FUNCTIONS[name]}"({used}) : ({types}) -> {type_}\nreturn %r : {type_}\n}}',
        *values,
    )
    found = complex_function(name, element_type, len(values))(*values)
    ours, theirs = (one_nan(each, element_type) for each in (found, expected))
    rows = np.flatnonzero((ours != theirs).any(-1))
    return [(*(each[row] for each in values), found[row], expected[row]) for row in rows[:5]]


def one_nan(values: Array, element_type: ElementType) -> Array:
    """The bits of the parts, with one NaN in place of all NaNs."""
    parts = np.ascontiguousarray(values).view(element_type.part.dtype).reshape(-1, 2)
    return np.where(np.isnan(parts), np.nan, parts).astype(parts.dtype).view(element_type.bits_dtype)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.sample("*-c64")
def test_parts_are_those_of_the_reference(name: str, type_: str) -> None:
    values = operands(TYPES[type_], SIZE)[: OPERANDS[name]]
    if name == "power":
        values[1] = np.where(np.abs(values[1]) < MOST_EXACT, values[1], values[1] * 2.0**-924)
    assert not differing(name, TYPES[type_], values)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.deep
def test_large_exponents_of_powers_are_those_of_the_reference(type_: str) -> None:
    """Angles of up to 2**136 for f32 and 2**126 for f64, of powers whose parts are neither 0 nor infinite."""
    element_type, rng = TYPES[type_], np.random.default_rng(5)
    base, exponent = np.empty(SIZE, element_type.dtype), np.empty(SIZE, element_type.dtype)
    base.real = np.abs(rng.normal(size=SIZE)) * 2.0 ** rng.integers(-3, 30, SIZE)
    base.imag = rng.choice([0, -0.0, 1e-30, 0.5], SIZE)
    most = 127 if type_ == "c64" else np.log2(MOST_EXACT)
    exponent.real = rng.choice([0, -0.0, 1.5e-8, 3.0], SIZE)
    exponent.imag = rng.choice([-1, 1], SIZE) * 2.0 ** rng.uniform(80, most, SIZE)
    assert not differing("power", element_type, [base, exponent])


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.sample("*-c64")
def test_special_values_are_those_of_the_reference(name: str, type_: str) -> None:
    assert not differing(name, TYPES[type_], special_operands(TYPES[type_], OPERANDS[name]))


@pytest.mark.parametrize("type_", TYPES)
def test_nans_are_canonical(type_: str) -> None:
    element_type = TYPES[type_]
    for name in FUNCTIONS:
        operands = special_operands(element_type, OPERANDS[name])
        negative = [np.where(np.isnan(operand), -operand, operand) for operand in operands]
        for values in (operands, negative):
            parts = complex_function(name, element_type, len(values))(*values).view(element_type.part.dtype)
            nans = parts[np.isnan(parts)].view(f"u{parts.itemsize}")
            assert set(nans.tolist()) == {float_format(element_type.part).nan}, name


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.deep
def test_powers_beside_zeros_are_those_of_the_reference(type_: str) -> None:
    """Real, imaginary and diagonal bases and exponents of all moderate sizes: many parts of results are zeros."""
    element_type, rng = TYPES[type_], np.random.default_rng(6)
    base, exponent = np.empty(2 * SIZE, element_type.dtype), np.empty(2 * SIZE, element_type.dtype)
    size = rng.normal(size=2 * SIZE) * 2.0 ** rng.integers(-20, 20, 2 * SIZE)
    base.real = size
    other = rng.choice([0, -0.0, 1, -1, 0.5, 1.1, 2.0**-18], 2 * SIZE)
    base.imag = np.where(rng.random(2 * SIZE) < 0.7, other * base.real, rng.normal(size=2 * SIZE))
    turned = rng.random(2 * SIZE) < 0.3
    base[turned] *= 1j
    exponent.real = rng.choice([*range(-12, 40), 0.5, -1.5, 0.1], 2 * SIZE)
    exponent.imag = rng.choice([0, -0.0, 0, 0, 0.5, -3], 2 * SIZE)
    exponent.real[rng.random(2 * SIZE) < 0.1] = 0
    assert not differing("power", element_type, [base, exponent])


def test_exact_powers() -> None:
    """A part that is zero has no rounding error."""
    base = np.array([1 + 1j, 1j, -2, 2j, -4, 1 - 1j])
    exponent = np.array([2, 3, 3, 0.5, 0.5, 4], complex)
    found = complex_function("power", TYPES["c128"], 2)(base, exponent)
    assert found.tolist() == [2j, -1j, -8, 1 + 1j, 2j, -4]


def test_large_exponents_of_f64_exponentials() -> None:
    """Results next to the subnormal numbers, whose low parts are subnormal."""
    gmpy2 = pytest.importorskip("gmpy2")
    operand = np.linspace(-708.3, -680, 4000)
    with gmpy2.context(precision=53):
        expected = [float(gmpy2.exp(gmpy2.mpfr(x))) for x in operand.tolist()]
    assert f64_function("exponential")(operand).tolist() == expected


@pytest.mark.parametrize("type_", TYPES)
def test_blocks_and_remainders_agree(type_: str) -> None:
    """Whole blocks, the last numbers, and numbers that are alone; some need the exact function."""
    element_type, rng = TYPES[type_], np.random.default_rng(8)
    values = (rng.normal(size=(2, 35)) + 1j * rng.normal(size=(2, 35))).astype(element_type.dtype)
    values[:, 3::9].imag = 0
    values[:, 5] = [0, complex("nan")]
    for name in FUNCTIONS:
        function, operands = complex_function(name, element_type, OPERANDS[name]), values[: OPERANDS[name]]
        whole = function(*operands)
        for count in (1, 3, 4, 15, 17):
            part = function(*operands[:, :count])
            assert part.tobytes() == whole[:count].tobytes(), (name, count)


def test_parts_next_to_midpoints() -> None:
    """Within 2**-23 units of a midpoint; by mpmath with 400 bits."""
    found = [
        complex_function(name, TYPES["c128"])(np.array([operand])).item().real
        for name, operand in (
            ("acosh", 1.000000000078753 + 1.9756792365160778j),
            ("log_plus_one", 0.26686589600595334 + 6.00046672428847j),
        )
    ]
    assert found == [1.5190863711069973, 1.813642299505322]
