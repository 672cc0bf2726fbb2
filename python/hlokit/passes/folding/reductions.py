"""reduce: results that are known without a reduction."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from hlokit.mlir.provider.bindings import ir
from hlokit.operations.lookup import traits_of
from hlokit.passes.folding.constants import Array, Value, constant_type, make_splat, splat_of
from hlokit.passes.framework.rewriting import Pattern, Rewriter
from hlokit.passes.simplification.effects import is_pure
from hlokit.passes.simplification.regions import body, is_inside, terminator
from hlokit.passes.simplification.support import build, i64s, ints, static_shape
from hlokit.values.element_types import ElementType, Kind


def _reduce_nothing(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, init, f, dimensions = []) -> x, if f(init, x) = x"""
    if ints(operation, "dimensions") or len(operation.results) != 1:
        return False
    operand, init = operation.operands
    element, type_ = splat_of(init), constant_type(init.type)
    applied = _applied(operation)
    if operand.type != operation.results[0].type or element is None or type_ is None or applied is None:
        return False
    if not _is_neutral(applied, element, type_.element_type):
        return False
    rewriter.replace(operation, [operand])
    return True


def _applied(operation: ir.Operation) -> str | None:
    """The name of the body's only operation, if the operands of this operation are the body's two arguments;
    otherwise None."""
    block = body(operation)
    if len(operation.results) != 1 or len(block.operations) != 2:
        return None
    applied = block.operations[0].operation
    if list(terminator(block).operands) != list(applied.results):
        return None
    return applied.name if sorted(map(_argument, applied.operands)) == [0, 1] else None


def _argument(value: Value) -> int:
    return value.arg_number if isinstance(value, ir.BlockArgument) else -1


def _is_neutral(name: str, element: Array, type_: ElementType) -> bool:
    """Whether this element is neutral for an operation."""
    match name, type_.kind:
        case ("stablehlo.add", Kind.SIGNED | Kind.UNSIGNED | Kind.FLOAT | Kind.COMPLEX):
            return bool(element == 0)
        case ("stablehlo.multiply", Kind.SIGNED | Kind.UNSIGNED | Kind.FLOAT | Kind.COMPLEX):
            return bool(element == 1)
        case ("stablehlo.maximum" | "stablehlo.minimum", Kind.FLOAT):
            return bool(np.isinf(element)) and bool(np.signbit(element)) == name.endswith("maximum")
        case ("stablehlo.and", Kind.BOOL) | ("stablehlo.minimum", Kind.BOOL):
            return bool(element)
        case ("stablehlo.or", _) | ("stablehlo.maximum", Kind.BOOL | Kind.UNSIGNED):
            return bool(element == 0)
        case ("stablehlo.maximum", Kind.SIGNED):
            return int(element) == -(1 << (type_.width - 1))
        case ("stablehlo.minimum", Kind.SIGNED):
            return int(element) == (1 << (type_.width - 1)) - 1
        case ("stablehlo.minimum", Kind.UNSIGNED):
            return int(element) == (1 << type_.width) - 1
        case ("stablehlo.and", Kind.SIGNED | Kind.UNSIGNED):
            return int(element) in (-1, (1 << type_.width) - 1)
        case _:
            return False


def _body_ignores_arguments(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, init, f) -> the value that f returns, if it is a constant or a value from outside"""
    if not _reduces_something(operation) or not is_pure(operation):
        return False
    block = body(operation)
    returned = list(terminator(block).operands)
    makers = [
        _result_maker(value, is_inside(value, block), result)
        for value, result in zip(returned, operation.results, strict=True)
    ]
    if any(make is None for make in makers):
        return False
    rewriter.replace(operation, [make() for make in makers if make is not None])
    return True


def _result_maker(value: Value, is_within: bool, result: Value) -> Callable[[], Value] | None:
    """A function that builds the result of a reduction whose body returns this value; None if the value is
    unknown."""
    if not is_within and value.type == result.type:
        return lambda: value
    element, type_ = splat_of(value), constant_type(result.type)
    return None if element is None or type_ is None else partial(make_splat, element, type_, result.type)


def _reduce_splat(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(splat, init, f) -> broadcast(f(splat, init)), if f(x, x) = x"""
    applied = _applied(operation)
    if applied is None or not traits_of(applied).idempotent or not _reduces_something(operation):
        return False
    init, result = operation.operands[1], operation.results[0]
    element, type_ = splat_of(operation.operands[0]), constant_type(init.type)
    if element is None or type_ is None or type_.rank or constant_type(result.type) is None:
        return False
    value = build(applied, [init.type], [make_splat(element, type_, init.type), init]).results[0]
    if value.type != result.type:
        dimensions = {"broadcast_dimensions": i64s(())}
        value = build("stablehlo.broadcast_in_dim", [result.type], [value], dimensions).results[0]
    rewriter.replace(operation, [value])
    return True


def _reduces_something(operation: ir.Operation) -> bool:
    """Whether each result has elements to reduce; otherwise the result is the initial value."""
    sizes = static_shape(operation.operands[0])
    return sizes is not None and all(sizes[axis] > 0 for axis in ints(operation, "dimensions"))


PATTERNS: tuple[tuple[str, Pattern], ...] = (
    ("stablehlo.reduce", _reduce_nothing),
    ("stablehlo.reduce", _body_ignores_arguments),
    ("stablehlo.reduce", _reduce_splat),
)
