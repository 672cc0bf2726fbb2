"""reduce: results that are known without reducing anything."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# (the bindings are partly untyped)

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from hlokit.mlir.bindings import ir
from hlokit.passes.folding.constants import Value, constant_type, make_splat, splat_of
from hlokit.passes.rewriting import Pattern, Rewriter
from hlokit.passes.simplification.effects import is_pure
from hlokit.passes.simplification.regions import body, is_inside, terminator
from hlokit.passes.simplification.support import build, i64s, ints, static_shape

# f(x, x) = x
_IDEMPOTENT = frozenset(f"stablehlo.{name}" for name in ("and", "maximum", "minimum", "or"))


def _reduce_nothing(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, init, dimensions = []) -> x"""
    inputs = _inputs(operation)
    types = [value.type for value in inputs]
    if ints(operation, "dimensions") or types != [result.type for result in operation.results]:
        return False
    rewriter.replace(operation, inputs)
    return True


def _body_ignores_arguments(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(x, init, f) -> what f returns, if that is a constant, or a value from outside"""
    if not _reduces_something(operation) or not is_pure(operation):
        return False
    block = body(operation)
    returned = list(terminator(block).operands)
    makers = [
        _known(value, is_inside(value, block), result)
        for value, result in zip(returned, operation.results, strict=True)
    ]
    if any(make is None for make in makers):
        return False
    rewriter.replace(operation, [make() for make in makers if make is not None])
    return True


def _known(value: Value, is_within: bool, result: Value) -> Callable[[], Value] | None:
    """Makes the result of a reduction whose body returns this value, if that is known."""
    if not is_within and value.type == result.type:
        return lambda: value
    element, type_ = splat_of(value), constant_type(result.type)
    return None if element is None or type_ is None else partial(make_splat, element, type_, result.type)


def _reduce_splat(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """reduce(splat, init, f) -> broadcast(f(splat, init)), if f(x, x) = x"""
    block = body(operation)
    if len(operation.results) != 1 or len(block.operations) != 2 or not _reduces_something(operation):
        return False
    applied = block.operations[0].operation
    if applied.name not in _IDEMPOTENT or set(applied.operands) != set(block.arguments):
        return False
    if list(terminator(block).operands) != list(applied.results):
        return False
    init, result = operation.operands[1], operation.results[0]
    element, type_ = splat_of(operation.operands[0]), constant_type(init.type)
    if element is None or type_ is None or type_.rank or constant_type(result.type) is None:
        return False
    value = build(applied.name, [init.type], [make_splat(element, type_, init.type), init]).results[0]
    if value.type != result.type:
        dimensions = {"broadcast_dimensions": i64s(())}
        value = build("stablehlo.broadcast_in_dim", [result.type], [value], dimensions).results[0]
    rewriter.replace(operation, [value])
    return True


def _inputs(operation: ir.Operation) -> list[Value]:
    return list(operation.operands)[: len(operation.results)]


def _reduces_something(operation: ir.Operation) -> bool:
    """Whether there are elements for each result: without any, it is the initial value."""
    sizes = static_shape(operation.operands[0])
    return sizes is not None and all(sizes[axis] > 0 for axis in ints(operation, "dimensions"))


PATTERNS: tuple[tuple[str, Pattern], ...] = (
    ("stablehlo.reduce", _reduce_nothing),
    ("stablehlo.reduce", _body_ignores_arguments),
    ("stablehlo.reduce", _reduce_splat),
)
