"""Calls, branches and loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.native.in_place import InPlaceLoop
from hlokit.engine.native.loops import NativeLoop
from hlokit.engine.native.program import NativeProgram
from hlokit.engine.plan.block import inlined_size, plan_of
from hlokit.engine.plan.compiling import COMPILING


def call(operation: Operation) -> Kernel:
    """spec "composite": results = decomposition(inputs). `func.call` calls `callee` in the same way."""
    symbol = "decomposition" if operation.name == "stablehlo.composite" else "callee"
    return Kernel(operation.function(operation.attributes.symbol(symbol)))


def if_(operation: Operation) -> Kernel:
    """spec "if": results = pred ? true_branch() : false_branch()."""
    true_branch, false_branch = operation.regions

    def kernel(pred: Value, *captured: Value) -> Value:
        return true_branch(*captured) if pred else false_branch(*captured)

    return Kernel(kernel, regions=operation.regions)


def case(operation: Operation) -> Kernel:
    """spec "case": results = branches[index](); an index out of bounds selects the last branch."""
    branches = operation.regions

    def kernel(index: Value, *captured: Value) -> Value:
        chosen = int(index)
        return branches[chosen if 0 <= chosen < len(branches) else -1](*captured)

    return Kernel(kernel, regions=branches)


Body = Callable[..., Any]


def _repeat_on_one(cond: Body, body: Body, value: Value, captured: tuple[Value, ...]) -> Value:
    while cond(value, *captured):
        value = body(value, *captured)
    return value


def _repeat(cond: Body, body: Body, state: list[Value], captured: tuple[Value, ...]) -> tuple[Value, ...]:
    values = tuple(state)
    state.clear()  # so that the caller does not keep the first values alive
    while cond(*values, *captured):
        values = body(*values, *captured)
    return values


def while_(operation: Operation) -> Kernel:
    """spec "while": results = operand; while cond(results): results = body(results)."""
    cond, body = operation.regions
    count = len(operation.operand_types)

    thresholds = operation.thresholds
    native = NativeLoop(cond, body, count, thresholds)
    in_place = InPlaceLoop(body, count, thresholds)
    first_iterations = range(1, thresholds.loop_first_iterations + 1)
    interpreted = cond.interpreted, body.interpreted
    left = thresholds.loop_total_iterations  # until a loop with few iterations per run is compiled

    def program_for(operands: tuple[Value, ...]) -> NativeProgram | None:
        return native.compile_part(operands) if left < 0 else native.compiled(operands)

    def regions(iteration: int) -> tuple[Body, Body]:
        # The first run compiles either the whole loop or nothing. Each later run of a loop with few
        # iterations compiles a part of its regions.
        return (cond, body) if iteration == 1 and left < thresholds.loop_total_iterations else interpreted

    def should_compile(evaluated: int) -> bool:
        """Whether evaluating this many steps took as long as compiling the loop takes. Inner loops and calls
        make iterations longer than the body."""
        if evaluated <= thresholds.loop_first_iterations * len(plan_of(body).steps):
            return False
        return evaluated > thresholds.loop_first_iterations * inlined_size(body, {})

    def one_value(value: Value, *captured: Value) -> Value:
        nonlocal left
        if (program := program_for((value, *captured))) is not None:
            return program.run(value, *captured)
        start = COMPILING.evaluated
        for iteration in first_iterations:
            test, step = regions(iteration)
            if not test(value, *captured):
                left -= iteration
                return value
            value = step(value, *captured)
            if should_compile(COMPILING.evaluated - start):
                break
        if (program := native.compile((value, *captured))) is not None:
            return program.run(value, *captured)
        return _repeat_on_one(cond.compiled(), body.compiled(), value, captured)

    def many_values(*operands: Value) -> tuple[Value, ...]:
        nonlocal left
        if (program := program_for(operands)) is not None:
            return program.run(*operands)
        values, captured = operands[:count], operands[count:]
        del operands
        start = COMPILING.evaluated
        for iteration in first_iterations:
            test, step = regions(iteration)
            if not test(*values, *captured):
                left -= iteration
                return values
            values = step(*values, *captured)
            if should_compile(COMPILING.evaluated - start):
                break
        if (program := native.compile((*values, *captured))) is not None:
            return program.run(*values, *captured)
        compiled_step = body.compiled()
        if in_place.is_useful:
            values, compiled_step = in_place.with_private_copies(values), in_place.run
        state = list(values)
        del values
        return _repeat(cond.compiled(), compiled_step, state, captured)

    return Kernel(one_value if count == 1 else many_values, regions=operation.regions)
