"""Straight-line code: consecutive steps on small tensors as one native program without jumps.

A kernel on a few numbers takes NumPy half a microsecond, nearly all of it overhead of the call. So when a
block runs again, `with_straight_line_code` looks for consecutive steps that lowering knows, calls included,
and replaces them by one step of the plan. Values that only these steps use never become arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit import _kernels
from hlokit.contract import array_ops
from hlokit.contract.region import Region
from hlokit.contract.registry import Kernel, Value
from hlokit.contract.switches import is_on
from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.errors import HlokitError
from hlokit.native.canonical_nans import CanonicalNans
from hlokit.native.instructions import COPY, Instruction, encode
from hlokit.native.lowering import BlockLowering
from hlokit.native.register_allocation import allocate_straight_line
from hlokit.native.target import NotLowerable, bits_of, operation_of, type_name
from hlokit.native.views import View
from hlokit.plan.block import Block, plan_of
from hlokit.plan.plan import Plan, Step, combined_step, with_steps
from hlokit.values.types import TensorType, ValueType

_ARRAY_OPS = (
    array_ops.Slice,
    array_ops.Reshape,
    array_ops.Transpose,
    array_ops.Broadcast,
    array_ops.Reverse,
    array_ops.Concatenate,
    array_ops.Pad,
    array_ops.DynamicSlice,
    array_ops.DynamicUpdateSlice,
    array_ops.Gather,
    array_ops.Scatter,
)
# The cost of a step that straight-line code cannot contain.
_IMPOSSIBLE = -1.0


def with_straight_line_code(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Plan:
    """The plan with one step for each run of steps that pays off as straight-line code."""
    if not (is_on("native") and is_on("straight-line")):
        return plan
    runs = _StraightLineFinder(plan, thresholds).find()
    if not runs:
        return plan
    steps: list[Step] = []
    done = 0
    for start, stop, step in runs:
        steps += plan.steps[done:start]
        steps.append(step)
        done = stop
    steps += plan.steps[done:]
    return with_steps(plan, steps)


class _StraightLineFinder:
    """Finds the runs of steps of a plan whose kernels take longer than straight-line code."""

    def __init__(self, plan: Plan, thresholds: Thresholds) -> None:
        self._plan = plan
        self._thresholds = thresholds
        # By the identity of kernel and types, which planners share.
        self._costs: dict[tuple[int, int, int], float] = {}
        self._call_costs: dict[Region, float] = {}
        self._constants = dict(plan.constants)

    def find(self) -> list[tuple[int, int, Step]]:
        """The starts and ends of the runs, and the steps that replace them."""
        steps = self._plan.steps
        costs = [self._cost(step) for step in steps]
        if sum(cost for cost in costs if cost > 0) <= self._thresholds.straight_line_cost:
            return []
        last_use = {slot: index for index, step in enumerate(steps) for slot in step.operands}
        last_use.update((slot, len(steps)) for slot in self._plan.outputs)
        most_steps = self._thresholds.straight_line_steps
        found: list[tuple[int, int, Step]] = []
        start = 0
        while start < len(steps):
            stop = start
            while stop < len(steps) and costs[stop] >= 0 and stop - start < most_steps:
                stop += 1
            stop, step = self._run(start, stop, costs, last_use)
            if step is not None:
                found.append((start, stop, step))
            start = max(stop, start + 1)
        return found

    def _cost(self, step: Step) -> float:
        """Microseconds that the kernel takes, or `_IMPOSSIBLE`."""
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key not in self._costs:
            self._costs[key] = self._find_cost(step)
        return self._costs[key]

    def _find_cost(self, step: Step) -> float:
        types = (*step.operand_types, *step.result_types)
        if not all(map(self._is_small, types)):
            return _IMPOSSIBLE
        function = step.kernel.function
        if isinstance(function, Block):
            return self._cost_of_call(function)
        array_cost = self._thresholds.array_kernel_cost
        if operation_of(step) >= 0:
            are_scalars = all(isinstance(type_, TensorType) and not type_.dims for type_ in types)
            return self._thresholds.scalar_kernel_cost if are_scalars else array_cost
        array_op = step.kernel.array_op
        if isinstance(array_op, array_ops.Dot | array_ops.Reduce):
            return self._thresholds.sum_kernel_cost
        return array_cost if isinstance(array_op, _ARRAY_OPS) else _IMPOSSIBLE

    def _cost_of_call(self, block: Region) -> float:
        if block not in self._call_costs:
            self._call_costs[block] = _IMPOSSIBLE  # for recursive functions
            costs = [self._cost(step) for step in plan_of(block).steps]
            are_small = all(map(self._is_small, plan_of(block).slot_types))
            is_possible = min(costs, default=0.0) >= 0 and are_small
            self._call_costs[block] = sum(costs) if is_possible else _IMPOSSIBLE
        return self._call_costs[block]

    def _is_small(self, type_: ValueType) -> bool:
        return (
            isinstance(type_, TensorType)
            and type_.is_static
            and 0 < type_.size < self._thresholds.straight_line_elements
            and type_name(type_) is not None
        )

    def _run(
        self, start: int, stop: int, costs: Sequence[float], last_use: dict[int, int]
    ) -> tuple[int, Step | None]:
        """The end of a run that begins at `start`, and the step that replaces it if that pays off."""
        call_cost, value_cost = (
            self._thresholds.straight_line_cost,
            self._thresholds.straight_line_value_cost,
        )
        if sum(costs[start:stop]) <= call_cost:
            return stop, None
        steps = self._plan.steps[start:stop]
        written = {slot for step in steps for slot in step.results}
        read = dict.fromkeys(slot for step in steps for slot in step.operands)
        operands = tuple([slot for slot in read if slot not in written and slot not in self._constants])
        results = tuple([slot for step in steps for slot in step.results if last_use.get(slot, 0) >= stop])
        if not results or sum(costs[start:stop]) <= call_cost + value_cost * (len(operands) + len(results)):
            return stop, None
        builder = _StraightLineBuilder(self._plan, self._constants, operands, self._thresholds)
        done = builder.add(steps)
        if done < len(steps):  # try again with the steps before the step without a lowering
            return self._run(start, start + done, costs, last_use) if done else (start + 1, None)
        try:
            kernel = builder.kernel(results)
        except (ValueError, NotLowerable):  # a limit of the VM
            return stop, None
        return stop, combined_step(self._plan, steps[-1], Kernel(kernel), operands, results)


class _TypedRegister(NamedTuple):
    """The virtual register of an operand or result, and its type."""

    register: int
    type: TensorType


class _StraightLineBuilder:
    """Lowers consecutive steps of a plan into one program."""

    def __init__(
        self, plan: Plan, constants: dict[int, Value], operands: Sequence[int], thresholds: Thresholds
    ) -> None:
        self._plan, self._constants = plan, constants
        self._lowering = BlockLowering(thresholds)
        self._views: dict[int, View] = {}
        self._operands: list[_TypedRegister] = []
        for slot in operands:
            type_ = _tensor_type_of(plan, slot)
            view = self._lowering.new(type_, is_outside=True, is_constant=True)
            self._views[slot] = view
            self._operands.append(_TypedRegister(view.register, type_))

    def add(self, steps: Sequence[Step]) -> int:
        """Lower steps up to the first without a lowering; returns the number of lowered steps."""
        for index, step in enumerate(steps):
            try:
                self._lowering.step(self._plan, step, self._views, self._constants)
            except (NotLowerable, HlokitError):  # an error of a function that is not called
                return index
        return len(steps)

    def kernel(self, results: Sequence[int]) -> StraightLineKernel:
        """The kernel that evaluates the steps and returns these slots."""
        lowering = self._lowering
        values = [lowering.whole(self._views[slot]) for slot in results]
        outputs: list[_TypedRegister] = []
        for slot, value in zip(results, values, strict=True):
            type_ = _tensor_type_of(self._plan, slot)
            register = lowering.new(type_, is_outside=True).register
            lowering.add(Instruction(COPY, register, (value,), work=type_.size))
            outputs.append(_TypedRegister(register, type_))
        returned = [each.register for each in outputs]
        CanonicalNans(lowering.instructions, lowering.registers, returned, (), is_lazy=False)
        constants = [*lowering.constants, *lowering.constant_arrays]
        given = [each.register for each in (*self._operands, *outputs)]
        instructions, registers, places = allocate_straight_line(
            lowering.instructions,
            lowering.registers,
            [*given, *constants],
            returned,
        )
        known = [(places[register], np.asarray(value)) for register, value in lowering.constants.items()]
        known += [(places[register], array) for register, array in lowering.constant_arrays.items()]
        program = _kernels.StraightLine(
            *encode(instructions, registers),
            [(places[each.register], each.type.dims) for each in self._operands],
            [(places[each.register], each.type.dims) for each in outputs],
            [(place, array.tobytes()) for place, array in known],
        )
        has_bf16 = any(each.type.element_type.name == "bf16" for each in (*self._operands, *outputs))
        return StraightLineKernel(program, [each.type for each in outputs], has_bf16)


def _tensor_type_of(plan: Plan, slot: int) -> TensorType:
    type_ = plan.slot_types[slot]
    assert isinstance(type_, TensorType)
    return type_


class StraightLineKernel:
    """Runs straight-line code: from its operands to its result, or a tuple of its results."""

    def __init__(self, program: _kernels.StraightLine, types: Sequence[TensorType], has_bf16: bool) -> None:
        self._run = program.run
        self._results = [(type_.dims, type_.element_type.dtype) for type_ in types]
        self._has_bf16 = has_bf16

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(shape, dtype) for shape, dtype in self._results]
        if self._has_bf16:
            self._run(tuple(map(bits_of, operands)), list(map(bits_of, results)))
        else:
            self._run(operands, results)
        # Kernels give scalars, not arrays of rank 0.
        results = [result if result.ndim else result[()] for result in results]
        return results[0] if len(results) == 1 else tuple(results)
