"""Calls, branches and loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.contract.run_context import LAST_TO_COMPILE, current_work
from hlokit.engine.native.in_place import InPlaceLoop
from hlokit.engine.native.loops import NativeLoop
from hlokit.engine.plan.block import inlined_size, plan_of


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


class _Loop:
    """The kernel of a loop: iterations one by one until compiling the loop takes no longer than they took,
    then a native program, or compiled regions."""

    def __init__(self, operation: Operation) -> None:
        self._cond, self._body = operation.regions
        self._count = len(operation.operand_types)
        self._thresholds = operation.thresholds
        self._native = NativeLoop(self._cond, self._body, self._count, self._thresholds)
        self._in_place = InPlaceLoop(self._body, self._count, self._thresholds)
        self._left = self._thresholds.loop_total_iterations  # until a loop with few iterations is compiled
        # The least number of iterations for which a call counts: the last run to compile compiles the loop.
        self._least = self._left // (LAST_TO_COMPILE - 2) + 1

    def __call__(self, *operands: Value) -> Any:
        native = self._native
        program = native.compile_part(operands) if self._left < 0 else native.compiled(operands)
        if program is not None:
            return program.run(*operands)
        values, captured = operands[: self._count], operands[self._count :]
        del operands
        work = current_work()
        start = work.evaluated
        for iteration in range(1, self._thresholds.loop_first_iterations + 1):
            test, step = self._regions(iteration)
            if not test(*values, *captured):
                self._left -= iteration if work.is_first else max(iteration, self._least)
                return values[0] if self._count == 1 else values
            values = step(*values, *captured)
            if self._count == 1:
                values = (values,)
            if self._should_compile(work.evaluated - start):
                break
        if (program := native.compile((*values, *captured))) is not None:
            return program.run(*values, *captured)
        if self._count == 1:
            return _repeat_on_one(self._cond.compiled(), self._body.compiled(), values[0], captured)
        compiled_step = self._body.compiled()
        if self._in_place.is_useful:
            values, compiled_step = self._in_place.with_private_copies(values), self._in_place.run
        state = list(values)
        del values
        return _repeat(self._cond.compiled(), compiled_step, state, captured)

    def _regions(self, iteration: int) -> tuple[Body, Body]:
        """The condition and the body of an iteration.

        The first run compiles either the whole loop or nothing. Each later run of a loop with few iterations
        compiles a part of its regions.
        """
        if iteration == 1 and self._left < self._thresholds.loop_total_iterations:
            return self._cond, self._body
        return self._cond.interpreted, self._body.interpreted

    def _should_compile(self, evaluated: int) -> bool:
        """Whether evaluating this many steps took as long as compiling the loop takes. Inner loops and calls
        make iterations longer than the body."""
        first = self._thresholds.loop_first_iterations
        if evaluated <= first * len(plan_of(self._body).steps):
            return False
        return evaluated > first * inlined_size(self._body)


def while_(operation: Operation) -> Kernel:
    """spec "while": results = operand; while cond(results): results = body(results)."""
    return Kernel(_Loop(operation), regions=operation.regions)
