"""Fusion of operations on large arrays: several steps of a plan become one fused computation.

NumPy evaluates one operation after another, and each operation reads and writes whole arrays. A fused
computation evaluates all of its operations on a piece that stays in the cache, then on the next piece: it
reads only its inputs and writes only what is used outside. It contains pointwise operations, broadcasts,
reductions of rows and users of their results, calls, and loops with a known number of iterations.

The steps of a fused computation need not be consecutive. The computation replaces its last step, so no
earlier step may use its results; unrelated steps in between stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.contract.registry import Kernel, Value
from hlokit.contract.switches import is_on
from hlokit.contract.threads import thread_count
from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.native.fused.fused_values import FusedValue, KnownValue, SlotValue, broadcast_slot, slot_value
from hlokit.native.fused.fusion_builder import FusionBuilder
from hlokit.native.ir.target import (
    EncodedInstruction,
    bits_of,
    encode_instruction,
    is_canonical_nan,
    is_enabled,
)
from hlokit.plan.plan import Plan, Step, combined_step, with_steps
from hlokit.traits.table import traits_of
from hlokit.values.types import TensorType, ValueType


@dataclass(eq=False, slots=True)
class FusedComputation:
    """Steps of a plan that are evaluated together.

    Attributes:
      program: builds the native program.
      steps: the indices of the steps.
      results: slots that are used outside.
      registers: the registers of the results.
      values: the program's representation of the slots that the steps write.
    """

    program: FusionBuilder
    steps: list[int] = field(default_factory=list[int])
    results: list[int] = field(default_factory=list[int])
    registers: list[int] = field(default_factory=list[int])
    values: dict[int, FusedValue] = field(default_factory=dict[int, FusedValue])

    @property
    def operands(self) -> dict[int, None]:
        """The slots that the computation reads, as an ordered set."""
        return {each.slot: None for each in self.program.inputs.values() if each.slot >= 0}


def find_fusions(plan: Plan, thresholds: Thresholds = DEFAULTS) -> list[FusedComputation]:
    """The fused computations of a plan that pay off."""
    large = {
        id(type_)
        for type_ in {id(type_): type_ for type_ in plan.slot_types}.values()
        if _size(type_) >= max(thresholds.fusion_elements, 2)  # arrays may stand for scalars
    }
    if not large or not (is_enabled() and is_on("fusion")):
        return []
    return _FusionFinder(plan, large, thresholds).find()


def with_fusions(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Plan:
    """The plan with one step for each fused computation, in place of its last step."""
    fusions = find_fusions(plan, thresholds)
    if not fusions:
        return plan
    inside = {index for fusion in fusions for index in fusion.steps}
    last = {fusion.steps[-1]: fusion for fusion in fusions}
    steps: list[Step] = []
    for index, step in enumerate(plan.steps):
        if index in last:
            fusion = last[index]
            kernel = Kernel(FusionKernel(plan, fusion))
            steps.append(combined_step(plan, step, kernel, tuple(fusion.operands), tuple(fusion.results)))
        elif index not in inside:
            steps.append(step)
    return with_steps(plan, _without_unread_views(plan, steps))


def _without_unread_views(plan: Plan, steps: Sequence[Step]) -> list[Step]:
    """The steps without unread views, which cost nothing and cannot fail."""
    read = {*plan.outputs, *(slot for slot, _ in plan.constants)}
    found: list[Step] = []
    for step in reversed(steps):
        if "view" in traits_of(step.name) and read.isdisjoint(step.results):
            continue
        read.update(step.operands)
        found.append(step)
    found.reverse()
    return found


def _size(type_: ValueType) -> int:
    """The number of elements; -1 if it is unknown."""
    return type_.size if isinstance(type_, TensorType) and type_.is_static else -1


class _FusionFinder:
    """Walks a plan with at most one open fused computation for each number of elements.

    Args:
      large: ids of the types of large arrays. Planners create one object per type, and ids are faster keys.
    """

    def __init__(self, plan: Plan, large: set[int], thresholds: Thresholds) -> None:
        self._plan = plan
        self._large = large
        self._thresholds = thresholds
        # Identities of kernels and types with which no fused computation can begin.
        self._not_fusible: set[tuple[int, int, int]] = set()
        self._open: dict[int, FusedComputation] = {}
        self._producer: dict[int, FusedComputation] = {}
        self._fusions: list[FusedComputation] = []
        self._readers: dict[int, list[int]] = {}
        self._outside: dict[int, FusedValue] = {slot: KnownValue(value) for slot, value in plan.constants}

    def find(self) -> list[FusedComputation]:
        for index, step in enumerate(self._plan.steps):
            for slot in step.operands:
                self._readers.setdefault(slot, []).append(index)
        for index, step in enumerate(self._plan.steps):
            self._visit(index, step)
        return [fusion for fusion in self._fusions if self._finish(fusion)]

    def _visit(self, index: int, step: Step) -> None:
        joined = self._join(index, step)
        if joined is None and "layout" in traits_of(step.name):
            self._look_through(step)
        if not self._producer:
            return
        # The step reads results of other computations, which must be evaluated before it.
        for slot in step.operands:
            fusion = self._producer.get(slot)
            if fusion is not None and fusion is not joined:
                self._close(fusion)

    def _look_through(self, step: Step) -> None:
        """Let fused computations read what a step broadcasts or reshapes instead of its result."""
        value = self._outside_value(step.operands[0])
        if isinstance(value, SlotValue):
            value = broadcast_slot(value, step)
        elif isinstance(value, KnownValue) and np.size(value.value) != 1:
            value = None
        if value is not None:
            self._outside[step.results[0]] = value

    def _outside_value(self, slot: int) -> FusedValue | None:
        value = self._outside.get(slot)
        if value is None:
            value = slot_value(slot, self._plan.slot_types[slot])
            if value is not None:
                self._outside[slot] = value
        return value

    def _join(self, index: int, step: Step) -> FusedComputation | None:
        """Add a step to a fused computation; returns the computation, or None if the step cannot be fused."""
        fusion, size = self._candidate(step)
        if size < 0:
            return None
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key in self._not_fusible:
            return None
        if fusion is not None and self._is_full(fusion, index):
            self._close(fusion)
            fusion = None
        if fusion is not None and self._add(fusion, index, step):
            return fusion
        if size < self._thresholds.fusion_elements or "view" in traits_of(step.name):
            return None
        fresh = FusedComputation(FusionBuilder(size, self._thresholds))
        if not self._add(fresh, index, step):
            self._not_fusible.add(key)
            return None
        self._open[size] = fresh
        self._fusions.append(fresh)
        return fresh

    def _is_full(self, fusion: FusedComputation, index: int) -> bool:
        """Whether a computation should accept no step at this index."""
        return (
            len(fusion.program.instructions) >= self._thresholds.fusion_operations
            or fusion.program.array_count >= self._thresholds.fusion_inputs
            or index - fusion.steps[-1] > self._thresholds.fusion_distance
        )

    def _candidate(self, step: Step) -> tuple[FusedComputation | None, int]:
        """The open computation that a step could join, and its number of elements; -1 if it can join none."""
        producers = [self._producer[slot] for slot in step.operands if slot in self._producer]
        for fusion in producers:
            if self._is_open(fusion):
                return fusion, fusion.program.size
        types = step.operand_types if step.name == "stablehlo.reduce" else step.result_types
        size = max([_size(type_) for type_ in types if id(type_) in self._large], default=-1)
        if "view" in traits_of(step.name):
            return None, -1
        return self._open.get(size), size

    def _add(self, fusion: FusedComputation, index: int, step: Step) -> bool:
        program = fusion.program
        operands: list[FusedValue] = []
        for slot in step.operands:
            value = fusion.values.get(slot) or self._outside_value(slot)
            if value is None:
                return False
            operands.append(value)
        mark = program.mark()
        found = program.add(step, operands)
        if found is None:
            return False
        sizes = program.size, program.rows
        for slot, type_ in zip(step.results, step.result_types, strict=True):
            if _size(type_) not in sizes and (slot in self._readers or slot in self._plan.outputs):
                program.restore(mark)
                return False
        fusion.values.update(zip(step.results, found, strict=True))
        fusion.steps.append(index)
        self._producer.update((slot, fusion) for slot in step.results)
        return True

    def _is_open(self, fusion: FusedComputation) -> bool:
        return self._open.get(fusion.program.size) is fusion

    def _close(self, fusion: FusedComputation) -> None:
        if self._is_open(fusion):
            del self._open[fusion.program.size]

    def _finish(self, fusion: FusedComputation) -> bool:
        """Fill in the results; returns whether the computation pays off, which requires an internal value."""
        inside = set(fusion.steps)
        count = len(fusion.program.instructions)
        taken: set[int] = set()
        for slot, value in fusion.values.items():
            if slot in self._plan.outputs or not inside.issuperset(self._readers.get(slot, ())):
                type_ = self._plan.slot_types[slot]
                assert isinstance(type_, TensorType)
                register = fusion.program.output(value, type_, taken)
                if register is None:
                    return False
                taken.add(register)
                fusion.results.append(slot)
                fusion.registers.append(register)
        if not 0 < len(fusion.results) < count:
            return False
        if fusion.program.size < self._thresholds.fusion_pair_elements and _is_one_operation(fusion.program):
            return False
        fusion.program.drop_needless_canonical_nans(fusion.registers)
        return True


def _is_one_operation(program: FusionBuilder) -> bool:
    """Whether all other instructions only make NaNs canonical."""
    return sum([not is_canonical_nan(number) for number, _, _ in program.instructions]) < 2


class FusionKernel:
    """Evaluates a fused computation: from its operands to its result, or a tuple of its results."""

    def __init__(self, plan: Plan, fusion: FusedComputation) -> None:
        program = fusion.program
        instructions: list[EncodedInstruction] = [
            encode_instruction(number, result, operands) for number, result, operands in program.instructions
        ]
        inputs = list(program.inputs.values())
        rows = program.rows or 1
        self._program = _kernels.FusedProgram(
            program.types,
            instructions,
            [(each.register, each.level, each.shape, each.dimensions) for each in inputs],
            fusion.registers,
            rows,
            program.size // rows,
        )
        positions = {slot: position for position, slot in enumerate(fusion.operands)}
        # For each input the position of an operand, or a constant value.
        self._inputs = [(positions.get(each.slot, -1), each.value) for each in inputs]
        self._results = [_shape_and_dtype(plan.slot_types[slot]) for slot in fusion.results]
        self._has_bf16 = "bf16" in program.types

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(shape, dtype) for shape, dtype in self._results]
        inputs: list[Any] = [operands[n] if n >= 0 else value for n, value in self._inputs]
        bits = results
        if self._has_bf16:
            inputs, bits = [bits_of(each) for each in inputs], [bits_of(each) for each in results]
        if not self._program.run(inputs, bits, thread_count()):
            # The rows of an operand are not contiguous. Few operands have such a layout, so the module is
            # imported late.
            from hlokit.native.fused.copies import in_rows

            dense = [
                each if each.flags.c_contiguous and each.flags.aligned else in_rows(each) for each in inputs
            ]
            self._program.run(dense, bits, thread_count())
        return results[0] if len(results) == 1 else tuple(results)


def _shape_and_dtype(type_: ValueType) -> tuple[tuple[int, ...], np.dtype[Any]]:
    assert isinstance(type_, TensorType)
    return type_.dims, type_.element_type.dtype
