"""Results next to the midpoint of two values of the type: a rounded f64 does not determine which of the two
is nearer.

All 2**32 operands were searched for the results of f32 that one rounding of f64 gets wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import hlokit
from hlokit import _kernels
from hlokit.values.element_types import F32
from tests.unit.kernels.elementwise.elementwise_programs import nearest, program_text

NAMES = {
    "exponential": mpmath.exp,
    "log": mpmath.log,
    "log_plus_one": mpmath.log1p,
    "logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
    "sine": mpmath.sin,
    "cosine": mpmath.cos,
    "tanh": mpmath.tanh,
    "chlo.acos": mpmath.acos,
    "chlo.acosh": mpmath.acosh,
    "chlo.asinh": mpmath.asinh,
    "chlo.atan": mpmath.atan,
    "chlo.atanh": mpmath.atanh,
    "chlo.sinh": mpmath.sinh,
    "chlo.erf": mpmath.erf,
    "chlo.erfc": mpmath.erfc,
    "chlo.lgamma": mpmath.loggamma,
    "chlo.digamma": mpmath.digamma,
}
HARD: list[tuple[str, float]] = [
    ("log", 5.498306075456329e28),
    ("log_plus_one", 5.498306075456329e28),
    ("logistic", -1.5676021575927734e-05),
    ("sine", 9830.3984375),
    ("cosine", 1.100467763087514e19),
    ("chlo.acos", 1.5893254712295857e-08),
    ("chlo.acosh", 2.7491530377281646e28),
    ("chlo.asinh", 2.7491530377281646e28),
    ("chlo.atan", 0.06905200332403183),
    ("chlo.atanh", 0.0003521117032505572),
    ("chlo.sinh", 0.0005589424981735647),
    ("chlo.erf", 0.00018398030078969896),
    ("chlo.erfc", -1.4103805369813927e-05),
    ("chlo.lgamma", 6.990847948130907e33),
    ("chlo.digamma", -5.6698713302612305),
]


@pytest.mark.parametrize("disabled", ["", "all"])
@pytest.mark.parametrize(("name", "operand"), HARD, ids=[name for name, _ in HARD])
def test_f32_is_correctly_rounded(
    name: str, operand: float, disabled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HLOKIT_DISABLE", disabled)
    with mpmath.workprec(300):
        wanted = float(nearest(F32, NAMES[name](mpmath.mpf(operand))))
    for shape in [(), (100,), (70, 70)]:
        operands = np.full(shape, operand, np.float32)
        if operands.ndim:
            operands.flat[0] = 0.5  # so that not all operands are one
        found = np.asarray(hlokit.load(program_text(name, operands))(operands))
        assert float(found.flat[-1]) == wanted


ODD_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name.removeprefix("chlo."): function for name, function in NAMES.items()
} | {"power": mpmath.power, "atan2": mpmath.atan2, "zeta": mpmath.zeta}


@pytest.mark.parametrize("name", sorted(ODD_FUNCTIONS))
def test_rounding_to_odd(name: str) -> None:
    """The f64 next to the function, above or below it, whose last bit is 1."""
    random = np.random.default_rng(3)
    for x, y in random.uniform(0.1, 0.9, (40, 2)).tolist():
        operands = (
            (x + (name in ("acosh", "zeta")), y)
            if name in ("power", "atan2", "zeta")
            else (x + (name == "acosh"),)
        )
        found = _kernels.function_to_odd(name, *operands)
        with mpmath.workprec(300):
            exact = ODD_FUNCTIONS[name](*map(mpmath.mpf, operands))
            assert int(np.float64(found).view(np.int64)) & 1
            assert np.nextafter(found, -np.inf) < exact < np.nextafter(found, np.inf)


def test_half_of_a_subnormal_number_is_above_bessel_i1e() -> None:
    found = _kernels.function_to_odd("bessel_i1e", 2.0**-149)
    assert found < 2.0**-150
    operand = np.float32([2.0**-149, 3 * 2.0**-149])
    text = program_text("chlo.bessel_i1e", operand)
    np.testing.assert_array_equal(hlokit.load(text)(operand), np.float32([0, 2.0**-149]))


def test_unknown_functions_have_no_rounding_to_odd() -> None:
    with pytest.raises(ValueError, match="there is no function nope"):
        _kernels.function_to_odd("nope", 1.0)
