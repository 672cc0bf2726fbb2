"""Functions of complex numbers where terms vanish, cancel or tie, in kernels and reference: values from series."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from hlokit.kernels.elementwise.native import complex_function
from hlokit.reference.numbers import element_functions, powers_and_angles
from hlokit.values.element import Element
from tests.unit.lib.functions.complex_hashes import FUNCTIONS, TYPES

INF = math.inf
LEAST = 5e-324


def kernel(name: str, type_: str, operands: Sequence[complex]) -> complex:
    arrays = [np.array([operand], TYPES[type_].dtype) for operand in operands]
    with np.errstate(all="ignore"):
        return complex(complex_function(name, TYPES[type_], len(operands))(*arrays)[0])


def reference(name: str, type_: str, operands: Sequence[complex]) -> complex:
    mnemonic = FUNCTIONS[name].partition(".")[2].replace("sign", "sign_of_complex")
    module = powers_and_angles if hasattr(powers_and_angles, mnemonic) else element_functions
    function = getattr(module, mnemonic)
    return complex(function(*[Element(TYPES[type_], operand) for operand in operands]))


def assert_both(name: str, type_: str, operands: Sequence[complex], expected: complex) -> None:
    """Kernel and reference give these parts, signs of zeros included."""
    for function in (kernel, reference):
        assert repr(function(name, type_, operands)) == repr(expected), function


@pytest.mark.parametrize("size", [3500, 1e308])
@pytest.mark.parametrize(
    ("name", "turned", "expected"),
    [
        ("exponential", False, complex(INF, 0)),
        ("exponential_minus_one", False, complex(INF, 0)),
        ("sinh", False, complex(INF, 0)),
        ("cosh", False, complex(INF, 0)),
        ("sine", True, complex(0, INF)),
        ("cosine", True, complex(INF, -0.0)),
    ],
)
def test_zeros_stay_zeros_beside_infinities(name: str, turned: bool, expected: complex, size: float) -> None:
    operand = complex(0, size) if turned else complex(size, 0)
    assert_both(name, "c128", [operand], expected)


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [
        # The angle is 5 pi.
        (complex(-1e300, 0), complex(5, 0), complex(-INF, -0.0)),
        # |x|**6 = 2**6139, the angle is 3 * 2**-2096.
        (complex(1e308, LEAST), complex(6, 0), complex(INF, INF)),
        (complex(1e308, -LEAST), complex(6, 0), complex(INF, -INF)),
        (complex(1e308, LEAST), complex(-6, 0), complex(0, -0.0)),
        (complex(-(2.0**-1000), 0), complex(-(2.0**80), 0), complex(INF, 0)),
    ],
)
def test_powers_beyond_all_formats(base: complex, exponent: complex, expected: complex) -> None:
    assert_both("power", "c128", [base, exponent], expected)


@pytest.mark.parametrize(
    ("name", "operand", "real"),
    [
        # log1p(x + i y) = x + y**2 / 2 - x**2 / 2 - x y**2 - y**4 / 4 + ...: with x = -y**2 / 2 the rest is x**2 / 2.
        ("log_plus_one", complex(-(2.0**-301), 2.0**-150), 2.0**-603),
        ("log_plus_one", complex(-(2.0**-401), -(2.0**-200)), 2.0**-803),
        # expm1(x + i y) = x - y**2 / 2 + x**2 / 2 - x y**2 / 2 + y**4 / 24 + ...: with x = y**2 / 2 the rest is -x**2 / 3.
        ("exponential_minus_one", complex(2.0**-301, 2.0**-150), -(2.0**-602) / 3),
        ("exponential_minus_one", complex(2.0**-401, -(2.0**-200)), -(2.0**-802) / 3),
    ],
)
def test_first_terms_cancel(name: str, operand: complex, real: float) -> None:
    assert_both(name, "c128", [operand], complex(real, operand.imag))


LEAST_OF = {"c64": 2.0**-149, "c128": LEAST}


def scaled(operand: complex, type_: str, unit: str) -> complex:
    """The operand, each of whose parts is multiplied by its unit: 1, or the least positive number."""
    return complex(
        *[
            value * {"1": 1.0, "u": LEAST_OF[type_]}[each]
            for value, each in zip((operand.real, operand.imag), unit, strict=True)
        ]
    )


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize(
    ("name", "units", "operands", "part", "expected"),
    # Units of parts: 1, or the least number u. One part of the result is `expected` times u: more or
    # less than a tie by the next term of a series, or a tie.
    [
        ("log", "1u", [2 + 3j], "imag", 1),  # atan(q) = q - q**3 / 3
        ("log", "1u", [2 - 7j], "imag", -3),
        ("log_plus_one", "1u", [1 + 3j], "imag", 1),
        ("sqrt", "1u", [1 + 3j], "imag", 1),  # i (q / 2 - q**3 / 16)
        ("sqrt", "1u", [-1 + 3j], "real", 1),
        ("sqrt", "1u", [-4 + 14j], "real", 3),
        ("rsqrt", "1u", [1 + 3j], "imag", -1),  # i (-q / 2 + 5 q**3 / 16)
        ("rsqrt", "1u", [-1 + 3j], "real", 1),
        ("cbrt", "1u", [8 + 18j], "imag", 1),  # 2 i (q / 3 - 5 q**3 / 81)
        ("sign", "1u", [2 + 3j], "imag", 1),  # i (q - q**3 / 2)
        ("sign", "u1", [3 + 2j], "real", 1),
        ("logistic", "1u", [10j], "imag", 3),  # y / 4 + y**3 / 48
        ("atanh", "u1", [3 + 1j], "real", 1),  # x / 2 - x**3 / 12
        ("atan", "1u", [1 + 3j], "imag", 1),
        ("power", "1u", [1 + 3j, 1.5 + 0j], "imag", 5),  # i (3 q / 2 + q**3 / 16)
        ("power", "1u", [0.25 + 3j, 2 + 0j], "imag", 2),  # a tie
        ("power", "1u", [0.25 + 5j, 2 + 0j], "imag", 2),  # a tie
    ],
)
def test_results_beside_ties(
    name: str, units: str, operands: list[complex], part: str, expected: int, type_: str
) -> None:
    values = [scaled(operands[0], type_, units), *operands[1:]]
    for function in (kernel, reference):
        found = function(name, type_, values)
        assert getattr(found, part) == expected * LEAST_OF[type_], function


@pytest.mark.parametrize("name", ["log_plus_one", "exponential_minus_one"])
@pytest.mark.parametrize(("x", "y"), [(2.0**-200 * (1 + 2.0**-52), 2.0**-126), (LEAST, 2.0**-537)])
def test_sums_beside_ties(name: str, x: float, y: float) -> None:
    """x + y**2 / 2 - x**2 / 2 + ... or x - y**2 / 2 + x**2 / 2 + ...: ties beside x, whose last bit is 1."""
    for function in (kernel, reference):
        assert function(name, "c128", [complex(x, y)]).real == x, function
