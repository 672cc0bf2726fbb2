"""Reductions whose results depend on the order in which elements are combined, or on how often initial
values are: implementations choose both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.interpreter.planner import Planner
from hlokit.errors import HlokitError
from hlokit.mlir.provider.bindings import ir
from hlokit.tools.diff.rules.open_values import Array, Judged, Open
from hlokit.values.element_types import element_type_of
from hlokit.values.float_format import float_format

# The number of triples of elements on which the laws of monoids are tried.
_TRIPLES = 24
# Units in the last place, of the largest element, by which sums in another order may differ.
_UNITS = 64.0

Elements = tuple[Any, ...]


def _order_matters(judged: Judged) -> Array | None:
    """All elements, if region and initial values are no commutative monoid on elements of the operands."""
    region = judged.operation.regions[0]
    count = len(region.blocks[0].arguments) // 2
    operands = [np.asarray(operand) for operand in judged.operands]
    values = [operand.reshape(-1) for operand in operands[:count]]
    if not values[0].size:
        return None
    starts = tuple([operand.reshape(-1)[0] for operand in operands[count : 2 * count]])
    captured = judged.operands[len(judged.operation.operands) :]
    picked = np.random.default_rng(0).integers(0, values[0].size, (_TRIPLES, 3))
    triples = [[tuple([value[n] for value in values]) for n in numbers] for numbers in picked.tolist()]
    try:
        with run_context.use(run_context.RunContext()), np.errstate(all="ignore"):
            combine = _combining(judged.operation, region, captured)
            is_monoid = all(_holds(combine, triple, starts) for triple in triples)
    except HlokitError:
        return None
    return None if is_monoid else np.ones(judged.result.shape, np.bool_)


def _combining(
    operation: ir.Operation, region: ir.Region, captured: Sequence[Any]
) -> Callable[[Elements, Elements], Elements]:
    module: Any = operation
    while module.parent is not None:
        module = module.parent.operation
    block, _ = Planner(module.opview).region(region)

    def combine(one: Elements, other: Elements) -> Elements:
        outcome = block(*one, *other, *captured)
        return cast("Elements", outcome) if isinstance(outcome, tuple) else (outcome,)

    return combine


def _holds(
    combine: Callable[[Elements, Elements], Elements], triple: Sequence[Elements], start: Elements
) -> bool:
    """Whether the laws of a commutative monoid hold for three elements and the initial values."""
    a, b, c = triple
    largest = [max(_magnitude(value) for value in values) for values in zip(a, b, c, strict=True)]
    sides = (
        (combine(a, b), combine(b, a)),
        (combine(start, a), a),
        (combine(a, start), a),
        (combine(combine(a, b), c), combine(a, combine(b, c))),
    )
    return all(
        _are_near(one, other, scale)
        for pair in sides
        for one, other, scale in zip(*pair, largest, strict=True)
    )


def _magnitude(value: Any) -> float:
    magnitude = abs(complex(value)) if np.iscomplexobj(value) else abs(float(value))
    return magnitude if np.isfinite(magnitude) else 0.0


def _are_near(one: Any, other: Any, scale: float) -> bool:
    if np.asarray(one).tobytes() == np.asarray(other).tobytes() or one == other:
        return True
    element_type = element_type_of(np.asarray(one).dtype)
    if not element_type.kind.is_inexact:
        return False
    if np.isnan(one) or np.isnan(other):
        return bool(np.isnan(one) and np.isnan(other))
    largest = max(scale, _magnitude(one), _magnitude(other))
    unit = 2.0 ** -float_format(element_type.part).mantissa_bits
    return abs(complex(one) - complex(other)) <= _UNITS * unit * largest


NOT_A_MONOID = Open("`reduce` by a body that is not associative, or does not commute", _order_matters)
NOT_A_MONOID_OF_WINDOWS = Open(
    "`reduce_window` by a body and initial values that are no commutative monoid", _order_matters
)
