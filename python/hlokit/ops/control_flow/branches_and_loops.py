"""Calls, branches and loops."""

from __future__ import annotations

from hlokit.contract.registry import Kernel, Operation, Value, op
from hlokit.native.in_place import InPlaceLoop
from hlokit.native.loops import NativeLoop


@op("func.call", "stablehlo.composite")
def call(operation: Operation) -> Kernel:
    """spec "composite": results = decomposition(inputs). `func.call` calls `callee` in the same way."""
    symbol = "decomposition" if operation.name == "stablehlo.composite" else "callee"
    return Kernel(operation.function(operation.attributes.symbol(symbol)))


@op("stablehlo.if")
def if_(operation: Operation) -> Kernel:
    """spec "if": results = pred ? true_branch() : false_branch()."""
    true_branch, false_branch = operation.regions

    def kernel(pred: Value, *captured: Value) -> Value:
        return true_branch(*captured) if pred else false_branch(*captured)

    return Kernel(kernel, regions=operation.regions)


@op("stablehlo.case")
def case(operation: Operation) -> Kernel:
    """spec "case": results = branches[index](); an index out of bounds selects the last branch."""
    branches = operation.regions

    def kernel(index: Value, *captured: Value) -> Value:
        chosen = int(index)
        return branches[chosen if 0 <= chosen < len(branches) else -1](*captured)

    return Kernel(kernel, regions=branches)


@op("stablehlo.while")
def while_(operation: Operation) -> Kernel:
    """spec "while": results = operand; while cond(results): results = body(results)."""
    cond, body = operation.regions
    count = len(operation.operand_types)

    thresholds = operation.thresholds
    native = NativeLoop(cond, body, count, thresholds)
    in_place = InPlaceLoop(body, count, thresholds)
    trial = range(thresholds.loop_trial_iterations)

    def one_value(value: Value, *captured: Value) -> Value:
        if (program := native.compiled(captured)) is not None:
            return program.run((value, *captured))[0]
        for _ in trial:
            if not cond(value, *captured):
                return value
            value = body(value, *captured)
        if (program := native.compile(captured)) is not None:
            return program.run((value, *captured))[0]
        test, turn = cond.compiled(), body.compiled()
        while test(value, *captured):
            value = turn(value, *captured)
        return value

    def many_values(*operands: Value) -> tuple[Value, ...]:
        values, captured = operands[:count], operands[count:]
        del operands
        if (program := native.compiled(captured)) is not None:
            return tuple(program.run((*values, *captured)))
        for _ in trial:
            if not cond(*values, *captured):
                return values
            values = body(*values, *captured)
        if (program := native.compile(captured)) is not None:
            return tuple(program.run((*values, *captured)))
        test, turn = cond.compiled(), body.compiled()
        if in_place.is_useful:
            values, turn = in_place.take(values), in_place.run
        while test(*values, *captured):
            values = turn(*values, *captured)
        return values

    return Kernel(one_value if count == 1 else many_values, regions=operation.regions)
