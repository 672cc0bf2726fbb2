"""A screen compares the results for many inputs with f64, and calls mpmath only where f64 cannot decide.

The reference is the function in NumPy's f64, whose error of a few ULP of f64 is 2**-29 times as many ULP of
f32. So f64 determines the nearest f32, except where the exact value may lie on the other side of the midpoint
of two numbers. There, and wherever results differ, mpmath decides: for about one input in ten million. mpmath
also computes a few random inputs of each chunk, to measure the error of f64 and to decide whether to trust
it. If f64 overflows by more than this error, the exact result is infinite without mpmath.
"""

# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# (neither mpmath nor NumPy's views have types)

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hlokit.tools.numerics.rules import exact
from hlokit.values.float_format import FloatFormat
from tools.accuracy import rounding
from tools.accuracy.formats import least_exponent

Array = Any

# The number of inputs of a chunk that mpmath computes to measure the error of f64.
_CHECKED = 4


@dataclass(slots=True)
class Chunk:
    """Errors of the results of some inputs.

    Attributes:
      count: the number of inputs.
      largest: the largest error in ULP; `worst` is the number of its input.
      misrounded: the number of finite results that are not the nearest value.
      special: the number of results of the wrong kind: NaN, infinity, or the sign of a zero; `first_special`
        describes one.
      decided: the number of results that mpmath decided.
      reference: the error of f64, in ULP of f64, where mpmath checked it.
    """

    count: int = 0
    largest: float = 0.0
    worst: int = 0
    misrounded: int = 0
    special: int = 0
    first_special: str = ""
    decided: int = 0
    reference: float = 0.0


@dataclass(frozen=True, slots=True)
class Screen:
    """Compares results with references.

    Attributes:
      layout: the format of the results' type.
      quick: the reference function of f64 arrays.
      exact: the reference function in mpmath; None if rounding the f64 result once more is exact.
      name: the name in messages.
      cost: mpmath's time, roughly, as a multiple of its time for an exponential.
      trusted: the tolerated error of f64, in its own ULP.
    """

    layout: FloatFormat
    quick: Callable[..., Array]
    exact: Callable[..., Any] | None
    name: str
    cost: int = 1
    trusted: int = 16

    def compare(self, found: Chunk, first: int, operands: tuple[Array, ...], results: Array) -> None:
        """Add the errors of a range of inputs to the findings, screened in f64.

        Args:
          first: the number of the first input.
        """
        wanted = np.broadcast_to(self.quick(*operands), results.shape)
        rounded, ulp = rounding.nearest(np.ascontiguousarray(wanted), self.layout)
        differs = rounded.view(np.uint64) != results.view(np.uint64)
        if differs.any():
            differs &= ~(np.isnan(rounded) & np.isnan(results))
        errors = results - wanted
        np.abs(errors, out=errors)
        errors /= ulp
        doubtful = differs
        if self.exact is not None:
            doubtful = errors > 0.5 - self._margin
            if doubtful.any():
                doubtful &= np.abs(wanted) < rounding.overflow(self.layout) * (1 + 2.0**-40)
            doubtful |= differs
        for index in np.flatnonzero(doubtful).tolist():
            inputs = tuple(float(operand[index]) for operand in operands)
            errors[index] = self._decide(
                found, inputs, float(results[index]), float(rounded[index]), float(errors[index])
            )
        errors[~np.isfinite(errors)] = 0  # correctly infinite results; all others have been decided
        worst = int(np.argmax(errors))
        if errors[worst] > found.largest:
            found.largest, found.worst = float(errors[worst]), first + worst

    @property
    def _margin(self) -> float:
        """The tolerated error of f64, in ULP of the type."""
        return self.trusted * 2.0 ** (self.layout.mantissa_bits - 52)

    def _decide(
        self, found: Chunk, inputs: tuple[float, ...], result: float, wanted: float, error: float
    ) -> float:
        """The error of one result, which is counted if it is wrong."""
        if self.exact is not None and all(map(math.isfinite, inputs)):
            found.decided += 1
            value = exact.evaluate(self.exact, inputs)
            if value is not None and value.imag == 0 and value.real != 0:
                wanted = rounding.nearest_number(value.real, self.layout)
                error = rounding.error(value.real, result, self.layout)
        if math.isnan(wanted) and math.isnan(result):
            return 0.0
        if wanted == result and math.copysign(1, wanted) == math.copysign(1, result):
            return error if math.isfinite(result) else 0.0
        if math.isfinite(wanted) and math.isfinite(result) and not wanted == result == 0:
            found.misrounded += 1
            return error
        found.special += 1
        described = ", ".join(map(repr, inputs))
        found.first_special = found.first_special or f"({described}): {result!r} instead of {wanted!r}"
        return 0.0

    def check(self, found: Chunk, operands: tuple[Array, ...], seed: int) -> None:
        """Measure the error of f64 at some inputs.

        Raises:
          ArithmeticError: the error of the function in f64 is too large.
        """
        if self.exact is None:
            return
        count = max(_CHECKED // self.cost, 1)
        indices = np.random.default_rng(seed).integers(0, operands[0].size, count)
        chosen = [operand[indices] for operand in operands]
        got = np.broadcast_to(self.quick(*chosen), indices.shape)
        # The unit is at least the type's subnormals': the error of f64 below them does not matter.
        least = 2.0 ** (least_exponent(self.layout) - 52)
        for *inputs, quick in zip(*(one.tolist() for one in chosen), got.tolist(), strict=True):
            if not all(map(math.isfinite, (*inputs, quick))):
                continue
            wanted = exact.evaluate(self.exact, inputs)
            if wanted is None or wanted.imag != 0 or not math.isfinite(float(wanted)):
                continue
            unit = max(math.ulp(float(wanted)), least)
            found.reference = max(found.reference, float(exact.mp().fabs(quick - wanted)) / unit)
        if found.reference > self.trusted:
            raise ArithmeticError(
                f"{self.name} in f64 must be within {self.trusted} ULP, got {found.reference:.3g} ULP"
            )
