"""while, if and case: known branches, and unnecessary loop-carried values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import attributes_of
from hlokit.passes.framework.rewriting import Rewriter
from hlokit.passes.simplification.effects import is_pure
from hlokit.passes.simplification.regions import (
    arguments_behind,
    body,
    move_with_arguments,
    operands_within,
    terminator,
)
from hlokit.passes.simplification.support import (
    Entry,
    Value,
    build,
    has_attributes_of_results,
    is_used,
    splat,
)


def _if_known(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """if(true, f, g) -> f(), if(false, f, g) -> g()"""
    pred = splat(operation.operands[0])
    return pred is not None and _inline(operation, rewriter, 0 if pred else 1)


def _case_known(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """case(constant, branches) -> the branch; the last branch for an index out of bounds"""
    last = len(operation.regions) - 1
    index = splat(operation.operands[0]) if last else 0
    if index is None:
        return False
    return _inline(operation, rewriter, int(index) if 0 <= index <= last else last)


def _inline(operation: ir.Operation, rewriter: Rewriter, index: int) -> bool:
    block = body(operation, index)
    values = list(terminator(block).operands)
    if [value.type for value in values] != [result.type for result in operation.results]:
        return False
    for view in list(block.operations)[:-1]:
        view.operation.move_before(operation)
    rewriter.replace(operation, values)
    return True


def _while_never(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """while(x, false, f) -> x"""
    condition = body(operation, 0)
    operands = list(operation.operands)
    if splat(terminator(condition).operands[0]) not in (0,):
        return False
    if [value.type for value in operands] != [result.type for result in operation.results]:
        return False
    if not all(is_pure(view.operation) for view in condition.operations):
        return False
    # If the results have no uses, side effects in the body keep the loop, in the form that folding produces.
    if not any(map(is_used, operation.results)) and not is_pure(operation):
        return False
    rewriter.replace(operation, operands)
    return True


def _while_invariant(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """while(x, y, f) -> while(x, f), if f returns y unchanged: the regions then use y from outside"""
    if has_attributes_of_results(operation):
        return False
    arguments = list(body(operation, 1).arguments)
    values = zip(operation.operands, arguments, terminator(body(operation, 1)).operands, strict=True)
    same = {
        i: initial
        for i, (initial, argument, returned) in enumerate(values)
        if returned in (argument, initial) and initial.type == argument.type
    }
    return bool(same) and _drop_carried(operation, rewriter, same, same)


def _while_duplicate(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """while(x, x, f) -> while(x, f), if f returns the same value for both"""
    returned = list(terminator(body(operation, 1)).operands)
    arguments = body(operation, 1).arguments
    first: dict[tuple[Value, Value], int] = {}
    twins = {
        i: first[key]
        for i, key in enumerate(zip(operation.operands, returned, strict=True))
        if first.setdefault(key, i) != i and arguments[i].type == arguments[first[key]].type
    }
    if not twins or has_attributes_of_results(operation):
        return False
    for region in (0, 1):
        arguments = list(body(operation, region).arguments)
        for i, twin in twins.items():
            arguments[i].replace_all_uses_with(arguments[twin])
    for i, twin in twins.items():
        operation.results[i].replace_all_uses_with(operation.results[twin])
    return _drop_carried(operation, rewriter, {i: operation.operands[i] for i in twins}, {})


def _while_unused(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """while(x, y, f) -> while(x, f), if only the next y depends on y, and the result is unused"""
    if has_attributes_of_results(operation):
        return False
    condition, block = body(operation, 0), body(operation, 1)
    returned = list(terminator(block).operands)
    effects = [
        operand
        for view in list(block.operations)[:-1]
        if not is_pure(view.operation)
        for operand in operands_within(view.operation)
    ]
    used_by_condition = {i for i, argument in enumerate(condition.arguments) if is_used(argument)}
    needed = {i for i, result in enumerate(operation.results) if is_used(result)} | used_by_condition
    needed |= arguments_behind(effects, block)
    while more := arguments_behind([returned[i] for i in needed], block) - needed:
        needed |= more
    unused = {
        i: initial
        for i, (initial, argument) in enumerate(zip(operation.operands, block.arguments, strict=True))
        if i not in needed and initial.type == argument.type
    }
    # The operations that computed the next unused value now use the initial value, and their results are
    # unused.
    return bool(unused) and _drop_carried(operation, rewriter, unused, unused)


def _drop_carried(
    operation: ir.Operation,
    rewriter: Rewriter,
    dropped: Mapping[int, Value],
    substitutes: Mapping[int, Value],
) -> bool:
    """Drop carried values. Substitutes replace their block arguments, and the given values their results."""
    keep = [i for i in range(len(operation.operands)) if i not in dropped]
    types = [operation.results[i].type for i in keep]
    operands = [operation.operands[i] for i in keep]
    new = build(operation.name, types, operands, attributes_of(operation), regions=2)
    for index in (0, 1):
        block = body(operation, index)
        arguments = list(block.arguments)
        for i, substitute in substitutes.items():
            arguments[i].replace_all_uses_with(substitute)
        if index == 1:
            _return_some(block, keep, rewriter)
        move_with_arguments(block, new.regions[index], keep)
    values: dict[int, Value] = {**dropped, **dict(zip(keep, new.results, strict=True))}
    rewriter.replace(operation, [values[i] for i in range(len(values))])
    return True


def _return_some(block: ir.Block, keep: Sequence[int], rewriter: Rewriter) -> None:
    old = terminator(block)
    with ir.InsertionPoint(old):
        build("stablehlo.return", [], [old.operands[i] for i in keep])
    rewriter.erase(old)


PATTERNS: tuple[Entry, ...] = (
    ("stablehlo.if", _if_known, 1),
    ("stablehlo.case", _case_known, 1),
    ("stablehlo.while", _while_never, 2),
    ("stablehlo.while", _while_invariant, 1),
    ("stablehlo.while", _while_duplicate, 1),
    ("stablehlo.while", _while_unused, 1),
)
