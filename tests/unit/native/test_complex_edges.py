"""Functions of complex numbers where terms vanish, cancel or tie, in kernels and reference: values from series."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hlokit.ops.elementwise.native import complex_function
from hlokit.reference.numbers import element_functions
from hlokit.values.element import Element
from tests.unit.native.complex_ways import FUNCTIONS, TYPES

INF = math.inf
LEAST = 5e-324


def assert_both(name: str, type_: str, operands: tuple[complex, ...], expected: complex) -> None:
    """Kernel and reference give these parts, signs of zeros included."""
    element_type = TYPES[type_]
    arrays = [np.array([operand], element_type.dtype) for operand in operands]
    with np.errstate(all="ignore"):
        found = complex(complex_function(name, element_type, len(operands))(*arrays)[0])
    mnemonic = FUNCTIONS[name].partition(".")[2].replace("sign", "sign_of_complex")
    function = getattr(element_functions, mnemonic)
    reference = complex(function(*[Element(element_type, operand) for operand in operands]))
    assert repr(found) == repr(expected), f"the kernel's {name} of {operands}"
    assert repr(reference) == repr(expected), f"the reference's {name} of {operands}"


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
    assert_both(name, "c128", (operand,), expected)


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
    assert_both("power", "c128", (base, exponent), expected)
