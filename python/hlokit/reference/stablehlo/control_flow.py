"""Control flow: constants, calls, branches, loops, tuples, tokens, and asynchronous operations."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.errors import InternalError
from hlokit.reference.model.calls import Call, Region, Values
from hlokit.reference.model.tensors import Value, as_tensor, from_array, item, with_element_type
from hlokit.values.tensor import Tensor, Token, Tuple


def constant(call: Call) -> Tensor:
    """spec "constant": output = value"""
    type_ = call.result()
    stored = from_array(call.attributes.elements("value"), type_.element_type.stored)
    return with_element_type(stored, type_.element_type)


def if_(pred: Tensor, true_branch: Region, false_branch: Region) -> Values:
    """spec "if": result = pred ? true_branch() : false_branch()"""
    return true_branch() if item(pred) else false_branch()


def case(index: Tensor, branches: Sequence[Region]) -> Values:
    """spec "case": result = branches[index](), or the result of the last branch if the index is out of
    bounds"""
    chosen = int(item(index))
    return branches[chosen if 0 <= chosen < len(branches) else -1]()


def while_(operand: Values, cond: Region, body: Region) -> Values:
    """spec "while": results = operand; while cond(results): results = body(results)"""
    results = operand
    while item(as_tensor(cond(*results)[0])):
        results = body(*results)
    return results


def optimization_barrier(operand: Values) -> Values:
    """spec "optimization_barrier": result = operand; no operation moves across the barrier"""
    return operand


def tuple_(val: Values) -> Tuple:
    """spec "tuple": result = (val0, val1, ...)"""
    return Tuple(val)


def get_tuple_element(operand: Value, index: int) -> Value:
    """spec "get_tuple_element": result = operand[index]"""
    if not isinstance(operand, Tuple):
        raise InternalError(f"operand must be a tuple, got {operand!r}")
    return operand[index]


def after_all(*inputs: Token) -> Token:
    """spec "after_all": result = a token after all inputs; "create_token" is the same without inputs"""
    del inputs
    return Token()


def async_start(operands: Values, body: Region) -> Values:
    """spec "async_start": result = a future of body(operands...); the body is evaluated immediately"""
    return body(*operands) if body.argument_types else body()


def async_done(future: Value) -> Value:
    """spec "async_done": result = the value of a future"""
    return future


def call_function(call: Call, symbol: str) -> Values:
    """spec "composite": results = decomposition(inputs...); "func.call" evaluates its callee in the same
    way"""
    return call.function(call.attributes.symbol(symbol))(*call.operands)
