"""Explanations of a difference: what the other side may have done instead.

Each explanation is a hypothesis that is evaluated: the other side's result must have the bits of the
hypothesis, or, where sums have an order, be within what is allowed of its result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.operations.lookup import traits_of
from hlokit.tools.bounds.rules.terms import terms_of
from hlokit.tools.diff.comparing.bounds import Array, Evaluated, allowance
from hlokit.tools.diff.comparing.flushing import flushed
from hlokit.tools.diff.comparing.multiply_adds import Factors, fused
from hlokit.tools.diff.comparing.sums import sum_in_words
from hlokit.tools.diff.comparing.verdicts import Allowance, Comparison, compare
from hlokit.tools.numerics.deviations import unit_in_last_place
from hlokit.values.bits import with_mantissa_bits
from hlokit.values.element_types import Kind, element_type_of
from hlokit.values.types import TensorType

# Results of more elements are not explained, since each hypothesis evaluates the operation again.
_MOST_ELEMENTS = 1 << 22
FUSED = "sums are rounded together with their products (fused multiply-add): fits bit for bit"
# Allowed differences of operations of one name that are explained, and the terms of all their sums.
_MOST_WITHIN = 2
_MOST_TERMS_WITHIN = 1 << 14
# Narrower types in which a sum may be accumulated.
_ACCUMULATORS: dict[str, Any] = {"bf16": ml_dtypes.bfloat16, "f16": np.float16, "f32": np.float32}


class Explainer:
    """Explains differences: all that are not allowed, and the first of those that are."""

    def __init__(self) -> None:
        self._terms_left = _MOST_TERMS_WITHIN
        self._explained: Counter[str] = Counter()

    def explained(
        self,
        comparison: Comparison,
        evaluated: Evaluated,
        index: int,
        type_: TensorType,
        factors: Callable[[], Factors] = dict,
    ) -> Comparison:
        """A comparison with its explanation.

        Args:
          index: the number of the result, which has the type.
          factors: returns the factors of operands that are products, by the operand's number.
        """
        if any(isinstance(operand, tuple) for operand in evaluated.operands):
            return comparison  # of operations on tuples, none rounds or computes
        other = np.asarray(evaluated.theirs[index])
        if other.size > _MOST_ELEMENTS or other.dtype != np.asarray(evaluated.results[index]).dtype:
            return comparison
        if comparison.verdict in ("beyond", "not-finite"):
            words = _explanation(evaluated, index, type_, other, factors)
        elif comparison.verdict == "within" and self._is_worth_it(evaluated):
            words = _rounding(evaluated, index, other, factors)
        else:
            return comparison
        return replace(comparison, explanation=words) if words else comparison

    def _is_worth_it(self, evaluated: Evaluated) -> bool:
        """Whether to explain an allowed difference, which takes as much time as a sum has terms."""
        traits = traits_of(evaluated.name)
        if not (traits.rounded or traits.contraction or traits.combines):
            return False
        name = evaluated.name
        self._explained[name] += 1
        self._terms_left -= terms_of(evaluated) or 1
        return self._explained[name] <= _MOST_WITHIN and self._terms_left >= 0


def _explanation(
    evaluated: Evaluated, index: int, type_: TensorType, other: Array, factors: Callable[[], Factors]
) -> str:
    """What the other side did instead, in words; "" if no hypothesis fits."""
    with np.errstate(all="ignore"):
        for words, result in _other_results(evaluated, index):
            if has_bits(result, other):
                return f"{words}: fits bit for bit"
        if words := _rounding(evaluated, index, other, factors):
            return words
        for words, operands in _other_operands(evaluated):
            if (how := _fit(evaluated, operands, index, type_, other)) is not None:
                return f"{words}: fits {how}"
        return _narrow_sum(evaluated, index, other)


def _rounding(evaluated: Evaluated, index: int, other: Array, factors: Callable[[], Factors]) -> str:
    """Which roundings the other side made in sums and products, in words; "" if no hypothesis fits."""
    traits = traits_of(evaluated.name)
    with np.errstate(all="ignore"):
        if traits.contraction or traits.combines:
            return sum_in_words(evaluated, index, other, factors())
        if other.dtype.kind in "fV" and evaluated.name in ("stablehlo.add", "stablehlo.subtract"):
            operands = np.asarray(evaluated.operands[0]), np.asarray(evaluated.operands[1])
            for result in fused(evaluated.name, operands, factors()):
                if has_bits(result, other):
                    return FUSED
    return ""


def _other_operands(evaluated: Evaluated) -> Iterator[tuple[str, Sequence[Value]]]:
    """Operands that the other side may have used, with the hypothesis in words."""
    for words, change in (
        ("operands are rounded to bf16", _to_bf16),
        ("operands are rounded to TF32", _to_tf32),
        ("operands are cut off to TF32", _cut_to_tf32),
        ("operands are rounded to f16", _to_f16),
        ("operands are rounded to f32", _to_f32),
        ("subnormal operands are flushed to zero", flushed),
    ):
        changed = [change(operand) for operand in evaluated.operands]
        if any(value is not None for value in changed):
            yield (
                words,
                [old if new is None else new for old, new in zip(evaluated.operands, changed, strict=True)],
            )


def _in_type(value: Value, narrow: Any, wide: Sequence[Any]) -> Array | None:
    array = np.asarray(value)
    if array.dtype not in [np.dtype(dtype) for dtype in wide]:
        return None
    return array.astype(narrow).astype(array.dtype)


def _to_bf16(value: Value) -> Array | None:
    return _in_type(value, ml_dtypes.bfloat16, (np.float32, np.float64))


def _to_f16(value: Value) -> Array | None:
    return _in_type(value, np.float16, (np.float32, np.float64))


def _to_f32(value: Value) -> Array | None:
    return _in_type(value, np.float32, (np.float64,))


def _to_tf32(value: Value) -> Array | None:
    return _with_ten_bits(value, is_cut=False)


def _cut_to_tf32(value: Value) -> Array | None:
    return _with_ten_bits(value, is_cut=True)


def _with_ten_bits(value: Value, *, is_cut: bool) -> Array | None:
    array = np.asarray(value)
    if array.dtype != np.float32 or not np.isfinite(array).all():
        return None
    return with_mantissa_bits(array, 10, is_cut=is_cut)


def _fit(
    evaluated: Evaluated, operands: Sequence[Value], index: int, type_: TensorType, other: Array
) -> str | None:
    """How results on other operands fit; None if they do not."""
    outcome = evaluated.kernel(*operands)
    results = (outcome,) if len(evaluated.results) == 1 else outcome
    if has_bits(np.asarray(results[index]), other):
        return "bit for bit"
    traits = traits_of(evaluated.name)
    if not (traits.contraction or traits.combines):
        return None
    changed = Evaluated(evaluated.operation, evaluated.kernel, operands, results)
    comparison = compare(results[index], other, type_.element_type, lambda: allowance(changed, index, type_))
    return "within the error of sums" if comparison.verdict == "within" else None


def _other_results(evaluated: Evaluated, index: int) -> Iterator[tuple[str, Array]]:
    """Results that follow from other roundings of the result, or of the only operand."""
    result = np.asarray(evaluated.results[index])
    zeros = flushed(result)
    if zeros is not None:
        yield "subnormal results are flushed to zero", np.asarray(zeros)
    for name, dtype in _ACCUMULATORS.items():
        narrow = _in_type(result, dtype, (np.float32, np.float64)) if result.dtype != dtype else None
        if narrow is not None and (np.isfinite(narrow) & (narrow != 0)).any():
            yield f"results are rounded to {name}", narrow
    source = np.asarray(evaluated.operands[0]) if len(evaluated.operands) == 1 else result
    if source.dtype.kind != "f" or source.shape != result.shape:
        return
    if result.dtype.kind in "iu" or traits_of(evaluated.name).exact:
        for words, rounded in (
            ("rounded to the nearest integer, halves to even", np.rint(source)),
            ("rounded to the nearest integer, halves away from zero", _away_from_zero(source)),
            ("rounded down", np.floor(source)),
            ("rounded up", np.ceil(source)),
            ("rounded toward zero", np.trunc(source)),
        ):
            yield words, rounded.astype(result.dtype)


def _away_from_zero(values: Array) -> Array:
    return np.copysign(np.floor(np.abs(values) + 0.5), values)


def _narrow_sum(evaluated: Evaluated, index: int, other: Array) -> str:
    """Whether a sum has only numbers of a narrower type, and the errors of sums in that type."""
    traits = traits_of(evaluated.name)
    if not (traits.contraction or traits.combines) or other.dtype.kind != "f":
        return ""
    mine = np.asarray(evaluated.results[index]).astype(np.float64)
    for name, dtype in _ACCUMULATORS.items():
        narrow = element_type_of(np.dtype(dtype))
        if np.dtype(dtype).itemsize >= other.dtype.itemsize or narrow.kind is not Kind.FLOAT:
            continue
        if not has_bits(other.astype(dtype).astype(other.dtype), other) or not np.isfinite(other).all():
            continue
        largest = float(np.abs(mine).max(initial=0.0))
        terms = max(np.size(operand) for operand in evaluated.operands)
        unit = float(unit_in_last_place(np.asarray(largest), narrow))
        allowed = Allowance(unit * 4 * float(np.sqrt(terms)), "")
        f64 = element_type_of(mine.dtype)
        comparison = compare(mine, other.astype(np.float64), f64, lambda bound=allowed: bound)
        if comparison.verdict in ("exact", "within"):
            return f"accumulated in {name}: fits within the error of such sums"
    return ""


def has_bits(one: Array, other: Array) -> bool:
    """Whether arrays have the same bits; all NaNs and zeros count as the same."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype.kind in "biu":
        return bool(np.array_equal(one, other))
    return bool(((one == other) | (np.isnan(one) & np.isnan(other))).all())
