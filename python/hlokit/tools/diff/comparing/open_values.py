"""Values that the specification leaves open: the elements, and the row of docs/divergences.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.registry import Value
from hlokit.mlir.provider.bindings import ir
from hlokit.values.element_types import Kind, element_type_of

Array = npt.NDArray[Any]
# Operation, operands, results, number of the result: the open elements, or None if there are none.
Rule = Callable[[ir.Operation, Sequence[Value], Sequence[Value], int], Array | None]


def _is_integer(value: Value) -> bool:
    return element_type_of(np.asarray(value).dtype).kind.is_integer


def _zero_divisor(
    _: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> Array | None:
    del results, index
    return np.asarray(operands[1] == 0) if _is_integer(operands[1]) else None


def _wide_shift(
    _: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> Array | None:
    del results, index
    amount = np.asarray(operands[1])
    width = element_type_of(amount.dtype).width
    wide = amount.astype(np.int64)
    return (wide < 0) | (wide >= width)


def _negative_exponent(
    _: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> Array | None:
    del results, index
    return np.asarray(operands[1]).astype(np.int64) < 0 if _is_integer(operands[1]) else None


def _unrepresentable(
    _: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> Array | None:
    source, target = (element_type_of(np.asarray(value).dtype) for value in (operands[0], results[index]))
    if source.kind is not Kind.FLOAT or not target.kind.is_integer:
        return None
    low = -(2.0 ** (target.width - 1)) if target.kind is Kind.SIGNED else 0.0
    high = 2.0 ** (target.width - (target.kind is Kind.SIGNED)) - 1
    values = np.trunc(np.asarray(operands[0]).astype(np.float64))
    return ~((values >= low) & (values <= high))


def _other_triangle(
    operation: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> Array | None:
    del operands
    result = np.asarray(results[index])
    lower = "lower" in operation.attributes and str(operation.attributes["lower"]) == "true"
    ones = np.ones(result.shape[-2:], np.bool_)
    triangle = np.triu(ones, 1) if lower else np.tril(ones, -1)
    return triangle | np.isnan(result)


def _all(_: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int) -> Array | None:
    del operands
    return np.ones(np.shape(results[index]), np.bool_)


def _unstable_ties(
    operation: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> Array | None:
    """For an unstable sort: values that are moved together with equal neighbouring keys."""
    del operands
    attributes = operation.attributes
    if index == 0 or ("is_stable" in attributes and str(attributes["is_stable"]) == "true"):
        return None
    axis = int(str(attributes["dimension"]).partition(" ")[0]) if "dimension" in attributes else -1
    keys = np.moveaxis(np.asarray(results[0]), axis, -1)
    same = keys[..., 1:] == keys[..., :-1]
    edge = np.zeros((*keys.shape[:-1], 1), np.bool_)
    tied = np.concatenate([edge, same], -1) | np.concatenate([same, edge], -1)
    return np.moveaxis(tied, -1, axis)


# Operation, the row's first column in docs/divergences.md, the rule.
RULES: tuple[tuple[str, str, Rule], ...] = (
    ("stablehlo.divide", "`x / 0`", _zero_divisor),
    ("stablehlo.remainder", "`x % 0`", _zero_divisor),
    ("stablehlo.shift_left", "shift by the width or more", _wide_shift),
    ("stablehlo.shift_right_arithmetic", "shift by the width or more", _wide_shift),
    ("stablehlo.shift_right_logical", "shift by the width or more", _wide_shift),
    ("stablehlo.power", "`power` with a negative exponent", _negative_exponent),
    ("stablehlo.convert", "float to integer", _unrepresentable),
    ("stablehlo.cholesky", "`cholesky`: the other triangle; no such factor", _other_triangle),
    ("stablehlo.rng", "`rng`", _all),
    ("stablehlo.sort", "`sort` with `is_stable = false`", _unstable_ties),
)
_BY_NAME: dict[str, list[tuple[str, Rule]]] = {}
for _name, _row, _rule in RULES:
    _BY_NAME.setdefault(_name, []).append((_row, _rule))


def open_elements(
    operation: ir.Operation, operands: Sequence[Value], results: Sequence[Value], index: int
) -> tuple[Array, str] | None:
    """Elements of a result that the specification leaves open, and the row that states it; None if there are
    none."""
    for row, rule in _BY_NAME.get(operation.name, ()):
        mask = rule(operation, operands, results, index)
        if mask is not None and mask.any():
            return mask, row
    return None
