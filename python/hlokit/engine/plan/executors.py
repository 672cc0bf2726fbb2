"""Executors of plans, without MLIR.

`run_steps` loops over the steps. `generate` translates the plan into one Python function, which takes some 10
us per step and then saves most of the overhead of the loop. `run_observed` loops, and informs an observer of
each step. `engine/interpreter/tiers.py` determines the executor of each run.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any, NamedTuple, NoReturn, Protocol

from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import current_work
from hlokit.engine.plan.locations import source_text
from hlokit.engine.plan.plan import Plan, Step
from hlokit.values.types import TensorType, require_types

BlockFunction = Callable[..., Any]
Executor = Callable[[Plan], BlockFunction]

# Generated code does not free smaller values early: the assignment would take more time than it saves.
_FREE_BYTES = 4096


class Observer(Protocol):
    """An observer: called before and after each step of a plan.

    Optional methods: `failed(plan, step)` after a step that raised an exception, `entered(plan, arguments)`
    at the beginning of a block, and `left()` at the end of the innermost block.
    """

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        """Called before a step is evaluated."""
        ...

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        """Called after a step has been evaluated."""
        ...


def tell_failed(observer: Observer, plan: Plan, step: Step) -> None:
    """Inform an observer that a step raised an exception, if it has the optional method `failed`."""
    failed = getattr(observer, "failed", None)
    if failed is not None:
        failed(plan, step)


def tell_entered(observer: Observer, plan: Plan, arguments: Sequence[Value]) -> None:
    """Inform an observer that a block begins, if it has the optional method `entered`."""
    entered = getattr(observer, "entered", None)
    if entered is not None:
        entered(plan, arguments)


def tell_left(observer: Observer) -> None:
    """Inform an observer that the innermost block has ended, if it has the optional method `left`."""
    left = getattr(observer, "left", None)
    if left is not None:
        left()


def _initial_slots(plan: Plan, arguments: Sequence[Value]) -> list[Value]:
    slots: list[Value] = [None] * plan.slot_count
    slots[: len(arguments)] = arguments
    for slot, value in plan.constants:
        slots[slot] = value
    return slots


def _returned(plan: Plan, slots: Sequence[Value]) -> Any:
    if len(plan.outputs) == 1:
        return slots[plan.outputs[0]]
    return tuple([slots[output] for output in plan.outputs])


def run_steps(plan: Plan, *arguments: Value) -> Any:
    """Evaluate a plan step by step."""
    slots = _initial_slots(plan, arguments)
    del arguments
    for step, frees in zip(plan.steps, plan.frees, strict=True):
        operands, results = step.operands, step.results
        if len(operands) == 2:  # the most frequent case, without a list, which takes as long as an addition
            result = step.kernel.function(slots[operands[0]], slots[operands[1]])
        else:
            result = step.kernel.function(*[slots[operand] for operand in operands])
        if len(results) == 1:
            slots[results[0]] = result
        else:
            for slot, value in zip(results, result, strict=True):
                slots[slot] = value
            value = None  # do not keep the last value alive
        del result
        for slot in frees:
            slots[slot] = None
    current_work().evaluated += len(plan.steps)
    return _returned(plan, slots)


def run_observed(plan: Plan, observer: Observer, *arguments: Value) -> Any:
    """Evaluate a plan step by step, and inform an observer of each step."""
    slots = _initial_slots(plan, arguments)
    tell_entered(observer, plan, arguments)
    for step, frees in zip(plan.steps, plan.frees, strict=True):
        operands = [slots[operand] for operand in step.operands]
        observer.before(plan, step, operands)
        try:
            result = step.kernel.function(*operands)
        except BaseException:
            tell_failed(observer, plan, step)
            raise
        results = (result,) if len(step.results) == 1 else result
        for slot, value in zip(step.results, results, strict=True):
            slots[slot] = value
        observer.after(plan, step, operands, results)
        del operands, result, results
        value = None  # do not keep the last value alive
        for slot in frees:
            slots[slot] = None
    tell_left(observer)
    return _returned(plan, slots)


def call_step(plan: Plan, step: Step, operands: Sequence[Value]) -> Any:
    """The results of one step's kernel, for executors outside this module."""
    return step.kernel.function(*operands)


def raise_within(
    steps: Sequence[tuple[Plan, Step]],
    error: BaseException,
    plan: Plan | None = None,
    step: Step | None = None,
) -> NoReturn:
    """Raise an error so that its traceback leads through these steps, outermost first.

    Args:
      plan, step: local variables of this frame, which `step_of_frame` reads.
    """
    if not steps:
        raise error
    raise_within(steps[1:], error, *steps[0])


def with_checked_outputs(plan: Plan, function: BlockFunction) -> BlockFunction:
    """A function that evaluates a plan, with a check that the outputs fit what receives them."""
    if not plan.receivers:
        return function

    def checked(*arguments: Value) -> Any:
        returned = function(*arguments)
        outputs = (returned,) if len(plan.outputs) == 1 else returned
        for types in plan.receivers:
            require_types(outputs, types, "returned value")
        return returned

    return checked


_PLAN = "plan of this block"


def generate(plan: Plan) -> BlockFunction:
    """Compile a plan to one Python function.

    Line n + 2 of the source is step n, so that tracebacks lead to steps (`step_of_frame`).
    """
    arguments = ", ".join(f"v{slot}" for slot in range(plan.argument_count))
    environment: dict[str, Any] = {_PLAN: plan}
    environment.update((f"v{slot}", value) for slot, value in plan.constants)
    lines = [f"def block({arguments}):"]
    for number, (step, frees) in enumerate(zip(plan.steps, plan.frees, strict=True)):
        operands = [f"v{slot}" for slot in step.operands]
        if step.kernel.source is not None:
            expression = step.kernel.source.format(*operands)
        else:
            environment[f"k{number}"] = step.kernel.function
            expression = f"k{number}({', '.join(operands)})"
        line = _assignment(step.results, expression)
        for slot in frees:
            if _is_large(plan, slot):
                line += f"; v{slot} = None"
        lines.append(line)
    outputs = ", ".join(f"v{slot}" for slot in plan.outputs)
    lines.append(
        f" return {outputs}" if len(plan.outputs) == 1 else f" return ({outputs}{',' * bool(outputs)})"
    )
    exec(compile("\n".join(lines), f"<hlokit: block of @{plan.function_name}>", "exec"), environment)
    return environment.pop("block")  # so that the function does not refer to itself


def _assignment(results: Sequence[int], expression: str) -> str:
    if not results:
        return f" {expression}"
    return f" {', '.join(f'v{slot}' for slot in results)} = {expression}"


def _is_large(plan: Plan, slot: int) -> bool:
    type_ = plan.slot_types[slot]
    return not isinstance(type_, TensorType) or not type_.is_static or type_.nbytes >= _FREE_BYTES


_WITH_STEP = tuple(function.__code__ for function in (run_steps, run_observed, call_step, raise_within))


def step_of_frame(frame: FrameType, line: int) -> tuple[Plan, Step] | None:
    """The step that a frame evaluates at `line`; None if the frame is not an executor's."""
    if frame.f_code in _WITH_STEP:
        step = frame.f_locals.get("step")
        return None if step is None else (frame.f_locals["plan"], step)
    plan = frame.f_globals.get(_PLAN)
    if plan is None or not 2 <= line < len(plan.steps) + 2:
        return None
    return plan, plan.steps[line - 2]


class Place(NamedTuple):
    """A step and its plan, for messages."""

    plan: Plan
    step: Step

    def __str__(self) -> str:
        location = self.step.location()
        return f"{self.step.name} in @{self.plan.function_name} at {source_text(location) or location}"


def place() -> Place | None:
    """The active step; None if there is none."""
    frame = inspect.currentframe()
    while frame is not None:
        active = step_of_frame(frame, frame.f_lineno)
        if active is not None:
            return Place(*active)
        frame = frame.f_back
    return None
