"""case, if and while: replaces control flow by a branch that is known to be taken, and drops loops that never
run.

Operations with side effects stay in the program even if they are unreachable, because other operations may
require their presence. Such operations then remain in an operation whose results have no uses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import any_within
from hlokit.operations.lookup import having
from hlokit.passes.folding.constants import Value, constant_type, make_splat, splat_of
from hlokit.passes.folding.evaluation import Evaluation
from hlokit.passes.framework.rewriting import Pattern, Rewriter
from hlokit.passes.simplification.effects import is_pure
from hlokit.passes.simplification.regions import body, terminator
from hlokit.passes.simplification.support import build, is_used

# The side effects that operations of other dialects declare are unknown.
_DECLARING_DIALECTS = ("arith", "chlo", "func", "shape", "stablehlo", "tensor")
_EFFECTS = having(lambda traits: traits.channel or traits.feed)


def patterns(evaluation: Evaluation, assume_no_undeclared_effects: bool) -> list[tuple[str, Pattern]]:
    """The patterns, each with the name of its root operation."""

    def skip_loop(operation: ir.Operation, rewriter: Rewriter) -> bool:
        return _skip_loop(operation, rewriter, evaluation)

    def drop_loop(operation: ir.Operation, rewriter: Rewriter) -> bool:
        return _drop_loop(operation, rewriter, evaluation)

    rewrites: list[tuple[str, Pattern]] = [
        ("stablehlo.case", _take_case),
        ("stablehlo.if", _take_if),
        ("stablehlo.while", skip_loop),
    ]
    if assume_no_undeclared_effects:
        rewrites.append(("stablehlo.while", drop_loop))
    return rewrites


def _take_case(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """case(constant, f, g, ...) -> the branch; the last branch if the index is out of bounds"""
    index = splat_of(operation.operands[0])
    if index is None:
        return False
    last = len(operation.regions) - 1
    return _inline(operation, rewriter, int(index) if 0 <= int(index) <= last else last)


def _take_if(operation: ir.Operation, rewriter: Rewriter) -> bool:
    """if(true, f, g) -> f(), if(false, f, g) -> g()"""
    pred = splat_of(operation.operands[0])
    return pred is not None and _inline(operation, rewriter, 0 if pred else 1)


def _inline(operation: ir.Operation, rewriter: Rewriter, index: int) -> bool:
    block = body(operation, index)
    values = list(terminator(block).operands)
    # If the results have no uses, only side effects keep the operation: this pattern has already been
    # applied.
    if not any(map(is_used, operation.results)) or not _have_types_of(values, operation):
        return False
    makers = None
    if not is_pure(operation):
        makers = [_placeholder_maker(result.type) for result in operation.results]
        if None in makers:
            return False
    for view in list(block.operations)[:-1]:
        view.operation.move_before(operation)
    if makers is not None:
        returned = terminator(block)
        with ir.InsertionPoint(returned):
            for i, make in enumerate(makers):
                if make is not None:
                    returned.operands[i] = make()
        operation.clone()
    rewriter.replace(operation, values)
    return True


def _placeholder_maker(type_: ir.Type) -> Callable[[], Value] | None:
    """A function that builds an arbitrary value of a type, for a result that has no uses."""
    if str(type_) == "!stablehlo.token":
        return partial(_token, type_)
    dense = constant_type(type_)
    return None if dense is None else partial(make_splat, _zero(dense.element_type.dtype), dense, type_)


def _token(type_: ir.Type) -> Value:
    return build("stablehlo.after_all", [type_], []).results[0]


def _zero(dtype: np.dtype[np.generic]) -> np.ndarray[tuple[()], np.dtype[np.generic]]:
    # f8E8M0FNU has no zero, but all bits zero is a value.
    return np.frombuffer(bytes(dtype.itemsize), dtype).reshape(())


def _skip_loop(operation: ir.Operation, rewriter: Rewriter, evaluation: Evaluation) -> bool:
    """while(x, false, f) -> x, even if only the constants among x determine that the condition is false"""
    operands = list(operation.operands)
    if not any(map(is_used, operation.results)) or not _never_runs(operation, evaluation):
        return False
    if not _have_types_of(operands, operation):
        return False
    if not is_pure(operation):
        operation.clone()
    rewriter.replace(operation, operands)
    return True


def _drop_loop(operation: ir.Operation, rewriter: Rewriter, evaluation: Evaluation) -> bool:
    """while(x, false, f) -> nothing, if nothing uses its results and nothing in it declares side effects"""
    if (
        any(map(is_used, operation.results))
        or not _never_runs(operation, evaluation)
        or _declares_effects(operation)
    ):
        return False
    rewriter.erase(operation)
    return True


def _never_runs(operation: ir.Operation, evaluation: Evaluation) -> bool:
    condition = splat_of(terminator(body(operation, 0)).operands[0])
    if condition is not None:
        return not condition
    return evaluation.is_false(operation.regions[0], list(operation.operands))


def _declares_effects(operation: ir.Operation) -> bool:
    return any_within(operation, _declares_effects_itself)


def _declares_effects_itself(operation: ir.Operation) -> bool:
    if operation.name == "stablehlo.custom_call":
        return Attributes(operation).bool_("has_side_effect", False)
    return operation.name in _EFFECTS or operation.name.partition(".")[0] not in _DECLARING_DIALECTS


def _have_types_of(values: list[Value], operation: ir.Operation) -> bool:
    return [value.type for value in values] == [result.type for result in operation.results]
