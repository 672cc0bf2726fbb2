"""Programs of `hlokit._native.Chain`, written step by step.

A chain computes `rows` times `columns` elements. A register has one value, one a row, or one an element; an
operation is done on the highest level of its operands. So broadcasts, and reshapes that change nothing but
dimensions of size 1, need no instruction: their result is the register of their operand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from hlokit import _native
from hlokit.interpreter import forms
from hlokit.interpreter.machine import COPY, array_operation_of, array_type_name, operation
from hlokit.interpreter.steps import Plan, Step
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

ONE, ROW, FULL = 0, 1, 2  # levels
SPREAD = -1  # the instruction that gives a value of lower level for each element

# Instructions of a chain, with those of functions and loops that are inlined.
_MOST_INSTRUCTIONS = 600
# Calls within calls that are inlined, and turns of loops.
_MOST_DEEP = 6
_MOST_TURNS = 32
# Arrays up to this size are computed when the program is written, if their operands are known.
_SMALL = 64
# Shorter rows are reduced sooner by NumPy.
_LEAST_COLUMNS = 32

_FOLDED = frozenset(
    f"stablehlo.{name}"
    for name in ("broadcast_in_dim", "concatenate", "reshape", "reverse", "slice", "transpose")
)

Shape = tuple[int, ...]


class Register(NamedTuple):
    """A value that the program computes, or has been given."""

    number: int


class Known(NamedTuple):
    """A value that is known when the program is written; if it is one element, perhaps for many."""

    value: Any


class View(NamedTuple):
    """A value from outside: dimensions of the slot's array are these ones of the shape."""

    slot: int
    array_shape: Shape
    shape: Shape
    dimensions: Shape


Item = Register | Known | View


class Input(NamedTuple):
    """What fills a register: the array of a slot, or a value that is known."""

    register: int
    level: int
    shape: Shape
    dimensions: Shape
    slot: int
    value: Any


def view_of(slot: int, type_: ValueType) -> View | None:
    """The value of a slot as it is; None if its shape is not known."""
    if not isinstance(type_, TensorType) or not type_.is_static:
        return None
    return View(slot, type_.dims, type_.dims, tuple(range(type_.rank)))


def broadcast_view(view: View, step: Step) -> View | None:
    """The result of a broadcast or a reshape as a view; None if dimensions do not stay what they are."""
    type_, dimensions = step.result_types[0], _dimensions(step)
    if not isinstance(type_, TensorType) or dimensions is None:
        return None
    mapped = tuple([dimensions[dimension] for dimension in view.dimensions])
    if any(low >= high for low, high in pairwise(mapped)):
        return None
    return View(view.slot, view.array_shape, type_.dims, mapped)


def _dimensions(step: Step) -> Shape | None:
    """Where the operand's dimensions are in the result of a broadcast, or of a reshape that keeps them."""
    type_, result = step.operand_types[0], step.result_types[0]
    if not isinstance(type_, TensorType) or not isinstance(result, TensorType) or not result.is_static:
        return None
    if isinstance(step.kernel.form, forms.Broadcast):
        return step.kernel.form.dimensions
    found: list[int] = []
    for size in type_.dims:
        first = found[-1] + 1 if found else 0
        if size not in result.dims[first:]:
            return None
        found.append(result.dims.index(size, first))
    return tuple(found) if type_.size == result.size else None


class Code:
    """A program for arrays of `size` elements.

    Attributes:
      rows, columns: how rows are reduced; None before a reduction.
      types, levels: of registers.
      instructions: operation, result, operands.
      inputs: by what they are.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.rows: int | None = None
        self.columns: int | None = None
        self.types: list[str] = []
        self.levels: list[int] = []
        self.instructions: list[tuple[int, int, list[int]]] = []
        self.inputs: dict[Any, Input] = {}
        self._kept: list[Item] = []

    def add(self, step: Step, operands: Sequence[Item]) -> list[Item] | None:
        """Add a step; gives its results, None and nothing changed if the machine cannot do it."""
        mark = self.mark()
        results = self._step(step, operands, 0)
        if results is None or len(self.instructions) > _MOST_INSTRUCTIONS:
            self.restore(mark)
            return None
        return results

    def mark(self) -> tuple[Any, ...]:
        """What `restore` goes back to."""
        return self.rows, self.columns, len(self.types), len(self.instructions), len(self.inputs)

    def restore(self, mark: tuple[Any, ...]) -> None:
        """Forget what was added since a mark."""
        self.rows, self.columns, registers, instructions, inputs = mark
        del self.types[registers:], self.levels[registers:], self.instructions[instructions:]
        while len(self.inputs) > inputs:
            self.inputs.popitem()

    @property
    def array_count(self) -> int:
        """Inputs with a value for each element."""
        return sum([each.level == FULL for each in self.inputs.values()])

    def output(self, item: Item, type_: TensorType, taken: set[int]) -> int | None:
        """A register that a result of the type can be had from; None if there is none."""
        register = self._register(item, type_)
        if register is None:
            return None
        level = FULL if type_.size == self.size else ROW
        name = self.types[register]
        if self.levels[register] < level:
            return self._emit(SPREAD, [register], name, FULL) if level == FULL else None
        if register in taken or any(each.register == register for each in self.inputs.values()):
            return self._emit(operation(COPY, name, name), [register], name, level)
        return register

    # Steps -------------------------------------------------------------------------------------------

    def _step(self, step: Step, operands: Sequence[Item], depth: int) -> list[Item] | None:
        if len(self.instructions) > _MOST_INSTRUCTIONS:
            return None
        known = _folded(step, operands)
        if known is not None:
            return [known]
        match step.name:
            case "stablehlo.broadcast_in_dim" | "stablehlo.reshape":
                moved = self._moved(step, operands[0])
                return None if moved is None else [moved]
            case "stablehlo.while" if len(step.kernel.regions) == 2:
                return self._loop(step, operands, depth)
            case "stablehlo.reduce":
                return self._reduce(step, operands)
            case _:
                pass
        number = array_operation_of(step)
        if number >= 0:
            return None if _is_slow(step) else self._operation(step, number, operands)
        plan = getattr(step.kernel.function, "plan", None)  # of a block
        return self._block(plan, operands, depth + 1) if isinstance(plan, Plan) else None

    def _operation(self, step: Step, number: int, operands: Sequence[Item]) -> list[Item] | None:
        type_ = step.result_types[0]
        registers = self._registers(operands, step.operand_types)
        if registers is None or not isinstance(type_, TensorType):
            return None
        level = max([self.levels[register] for register in registers])
        if type_.size not in (self.size, self.rows, 1) or (type_.size == self.rows and level != ROW):
            return None
        name = array_type_name(type_) or ""
        if step.name == "stablehlo.convert" and name == self.types[registers[0]]:
            return [Register(registers[0])]
        return [Register(self._emit(number, registers, name, level))]

    def _reduce(self, step: Step, operands: Sequence[Item]) -> list[Item] | None:
        type_, result, form = step.operand_types[0], step.result_types[0], step.kernel.form
        if not isinstance(type_, TensorType) or not isinstance(result, TensorType) or not type_.is_static:
            return None
        name = array_type_name(type_)
        if not isinstance(form, forms.Reduce) or name is None or result.element_type != type_.element_type:
            return None
        axes = form.dimensions
        number = _native.find_reduction(form.operation.removeprefix("stablehlo."), name)
        kept = [size for axis, size in enumerate(type_.dims) if axis not in axes]
        first = min([axis for axis in axes if type_.dims[axis] != 1], default=type_.rank)
        is_trailing = all(
            size == 1 for axis, size in enumerate(type_.dims) if axis > first and axis not in axes
        )
        rows = prod(kept)
        if (
            number == 0
            or not is_trailing
            or type_.size != self.size
            or rows < 2
            or self.size < rows * _LEAST_COLUMNS
        ):
            return None
        if self.rows not in (None, rows):
            return None
        self.rows, self.columns = rows, self.size // rows
        registers = self._registers(operands, step.operand_types)
        if registers is None or self.levels[registers[1]] != ONE:
            return None
        array, init = registers
        if self.levels[array] < FULL:
            array = self._emit(SPREAD, [array], self.types[array], FULL)
        return [Register(self._emit(number, [array, init], self.types[array], ROW))]

    def _moved(self, step: Step, operand: Item) -> Item | None:
        """The result of a broadcast or a reshape."""
        type_, result = step.operand_types[0], step.result_types[0]
        if not (isinstance(type_, TensorType) and isinstance(result, TensorType) and result.is_static):
            return None
        if isinstance(operand, Known) and np.size(operand.value) == 1:
            return operand
        view = broadcast_view(operand, step) if isinstance(operand, View) else None
        if view is not None:
            return view
        if isinstance(operand, View | Known):
            register = self._register(operand, type_)
            if register is None:
                return None
            operand = Register(register)
        match self.levels[operand.number]:
            case 0:  # ONE
                return operand
            case 1 if result.size == self.size:  # ROW
                return operand if self._repeats_rows(step, type_, result) else None
            case _:
                return operand if result.size == type_.size and _is_in_order(step, type_, result) else None

    def _repeats_rows(self, step: Step, type_: TensorType, result: TensorType) -> bool:
        """A broadcast of a value a row, or of what has been made of one, gives each row one value."""
        if type_.size == self.size:
            return _is_in_order(step, type_, result)
        dimensions = _dimensions(step)
        if dimensions is None:
            return False
        leading = 0
        while prod(result.dims[:leading]) < (self.rows or 0):
            leading += 1
        real = [d for d, size in zip(dimensions, type_.dims, strict=True) if size != 1]
        wanted = [d for d in range(leading) if result.dims[d] != 1]
        return prod(result.dims[:leading]) == self.rows and real == wanted

    def _block(self, plan: Plan, arguments: Sequence[Item], depth: int) -> list[Item] | None:
        if depth > _MOST_DEEP:
            return None
        items: dict[int, Item] = dict(enumerate(arguments))
        items.update((slot, Known(value)) for slot, value in plan.constants)
        for step in plan.steps:
            found = self._step(step, [items[slot] for slot in step.operands], depth)
            if found is None:
                return None
            items.update(zip(step.results, found, strict=True))
        return [items[slot] for slot in plan.outputs]

    def _loop(self, step: Step, operands: Sequence[Item], depth: int) -> list[Item] | None:
        """Turn by turn, if it is known how many there are."""
        cond, body = step.kernel.regions
        count = len(step.result_types)
        state, captured = list(operands[:count]), operands[count:]
        for _ in range(_MOST_TURNS):
            preds = self._block(cond.plan, [*state, *captured], depth + 1)
            if preds is None or not isinstance(preds[0], Known):
                return None
            if not preds[0].value:
                return list(state)
            found = self._block(body.plan, [*state, *captured], depth + 1)
            if found is None:
                return None
            state = found
        return None

    # Registers ---------------------------------------------------------------------------------------

    def _registers(self, items: Sequence[Item], types: Sequence[ValueType]) -> list[int] | None:
        registers: list[int] = []
        for item, type_ in zip(items, types, strict=True):
            register = self._register(item, type_)
            if register is None:
                return None
            registers.append(register)
        return registers

    def _register(self, item: Item, type_: ValueType) -> int | None:
        if isinstance(item, Register):
            return item.number
        name = array_type_name(type_)
        if name is None:
            return None
        if isinstance(item, View):
            array, shape, dimensions = item.array_shape, item.shape, item.dimensions
            key: Any = item
            slot, value = item.slot, None
        else:
            slot, value = -1, np.asarray(item.value)
            if value.size > 1 and not any(value.strides):
                value = value[(0,) * value.ndim]
            array = shape = np.shape(value)
            dimensions = tuple(range(len(shape)))
            key = id(item.value)
        if prod(array) == 1:
            level, shape, dimensions = ONE, array, tuple(range(len(array)))
        elif prod(shape) == self.size:
            level = FULL
        elif prod(shape) == self.rows:
            level = ROW
        else:
            return None
        found = self.inputs.get(key)
        if found is None:
            self._kept.append(item)  # so that no other value has its id
            number = self._new(name, level)
            found = self.inputs[key] = Input(number, level, shape, dimensions, slot, value)
        return found.register

    def _emit(self, number: int, operands: list[int], name: str, level: int) -> int:
        register = self._new(name, level)
        self.instructions.append((number, register, operands))
        return register

    def _new(self, name: str, level: int) -> int:
        self.types.append(name)
        self.levels.append(level)
        return len(self.types) - 1


def _folded(step: Step, operands: Sequence[Item]) -> Known | None:
    """The result of a step whose operands are known, if it is small."""
    if not operands or len(step.results) != 1 or not (step.kernel.pointwise or step.name in _FOLDED):
        return None
    type_ = step.result_types[0]
    if not isinstance(type_, TensorType) or not type_.is_static or type_.size > _SMALL:
        return None
    for item, operand_type in zip(operands, step.operand_types, strict=True):
        if not isinstance(item, Known) or not isinstance(operand_type, TensorType):
            return None
        if np.shape(item.value) != operand_type.dims:
            return None
    return Known(step.kernel.function(*[item.value for item in operands if isinstance(item, Known)]))


def _is_in_order(step: Step, type_: TensorType, result: TensorType) -> bool:
    """The elements stay in row-major order: only dimensions of size 1 come, go or move."""
    if not isinstance(step.kernel.form, forms.Broadcast):
        return type_.size == result.size
    dimensions = step.kernel.form.dimensions
    real = [d for d, size in zip(dimensions, type_.dims, strict=True) if size != 1]
    return type_.size == result.size and real == sorted(real)


def _is_slow(step: Step) -> bool:
    """NumPy does it sooner."""
    type_ = step.result_types[0]
    is_float = isinstance(type_, TensorType) and type_.element_type.kind is Kind.FLOAT
    return step.name == "stablehlo.remainder" and is_float
