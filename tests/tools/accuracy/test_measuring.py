"""The measure itself: formats against exact rationals, and errors of known size are found."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit.tools.numerics.rules import exact
from hlokit.values.element_types import (
    BF16,
    F32,
    F64,
    ElementType,
)
from hlokit.values.float_format import float_format
from tests.tools.accuracy.measuring import function, measured
from tools.accuracy import report
from tools.accuracy.expected import as_longdouble, reference
from tools.accuracy.formats import nearest, ulp_errors, widened
from tools.accuracy.functions import Function
from tools.accuracy.implementations import elementwise_text, hlokit
from tools.accuracy.measure import measure
from tools.accuracy.run import TYPES
from tools.accuracy.samples import every_value, inputs
from tools.accuracy.sums import FLOATS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


@pytest.mark.parametrize("type_", FLOATS, ids=str)
def test_rounding_equals_that_of_rationals(type_: ElementType) -> None:
    layout = float_format(type_)
    generator = np.random.default_rng(7)
    values = every_value(type_).astype(np.float64) if type_.width <= 8 else generator.normal(size=200)
    middles = (values[1:] + values[:-1]) / 2
    sample = np.concatenate(
        [
            values,
            middles,
            middles * (1 + 2.0**-50),
            generator.normal(size=300) * 2.0 ** generator.integers(-160, 160, 300),
        ]
    )
    sample = np.concatenate([sample, [0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, 1e-300]])
    for value, got in zip(sample.tolist(), nearest(type_, sample.astype(np.longdouble)), strict=True):
        want = layout.decode(layout.encode(value))
        assert np.array_equal([float(got)], [want], equal_nan=True), (value, got, want)
        if want == 0:
            assert np.signbit(got) == np.signbit(want), value


def test_ulps() -> None:
    exact_values = np.array([1.0, 1.0, 1.5, 2.0**-149, 1e-60, 3e38], np.longdouble)
    results = np.array([1 + 2.0**-23, 1 - 2.0**-24, 1.5, 2.0**-148, 0.0, 3e38], np.float32)
    errors = ulp_errors(F32, widened(results), exact_values)
    assert errors[:4].tolist() == [1.0, 0.5, 0.0, 1.0]
    assert errors[4] < 1e-14
    assert errors[5] < 0.5


@pytest.mark.parametrize(
    ("wanted", "result"),
    [(0.0, -0.0), (np.nan, 1.0), (1.0, np.nan), (np.inf, 3e38), (1e30, np.inf), (1e39, -np.inf)],
)
def test_wrong_kinds_are_infinite_errors(wanted: float, result: float) -> None:
    errors = ulp_errors(F32, np.array([result], np.longdouble), np.array([wanted], np.longdouble))
    if wanted == 1e39:  # infinite both, but not the same
        errors = np.where(result == np.inf, 0, np.inf)
    assert np.isinf(errors).all()


@pytest.mark.parametrize("name", ["exponential", "sine", "log_plus_one", "divide"])
@pytest.mark.parametrize("type_", [BF16, F32, F64], ids=str)
def test_an_error_of_one_ulp_is_caught(name: str, type_: ElementType) -> None:
    """In one result of thousands; the measurement names its operands."""

    def plant(operands: tuple[Any, ...], results: Any) -> None:
        (ordinary,) = np.nonzero(np.abs(np.log2(np.abs(results.astype(np.float64)))) < 4)
        index = ordinary[ordinary.size // 2]
        planted.append(float(operands[0][index]))
        bits = results.view(type_.bits_dtype)
        bits[index] += 1

    planted: list[float] = []
    clean, changed = measured(name, type_, 3000), measured(name, type_, 3000, plant)
    assert clean.largest < 0.8
    assert 0.5 <= changed.largest <= 1.8
    assert changed.largest > clean.largest or changed.misrounded == 1
    if changed.largest > clean.largest:
        assert float(changed.worst.split(",")[0]) == planted[0]
    if type_ is not F64:
        assert (clean.misrounded, changed.misrounded) == (0, 1)
        assert changed.largest > 0.501 or changed.misrounded == 1


def test_a_lost_sign_of_zero_is_caught() -> None:
    def plant(operands: tuple[Any, ...], results: Any) -> None:
        results[np.signbit(operands[0]) & (operands[0] == 0)] = 0

    found = measured("sine", F32, 2000, plant)
    assert found.special > 0
    assert "-0.0" in found.first_special
    assert report.missed([found])


def test_wrong_quick_results_are_not_trusted() -> None:
    """mpmath takes over where the longdouble function errs."""
    chosen = function("tanh")
    wrong = Function(
        name=chosen.name,
        exact=chosen.exact,
        quick=lambda x: np.where(np.isfinite(x), np.tanh(x) * (1 + 1e-7), np.tanh(x)),
        ranges=chosen.ranges,
    )
    operands = inputs(wrong, F32, 900)
    results = hlokit(elementwise_text(wrong.name, operands, F32), operands)
    found = measure(reference(wrong, F32, operands), results, "hlokit")
    assert found.largest <= 0.501
    assert found.exact_count == operands[0].size


def test_zero_parts_choose_the_side_of_a_branch_cut() -> None:
    above, below = (exact.evaluate(mpmath.sqrt, [complex(-4, y)]) for y in (0.0, -0.0))
    assert above is not None
    assert below is not None
    assert (above.imag, below.imag) == (2, -2)
    right, left = (exact.evaluate(exact.atan, [complex(x, 2)]) for x in (0.0, -0.0))
    assert right is not None
    assert left is not None
    assert right.real > 0 > left.real
    assert mpmath.almosteq(right.real, mpmath.pi / 2)


def test_all_types_are_measured() -> None:
    assert len(TYPES) == 17


@pytest.mark.parametrize("beyond", [-1, 1])
@pytest.mark.parametrize("sign", [-1, 1])
def test_numbers_next_to_a_tie_are_rounded_once(sign: int, beyond: int) -> None:
    """The numbers need more bits than longdouble has: as longdouble they would be the midpoint itself."""
    with mpmath.workprec(400):
        value = sign * (mpmath.mpf(1) + mpmath.ldexp(1, -24) + beyond * mpmath.ldexp(1, -200))
    wanted = sign * (1.0 if beyond < 0 else 1 + 2.0**-23)
    assert nearest(F32, np.array([as_longdouble(value)])) == [wanted]
    assert as_longdouble(mpmath.mpf(sign * (1 + 2.0**-24))) == sign * (1 + 2.0**-24)


def test_angles_next_to_a_middle_are_not_misrounded() -> None:
    operands = np.array([3 * 2.0**-149, 5 * 2.0**-149], np.float32), np.array([2, 2], np.float32)
    assert measured("atan2", F32, 0, operands=operands).misrounded == 0
    up = measured("atan2", F32, 0, lambda _, results: results.fill(2.0**-148), operands)
    assert up.misrounded == 1
