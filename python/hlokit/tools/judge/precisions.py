"""Narrower arithmetic than the definition promises, recognised by the size of its errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.programs.program import Program
from hlokit.tools.backends.side import flat_values
from hlokit.tools.bounds.rules.bound_operations import Applied
from hlokit.tools.bounds.rules.terms import terms_of
from hlokit.tools.diff.flow.following import Follower, OutsideAppliedRegions
from hlokit.tools.diff.flow.trip_counts import TripCounts
from hlokit.tools.judge.products import Products
from hlokit.tools.judge.quantized import quantizations
from hlokit.values.bits import with_mantissa_bits
from hlokit.values.element_types import element_type_of
from hlokit.values.float_format import float_format
from hlokit.values.types import ValueType

Array = npt.NDArray[Any]
Narrow = Callable[[Array], Array]


def _through(dtype: Any) -> Narrow:
    return lambda array: array.astype(dtype).astype(array.dtype)


# Products of sums of two numbers in bf16 each, without the product of the smaller ones.
_OF_PARTS = "bf16x3"
_EVERYWHERE = "all values"
# Formats that accelerators use in place of f32 (and of f64), from wide to narrow.
FORMATS: MappingProxyType[str, Narrow] = MappingProxyType(
    {
        "f32": _through(np.float32),
        "tf32": partial(with_mantissa_bits, count=10),
        "f16": _through(np.float16),
        "bf16": _through(ml_dtypes.bfloat16),
    }
)
# Hardware may also cut operands off, whose errors add up.
_CUT: MappingProxyType[str, Narrow] = MappingProxyType(
    {
        "tf32": partial(with_mantissa_bits, count=10, is_cut=True),
        "bf16": partial(with_mantissa_bits, count=7, is_cut=True),
    }
)
# Formats that nobody takes for f32, but that kernels take.
_OF_BYTES: MappingProxyType[str, Narrow] = MappingProxyType(
    {"f8E4M3FN": _through(ml_dtypes.float8_e4m3fn), "f8E5M2": _through(ml_dtypes.float8_e5m2)}
)
# Operands that are integers with scales.
_OF_INTEGERS = "i8"
# From wide to narrow, with products of two parts in bf16.
_FROM_WIDE = ("f32", _OF_PARTS, "tf32", "f16", "bf16", *_OF_BYTES, _OF_INTEGERS)
# An error this many times as large as that of hlokit's own run is not one of the promised precision. Results
# of 16 bits and less are rounded right, but for few that another order of a sum moves to the next number.
_NOTABLE, _NOTABLE_IF_NARROW = 6.0, 1.0
# The roundings of formats in which sums may be accumulated.
_UNITS: MappingProxyType[str, float] = MappingProxyType({"bf16": 2.0**-8, "f16": 2.0**-11})
# How near, as a factor, the size of errors must be to that of a format, and how alike the errors must be: the
# least correlation. Errors of operands that are cut off are the opposite of those of rounded operands. Where
# all values are rounded, other formulas with errors of this size are alike, too; and few elements are alike
# by chance.
_NEAR = 4.0
_ALIKE, _ALIKE_EVERYWHERE = 0.3, 0.5
_CHANCE = 4.0


@dataclass(frozen=True, slots=True)
class Lower:
    """A lower precision.

    Attributes:
      format: the name of a format.
      where: which values are rounded.
      also: another cause of errors of this size, in words.
    """

    format: str
    where: str
    also: str = ""

    def is_within(self, formats: Sequence[str]) -> bool:
        """Whether one of some formats is as narrow."""
        rank = _FROM_WIDE.index(self.format)
        return any(_FROM_WIDE.index(name) >= rank for name in formats)

    def __str__(self) -> str:
        return f"{self.where} in {self.format}{self.also}"


class _NarrowSums(OutsideAppliedRegions):
    """A follower that gives sums the errors of random roundings of their partial sums."""

    def __init__(self, unit: float) -> None:
        super().__init__()
        self._unit = unit
        self._random = np.random.default_rng(0)

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        traits = traits_of(step.name)
        if not self.leave(step) or not (traits.contraction or traits.combines):
            return None
        terms = terms_of(Applied(operation_of(step), step.kernel.function, operands, results)) or 1
        size = self._unit * math.sqrt(terms) / 2
        return [self._moved(value, size) for value in results]

    def _moved(self, value: Value, size: float) -> Value:
        array: Array = np.asarray(value)
        if array.dtype.str[1:] not in ("f4", "f8"):
            return value
        with np.errstate(all="ignore"):
            moved = array * (1 + size * self._random.standard_normal(array.shape))
            return np.asarray(moved, array.dtype)[()]


class _Narrowed(OutsideAppliedRegions):
    """A follower that rounds operands of products, or all results, to a format."""

    def __init__(self, narrow: Narrow, *, is_everywhere: bool) -> None:
        super().__init__()
        self._narrow = narrow
        self._is_everywhere = is_everywhere

    def after(
        self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]
    ) -> Sequence[Value] | None:
        del plan
        if not self.leave(step) or step.kernel.regions:
            return None
        if self._is_everywhere:
            return [self._narrowed(value) for value in results]
        if not traits_of(step.name).contraction:
            return None
        outcome = step.kernel.function(*[self._narrowed(operand) for operand in operands])
        return [outcome] if len(results) == 1 else list(outcome)

    def _narrowed(self, value: Value) -> Value:
        array: Array = np.asarray(value)
        if array.dtype.str[1:] not in ("f4", "f8") or not array.ndim:
            return value
        with np.errstate(all="ignore"):
            return np.asarray(self._narrow(array), array.dtype)


class _OfParts(Products):
    """A follower that adds three products of parts in bf16 in place of a product."""

    def other(self, step: Step, operands: Sequence[Array], result: Array) -> Array | None:
        del result
        if len(operands) != 2 or any(array.dtype.str[1:] not in ("f4", "f8") for array in operands):
            return None
        high = [FORMATS["bf16"](array) for array in operands]
        low = [FORMATS["bf16"](array - part) for array, part in zip(operands, high, strict=True)]
        product = step.kernel.function
        small = np.asarray(product(low[0], high[1])) + np.asarray(product(high[0], low[1]))
        return np.asarray(product(*high)) + small


def lower_precision(
    program: Program,
    values: Sequence[Value],
    function: str,
    outputs: Sequence[ValueType],
    results: Sequence[Array],
    *,
    is_near_bound: bool,
) -> Lower | None:
    """The precision that explains the size of the errors of results; None if it is the promised one.

    Args:
      is_near_bound: whether many elements are near their bounds or beyond. Narrow results that are not may
        come from wider arithmetic than that of the definition.
    """
    own = _flat(program.runs.evaluate(values, function), outputs)
    truth = _flat(program.runs.evaluate(values, function, precision="high"), outputs)
    if not all(_is_plain(value) for value in (*truth, *results)):
        return None
    is_narrow = is_near_bound and all(value.dtype.itemsize <= 2 for value in truth)
    notable = _NOTABLE_IF_NARROW if is_narrow else _NOTABLE
    least = max(_NOTABLE * _distance(own, truth), notable * _unit(truth))
    error = _distance(results, truth)
    if error <= least:
        return None
    if (name := _format_of(results, own)) is not None:
        return Lower(name, "results")
    best = max(_ALIKE, _CHANCE / math.sqrt(sum(value.size for value in truth))), None
    also = ""
    for lower, follower in _hypotheses():
        narrowed = _flat(TripCounts(program, values, function).follow(follower), outputs)
        other = _distance(narrowed, truth)
        if not least < other < np.inf or not 1 / _NEAR <= error / other <= _NEAR:
            continue
        if lower.format == _OF_INTEGERS:
            also = f", or {lower}"
        likeness = _correlation(results, narrowed, truth)
        if likeness > best[0] and (likeness > _ALIKE_EVERYWHERE or lower.where != _EVERYWHERE):
            best = likeness, lower
    if best[1] is not None:
        return best[1]
    # Errors of sums depend on their order: only their size tells.
    for name, unit in _UNITS.items():
        follower = _NarrowSums(unit)
        narrowed = _flat(TripCounts(program, values, function).follow(follower), outputs)
        other = _distance(narrowed, truth)
        if least < other < np.inf and 1 / _NEAR <= error / other <= _NEAR:
            return Lower(name, "sums", also)
    return None


def _format_of(results: Sequence[Array], own: Sequence[Array]) -> str | None:
    """The narrow format that has all float results, but not the right ones; None if there is none."""
    for name in tuple(FORMATS)[::-1]:
        narrow = FORMATS[name]
        floats = [
            (result, right)
            for result, right in zip(results, own, strict=True)
            if result.dtype.str[1:] in ("f4", "f8")
        ]
        with np.errstate(all="ignore"):
            is_narrow = all(np.array_equal(narrow(result), result) for result, _ in floats)
            are_others = any(2 * np.count_nonzero(narrow(right) != right) > right.size for _, right in floats)
        if is_narrow and are_others:
            return name
    return None


def _hypotheses() -> Iterator[tuple[Lower, Follower]]:
    """Lower precisions, with the followers that compute so."""
    yield Lower(_OF_PARTS, "products of two parts"), _OfParts()
    for where, follower in quantizations():
        yield Lower(_OF_INTEGERS, where), follower
    for where, is_everywhere in (("operands of products", False), (_EVERYWHERE, True)):
        for formats in (FORMATS, _CUT, _OF_BYTES):
            for name, narrow in formats.items():
                yield Lower(name, where), _Narrowed(narrow, is_everywhere=is_everywhere)


def _correlation(one: Sequence[Array], other: Sequence[Array], truth: Sequence[Array]) -> float:
    """The magnitude of the correlation of the errors of two results, without the part that is a multiple of
    the truth: a wrong factor has that, too."""
    right = np.concatenate([_wide(value).reshape(-1) for value in truth])
    scale = np.vdot(right, right) or 1.0
    errors: list[Array] = []
    for values in (one, other):
        error = np.concatenate([_wide(value).reshape(-1) for value in values]) - right
        errors.append(error - np.vdot(right, error) / scale * right)
    norm = float(np.linalg.norm(errors[0])) * float(np.linalg.norm(errors[1]))
    return abs(np.vdot(errors[0], errors[1])) / norm if norm else 0.0


def distance_of_format(
    program: Program, values: Sequence[Value], function: str, outputs: Sequence[ValueType], name: str
) -> list[float]:
    """The largest change of each result if the operands of products are rounded to a format."""
    own = _flat(program.runs.evaluate(values, function), outputs)
    changes = [0.0] * len(own)
    for narrow in (FORMATS[name], _CUT.get(name, FORMATS[name])):
        follower = _Narrowed(narrow, is_everywhere=False)
        other = _flat(TripCounts(program, values, function).follow(follower), outputs)
        for index, (one, two) in enumerate(zip(own, other, strict=True)):
            with np.errstate(all="ignore"):
                apart = np.abs(_wide(one) - _wide(two))
            largest = float(np.where(np.isfinite(apart), apart, 0.0).max(initial=0.0))
            changes[index] = max(changes[index], largest)
    return changes


def _flat(values: Sequence[Value], outputs: Sequence[ValueType]) -> list[Array]:
    return [np.asarray(value) for value in flat_values(values, outputs)]


def _wide(value: Array) -> Array:
    """Floats as complex numbers of f64; zeros for integers."""
    return np.zeros(value.shape, complex) if value.dtype.kind in "biu" else value.astype(np.complex128)


def _is_plain(value: Array) -> bool:
    return bool(np.isfinite(_wide(value)).all())


def _distance(one: Sequence[Array], other: Sequence[Array]) -> float:
    """The largest relative distance of a result, of Euclidean norms."""
    largest = 0.0
    for first, second in zip(one, other, strict=True):
        norm = float(np.linalg.norm(_wide(second).reshape(-1)))
        apart = float(np.linalg.norm((_wide(first) - _wide(second)).reshape(-1)))
        largest = max(largest, apart / norm if norm else 0.0)
    return largest


def _unit(values: Sequence[Array]) -> float:
    """The relative error of one rounding to the narrowest type of the results."""
    types = [element_type_of(value.dtype).part for value in values if value.dtype.kind not in "biu"]
    return max((2.0 ** -(float_format(type_).mantissa_bits + 2) for type_ in types), default=0.0)
