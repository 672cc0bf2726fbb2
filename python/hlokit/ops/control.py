"""Control flow: calls, branches, loops, tuples and barriers."""

from __future__ import annotations

from operator import itemgetter

from hlokit.interpreter.loops import NativeLoop
from hlokit.interpreter.ownership import OwningLoop
from hlokit.interpreter.registry import Kernel, Operation, Value, op
from hlokit.values.tensor import Token


@op("func.call", "stablehlo.composite")
def call(operation: Operation) -> Kernel:
    """spec "composite": results = decomposition(inputs). `func.call` is the same of `callee`."""
    symbol = "decomposition" if operation.name == "stablehlo.composite" else "callee"
    return Kernel(operation.function(operation.attributes.symbol(symbol)))


@op("stablehlo.if")
def if_(operation: Operation) -> Kernel:
    """spec "if": results = pred ? true_branch() : false_branch()."""
    true_branch, false_branch = operation.regions

    def kernel(pred: Value, *captured: Value) -> Value:
        return true_branch.run(*captured) if pred else false_branch.run(*captured)

    return Kernel(kernel, regions=operation.regions)


@op("stablehlo.case")
def case(operation: Operation) -> Kernel:
    """spec "case": results = branches[index](), of the last branch if the index is out of bounds."""
    branches = operation.regions

    def kernel(index: Value, *captured: Value) -> Value:
        chosen = int(index)
        return branches[chosen if 0 <= chosen < len(branches) else -1].run(*captured)

    return Kernel(kernel, regions=branches)


# Iterations after which it is worth it to look whether the native machine can go on with a loop.
_TRIAL = 8


@op("stablehlo.while")
def while_(operation: Operation) -> Kernel:
    """spec "while": results = operand; while cond(results): results = body(results)."""
    cond, body = operation.regions
    count = len(operation.operand_types)

    native = NativeLoop(cond, body, count)
    owning = OwningLoop(body, count)

    def one_value(value: Value, *captured: Value) -> Value:
        if (program := native.ready(captured)) is not None:
            return program.run((value, *captured))[0]
        for _ in range(_TRIAL):
            if not cond.run(value, *captured):
                return value
            value = body.run(value, *captured)
        if (program := native.made(captured)) is not None:
            return program.run((value, *captured))[0]
        while cond.run(value, *captured):
            value = body.run(value, *captured)
        return value

    def many_values(*operands: Value) -> tuple[Value, ...]:
        values, captured = operands[:count], operands[count:]
        del operands
        if (program := native.ready(captured)) is not None:
            return tuple(program.run((*values, *captured)))
        for _ in range(_TRIAL):
            if not cond.run(*values, *captured):
                return values
            values = body.run(*values, *captured)
        if (program := native.made(captured)) is not None:
            return tuple(program.run((*values, *captured)))
        if owning.is_useful:
            values, turn = owning.take(values), owning.run
            while cond.run(*values, *captured):
                values = turn(*values, *captured)
            return values
        while cond.run(*values, *captured):
            values = body.run(*values, *captured)
        return values

    return Kernel(one_value if count == 1 else many_values, regions=operation.regions)


def _first(value: Value) -> Value:
    return value


def _all(*values: Value) -> tuple[Value, ...]:
    return values


def _token(*inputs: Value) -> Token:
    return Token()


@op("stablehlo.optimization_barrier")
def optimization_barrier(operation: Operation) -> Kernel:
    """spec "optimization_barrier": result = operand."""
    if len(operation.operand_types) == 1:
        return Kernel(_first, pointwise=True, source="{0}")
    return Kernel(_all, pointwise=True)


@op("stablehlo.tuple")
def tuple_(operation: Operation) -> Kernel:
    """spec "tuple": result = (val...)."""
    return Kernel(_all)


@op("stablehlo.after_all", "stablehlo.create_token")
def after_all(operation: Operation) -> Kernel:
    """spec "after_all": result = a token after all inputs. `create_token` is the same of none."""
    return Kernel(_token)


@op("stablehlo.get_tuple_element")
def get_tuple_element(operation: Operation) -> Kernel:
    """spec "get_tuple_element": result = operand[index]."""
    return Kernel(itemgetter(operation.attributes.int_("index")))
