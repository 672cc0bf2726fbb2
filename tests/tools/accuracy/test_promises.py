"""Small samples of all measurements of `python -m tools.accuracy` meet the targets of docs/accuracy.md."""

from __future__ import annotations

import numpy as np
import pytest

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
)
from tests.tools.accuracy.measuring import function, measured
from tools.accuracy import einsums, report, sums
from tools.accuracy.functions import FUNCTIONS
from tools.accuracy.implementations import hlokit
from tools.accuracy.sums import conversion

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

NAMES = list(dict.fromkeys(f.short_name for f in FUNCTIONS if f.takes_float))
COMPLEX_NAMES = [f.short_name for f in FUNCTIONS if f.takes_complex]


@pytest.mark.parametrize("type_", [F8E8M0FNU, ELEMENT_TYPES["f8E4M3FN"], F32, F64], ids=str)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sample("*-f32", "*-f8E4M3FN")
def test_floats(name: str, type_: ElementType) -> None:
    chosen = function(name)
    if type_.width == 8 and chosen.operands == 2 and chosen.cost > 1:
        pytest.skip("all pairs of a slow function take minutes; python -m tools.accuracy measures them")
    found = measured(name, type_, 60 if type_ is F64 and chosen.is_shared else 1000)
    assert not report.missed([found]), found
    assert found.count > 0
    if type_ is not F64:
        assert found.misrounded == 0


@pytest.mark.parametrize("type_", [COMPLEX_F32, COMPLEX_F64], ids=str)
@pytest.mark.parametrize("name", COMPLEX_NAMES)
def test_complex_numbers(name: str, type_: ElementType) -> None:
    found = measured(name, type_, 120)
    assert not report.missed([found]), found
    assert found.count > 50


@pytest.mark.parametrize("name", ["lgamma", "digamma"])
def test_near_negative_roots(name: str) -> None:
    """Neighbours of roots, up to where floats are sparse."""
    roots = {
        "lgamma": (-2.457024738220801, -3.9552942848585984, -5.0082),
        "digamma": (-1.573498473162391, -8.6777),
    }
    start = np.array(roots[name])
    operand = (start.view(np.int64)[:, None] + np.arange(-3, 4)).reshape(-1).view(np.float64)
    found = measured(name, F64, 0, operands=(operand,))
    assert found.largest < 0.6, found


def test_sums() -> None:
    measured_ones = 0
    for _, type_, make in (*sums.cases(), *einsums.cases()):
        if type_.width < 16:
            continue
        case = make()
        limit = report.NARROW_TARGET if case.bound is None else case.bound
        assert case.errors(hlokit(case.text, case.operands)).max() <= limit, (case.op, type_)
        measured_ones += 1
    assert measured_ones > 90


def test_conversions() -> None:
    for source, target in ((F64, ELEMENT_TYPES["f8E5M2FNUZ"]), (F16, F8E8M0FNU), (F32, BF16), (BF16, F16)):
        case = conversion(source, target)
        assert case.errors(hlokit(case.text, case.operands)).max() == 0, (source, target)
