"""Lowers the steps of a fused computation.

A fused computation has `rows` times `columns` elements. A register has one of three levels: one value, one
value for each row, or one for each element. An operation is evaluated at the highest level of its operands.
So broadcasts, and reshapes that only add or drop dimensions of size 1, need no instruction: their result is
a view of the register of their operand.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Container, Mapping, Sequence
from math import prod

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract import array_ops
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.native.fused.gathers import Component, components_of
from hlokit.engine.native.fused.inputs import (
    ELEMENT,
    ONE,
    ROW,
    FusionInput,
    expansion,
    has_short_rows,
    whole_input,
)
from hlokit.engine.native.fused.rows import Rows, rows_of
from hlokit.engine.native.ir.array_parameters import Gather, GatherAxis, RowReduction
from hlokit.engine.native.ir.instructions import (
    BROADCAST,
    COPY,
    GATHER,
    REDUCE_ROWS,
    SCALAR,
    Instruction,
    virtual_register,
)
from hlokit.engine.native.ir.target import NotLowerable, cost_of, operation
from hlokit.engine.native.ir.views import Ints, View, dense_strides
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.control_flow import Pausing
from hlokit.engine.native.lowerings.products import products_of_pairs
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan, Step, last_of
from hlokit.operations.lookup import opcode_name, traits_of
from hlokit.values.element_types import ElementType
from hlokit.values.types import TensorType

# Bits of an index that holds any place along a dimension.
_WIDE_INDEX = 32
_ARRAY_INSTRUCTIONS = (BROADCAST, COPY, GATHER, REDUCE_ROWS)
# A sum of two floats is the same in this type and in f64, rounded.
_ROUNDED_ONCE = ("f32", "f64")


class FusionLowering(BlockLowering):
    """Lowers steps of a plan into a fused computation of `size` elements.

    Args:
      layouts: for slots whose steps only broadcast or reshape a value from outside: the slot of this value,
        and the steps.
      used: the slots that steps read or the plan returns.

    Attributes:
      rows: the rows that are reduced; None before the first reduction.
      views: views of the results of the lowered steps, by their slots.
    """

    def __init__(
        self,
        size: int,
        plan: Plan,
        layouts: Mapping[int, tuple[int, Sequence[Step]]],
        used: Container[int],
        thresholds: Thresholds,
    ) -> None:
        super().__init__(thresholds)
        self.size = size
        self.rows: Rows | None = None
        self.views: dict[int, View] = {}
        self._plan, self._layouts, self._used = plan, layouts, used
        self._constants = dict(plan.constants)
        self._most_instructions = thresholds.fusion_instructions
        self._iterations = 0  # of all unrolled loops of a step
        self._outside: dict[int, View] = {}
        self._slots: dict[int, int] = {}  # of the arrays from outside, by their registers
        self._inputs: dict[View, FusionInput] = {}

    def lower(self, step: Step) -> bool:
        """Lower a step; changes nothing and returns False if it cannot be part of the computation."""
        mark, rows, inputs = self.mark(), self.rows, len(self._inputs)
        self._iterations = 0
        try:
            last_of(self.step(self._plan, step, self.views, {}))
            for slot, type_ in zip(step.results, step.result_types, strict=True):
                if slot in self._used:
                    self._check_size(tensor_type(type_).size)
                    self.splat_or_whole(self.views[slot])
            if len(self.instructions) <= self._most_instructions:
                return True
        except NotLowerable:
            pass
        self.undo(mark)
        self.rows = rows
        while len(self._inputs) > inputs:
            self._inputs.popitem()
        for slot in step.results:
            self.views.pop(slot, None)
        return False

    def output(self, slot: int, taken: Container[int]) -> int | None:
        """A register, not in `taken`, with the elements of a result; None if no register can hold them."""
        type_ = tensor_type(self._plan.slot_types[slot])
        register = self.splat_or_whole(self.views[slot])
        level = ELEMENT if type_.size == self.size else ROW
        if self.level(register) < level:
            return self._broadcast(register) if level == ELEMENT else None
        if register in taken or any(input_.register == register for input_ in self._inputs.values()):
            copy = self.new_like(register)
            self.add(Instruction(COPY, (copy,), (register,)))
            return copy
        return register

    @property
    def cost(self) -> int:
        """The cost of an element, in additions."""
        return sum([cost_of(instruction.operation) for instruction in self.instructions])

    @property
    def array_count(self) -> int:
        """The number of inputs with a value for each element."""
        return sum([input_.level == ELEMENT for input_ in self._inputs.values()])

    def level(self, register: int) -> int:
        """The level of a register."""
        count = self.registers[register].count
        return ONE if count in (SCALAR, 1) else ELEMENT if count == self.size else ROW

    def inputs(self, registers: Container[int]) -> list[FusionInput]:
        """The inputs that fill these registers."""
        inputs = [input_ for input_ in self._inputs.values() if input_.register in registers]
        for register, value in (*self.constants.items(), *self.constant_arrays.items()):
            if register in registers:
                array = np.asarray(value)
                array = array.reshape(()) if array.size == 1 else np.ascontiguousarray(array)
                inputs.append(whole_input(register, -1, array, array.shape))
        for register, slot in self._slots.items():
            if register in registers:
                inputs.append(
                    whole_input(register, slot, None, tensor_type(self._plan.slot_types[slot]).dims)
                )
        return inputs

    @property
    def reads_short_rows(self) -> bool:
        """Whether an array from outside is read in short rows, which take NumPy longer than the operation."""
        return any(map(has_short_rows, self._inputs))

    # Operands --------------------------------------------------------------------------------------

    def _operand(self, plan: Plan, views: dict[int, View], constants: dict[int, Value], slot: int) -> View:
        if slot in views or slot in constants:
            return super()._operand(plan, views, constants, slot)
        return self._from_outside(slot)

    def _from_outside(self, slot: int) -> View:
        """A view of a value that other steps compute."""
        view = self._outside.get(slot)
        if view is None:
            source, steps = self._layouts.get(slot, (slot, ()))
            if source != slot:
                view = self._from_outside(source)
                for step in steps:
                    view = laid_out(view, step)
                    assert view is not None
            elif slot in self._constants:
                view = self.constant(self._plan.slot_types[slot], self._constants[slot])
            else:
                view = self.operand(tensor_type(self._plan.slot_types[slot]))
                self._slots[view.register] = slot
            self._outside[slot] = view
        return view

    def scalar(self, view: View) -> int:
        return view.register if self.level(view.register) == ONE else super().scalar(view)

    def splat_or_whole(self, view: View) -> int:
        if self.level(view.register) == ONE:
            return view.register
        if view.is_splat:
            return self.scalar(view)
        if self.registers[view.register].is_constant:  # an array from outside
            return self._input(view)
        if not (self.is_whole(view) or self._is_by_rows(view)):
            raise NotLowerable
        return view.register

    def _is_by_rows(self, view: View) -> bool:
        """Whether a view repeats a value for each row along the row."""
        if self.rows is None or self.level(view.register) != ROW:
            return False
        return self.rows.values_of(view) is not None

    def _input(self, view: View) -> int:
        """A register with the elements of a view of an array from outside, or its values for rows."""
        if view not in self._inputs and self.rows is not None and view.size == self.size:
            view = self.rows.values_of(view) or view
        if view not in self._inputs:
            self._check_size(view.size)
            slot, value = self._slots.get(view.register, -1), self.constant_arrays.get(view.register)
            shape = value.shape if value is not None else tensor_type(self._plan.slot_types[slot]).dims
            layout = expansion(view, shape)
            if layout is None:
                raise NotLowerable
            register = self.new_register(virtual_register(self.registers[view.register].type, view.size))
            self._inputs[view] = FusionInput(register, self.level(register), slot, value, *layout)
        return self._inputs[view].register

    def _check_size(self, size: int) -> None:
        if size != self.size and not self._is_row_count(size):
            raise NotLowerable

    def _is_row_count(self, size: int) -> bool:
        return self.rows is not None and size == self.rows.row_count

    # Steps -----------------------------------------------------------------------------------------

    def call(self, function: Block, operands: Sequence[View]) -> Pausing[list[View]]:
        return self.block(function, operands)

    def block(self, block: Region, arguments: Sequence[View]) -> Pausing[list[View]]:
        if len(self._inlining) >= self.thresholds.fusion_call_depth:
            raise NotLowerable
        return super().block(block, arguments)

    def while_(
        self, cond: Region, body: Region, values: Sequence[View], captured: Sequence[View]
    ) -> Pausing[list[View]]:
        """Unroll a loop with a known number of iterations."""
        left = self.thresholds.fusion_unrolled_iterations - self._iterations
        most = min(self.thresholds.fusion_loop_iterations, left)
        count = self._trip_count(cond, body, [*values, *captured], most)
        if count is None:
            raise NotLowerable
        self._iterations += count
        return self._unrolled(body, count, values, captured)

    def add(self, instruction: Instruction) -> None:
        if instruction.operation < 0 and instruction.operation not in _ARRAY_INSTRUCTIONS:
            raise NotLowerable
        super().add(instruction)

    def count_of_result(self, type_: str, shape: Ints, operands: Sequence[int]) -> int:
        size = prod(shape)
        if size == 1:
            return super().count_of_result(type_, shape, operands)
        highest = max(operands, key=self.level)
        self._check_size(size)
        if self._is_row_count(size) and self.level(highest) != ROW:
            raise NotLowerable
        count = self.registers[highest].count
        return super().count_of_result(type_, (), operands) if count in (SCALAR, 1) else count

    def random_words(self, number: int, shape: Ints, operands: tuple[int, ...]) -> View | None:
        del number, shape, operands
        return None

    def view_of(self, register: int, shape: Ints) -> View:
        if self.level(register) != ROW or self._is_row_count(prod(shape)):
            return super().view_of(register, shape)
        strides = None if self.rows is None else self.rows.strides(shape)
        if strides is None:
            raise NotLowerable
        return View(register, 0, shape, strides)

    def _array_op(self, plan: Plan, step: Step, operands: list[View]) -> list[View]:
        if isinstance(step.kernel.array_op, array_ops.Reduce):
            return [self._reduce_rows(step.kernel.array_op, step, operands)]
        if isinstance(step.kernel.array_op, array_ops.Dot):
            type_ = tensor_type(step.result_types[0])
            return [products_of_pairs(self, step.kernel.array_op, type_, *operands)]
        if isinstance(step.kernel.array_op, array_ops.Gather):
            return [self._gather(step.kernel.array_op, step, operands)]
        if not traits_of(step.name).view:
            raise NotLowerable
        return super()._array_op(plan, step, operands)

    def _gather(self, gather: array_ops.Gather, step: Step, operands: list[View]) -> View:
        """Elements of an array from outside."""
        table, result = operands[0], tensor_type(step.result_types[0])
        components = components_of(gather, table.shape, operands[1:])
        is_table = self.registers[table.register].is_constant and not table.offset and table.is_dense
        if not components or not is_table:
            raise NotLowerable
        type_ = tensor_type(step.operand_types[1]).element_type
        registers = [self._indices(component, type_) for component in components]
        axes = [GatherAxis(component.extent, component.step) for component in components]
        key = GATHER, table, tuple(axes), tuple(registers)
        if key not in self.available:
            count = self.count_of_result(result.element_type.name, result.dims, registers)
            register = self.new_register(virtual_register(self.registers[table.register].type, count))
            instruction = Instruction(
                GATHER, (register,), (table.register, *registers), Gather(axes), work=result.size
            )
            self.add(instruction)
            self.available[key] = self.view_of(register, result.dims)
        return self.available[key]

    def _indices(self, component: Component, type_: ElementType) -> int:
        """The register with the indices of a component, of an element type."""
        if component.indices is not None:
            return self.splat_or_whole(component.indices)
        if type_.width < _WIDE_INDEX:
            raise NotLowerable  # perhaps not wide enough for the places along a dimension
        places = np.arange(component.extent, dtype=type_.dtype)
        view = self.constant(TensorType((component.extent,), type_), places)
        return self.splat_or_whole(view.broadcast((component.dimension,), component.batch_shape))

    def _reduce_rows(self, reduce: array_ops.Reduce, step: Step, operands: list[View]) -> View:
        """A reduction to a value for each row."""
        type_, result = tensor_type(step.operand_types[0]), tensor_type(step.result_types[0])
        name, axes = type_.element_type.name, reduce.dimensions
        combination = opcode_name(reduce.operation) or ""
        has_kernel = _kernels.has_combination(combination, name) and result.element_type == type_.element_type
        if not has_kernel:
            raise NotLowerable
        if type_.size == result.size and (name in _ROUNDED_ONCE or not type_.element_type.kind.is_inexact):
            registers = (self.splat_or_whole(operands[1]), self.splat_or_whole(operands[0]))
            return self.pointwise(operation(combination, name, name), name, result.dims, registers)
        rows = rows_of(type_.dims, axes)
        if rows is None or type_.size != self.size or self.rows not in (None, rows):
            raise NotLowerable
        if result.size < 2 or rows.columns < (2 if rows.inner == 1 else self.thresholds.fusion_row_elements):
            raise NotLowerable
        self.rows = rows
        array, init = self.splat_or_whole(operands[0]), self.element(operands[1])
        if rows.are_many and any(input_.register == array for input_ in self._inputs.values()):
            raise NotLowerable  # the kernel of the reduction is as fast, and faster for transposed arrays
        if self.level(array) < ELEMENT:
            array = self._broadcast(array)
        register = self.new_register(virtual_register(name, rows.row_count))
        number = operation(combination, name, name)
        self.add(Instruction(REDUCE_ROWS, (register,), (array, init), RowReduction(number), work=self.size))
        return View(register, 0, result.dims, dense_strides(result.dims))

    def _broadcast(self, register: int) -> int:
        """A register with a value of a lower level for each element."""
        result = self.new_register(virtual_register(self.registers[register].type, self.size))
        self.add(Instruction(BROADCAST, (result,), (register,), work=self.size))
        return result


def laid_out(view: View, step: Step) -> View | None:
    """The result of a broadcast or reshape as a view of its operand; None if no view has this order."""
    type_ = step.result_types[0]
    assert isinstance(type_, TensorType)
    if isinstance(step.kernel.array_op, array_ops.Broadcast):
        return view.broadcast(step.kernel.array_op.dimensions, type_.dims)
    return view.reshaped(type_.dims)
