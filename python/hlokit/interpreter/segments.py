"""Straight lines of operations on small tensors, as one call of the native machine.

An operation on a few numbers takes NumPy half a microsecond, nearly all of it on the way to the numbers and
back. When a block runs again, `segmented` looks for steps that follow each other and that `assembler.py`
knows, and puts one step into the plan in their place. What is used only within is never an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from hlokit import _native
from hlokit.errors import HlokitError
from hlokit.interpreter import forms
from hlokit.interpreter.assembler import Assembler
from hlokit.interpreter.block import Block
from hlokit.interpreter.chains import fused
from hlokit.interpreter.lines import ASSIGN, Line, encode
from hlokit.interpreter.machine import bits_of, operation_of, type_name
from hlokit.interpreter.registers import Unfit
from hlokit.interpreter.registry import Kernel, Value
from hlokit.interpreter.steps import Plan, Step, frees
from hlokit.interpreter.straight import allot
from hlokit.interpreter.switches import is_on
from hlokit.interpreter.views import View
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

# Elements from which on kernels cost little.
_LARGE = 4096
# What is longer becomes several segments.
_MOST_STEPS = 1000
# Microseconds: of a kernel of scalars, of another one; of a segment, and of each of its operands and results.
_SCALAR, _ARRAY, _CALL, _VALUE = 0.04, 0.4, 1.0, 0.2

_FORMS = (
    forms.Slice,
    forms.Reshape,
    forms.Transpose,
    forms.Broadcast,
    forms.Reverse,
    forms.Concatenate,
    forms.Pad,
    forms.DynamicSlice,
    forms.DynamicUpdateSlice,
    forms.Gather,
    forms.Scatter,
)
_EXTREMA = ("stablehlo.maximum", "stablehlo.minimum")


def segmented(plan: Plan) -> Plan:
    """The plan with a step for each chain, and each straight line of small operations that is worth it."""
    plan = fused(plan)
    if not (is_on("native") and is_on("segments")):
        return plan
    segments = _Finder(plan).find()
    if not segments:
        return plan
    steps: list[Step] = []
    done = 0
    for start, stop, step in segments:
        steps += plan.steps[done:start]
        steps.append(step)
        done = stop
    steps += plan.steps[done:]
    kept = {*plan.outputs, *(slot for slot, _ in plan.constants)}
    return replace(plan, steps=tuple(steps), frees=frees(steps, kept))


class _Finder:
    """Walks a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._costs: dict[tuple[int, int, int], float] = {}  # of kernels with types; planners share these
        self._calls: dict[Block, float] = {}
        self._constants = dict(plan.constants)

    def find(self) -> list[tuple[int, int, Step]]:
        """Where segments begin and end, and their steps."""
        steps = self._plan.steps
        costs = [self._cost(step) for step in steps]
        if sum(cost for cost in costs if cost > 0) <= _CALL:
            return []
        last = {slot: index for index, step in enumerate(steps) for slot in step.operands}
        last.update((slot, len(steps)) for slot in self._plan.outputs)
        found: list[tuple[int, int, Step]] = []
        start = 0
        while start < len(steps):
            stop = start
            while stop < len(steps) and costs[stop] >= 0 and stop - start < _MOST_STEPS:
                stop += 1
            stop, segment = self._segment(start, stop, costs, last)
            if segment is not None:
                found.append((start, stop, segment))
            start = max(stop, start + 1)
        return found

    def _cost(self, step: Step) -> float:
        """What the kernel takes; negative if the step can be in no segment."""
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key not in self._costs:
            self._costs[key] = self._cost_of(step)
        return self._costs[key]

    def _cost_of(self, step: Step) -> float:
        types = (*step.operand_types, *step.result_types)
        if not all(map(_is_small, types)):
            return -1.0
        function = step.kernel.function
        if isinstance(function, Block):
            return self._cost_of_call(function)
        if operation_of(step) >= 0:
            return _SCALAR if all(isinstance(t, TensorType) and not t.dims for t in types) else _ARRAY
        return _ARRAY if isinstance(step.kernel.form, _FORMS) or _is_exact_reduction(step) else -1.0

    def _cost_of_call(self, block: Block) -> float:
        if block not in self._calls:
            self._calls[block] = -1.0  # of a function that calls itself
            costs = [self._cost(step) for step in block.plan.steps]
            types = map(_is_small, block.plan.slot_types)
            self._calls[block] = sum(costs) if min(costs, default=0.0) >= 0 and all(types) else -1.0
        return self._calls[block]

    def _segment(
        self, start: int, stop: int, costs: Sequence[float], last: dict[int, int]
    ) -> tuple[int, Step | None]:
        """A segment that begins here, if it is worth it, and where it ends."""
        if sum(costs[start:stop]) <= _CALL:
            return stop, None
        steps = self._plan.steps[start:stop]
        written = {slot for step in steps for slot in step.results}
        read = dict.fromkeys(slot for step in steps for slot in step.operands)
        operands = tuple([slot for slot in read if slot not in written and slot not in self._constants])
        results = tuple([slot for step in steps for slot in step.results if last.get(slot, 0) >= stop])
        if not results or sum(costs[start:stop]) <= _CALL + _VALUE * (len(operands) + len(results)):
            return stop, None
        code = _Code(self._plan, self._constants, operands)
        done = code.add(steps)
        if done < len(steps):  # try again, without what did not fit
            return self._segment(start, start + done, costs, last) if done else (start + 1, None)
        try:
            kernel = code.kernel(results)
        except (ValueError, Unfit):  # the machine has limits of its own
            return stop, None
        types = self._plan.slot_types
        return stop, steps[-1]._replace(
            kernel=Kernel(kernel),
            operands=operands,
            results=results,
            operand_types=tuple([types[slot] for slot in operands]),
            result_types=tuple([types[slot] for slot in results]),
        )


def _is_small(type_: ValueType) -> bool:
    return (
        isinstance(type_, TensorType)
        and type_.is_static
        and 0 < type_.size < _LARGE
        and type_name(type_) is not None
    )


def _is_exact_reduction(step: Step) -> bool:
    """The result does not depend on the order."""
    form = step.kernel.form
    if not isinstance(form, forms.Reduce):  # it may have no results
        return False
    type_ = step.result_types[0]
    if not isinstance(type_, TensorType):
        return False
    return form.operation in _EXTREMA or type_.element_type.kind is not Kind.FLOAT


class _Value(NamedTuple):
    """An operand or result: its register, its type."""

    register: int
    type: TensorType


class _Code:
    """The program of a segment while it is written."""

    def __init__(self, plan: Plan, constants: dict[int, Value], operands: Sequence[int]) -> None:
        self._plan, self._constants = plan, constants
        self._assembler = Assembler()
        self._views: dict[int, View] = {}
        self._operands: list[_Value] = []
        for slot in operands:
            type_ = _tensor(plan, slot)
            view = self._assembler.new(type_, is_outside=True, is_constant=True)
            self._views[slot] = view
            self._operands.append(_Value(view.register, type_))

    def add(self, steps: Sequence[Step]) -> int:
        """Append steps; gives how many of them fitted."""
        for index, step in enumerate(steps):
            try:
                self._assembler.step(self._plan, step, self._views, self._constants)
            except (Unfit, HlokitError):  # an error of a function that is not called
                return index
        return len(steps)

    def kernel(self, results: Sequence[int]) -> SegmentKernel:
        """What evaluates the segment."""
        assembler = self._assembler
        values = [assembler.whole(self._views[slot]) for slot in results]
        outputs: list[_Value] = []
        for slot, value in zip(results, values, strict=True):
            type_ = _tensor(self._plan, slot)
            register = assembler.new(type_, is_outside=True).register
            assembler.add(Line(ASSIGN, register, (value,), work=type_.size))
            outputs.append(_Value(register, type_))
        constants = [*assembler.known, *assembler.arrays]
        given = [each.register for each in (*self._operands, *outputs)]
        lines, registers, places = allot(
            assembler.lines, assembler.registers, [*given, *constants], [each.register for each in outputs]
        )
        known = [(places[register], np.asarray(value)) for register, value in assembler.known.items()]
        known += [(places[register], array) for register, array in assembler.arrays.items()]
        segment = _native.Segment(
            *encode(lines, registers),
            [(places[each.register], each.type.dims) for each in self._operands],
            [(places[each.register], each.type.dims) for each in outputs],
            [(place, array.tobytes()) for place, array in known],
        )
        has_bf16 = any(each.type.element_type.name == "bf16" for each in (*self._operands, *outputs))
        return SegmentKernel(segment, [each.type for each in outputs], has_bf16)


def _tensor(plan: Plan, slot: int) -> TensorType:
    type_ = plan.slot_types[slot]
    assert isinstance(type_, TensorType)
    return type_


class SegmentKernel:
    """Evaluates a segment: takes its operands, gives its result or a tuple of its results."""

    def __init__(self, segment: _native.Segment, types: Sequence[TensorType], has_bf16: bool) -> None:
        self._run = segment.run
        self._results = [(type_.dims, type_.element_type.dtype) for type_ in types]
        self._has_bf16 = has_bf16

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(shape, dtype) for shape, dtype in self._results]
        if self._has_bf16:
            self._run(tuple(map(bits_of, operands)), list(map(bits_of, results)))
        else:
            self._run(operands, results)
        # A scalar is what kernels give.
        results = [result if result.ndim else result[()] for result in results]
        return results[0] if len(results) == 1 else tuple(results)
