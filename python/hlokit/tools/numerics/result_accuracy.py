"""Checks results against the program's `result_accuracy` attributes.

Results are compared with the function in longdouble. Results that look wrong, and complex results of
functions that NumPy lacks, are compared with mpmath if it is installed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import CheckFailed, EvaluationError, UnsupportedError, for_callers
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.operations.cards import card_of
from hlokit.operations.cards.card import Extended, Without
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.tools.numerics.rules import exact
from hlokit.tools.numerics.rules.widening import EXTENDED, HAS_EXTENDED
from hlokit.values.element_types import ElementType, Kind
from hlokit.values.float_format import float_format
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]

# The error in units in the last place that HIGHEST allows, which hlokit guarantees (docs/accuracy.md).
HIGHEST, HIGHEST_COMPLEX = 1.0, 2.0
# The number of elements that mpmath computes before a result counts as wrong.
_CONFIRMED = 256
_PRECISION = 160


_FIELD = re.compile(r"(atol|rtol|ulps) = ([^,>]+)")
_MODE = re.compile(r"result_accuracy_mode<(\w+)>")


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The tolerance of a `result_accuracy` attribute.

    The tolerance is |actual - expected| <= max(|expected| * max(rtol, ulps * epsilon), atol), where epsilon
    is the distance from 1 to the next number of the type. `ulps` of at least 1 also allows half a unit in the
    last place, which is more for subnormal numbers. HIGHEST allows 1 unit in the last place; for a complex
    number, 2 units of its magnitude.
    """

    atol: float
    rtol: float
    ulps: int
    mode: str

    @classmethod
    def read(cls, text: str) -> Tolerance:
        """The tolerance of an attribute in MLIR text, which omits fields that are 0."""
        fields = dict(_FIELD.findall(text))
        mode = _MODE.search(text)
        numbers = (float(fields.get("atol", 0)), float(fields.get("rtol", 0)), int(fields.get("ulps", 0)))
        return cls(*numbers, "DEFAULT" if mode is None else mode[1])

    @property
    def is_impossible(self) -> bool:
        return self.mode == "TOLERANCE" and not (self.atol or self.rtol or self.ulps)

    def allowed(self, expected: Array, unit: Array, element_type: ElementType) -> Array:
        """The largest allowed errors at finite expected magnitudes whose units in the last place are
        `unit`."""
        if self.mode == "HIGHEST":
            return unit * (HIGHEST_COMPLEX if element_type.kind is Kind.COMPLEX else HIGHEST)
        epsilon = 2.0 ** -float_format(element_type).mantissa_bits
        relative = max(self.rtol, self.ulps * epsilon)
        allowed = np.maximum(expected * relative, self.atol)
        return np.maximum(allowed, unit / 2) if self.ulps else allowed

    def __str__(self) -> str:
        if self.mode != "TOLERANCE":
            return self.mode
        return f"atol = {self.atol:g}, rtol = {self.rtol:g}, ulps = {self.ulps}"


class CheckAccuracy:
    """An observer that raises if a result is less accurate than its `result_accuracy` attribute requires.

        program(x, observer=hlokit.CheckAccuracy())

    Attributes:
      checked: the number of results that have been checked.
      max_ulp: the largest error found, in units in the last place.
    """

    @for_callers
    def __init__(self) -> None:
        self.checked = 0
        self.max_ulp = 0.0
        self._lock = threading.Lock()
        self._tolerances: dict[int, tuple[Step, Tolerance | None]] = {}

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        pass

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """Check the results of a step with a `result_accuracy`.

        Raises:
          CheckFailed: a result is less accurate than required.
          EvaluationError: no result could satisfy the requirement.
          UnsupportedError: no more accurate function is available for the comparison.
        """
        del plan
        functions = _functions(step.name)
        if functions is None:
            return
        tolerance = self._tolerance(step)
        (type_,) = step.result_types
        if tolerance is None or tolerance.mode == "DEFAULT" or not isinstance(type_, TensorType):
            return
        if tolerance.is_impossible:
            raise EvaluationError(
                "result_accuracy must not have atol, rtol and ulps of 0, which no rounded result satisfies"
            )
        worst = _check(
            step, functions, np.asarray(operands[0]), np.asarray(results[0]), type_.element_type, tolerance
        )
        with self._lock:
            self.checked += 1
            self.max_ulp = max(self.max_ulp, worst)

    def _tolerance(self, step: Step) -> Tolerance | None:
        entry = self._tolerances.get(id(step))
        if entry is None:
            attributes = Attributes(operation_of(step))
            tolerance = None
            if "result_accuracy" in attributes:
                tolerance = Tolerance.read(str(attributes.raw("result_accuracy")))
            entry = self._tolerances[id(step)] = (step, tolerance)
        return entry[1]


class _Functions(NamedTuple):
    """An operation's functions of longdouble arrays and of mpmath's numbers."""

    extended: Callable[..., Any]
    exact: Callable[..., Any]


def _functions(name: str) -> _Functions | None:
    """The functions of an operation that may have a `result_accuracy`: a function of one operand."""
    card = card_of(name) if name.startswith("stablehlo.") else None
    if card is None or isinstance(card.samples, Without) or not isinstance(card.shadow, Extended):
        return None
    samples = card.samples[0]
    if samples.exact is None or samples.operands > 1:
        return None
    return _Functions(card.shadow.function, samples.exact)


def _check(
    step: Step,
    functions: _Functions,
    operand: Array,
    result: Array,
    element_type: ElementType,
    tolerance: Tolerance,
) -> float:
    """The largest error of a result in units in the last place, if all errors are within the tolerance."""
    operand, result = operand.reshape(-1), result.reshape(-1)
    is_complex = element_type.kind is Kind.COMPLEX
    wide = np.dtype(np.clongdouble) if is_complex else EXTENDED.dtype
    actual = result.astype(wide)
    is_known = HAS_EXTENDED
    if is_known:
        expected: Array = functions.extended(operand.astype(wide))
    elif exact.mp() is None:
        raise UnsupportedError(f"accuracy of {step.name} cannot be checked without mpmath")
    else:
        expected = np.array([_exactly(functions, value, wide) for value in operand], wide)
    wrong, ulps = _errors(operand, actual, expected, element_type, tolerance)
    if is_known and wrong.any() and exact.mp() is not None:
        chosen = np.flatnonzero(wrong)[:_CONFIRMED]
        for index in chosen:
            expected[index] = _exactly(functions, operand[index], wide)
        wrong, ulps = _errors(operand, actual, expected, element_type, tolerance)
    if wrong.any():
        index = int(np.argmax(np.where(wrong, ulps, -1)))
        worst = _Element(index, operand[index], result[index], expected[index], float(ulps[index]))
        raise _failure(step, worst, wrong, element_type, tolerance)
    return float(ulps.max(initial=0.0))


def _errors(
    operand: Array, actual: Array, expected: Array, element_type: ElementType, tolerance: Tolerance
) -> tuple[npt.NDArray[np.bool_], Array]:
    """A mask of the results that are not accurate enough, and all errors in units in the last place."""
    rounded = expected.astype(element_type.dtype).astype(expected.dtype)
    # A type replaces values that it lacks by infinity or the largest number, by NaN or a zero.
    layout = float_format(element_type)
    is_beyond = (
        ~np.isfinite(actual) | ~np.isfinite(expected) | (np.abs(expected) > layout.decode(layout.largest))
    )
    same = (actual == expected) | (actual == rounded) & is_beyond
    same |= np.isnan(actual) & (np.isnan(expected) | np.isnan(rounded))
    if element_type.kind is Kind.COMPLEX:  # complex infinities have many representations
        same |= ~np.isfinite(actual) & ~np.isfinite(expected)
        same |= np.isnan(expected) & ~np.isfinite(operand.astype(expected.dtype))  # NumPy computes no limits
    finite = np.isfinite(actual) & np.isfinite(expected)
    magnitudes = np.where(finite, np.abs(expected), 1)
    differences = np.where(finite, np.abs(np.where(finite, actual - expected, 0)), np.inf)
    unit = unit_in_last_place(magnitudes, element_type)
    differences = np.where(same, 0, differences)
    return differences > tolerance.allowed(magnitudes, unit, element_type), differences / unit


def _exactly(functions: _Functions, value: Any, dtype: np.dtype[Any]) -> Any:
    """The function of one number in a wide dtype by mpmath, or by longdouble if mpmath fails."""
    number = complex(value) if dtype.kind == "c" else float(value)
    mpmath = exact.mp()
    try:
        with mpmath.workprec(_PRECISION):
            result = functions.exact(mpmath.mpmathify(number))
            if dtype.kind == "c":
                return dtype.type(_nearest(mpmath.re(result)) + 1j * _nearest(mpmath.im(result)))
            return _nearest(result)
    except (ArithmeticError, TypeError, ValueError):
        return functions.extended(dtype.type(number))


def _nearest(exact: Any) -> np.longdouble:
    high = np.longdouble(float(exact))
    return high + np.longdouble(float(exact - float(exact))) if np.isfinite(high) else high


@dataclass(frozen=True, slots=True)
class _Element:
    """An element of an operand, its result, and the error in units in the last place."""

    position: int
    operand: Any
    result: Any
    expected: Any
    ulps: float


def _failure(
    step: Step,
    worst: _Element,
    wrong: npt.NDArray[np.bool_],
    element_type: ElementType,
    tolerance: Tolerance,
) -> CheckFailed:
    magnitude = np.abs(np.array([worst.expected]))
    difference = ""
    if np.isfinite(magnitude).all() and np.isfinite(worst.result):
        unit = unit_in_last_place(magnitude, element_type)
        allowed = float((tolerance.allowed(magnitude, unit, element_type) / unit)[0])
        difference = f", error {worst.ulps:.4g} ULP, allowed {allowed:.4g} ULP"
    source = source_text(step.location())
    lines = [
        f"results must be as accurate as result_accuracy requires ({tolerance}), "
        f"{int(wrong.sum())} of {wrong.size} are not{f', from {source}' if source else ''}",
        f"  index {worst.position} in row-major order: operand {worst.operand}, result {worst.result}, "
        f"exact {worst.expected}{difference}",
    ]
    if worst.ulps <= 0.5:
        lines.append(f"  no number of type {element_type} is closer to the exact result")
    return CheckFailed("\n".join(lines))
