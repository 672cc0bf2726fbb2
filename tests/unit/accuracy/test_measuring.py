"""The measure itself: formats against exact rationals, and errors of known size are found."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from hlokit.accuracy import exact, report
from hlokit.accuracy.formats import nearest, ulp_errors, widened
from hlokit.accuracy.functions import FUNCTIONS, Function
from hlokit.accuracy.implementations import XLA, Others, elementwise_text, hlokit
from hlokit.accuracy.measure import Measurement, measure, reference
from hlokit.accuracy.plot import file_name, plots
from hlokit.accuracy.run import FLOATS, TYPES, Selection, exhaust, run
from hlokit.accuracy.samples import every_value, inputs
from hlokit.accuracy.sums import cases, conversion
from hlokit.values.element_types import (
    BF16,
    COMPLEX_F32,
    COMPLEX_F64,
    ELEMENT_TYPES,
    F8E8M0FNU,
    F16,
    F32,
    F64,
    ElementType,
    Kind,
)
from hlokit.values.float_format import float_format

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def function(name: str, *, is_complex: bool = False) -> Function:
    (found,) = [
        f for f in FUNCTIONS if f.short_name == name and (f.takes_complex if is_complex else f.takes_float)
    ]
    return found


def measured(name: str, type_: ElementType, count: int, change: Any = None) -> Measurement:
    """Errors of hlokit's results, or of what `change` makes of them."""
    chosen = function(name, is_complex=type_.kind is Kind.COMPLEX)
    operands = inputs(chosen, type_, count)
    results = hlokit(elementwise_text(chosen.name, operands, type_), operands)
    if change is not None:
        results = results.copy()
        change(operands, results)
    return measure(reference(chosen, type_, operands), results, "hlokit")


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
    """In one result of thousands, at a place that is told."""

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
        chosen.name,
        chosen.exact,
        lambda x: np.where(np.isfinite(x), np.tanh(x) * (1 + 1e-7), np.tanh(x)),
        ranges=chosen.ranges,
    )
    operands = inputs(wrong, F32, 900)
    results = hlokit(elementwise_text(wrong.name, operands, F32), operands)
    found = measure(reference(wrong, F32, operands), results, "hlokit")
    assert found.largest <= 0.501
    assert found.exact_count == operands[0].size


# Small samples of all that `hlokit accuracy` measures; those of 8 and 16 bits are whole.
NAMES = list(dict.fromkeys(f.short_name for f in FUNCTIONS if f.takes_float))
COMPLEX_NAMES = [f.short_name for f in FUNCTIONS if f.takes_complex and f.short_name != "atan2"]


@pytest.mark.parametrize("type_", [F8E8M0FNU, ELEMENT_TYPES["f8E4M3FN"], F32, F64], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_floats_are_as_good_as_promised(name: str, type_: ElementType) -> None:
    chosen = function(name)
    if type_.width == 8 and chosen.operands == 2 and chosen.cost > 1:
        pytest.skip("all pairs of a slow function take minutes; hlokit accuracy measures them")
    found = measured(name, type_, 120 if type_ is F64 and chosen.is_shared else 1500)
    assert not report.missed([found]), found
    assert found.count > 0
    if type_ is not F64:
        assert found.misrounded == 0


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", COMPLEX_NAMES)
def test_complex_functions_are_as_good_as_promised(name: str, type_: ElementType) -> None:
    found = measured(name, type_, 160)
    assert not report.missed([found]), found
    assert found.count > 60


@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_near_negative_roots(name: str) -> None:
    """Neighbours of roots, up to where floats are sparse."""
    roots = {
        "lgamma": (-2.457024738220801, -3.9552942848585984, -5.0082),
        "digamma": (-1.573498473162391, -8.6777),
    }
    start = np.array(roots[name])
    with np.errstate(all="ignore"):
        operand = (start.view(np.int64)[:, None] + np.arange(-3, 4)).reshape(-1).view(np.float64)
    chosen = function(name)
    results = hlokit(elementwise_text(chosen.name, (operand,), F64), (operand,))
    found = measure(reference(chosen, F64, (operand,)), results, "hlokit")
    assert found.largest < 0.6, found


def test_sums_and_conversions() -> None:
    some = itertools.islice(cases(), 0, None, 3)
    for case in some:
        limit = 0.501 if case.bound is None else case.bound
        assert case.errors(hlokit(case.text, case.operands)).max() <= limit, case.op
    for source, target in ((F64, ELEMENT_TYPES["f8E5M2FNUZ"]), (F16, F8E8M0FNU), (F32, BF16), (BF16, F16)):
        case = conversion(source, target)
        assert case.errors(hlokit(case.text, case.operands)).max() == 0, (source, target)


def test_zero_parts_choose_the_side_of_a_branch_cut() -> None:
    above, below = (exact.evaluate(exact.sqrt, [complex(-4, y)]) for y in (0.0, -0.0))
    assert (above.imag, below.imag) == (2, -2)
    right, left = (exact.evaluate(exact.atan, [complex(x, 2)]) for x in (0.0, -0.0))
    assert right.real > 0 > left.real
    assert mpmath.almosteq(right.real, mpmath.pi / 2)


def test_page_json_and_plots() -> None:
    found = list(run(Selection(["sine", "fft"], ["f16", "f32"], with_others=False), lambda text: None))
    page = report.as_markdown(found, "hlokit accuracy", "pictures")
    assert "| f16 | all 65536 |" in page
    assert "pictures/sine.f32.svg" in page
    assert "hlokit keeps all of its targets" in page
    assert len(report.as_json(found)["measurements"]) == len(found)
    assert {name for name, _ in plots(found)} == {"sine.f16.svg", "sine.f32.svg"}
    assert all(text.startswith("<svg") and len(text) < 20_000 for _, text in plots(found))


def test_others_that_die_are_started_anew() -> None:
    others = Others()
    try:
        operand = np.array([1.0, 2.0], np.float32)
        text = elementwise_text("stablehlo.sine", (operand,), F32)
        assert isinstance(others("nobody", text, (operand,)), str)
        others.close()
        results = others(XLA, text, (operand,))
        assert not isinstance(results, str)
        assert np.allclose(results, np.sin(operand))
    finally:
        others.close()


def test_all_f32_come_in_chunks() -> None:
    lines: list[str] = []
    found = list(itertools.islice(exhaust(function("sqrt"), lines.append, 1 << 15), 2))
    assert [one.count for one in found] == [1 << 15] * 2
    assert all(one.largest <= 0.501 and one.misrounded == 0 for one in found)
    assert "sqrt f32: 0.0%" in lines[0]


def test_all_types_are_measured() -> None:
    assert len(TYPES) == 17


def test_the_published_page_is_of_all_functions() -> None:
    root = Path(__file__).parents[3] / "docs"
    page = (root / "accuracy.md").read_text()
    for one in FUNCTIONS:
        assert f"\n### `{one.name}`\n" in page
    assert "hlokit keeps all of its targets" in page
    for op, type_name in report.SHOWN:
        assert (root / "accuracy" / file_name(op, type_name)).read_text().startswith("<svg")
