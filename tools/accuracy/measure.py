"""The error of one operation and type: approximate for every sample, exact for the worst samples.

A result is compared with the function in longdouble, whose own error is a few of its own ULP: 2**-38 ULP of
f32 and 2**-9 ULP of f64. Then mpmath recomputes the samples from the worst on, until mpmath has confirmed the
worst one. It also checks randomly chosen samples to decide whether longdouble can be trusted. If not, or if
there is no longdouble function, only the samples that mpmath computes are measured.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (NumPy's stubs know little of longdouble)

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlokit.tools.numerics.rules import exact
from hlokit.values.element_types import F64, ElementType, Kind
from hlokit.values.float_format import float_format
from tools.accuracy.curves import worst_by_cell, worst_by_interval
from tools.accuracy.expected import Reference
from tools.accuracy.formats import EXTENDED, least_exponent, nearest, ulp_errors, widened
from tools.accuracy.functions import Function

Array = Any

# The number of samples that mpmath confirms in the first round (it doubles in each further round), and the
# largest number in total (for functions of cost 1).
_BATCH, _MOST_CONFIRMED = 8, 1 << 14
# The largest number of results for which mpmath decides whether they are the nearest number.
_MOST_DECIDED = 1 << 10
# The number of parts of complex results whose conditioning is computed.
_MOST_CONDITIONED = 160
# The error in ULP of a part beyond which the conditioning of a complex function is computed.
_CONDITIONED_ABOVE = 1.0


@dataclass(slots=True)
class Measurement:
    """The errors of one implementation.

    Attributes:
      op, type_name, implementation: what was measured.
      count: the number of compared results.
      largest, mean: error of finite results in ULP; for a complex number, of its worse part.
      conditioned: the largest error in ULP of the larger of the part and its change under a relative change
        of the operands by 1; complex types only.
      worst: the operands of `largest`.
      misrounded: the number of results that are not the nearest value; types narrower than f64 only.
      normal: `largest` without subnormal operands and results, which some implementations flush to zero.
      special: the number of results of the wrong kind: NaN, infinity or the sign of a zero; zeros of complex
        numbers are not counted.
      first_special: operands, result and expected result of one of these.
      undetermined: the number of infinite parts of complex results whose sign depends on conditioning.
      exact_count: the number of results that mpmath computed.
      curve: positions of intervals of inputs and the largest errors in them, for plots of one float.
      cells: the largest errors in cells of inputs, for plots of two floats or a complex number.
    """

    op: str
    type_name: str
    implementation: str
    count: int
    largest: float
    mean: float
    conditioned: float | None
    worst: str
    misrounded: int | None
    special: int
    first_special: str
    exact_count: int
    is_exhaustive: bool = False
    undetermined: int = 0
    bound: float | None = None
    normal: float = 0.0
    curve: tuple[Array, Array] | None = field(default=None, repr=False)
    cells: Array | None = field(default=None, repr=False)


def measure(
    expected: Reference, results: Array, implementation: str, *, is_exhaustive: bool = False
) -> Measurement:
    """The errors of results."""
    function, type_ = expected.function, expected.type_
    part = type_.part
    is_complex = type_.kind is Kind.COMPLEX
    with np.errstate(all="ignore"):
        actual = _actual_parts(results, len(expected.parts))
        # Tests with tables cover complex operands and expected results that are not finite.
        skipped = np.zeros(results.shape, bool)
        if is_complex:
            for wanted in expected.parts:
                skipped |= ~np.isfinite(wanted)
            for operand in expected.operands:
                skipped |= ~np.isfinite(operand)

        def errors_of() -> Array:
            each = [_part_errors(part, a, w, is_complex) for a, w in zip(actual, expected.parts, strict=True)]
            return np.where(skipped, 0, np.max(each, axis=0))

        errors = errors_of()
        undetermined: list[int] = []
        batch = _BATCH
        while batch <= max(_MOST_CONFIRMED // function.cost, 4 * _BATCH):
            finite = np.where(np.isfinite(errors), errors, -1)
            top = np.argsort(finite)[::-1][:batch]
            infinite = np.nonzero(np.isinf(errors))[0][:batch]
            batch *= 2
            unconfirmed = [i for i in (*top[:1], *infinite, *top) if not expected.is_certain[i]]
            if (
                function.exact is None
                or not unconfirmed
                or (expected.is_certain[top[0]] and not infinite.size)
            ):
                break
            expected.confirm(unconfirmed)
            errors = errors_of()
        if is_complex:
            undetermined = [
                index
                for index in np.nonzero(np.isinf(errors))[0][:_MOST_CONDITIONED].tolist()
                if _is_undetermined(expected, actual, index)
            ]
            errors[undetermined] = 0
        finite = np.isfinite(errors) & ~skipped
        worst = int(np.argmax(np.where(finite, errors, -1)))
        normal = float(np.max(np.where(finite & _is_normal(expected), errors, 0), initial=0))
        special = np.nonzero(np.isinf(errors))[0]
        misrounded = None
        if not is_complex and part is not F64:
            differs = _differs(expected, actual[0])
            unconfirmed = np.flatnonzero(differs & ~expected.is_certain)
            if 0 < unconfirmed.size <= _MOST_DECIDED // function.cost and function.exact is not None:
                expected.confirm(
                    unconfirmed.tolist()
                )  # the midpoint of two numbers may be next to the result
                differs = _differs(expected, actual[0])
            misrounded = int(np.count_nonzero(differs))
    conditioned = _conditioned(expected, actual, errors) if is_complex else None
    is_plotted = part.width >= 16
    has_curve = function.operands == 1 and not is_complex
    has_cells = is_plotted and function.operands + is_complex == 2
    described = [_text(operand[worst]) for operand in expected.operands]
    return Measurement(
        op=function.name,
        type_name=type_.name,
        implementation=implementation,
        count=int(np.count_nonzero(~skipped)),
        largest=float(errors[worst]) if finite.any() else 0.0,
        mean=float(np.mean(errors[finite])) if finite.any() else 0.0,
        conditioned=conditioned,
        worst=", ".join(described),
        misrounded=misrounded,
        special=int(special.size),
        first_special=_describe(expected, results, int(special[0])) if special.size else "",
        exact_count=int(np.count_nonzero(expected.is_certain)),
        is_exhaustive=is_exhaustive,
        undetermined=len(undetermined),
        normal=normal,
        curve=worst_by_interval(expected.operands[0], errors) if is_plotted and has_curve else None,
        cells=worst_by_cell(expected.operands, errors) if has_cells else None,
    )


def _differs(expected: Reference, actual: Array) -> Array:
    """A mask of the results that are not the nearest number."""
    rounded = nearest(expected.type_.part, expected.parts[0])
    return (rounded != actual) & ~(np.isnan(rounded) & np.isnan(actual))


def _actual_parts(results: Array, count: int) -> tuple[Array, ...]:
    if np.iscomplexobj(results):
        parts = (results.real, results.imag)
        return tuple(part.astype(EXTENDED) for part in parts[:count])
    return (widened(results),)


def _is_normal(expected: Reference) -> Array:
    """A mask of the samples without subnormal parts in operands and result."""
    layout = float_format(expected.type_.part)
    smallest = np.ldexp(EXTENDED.type(1), least_exponent(layout))
    normal = np.ones(expected.is_certain.shape, bool)
    parts = [part for operand in expected.operands for part in _actual_parts(operand, 2)]
    for part in (*parts, *expected.parts):
        normal &= ~((np.abs(part) < smallest) & (part != 0))
    return normal


def _part_errors(part: ElementType, actual: Array, wanted: Array, is_complex: bool) -> Array:
    if is_complex:  # tests with tables cover the signs of zeros
        actual, wanted = np.where(actual == 0, 0, actual), np.where(wanted == 0, 0, wanted)
        rounded = nearest(part, wanted)
        actual = np.where((actual == 0) & (rounded == 0), rounded, actual)
    return ulp_errors(part, actual, wanted)


def _text(value: Any) -> str:
    return str(value) if np.iscomplexobj(value) else repr(float(value))


def _describe(expected: Reference, results: Array, index: int) -> str:
    operands = ", ".join(_text(operand[index]) for operand in expected.operands)
    wanted = ", ".join(repr(float(part[index])) for part in expected.parts)
    return f"({operands}): {_text(results[index])} instead of {wanted}"


def _is_undetermined(expected: Reference, actual: tuple[Array, ...], index: int) -> bool:
    """Whether parts that overflow with the wrong sign are within the tolerance of their conditioning.

    An infinity represents all numbers of its sign that overflow: the least of them must be near enough.
    """
    function, part = expected.function, expected.type_.part
    operands = [operand[index] for operand in expected.operands]
    value = None if function.exact is None else exact.evaluate(function.exact, operands)
    if value is None:
        return False
    most, allowed = float(np.finfo(part.dtype).max), 2 * float(np.finfo(part.dtype).eps)
    for got, want, bound in zip(
        actual, (value.real, value.imag), _conditioning(function, operands), strict=False
    ):
        overflows = np.isinf(got[index]) and exact.mp().fabs(want) > most
        if not overflows:
            return False
        is_other_sign = bool(got[index] < 0) != bool(want < 0)
        if is_other_sign and exact.mp().fabs(want) + most > allowed * bound:
            return False
    return True


def _conditioned(expected: Reference, actual: tuple[Array, ...], errors: Array) -> float:
    """The largest error, in ULP of the larger of a part and its conditioning."""
    large = np.nonzero(np.isfinite(errors) & (errors > _CONDITIONED_ABOVE))[0]
    rest = errors[np.isfinite(errors) & (errors <= _CONDITIONED_ABOVE)]
    largest = float(rest.max(initial=0))
    large = large[np.argsort(errors[large])[::-1]][:_MOST_CONDITIONED]
    expected.confirm(large.tolist())
    layout_bits = {"f32": 23, "f64": 52}[expected.type_.part.name]
    for index in large:
        operands = [operand[index] for operand in expected.operands]
        bounds = _conditioning(expected.function, operands)
        for got, want, bound in zip(actual, expected.parts, bounds, strict=False):
            scale = max(abs(float(want[index])), float(bound))
            tiny = float(np.finfo(expected.type_.part.dtype).smallest_subnormal)
            _, exponent = np.frexp(scale)
            ulp = max(float(np.ldexp(1.0, exponent - 1 - layout_bits)), tiny)
            largest = max(largest, float(abs(got[index] - want[index])) / ulp)
    return largest


def _conditioning(function: Function, operands: Sequence[Any]) -> tuple[Any, Any]:
    """Per part of the result, the sum over parts of operands of |part| |derivative by it|.

    The results are mpmath numbers, whose exponents are not limited.
    """
    real = imaginary = exact.mp().mpf(0)
    if function.exact is None:
        return real, imaginary
    numbers = [exact.to_number(operand) for operand in operands]
    with exact.mp().workprec(400):
        for position, number in enumerate(numbers):
            for direction, size in ((1, number.real), (1j, number.imag)):
                step = exact.mp().ldexp(1, -80)
                shifted = list(numbers)
                shifted[position] = number + direction * size * step
                derivative = _difference(function.exact, shifted, numbers) / step
                real += exact.mp().fabs(derivative.real)
                imaginary += exact.mp().fabs(derivative.imag)
    return real, imaginary


def _difference(function: Callable[..., Any], first: list[Any], second: list[Any]) -> Any:
    try:
        return exact.mp().mpc(function(*first) - function(*second))
    except (ZeroDivisionError, ValueError, OverflowError):
        return exact.mp().mpc(0)
