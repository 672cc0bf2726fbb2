"""Arithmetic modulo 2^61 - 1, compared with Python's integers and fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from hlokit.tools.equal.rules import field, laws
from hlokit.tools.equal.rules.field import PRIME
from hlokit.tools.equal.rules.laws import ORDER

_RANDOM = np.random.default_rng(7)
_EDGES = np.array([0, 1, PRIME - 1, 1 << 60, (1 << 31) - 1], np.uint64)
_ONE = np.concatenate([_EDGES, _RANDOM.integers(0, PRIME, 200, dtype=np.uint64)])
_TWO = np.concatenate([_EDGES[::-1], _RANDOM.integers(0, PRIME, 200, dtype=np.uint64)])


def test_sums_products_and_inverses() -> None:
    pairs = list(zip(map(int, _ONE), map(int, _TWO), strict=True))
    assert field.add(_ONE, _TWO).tolist() == [(x + y) % PRIME for x, y in pairs]
    assert field.multiply(_ONE, _TWO).tolist() == [x * y % PRIME for x, y in pairs]
    assert field.negative(_ONE).tolist() == [-x % PRIME for x, _ in pairs]
    assert field.inverse(_ONE).tolist() == [pow(x, -1, PRIME) if x else 0 for x, _ in pairs]


@pytest.mark.parametrize("value", [0.0, -0.0, 0.5, -0.75, 0.1, 1e300, 5e-324, -1e-310, 2.0**-70])
def test_a_float_is_a_fraction_of_the_field(value: float) -> None:
    fraction = Fraction(value)
    for embedded, size in (
        (int(field.embedded(np.array(value))), PRIME),
        (int(laws.of_floats(np.array(value)).exponent), ORDER),
    ):
        assert embedded == fraction.numerator * pow(fraction.denominator, -1, size) % size


def test_integers_of_all_widths() -> None:
    for dtype in (np.int8, np.int64, np.uint8, np.uint64):
        limits = np.iinfo(dtype)
        integers = np.array([limits.min, limits.max, 1, 5], dtype)
        assert field.of_integers(integers).tolist() == [int(x) % PRIME for x in integers]
        assert laws.of_integers(integers).exponent.tolist() == [int(x) % ORDER for x in integers]


@pytest.mark.parametrize("terms", [30, 1 << 20])
def test_a_product_of_matrices_adds_without_rounding(terms: int) -> None:
    lhs, rhs = _ONE[:180].reshape(6, 30), _TWO[:150].reshape(30, 5)
    expected = [
        [sum(int(x) * int(y) for x, y in zip(row, column, strict=True)) % PRIME for column in rhs.T]
        for row in lhs
    ]
    assert field.sum_of_products(np.matmul, lhs, rhs, terms).tolist() == expected


def test_the_exponential_is_a_homomorphism_of_the_whole_order() -> None:
    one, two = _ONE % np.uint64(ORDER), _TWO % np.uint64(ORDER)
    sums = laws.power((one + two) % np.uint64(ORDER))
    assert (sums == field.multiply(laws.power(one), laws.power(two))).all()
    for factor in (151, 331, 1321):
        assert int(laws.power(np.array(ORDER // factor, np.uint64))) != 1


def test_hashes_differ_by_salt_place_and_operand() -> None:
    hashes = [
        field.hashed(1, _ONE),
        field.hashed(2, _ONE),
        field.hashed(1, _ONE, _TWO),
        field.hashed(1, _TWO),
    ]
    assert len(np.unique(np.concatenate(hashes))) >= 4 * len(_ONE) - 10
