"""A program of one operation of a run, on its operands in the run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from hlokit.engine.contract import run_context
from hlokit.engine.contract.registry import Value
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError
from hlokit.programs.program import Program
from hlokit.tools.excerpts.graph import Graph, Node
from hlokit.tools.recording.places import CONTROL_FLOW
from hlokit.values.element_types import element_type_of
from hlokit.values.types import TensorType, ValueType


class _OneEvaluation:
    """An observer that stores one evaluation.

    Args:
      order: the number of the evaluation, as `hlokit.tools.diff` counts them: without control flow.
    """

    def __init__(self, order: int) -> None:
        self.evaluation: tuple[Step, list[Any], list[Any]] | None = None
        self._order = order
        self._count = 0

    def before(self, plan: Plan, step: Step, operands: Sequence[Value]) -> None:
        pass

    def failed(self, plan: Plan, step: Step) -> None:
        pass

    def after(self, plan: Plan, step: Step, operands: Sequence[Value], results: Sequence[Value]) -> None:
        del plan
        if step.name in CONTROL_FLOW:
            return
        if self._count == self._order:
            self.evaluation = (
                step,
                [np.array(value) for value in operands],
                [np.array(value) for value in results],
            )
        self._count += 1


def operation_alone(program: Program, values: Sequence[Value], function: str, order: int) -> Graph | None:
    """The program of one evaluation of an operation, by its number in the order of the run.

    None for an operation with operands or results that are not tensors.
    """
    observer = _OneEvaluation(order)
    with suppress(HlokitError):
        program.runs.evaluate(
            values, function, observer=observer, context=run_context.RunContext(write=_drop)
        )
    if observer.evaluation is None:
        return None
    step, operands, results = observer.evaluation
    types: dict[int, Any] = {}
    arrays: dict[int, Any] = {}
    declared: list[ValueType | None] = [*step.operand_types]
    declared += [None] * (len(operands) - len(declared))  # values that regions capture
    declared += step.result_types
    for number, (array, type_) in enumerate(zip([*operands, *results], declared, strict=True)):
        if array.dtype.kind == "O" or not (type_ is None or isinstance(type_, TensorType)):
            return None
        element_type = element_type_of(array.dtype) if type_ is None else type_.element_type
        types[number] = TensorType(array.shape, element_type)
        arrays[number] = array
    taken = tuple(range(len(operands)))
    produced = tuple(range(len(operands), len(types)))
    return Graph((Node(operation_of(step), taken, produced),), produced, types, arrays, program)


def _drop(text: str) -> None:
    del text
