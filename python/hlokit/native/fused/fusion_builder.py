"""Builds the native program of a fused computation, step by step.

A fused computation has `rows` times `columns` elements. A register has one of three levels: one value, one
value for each row, or one for each element. An operation is evaluated at the highest level of its operands.
So broadcasts, and reshapes that only add or drop dimensions of size 1, need no instruction: their result is
the register of their operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.contract import array_ops
from hlokit.contract.nan_bits import COMPUTES, KEEPS, MOVES
from hlokit.contract.thresholds import Thresholds
from hlokit.native.fused.fused_values import (
    ComputedValue,
    FusedValue,
    FusionInput,
    KnownValue,
    SlotValue,
    broadcast_slot,
    result_dimensions,
)
from hlokit.native.ir.target import (
    convert_operation,
    is_canonical_nan,
    nans_of_operation,
    operation_of,
    type_name,
)
from hlokit.plan.block import Block, plan_of
from hlokit.plan.plan import Plan, Step
from hlokit.traits.table import traits_of
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

# Levels of registers: one value, one for each row, one for each element.
SCALAR, ROW, ELEMENT = 0, 1, 2
# The opcode that broadcasts the value of a lower level to each element.
BROADCAST = -1


class FusionBuilder:
    """A program for arrays of `size` elements.

    Attributes:
      rows: the number of reduced rows; None before the first reduction.
      types, levels: types and levels of the registers.
      instructions: operation, result and operands of each instruction.
      inputs: inputs by the value that they read.
    """

    def __init__(self, size: int, thresholds: Thresholds) -> None:
        self.size = size
        self._thresholds = thresholds
        self.rows: int | None = None
        self.types: list[str] = []
        self.levels: list[int] = []
        self.instructions: list[tuple[int, int, list[int]]] = []
        self.inputs: dict[Any, FusionInput] = {}
        self._alive: list[FusedValue] = []  # known values: their ids are keys of `inputs`

    def add(self, step: Step, operands: Sequence[FusedValue]) -> list[FusedValue] | None:
        """Add a step; returns its results. Changes nothing and returns None if the step cannot be fused."""
        mark = self.mark()
        results = self._step(step, operands, 0)
        if results is None or self._is_too_long:
            self.restore(mark)
            return None
        return results

    def mark(self) -> tuple[Any, ...]:
        """The state that `restore` returns to."""
        return self.rows, len(self.types), len(self.instructions), len(self.inputs)

    def restore(self, mark: tuple[Any, ...]) -> None:
        """Remove all additions since a mark."""
        self.rows, registers, instructions, inputs = mark
        del self.types[registers:], self.levels[registers:], self.instructions[instructions:]
        while len(self.inputs) > inputs:
            self.inputs.popitem()

    @property
    def array_count(self) -> int:
        """The number of inputs with a value for each element."""
        return sum([each.level == ELEMENT for each in self.inputs.values()])

    @property
    def _is_too_long(self) -> bool:
        return len(self.instructions) > self._thresholds.fusion_instructions

    def output(self, value: FusedValue, type_: TensorType, taken: set[int]) -> int | None:
        """A register for a result of this type that is not in `taken`; None if no register can hold it."""
        register = self._register(value, type_)
        if register is None:
            return None
        level = ELEMENT if type_.size == self.size else ROW
        name = self.types[register]
        if self.levels[register] < level:
            return self._emit(BROADCAST, [register], name, level) if level == ELEMENT else None
        if register in taken or any(each.register == register for each in self.inputs.values()):
            return self._emit(convert_operation(name), [register], name, level)
        return register

    def drop_needless_canonical_nans(self, results: Sequence[int]) -> None:
        """Remove instructions that make NaNs canonical if no instruction distinguishes them."""
        if not any(is_canonical_nan(number) for number, _, _ in self.instructions):
            return
        demanded, same = set(results), dict[int, int]()
        for number, register, operands in reversed(self.instructions):
            effect = MOVES if number == BROADCAST else nans_of_operation(number) if number >= 0 else COMPUTES
            if is_canonical_nan(number) and register not in demanded:
                same[register] = operands[0]
            elif effect == KEEPS or (effect == MOVES and register in demanded):
                demanded.update(operands)
            elif number < BROADCAST:  # a reduction, whose initial value may be its result
                demanded.add(operands[1])
        kept: list[tuple[int, int, list[int]]] = []
        for number, register, operands in self.instructions:
            if register in same:
                same[register] = same.get(same[register], same[register])
            else:
                kept.append((number, register, [same.get(operand, operand) for operand in operands]))
        self.instructions = kept

    # Steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step, operands: Sequence[FusedValue], depth: int) -> list[FusedValue] | None:
        if self._is_too_long:
            return None
        known = self._folded(step, operands)
        if known is not None:
            return [known]
        match step.name:
            case "stablehlo.broadcast_in_dim" | "stablehlo.reshape":
                result = self._layout_change(step, operands[0])
                return None if result is None else [result]
            case "stablehlo.while" if len(step.kernel.regions) == 2:
                return self._loop(step, operands, depth)
            case "stablehlo.reduce":
                return self._reduce(step, operands)
            case _:
                pass
        number = operation_of(step)
        if number >= 0:
            return None if _is_faster_in_numpy(step) else self._pointwise(step, number, operands)
        function = step.kernel.function
        return self._block(function.plan, operands, depth + 1) if isinstance(function, Block) else None

    def _folded(self, step: Step, operands: Sequence[FusedValue]) -> KnownValue | None:
        """The result of a step on known values, if it is small."""
        if not operands or len(step.results) != 1 or not (step.kernel.pointwise or _is_arrangement(step)):
            return None
        type_ = step.result_types[0]
        if not isinstance(type_, TensorType) or not type_.is_static:
            return None
        if type_.size > self._thresholds.fusion_folded_elements:
            return None
        values: list[Any] = []
        for operand, operand_type in zip(operands, step.operand_types, strict=True):
            if not isinstance(operand, KnownValue) or not isinstance(operand_type, TensorType):
                return None
            if np.shape(operand.value) != operand_type.dims:
                return None
            values.append(operand.value)
        return KnownValue(step.kernel.function(*values))

    def _pointwise(self, step: Step, number: int, operands: Sequence[FusedValue]) -> list[FusedValue] | None:
        type_ = step.result_types[0]
        registers = self._registers(operands, step.operand_types)
        if registers is None or not isinstance(type_, TensorType):
            return None
        level = max([self.levels[register] for register in registers])
        if type_.size not in (self.size, self.rows, 1) or (type_.size == self.rows and level != ROW):
            return None
        name = type_name(type_) or ""
        if step.name == "stablehlo.convert" and name == self.types[registers[0]]:
            return [ComputedValue(registers[0])]
        return [ComputedValue(self._emit(number, registers, name, level))]

    def _reduce(self, step: Step, operands: Sequence[FusedValue]) -> list[FusedValue] | None:
        """A reduction of the trailing dimensions: of rows."""
        type_, result, array_op = step.operand_types[0], step.result_types[0], step.kernel.array_op
        if not isinstance(type_, TensorType) or not isinstance(result, TensorType) or not type_.is_static:
            return None
        name = type_name(type_)
        if not isinstance(array_op, array_ops.Reduce) or name is None:
            return None
        if result.element_type != type_.element_type:
            return None
        axes = array_op.dimensions
        number = _kernels.find_reduction(array_op.operation.removeprefix("stablehlo."), name)
        first = min([axis for axis in axes if type_.dims[axis] != 1], default=type_.rank)
        is_trailing = all(
            size == 1 for axis, size in enumerate(type_.dims) if axis > first and axis not in axes
        )
        if number == 0 or not is_trailing or type_.size != self.size:
            return None
        rows = prod([size for axis, size in enumerate(type_.dims) if axis not in axes])
        if rows < 2 or self.size < rows * self._thresholds.fusion_row_elements:
            return None
        if self.rows not in (None, rows):
            return None
        self.rows = rows
        registers = self._registers(operands, step.operand_types)
        if registers is None or self.levels[registers[1]] != SCALAR:
            return None
        array, init = registers
        if self.levels[array] < ELEMENT:
            array = self._emit(BROADCAST, [array], self.types[array], ELEMENT)
        return [ComputedValue(self._emit(number, [array, init], self.types[array], ROW))]

    def _layout_change(self, step: Step, operand: FusedValue) -> FusedValue | None:
        """The result of a broadcast or a reshape."""
        type_, result = step.operand_types[0], step.result_types[0]
        if not (isinstance(type_, TensorType) and isinstance(result, TensorType) and result.is_static):
            return None
        if isinstance(operand, KnownValue) and np.size(operand.value) == 1:
            return operand
        broadcast = broadcast_slot(operand, step) if isinstance(operand, SlotValue) else None
        if broadcast is not None:
            return broadcast
        if isinstance(operand, SlotValue | KnownValue):
            register = self._register(operand, type_)
            if register is None:
                return None
            operand = ComputedValue(register)
        level = self.levels[operand.register]
        if level == SCALAR:
            return operand
        if level == ROW and result.size == self.size:
            return operand if self._repeats_rows(step, type_, result) else None
        return operand if result.size == type_.size and _is_in_order(step, type_, result) else None

    def _repeats_rows(self, step: Step, type_: TensorType, result: TensorType) -> bool:
        """Whether a broadcast or reshape of one value for each row still has one value for each row."""
        if type_.size == self.size:
            return _is_in_order(step, type_, result)
        dimensions = result_dimensions(step)
        if dimensions is None:
            return False
        leading = 0
        while prod(result.dims[:leading]) < (self.rows or 0):
            leading += 1
        real = [d for d, size in zip(dimensions, type_.dims, strict=True) if size != 1]
        wanted = [d for d in range(leading) if result.dims[d] != 1]
        return prod(result.dims[:leading]) == self.rows and real == wanted

    def _block(self, plan: Plan, arguments: Sequence[FusedValue], depth: int) -> list[FusedValue] | None:
        if depth > self._thresholds.fusion_call_depth:
            return None
        values: dict[int, FusedValue] = dict(enumerate(arguments))
        values.update((slot, KnownValue(value)) for slot, value in plan.constants)
        for step in plan.steps:
            found = self._step(step, [values[slot] for slot in step.operands], depth)
            if found is None:
                return None
            values.update(zip(step.results, found, strict=True))
        return [values[slot] for slot in plan.outputs]

    def _loop(self, step: Step, operands: Sequence[FusedValue], depth: int) -> list[FusedValue] | None:
        """Unroll a loop whose condition is known in every iteration."""
        cond, body = step.kernel.regions
        count = len(step.result_types)
        state, captured = list(operands[:count]), operands[count:]
        for _ in range(self._thresholds.fusion_loop_iterations):
            preds = self._block(plan_of(cond), [*state, *captured], depth + 1)
            if preds is None or not isinstance(preds[0], KnownValue):
                return None
            if not preds[0].value:
                return list(state)
            found = self._block(plan_of(body), [*state, *captured], depth + 1)
            if found is None:
                return None
            state = found
        return None

    # Registers ---------------------------------------------------------------------------------------

    def _registers(self, values: Sequence[FusedValue], types: Sequence[ValueType]) -> list[int] | None:
        registers: list[int] = []
        for value, type_ in zip(values, types, strict=True):
            register = self._register(value, type_)
            if register is None:
                return None
            registers.append(register)
        return registers

    def _register(self, value: FusedValue, type_: ValueType) -> int | None:
        """The register of a value, a new input if the value comes from outside; None if it fits no level."""
        if isinstance(value, ComputedValue):
            return value.register
        name = type_name(type_)
        if name is None:
            return None
        if isinstance(value, SlotValue):
            array_shape, shape, dimensions = value.array_shape, value.shape, value.dimensions
            key: Any = value
            slot, known = value.slot, None
        else:
            slot, known = -1, np.asarray(value.value)
            if known.size > 1 and not any(known.strides):  # a splat
                known = known[(0,) * known.ndim]
            array_shape = shape = np.shape(known)
            dimensions = tuple(range(len(shape)))
            key = id(value.value)
        if prod(array_shape) == 1:
            level, shape, dimensions = SCALAR, array_shape, tuple(range(len(array_shape)))
        elif prod(shape) == self.size:
            level = ELEMENT
        elif prod(shape) == self.rows:
            level = ROW
        else:
            return None
        found = self.inputs.get(key)
        if found is None:
            self._alive.append(value)
            register = self._new(name, level)
            found = self.inputs[key] = FusionInput(register, level, shape, dimensions, slot, known)
        return found.register

    def _emit(self, number: int, operands: list[int], name: str, level: int) -> int:
        register = self._new(name, level)
        self.instructions.append((number, register, operands))
        return register

    def _new(self, name: str, level: int) -> int:
        self.types.append(name)
        self.levels.append(level)
        return len(self.types) - 1


def _is_in_order(step: Step, type_: TensorType, result: TensorType) -> bool:
    """Whether the elements stay in row-major order: only dimensions of size 1 are added, dropped or moved."""
    if not isinstance(step.kernel.array_op, array_ops.Broadcast):
        return type_.size == result.size
    dimensions = step.kernel.array_op.dimensions
    real = [d for d, size in zip(dimensions, type_.dims, strict=True) if size != 1]
    return type_.size == result.size and real == sorted(real)


def _is_faster_in_numpy(step: Step) -> bool:
    type_ = step.result_types[0]
    is_float = isinstance(type_, TensorType) and type_.element_type.kind is Kind.FLOAT
    return step.name == "stablehlo.remainder" and is_float


def _is_arrangement(step: Step) -> bool:
    """Whether a step only arranges elements; it is folded if its operands are known."""
    return "view" in traits_of(step.name) or step.name == "stablehlo.concatenate"
