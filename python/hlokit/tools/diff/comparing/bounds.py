"""The allowed difference of a result of the other side: the error of good libraries, and what is left open.

The allowed difference has the error that `tools.bounds.libraries` states, other right results if the
other side flushes subnormal operands, and the elements that the specification leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from hlokit.operations.cards import card_of
from hlokit.operations.lookup import traits_of, traits_without_broadcast, without_broadcast
from hlokit.tools.bounds.libraries import error_of_libraries, unrounded_operands
from hlokit.tools.bounds.rules.bound_operations import Applied
from hlokit.tools.diff.comparing.flushing import flushed, flushes_operands
from hlokit.tools.diff.comparing.verdicts import EXACT, Allowance
from hlokit.tools.diff.rules.open_values import Judged, Rule
from hlokit.tools.numerics.rules.widening import in_f64
from hlokit.values.element_types import ElementType
from hlokit.values.types import TensorType

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Evaluated(Applied):
    """An operation that hlokit evaluated, also on changed operands, and the other side's results.

    Attributes:
      theirs: the other side's results; None for unknown ones.
    """

    theirs: Sequence[Any] = ()


def allowance(evaluated: Evaluated, index: int, type_: TensorType, *, in_context: bool = False) -> Allowance:
    """The allowed difference of result `index` of an operation.

    Args:
      in_context: whether the other side compiled the operation together with those that compute its operands.
    """
    with np.errstate(all="ignore"):
        bound = _bound(evaluated, index, type_.element_type)
        if in_context and not traits_of(evaluated.name).ulps:
            moved = unrounded_operands(evaluated, index)
            what = f"{bound.what}, plus the effect of 1 ULP of an operand"
            bound = replace(bound, error=bound.error + moved, what=what)
        bound = replace(bound, alternatives=tuple(_alternatives(evaluated, index, type_.element_type, bound)))
    wrong = _wrong_elements(evaluated, index)
    if wrong is not None:
        bound = replace(bound, error=np.where(wrong, 0.0, bound.error), what=f"{bound.what}; {_EQUATIONS}")
    left_open = _open_elements(evaluated, index)
    if left_open is None:
        return bound
    mask, row = left_open
    return replace(bound, open=np.broadcast_to(mask, np.shape(evaluated.results[index])), row=row)


def _bound(evaluated: Evaluated, index: int, element_type: ElementType) -> Allowance:
    error = error_of_libraries(evaluated, index, element_type)
    return EXACT if error is None else Allowance(error.size, error.what, decides_finite=error.decides_finite)


_EQUATIONS = "its equations do not hold"


def _wrong_elements(evaluated: Evaluated, index: int) -> Array | None:
    """Elements of a result that do not satisfy the equations that define them; None if there are none."""
    card = card_of(evaluated.name)
    judged = Judged(evaluated.operation, evaluated.operands, evaluated.results, evaluated.theirs, index)
    for left_open in () if card is None else card.open:
        wrong = None if left_open.wrong is None else left_open.wrong(judged)
        if wrong is not None and wrong.any():
            return wrong
    return None


def _open_elements(evaluated: Evaluated, index: int) -> tuple[Array, str] | None:
    """Elements of a result that are left open, and the row that states it; None if there are none."""
    plain = without_broadcast(evaluated.name)
    values = (*evaluated.operands, *evaluated.results)
    if plain != evaluated.name and len(set(map(np.shape, values))) > 1:
        return None  # the rules are those of operands of one shape
    card, traits = card_of(plain), traits_of(plain)
    for left_open in () if card is None else card.open:
        mask = _open_by(left_open.rule, evaluated, index)
        if mask is not None and mask.any():
            return mask, left_open.row
    is_function = traits.ulps or traits.projection or (traits.rounded and len(evaluated.operands) == 1)
    mask = _special_complex(evaluated, index) if is_function else None
    return None if mask is None or not mask.any() else (mask, _SPECIAL_COMPLEX)


def _open_by(rule: Rule, evaluated: Evaluated, index: int) -> Array | None:
    """The elements that a rule leaves open, also if the other side takes subnormal operands of a function as
    zero."""
    judged = Judged(evaluated.operation, evaluated.operands, evaluated.results, evaluated.theirs, index)
    mask = rule(judged)
    if mask is None or not traits_without_broadcast(evaluated.name).ulps or not flushes_operands():
        return mask
    zeros = [flushed(operand) for operand in evaluated.operands]
    operands = [old if zero is None else zero for old, zero in zip(evaluated.operands, zeros, strict=True)]
    more = rule(replace(judged, operands=operands))
    return mask if more is None else mask | more


_SPECIAL_COMPLEX = "complex functions on branch cuts, at zeros and infinities"


def _special_complex(evaluated: Evaluated, index: int) -> Array | None:
    """Where the specification does not say what a function of complex numbers is.

    These are operands that are not finite, the logarithm of zero, and branch cuts, whose side signs of zeros
    choose in C99, Annex G; and which infinity a result is: a number with an infinite part is one there,
    whatever its other part.
    """
    operands = [np.asarray(value) for value in evaluated.operands]
    result = np.asarray(evaluated.results[index])
    if any(value.dtype.kind != "c" or value.shape != result.shape for value in operands):
        return None
    mask = np.logical_or.reduce([~np.isfinite(value) for value in operands])
    if len(operands) > 1:
        mask = mask | (operands[0] == 0)
    theirs = np.asarray(evaluated.theirs[index]) if index < len(evaluated.theirs) else result
    if theirs.shape == result.shape:
        mask = mask | (np.isinf(result) & np.isinf(theirs))
    with np.errstate(all="ignore"):
        for part in ("real", "imag"):
            flipped = [_with_other_zeros(value, part) for value in operands]
            mask = mask | (np.asarray(evaluated.kernel(*flipped)) != result)
    return mask


def _with_other_zeros(values: Array, part: Literal["real", "imag"]) -> Array:
    """Complex numbers with the opposite sign of the zeros among their real or imaginary parts."""
    changed = values.copy()
    numbers = getattr(changed, part)
    numbers[numbers == 0] *= -1
    return changed


def _alternatives(
    evaluated: Evaluated, index: int, element_type: ElementType, bound: Allowance
) -> Iterator[tuple[Array, Array | float]]:
    """Results, with allowed differences, for subnormal operands that the other side takes as zero."""
    if not flushes_operands() or traits_of(evaluated.name).moves is not None:
        return
    zeros = [flushed(operand) for operand in evaluated.operands]
    if all(zero is None for zero in zeros):
        return
    operands = [old if zero is None else zero for old, zero in zip(evaluated.operands, zeros, strict=True)]
    with np.errstate(all="ignore"):
        outcome = evaluated.kernel(*operands)
    results = (outcome,) if len(evaluated.results) == 1 else outcome
    other = Evaluated(evaluated.operation, evaluated.kernel, operands, results, evaluated.theirs)
    error = _bound(other, index, element_type).error
    yield in_f64(results[index]), np.maximum(error, bound.error) if np.ndim(bound.error) else error
