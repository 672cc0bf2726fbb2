"""compare and select."""

from __future__ import annotations

from math import prod

import numpy as np

from hlokit.errors import UnsupportedError
from hlokit.mlir.conversion.constants import Array, read_elements
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.framework.rewriting import Pattern, Rewriter
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    by_constant,
    by_operation,
    by_value,
    carry_attributes,
    constant_of,
    defining_op,
    has_one_use,
    is_constant,
    is_integer,
    is_quantized,
    splat,
    static_shape,
)

_SWAPPED = {"EQ": "EQ", "NE": "NE", "GE": "LE", "GT": "LT", "LE": "GE", "LT": "GT"}


def _direction(operation: ir.Operation) -> str:
    return str(operation.attributes["comparison_direction"]).split()[-1].rstrip(">")


def _is_of_integers(operation: ir.Operation) -> bool:
    """Whether a comparison states that its operands are integers."""
    if "compare_type" not in operation.attributes:
        return False
    kind = str(operation.attributes["compare_type"]).split()[-1].rstrip(">")
    return kind in ("SIGNED", "UNSIGNED") and not is_quantized(operation.operands[0])


def _compare_with_itself(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """compare(x, x) -> true or false, for integers"""
    lhs, rhs = operation.operands
    if lhs != rhs or not _is_of_integers(operation) or static_shape(operation.results[0]) is None:
        return False
    return by_constant(operation, rewriter, int(_direction(operation) in ("EQ", "GE", "LE")))


def _compare_constant_to_rhs(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """compare(constant, x) -> compare(x, constant) in the opposite direction, for integers"""
    lhs, rhs = operation.operands
    if not _is_of_integers(operation) or not is_constant(lhs) or is_constant(rhs):
        return False
    direction = f"#stablehlo<comparison_direction {_SWAPPED[_direction(operation)]}>"
    attributes = {
        **attributes_of(operation),
        "comparison_direction": ir.Attribute.parse(direction),
    }
    return by_operation(operation, rewriter, "stablehlo.compare", [rhs, lhs], attributes)


def _compare_boolean(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """compare(x, true or false) -> x or not(x), for booleans and EQ or NE"""
    lhs, rhs = operation.operands
    direction, number = _direction(operation), splat(rhs)
    if number is None or direction not in ("EQ", "NE") or lhs.type != operation.results[0].type:
        return False
    if (direction == "EQ") == bool(number):
        return by_value(operation, rewriter, lhs)
    return by_operation(operation, rewriter, "stablehlo.not", [lhs])


def _select_same(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """select(p, x, x) -> x"""
    _, on_true, on_false = operation.operands
    return on_true == on_false and by_value(operation, rewriter, on_true)


def _select_by_splat(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """select(true, x, y) -> x, select(false, x, y) -> y"""
    pred, on_true, on_false = operation.operands
    number = splat(pred)
    return number is not None and by_value(operation, rewriter, on_true if number else on_false)


def _select_booleans(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """select(p, true, false) -> p, select(p, false, true) -> not(p)"""
    pred, on_true, on_false = operation.operands
    if pred.type != operation.results[0].type or not is_integer(on_true):
        return False
    match splat(on_true), splat(on_false):
        case (True, False):
            return by_value(operation, rewriter, pred)
        case (False, True):
            return by_operation(operation, rewriter, "stablehlo.not", [pred])
        case _:
            return False


def _select_by_not(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """select(not(p), x, y) -> select(p, y, x)"""
    pred, on_true, on_false = operation.operands
    negation = defining_op(pred, "stablehlo.not")
    if negation is None:
        return False
    operands = [negation.operands[0], on_false, on_true]
    return by_operation(operation, rewriter, "stablehlo.select", operands)


def _select_by_broadcast_not(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """select(broadcast(not(p)), x, y) -> select(broadcast(p), y, x), if the broadcast has no other uses"""
    pred, on_true, on_false = operation.operands
    broadcast = defining_op(pred, "stablehlo.broadcast_in_dim")
    if broadcast is None or not has_one_use(pred):
        return False
    negation = defining_op(broadcast.operands[0], "stablehlo.not")
    if negation is None:
        return False
    dimensions = {"broadcast_dimensions": broadcast.attributes["broadcast_dimensions"]}
    new = build("stablehlo.broadcast_in_dim", [pred.type], [negation.operands[0]], dimensions)
    carry_attributes(broadcast, new)
    return by_operation(operation, rewriter, "stablehlo.select", [new.results[0], on_false, on_true])


def _select_constants(limit: int) -> Pattern:
    def pattern(operation: ir.Operation, rewriter: Rewriter) -> bool:
        """select(constant, constant, constant) -> constant, up to a limit of elements"""
        result = operation.results[0]
        sizes = static_shape(result)
        if sizes is None or not 0 < prod(sizes) <= limit or is_quantized(result):
            return False
        if not all(is_constant(operand) for operand in operation.operands):
            return False
        pred, on_true, on_false = map(_constant_array, operation.operands)
        if pred is None or on_true is None or on_false is None:
            return False
        rewriter.replace(operation, [constant_of(result.type, np.where(pred, on_true, on_false))])
        return True

    return pattern


def _constant_array(value: Value) -> Array | None:
    operation = defining_op(value, "stablehlo.constant")
    if operation is None:
        return None
    try:
        return read_elements(operation, "value")
    except UnsupportedError:
        return None


def patterns(fold_limit: int) -> list[Entry]:
    """The patterns of this family. `fold_limit`: the largest number of elements of a new constant."""
    compare, select = "stablehlo.compare", "stablehlo.select"
    return [
        (compare, _compare_with_itself, 1),
        (compare, _compare_constant_to_rhs, 1),
        (compare, _compare_boolean, 1),
        (select, _select_same, 1),
        (select, _select_by_splat, 1),
        (select, _select_booleans, 1),
        (select, _select_by_not, 1),
        (select, _select_by_broadcast_not, 1),
        (select, _select_constants(fold_limit), 1),
    ]
