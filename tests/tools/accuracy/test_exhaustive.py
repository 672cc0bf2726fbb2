"""All inputs: the screen decides as mpmath does, pairs agree with rational numbers, and runs resume from files."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit.tools.numerics.rules import exact
from hlokit.values.element_types import BF16, F16, F32, ElementType
from hlokit.values.float_format import float_format
from tests.tools.accuracy.measuring import function
from tools.accuracy import exhaustive, pairs, rounding
from tools.accuracy.exhaustive import Record, judge, screen_of
from tools.accuracy.functions import Function
from tools.accuracy.implementations import hlokit
from tools.accuracy.samples import every_value
from tools.accuracy.screen import Chunk

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

LAYOUT = float_format(F32)


def operands(first: float, count: int = 4096) -> Any:
    start = int(np.float32(first).view(np.uint32))
    return np.arange(start, start + count, dtype=np.int64).astype(np.uint32).view(np.float32)


def screen(judged: Function, x: Any, results: Any) -> Chunk:
    return judge(screen_of(judged), int(x.view(np.uint32)[0]), x, results)


def rounded(name: str, x: Any) -> Any:
    quick = function(name).quick
    assert quick is not None
    return quick(x.astype(np.float64)).astype(np.float32)


@pytest.mark.parametrize(
    ("value", "nearest"),
    [
        (1 + 2.0**-24, 1.0),
        (1 + 3 * 2.0**-24, 1 + 2.0**-22),
        (-(2.0**-150), -0.0),
        (2.0**-150 * (1 + 2.0**-40), 2.0**-149),
        (2.0**128 - 2.0**103, np.inf),
        (-(2.0**128 - 2.0**103) * (1 - 2.0**-50), -(2.0**128 - 2.0**104)),
        (3 * 2.0**-150, 2.0**-148),
    ],
)
def test_rounding_of_mpmaths_numbers(value: float, nearest: float) -> None:
    got = rounding.nearest_number(mpmath.mpf(value), LAYOUT)
    assert (got, np.signbit(got)) == (nearest, np.signbit(nearest))


def test_a_tie_is_distinguished_from_numbers_near_it() -> None:
    """Beyond all bits of longdouble."""
    with mpmath.workprec(400):
        above = mpmath.mpf(1) + mpmath.ldexp(1, -24) + mpmath.ldexp(1, -200)
        assert rounding.nearest_number(above, LAYOUT) == 1 + 2.0**-23
        assert rounding.error(above, 1.0, LAYOUT) == 0.5
        assert rounding.error(mpmath.mpf(3), 3.5, LAYOUT) == 0.5 / 2.0**-22


@pytest.mark.parametrize("name", ["exponential", "sine", "log", "lgamma"])
def test_one_wrong_result_is_found(name: str) -> None:
    x = operands(1.3)
    results = rounded(name, x)
    clean = screen(function(name), x, results)
    assert (clean.misrounded, clean.special, clean.count) == (0, 0, x.size)
    assert 0.49 < clean.largest <= 0.5
    results.view(np.uint32)[1234] += 1
    found = screen(function(name), x, results)
    assert (found.misrounded, found.special) == (1, 0)
    assert 0.5 < found.largest <= 1.5
    assert found.worst == x.view(np.uint32)[1234]
    results[5] = np.nan
    assert screen(function(name), x, results).special == 1


def test_a_lost_sign_of_zero_is_found() -> None:
    x = operands(-0.0, 16)
    results = rounded("tanh", x)
    results[0] = 0.0
    found = screen(function("tanh"), x, results)
    assert found.special == 1
    assert found.first_special == "(-0.0): 0.0 instead of -0.0"


def test_near_the_middle_mpmath_decides() -> None:
    """0.5 + x / 4 - x**3 / 48 is not quite at the midpoint of two f32, but its f64 is."""
    x = np.array([3 * 2.0**-23], np.float32)
    down = np.array([0.5 + 2.0**-24], np.float32)
    assert rounded("logistic", x) != down
    assert screen(function("logistic"), x, down).misrounded == 0
    found = screen(function("logistic"), x, rounded("logistic", x))
    assert (found.misrounded, found.decided) == (1, 1)
    assert found.largest == pytest.approx(0.5)


def test_a_bad_reference_is_not_trusted() -> None:
    rough = dataclasses.replace(function("exponential"), quick=lambda x: np.exp(x) * (1 + 2.0**-46))
    x = operands(1.3)
    with pytest.raises(ArithmeticError, match=r"stablehlo\.exponential in f64 must be within"):
        screen(rough, x, np.exp(x))


@pytest.mark.parametrize("type_", [F16, BF16, F32], ids=str)
def test_rounding_is_that_of_rationals(type_: ElementType) -> None:
    layout = float_format(type_)
    generator = np.random.default_rng(0)
    values = (operands(1.3) if type_ is F32 else every_value(type_)).astype(np.float64)
    if type_ is F32:
        values = np.concatenate([-values, values, np.arange(-9, 9) * 2.0**-149, [-(2.0**127), 2.0**127]])
    values = np.unique(values[np.isfinite(values)])
    middles = (values[1:] + values[:-1]) / 2
    some = generator.choice(middles, 500)
    sample = np.concatenate([some, some * (1 + 2.0**-50), some * (1 - 2.0**-50), values[:3], [1e39, -1e39]])
    sample = np.concatenate([sample, [0.0, -0.0, np.inf, -np.inf, np.nan, float(values[-1]) * 1.01]])
    got, ulp = rounding.nearest(sample, layout)
    wanted = np.array([layout.decode(layout.encode(value)) for value in sample.tolist()])
    np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.signbit(got[got == 0]), np.signbit(wanted[got == 0]))
    ordinary = np.flatnonzero((values > 1e-3) & (values < 1e3))[:-1]
    steps = rounding.nearest(values, layout)[1]
    apart = values[ordinary + 1] - values[ordinary]
    assert np.all((apart == steps[ordinary]) | (apart == steps[ordinary + 1]))
    assert Fraction(float(ulp[-6])) > 0


def test_overflow_is_infinite_without_mpmath() -> None:
    x = operands(89.0)
    results = np.full(x.shape, np.inf, np.float32)
    found = screen(function("exponential"), x, results)
    assert (found.misrounded, found.special, found.decided) == (0, 0, 0)
    results[7] = np.finfo(np.float32).max
    assert screen(function("exponential"), x, results).special == 1


@pytest.mark.parametrize(
    ("operands", "nearest"),
    [((81.0, 1.75), 2188.0), ((2.0**-10, 2.5), 0.0), ((3.0, 7.0), 2188.0), ((5.0, 5.0), 3124.0)],
)
def test_powers_in_the_middle_are_exact(operands: tuple[float, float], nearest: float) -> None:
    value = exact.evaluate(exact.power, operands)
    assert value is not None
    assert rounding.nearest_number(value, float_format(F16)) == nearest
    assert value == Fraction(operands[0] ** operands[1])


def test_angles_next_to_the_middle_are_below_it() -> None:
    value = exact.evaluate(exact.atan2, [3 * 2.0**-133, 2.0])
    assert value is not None
    assert rounding.nearest_number(value, float_format(BF16)) == 2.0**-133


@pytest.mark.parametrize(
    "op", ["stablehlo.divide", "stablehlo.power", "stablehlo.compare LE", "chlo.next_after"]
)
@pytest.mark.parametrize("type_name", ["f16", "bf16"])
def test_pairs(op: str, type_name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = 0x3C00 if type_name == "f16" else 0x3F80
    evaluate = pairs.evaluation(op, type_name)
    clean = evaluate(one << 16, 1 << 16)
    assert (clean.count, clean.misrounded, clean.special) == (1 << 16, 0, 0)

    def wrong(text: str, given: Any) -> Any:
        results = hlokit(text, given).copy()
        if "compare" in text:
            results[one] ^= True
        else:
            results.view(np.uint16)[one + 1] ^= 1
        return results

    monkeypatch.setattr(pairs, "hlokit", wrong)
    found = evaluate(one << 16, 1 << 16)
    assert found.misrounded + found.special == 1
    if "compare" not in op:
        assert found.largest > 0.5
        assert pairs.operands_text(type_name, found.worst).startswith("1.0, 1.00")


def test_chunks_are_continued_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    chosen = [("stablehlo.sqrt", "f32"), ("stablehlo.add", "bf16")]
    told: list[int] = []
    list(exhaustive.run(chosen, path, lambda record: told.append(record.done), inputs=1 << 16, chunk=1 << 15))
    assert told == [1 << 15, 1 << 16] * 2
    assert set(exhaustive.read(path)) == {"stablehlo.sqrt f32", "stablehlo.add bf16"}
    told.clear()
    found = list(
        exhaustive.run(chosen, path, lambda record: told.append(record.done), inputs=3 << 15, chunk=1 << 15)
    )
    assert told == [3 << 15] * 2
    assert [record.errors.count for record in found] == [3 << 15] * 2
    assert not any(record.is_whole or record.is_missed for record in found)
    assert "0.0% of inputs: at most 0.4" in str(found[0])


def test_records_of_other_versions_are_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    old = Record("stablehlo.sqrt", "f32", 1 << 15, Chunk(largest=9.0), versions={"hlokit": "0.0.1"})
    exhaustive.write(path, {old.key: old})
    (found,) = exhaustive.run(
        [("stablehlo.sqrt", "f32")], path, lambda _: None, inputs=1 << 15, chunk=1 << 15
    )
    assert found.errors.largest <= 0.5
    assert found.errors.count == 1 << 15


@pytest.mark.parametrize(
    ("errors", "is_missed"),
    [(Chunk(largest=0.5009), False), (Chunk(largest=0.502), True), (Chunk(special=1), True)],
)
def test_targets(errors: Chunk, is_missed: bool) -> None:
    assert Record("stablehlo.sine", "f32", errors=errors).is_missed is is_missed
