"""Helpers for tests of the measurements: errors of hlokit's results for small samples."""

from __future__ import annotations

from typing import Any

from hlokit.values.element_types import ElementType, Kind
from tools.accuracy.expected import reference
from tools.accuracy.functions import FUNCTIONS, Function
from tools.accuracy.implementations import elementwise_text, hlokit
from tools.accuracy.measure import Measurement, measure
from tools.accuracy.samples import inputs


def function(name: str, *, is_complex: bool = False) -> Function:
    (found,) = [
        f for f in FUNCTIONS if f.short_name == name and (f.takes_complex if is_complex else f.takes_float)
    ]
    return found


def measured(
    name: str, type_: ElementType, count: int, change: Any = None, operands: tuple[Any, ...] | None = None
) -> Measurement:
    """Errors of hlokit's results, perhaps modified by `change`, for samples or for operands."""
    chosen = function(name, is_complex=type_.kind is Kind.COMPLEX)
    operands = inputs(chosen, type_, count) if operands is None else operands
    results = hlokit(elementwise_text(chosen.name, operands, type_), operands)
    if change is not None:
        results = results.copy()
        change(operands, results)
    return measure(reference(chosen, type_, operands), results, "hlokit")
