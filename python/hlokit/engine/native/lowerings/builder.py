"""Builds a native program: virtual registers, instructions, and the views that represent values."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.engine.contract.array_ops import Pad
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.instructions import (
    COPY,
    IMPLICIT_DEF,
    MOVE,
    SCALAR,
    THREEFRY,
    Instruction,
    VirtualRegister,
    virtual_register,
)
from hlokit.engine.native.ir.parameters import Move, MoveAxis
from hlokit.engine.native.ir.peephole import Peephole, concerns
from hlokit.engine.native.ir.target import COMPLEX, NotLowerable, bits_of, operation, register_type
from hlokit.engine.native.ir.views import Ints, View, dense_view, splat_view
from hlokit.values.types import TensorType, ValueType

# Constants of at most this many elements are checked for being splats: checking larger constants takes too
# long.
_SPLAT_CHECK_ELEMENTS = 4096
# Two additions that complete random words are at most so far apart.
_NEAR_INSTRUCTIONS = 16
# The VM's limit of dimensions.
VM_DIMENSIONS = 12


def tensor_type(type_: ValueType) -> TensorType:
    """The type, if a register can hold such a value.

    Raises:
      NotLowerable: no register can hold such a value.
    """
    if not isinstance(type_, TensorType) or register_type(type_) is None:
        raise NotLowerable
    shape = type_.shape
    if shape is None or -1 in shape or len(shape) > VM_DIMENSIONS:
        raise NotLowerable
    return type_


class ProgramBuilder:
    """Virtual registers and instructions of a program that is being written.

    Every value gets its own virtual register. A tensor of one element is a scalar, whatever its rank; one
    complex element is an array of one element.

    Attributes:
      registers, instructions: registers and instructions so far.
      constants: values of the scalar registers that are constants.
      constant_arrays: values of the array registers that are constants.
      available: views of values that every path to the current position has computed, by operation and
        operands (for common subexpressions).
      loop_depth: the number of loops around the current position.
      is_repeated: whether each iteration of a loop comes to the current position.
    """

    def __init__(self) -> None:
        self.registers: list[VirtualRegister] = []
        self.instructions: list[Instruction] = []
        self.constants: dict[int, Value] = {}
        self.constant_arrays: dict[int, npt.NDArray[Any]] = {}
        self.available: dict[Any, Any] = {}
        self.loop_depth: int = 0
        self.is_repeated: bool = False
        self._scalar_constants: dict[tuple[str, bytes], int] = {}  # registers, by type and bits
        self._shared_constants: dict[int, int] = {}  # registers of arrays, by their identity
        self.peephole = Peephole(self.constants)
        self._whole_views: dict[int, View] = {}  # the view of all of a register, for results of instructions

    def add(self, instruction: Instruction) -> None:
        """Append an instruction."""
        instruction.loop_depth = self.loop_depth
        self.instructions.append(instruction)

    # Registers -----------------------------------------------------------------------------------

    def new_register(self, register: VirtualRegister) -> int:
        """The number of a new register."""
        self.registers.append(register)
        return len(self.registers) - 1

    def new_scalar(self, type_: str) -> int:
        """A new register for a scalar."""
        return self.new_register(virtual_register(type_, SCALAR))

    def new_like(self, register: int) -> int:
        """A new register of the type and size of another register."""
        old = self.registers[register]
        return self.new_register(virtual_register(old.type, old.count))

    def is_complex(self, register: int) -> bool:
        """Whether a register holds complex numbers."""
        return self.registers[register].type in COMPLEX

    def operand(self, type_: TensorType) -> View:
        """An operand of the program, which no instruction may write."""
        return self.new(type_, is_constant=True)

    def new(self, type_: TensorType, *, is_constant: bool = False) -> View:
        """A new register for values of a tensor type, as a view."""
        name = _register_type(type_)
        register = virtual_register(name, _count(name, type_.size), is_constant=is_constant)
        return dense_view(self.new_register(register), type_.dims)

    def constant(self, type_: ValueType, value: Value) -> View:
        """A constant. A splat is a scalar with strides of 0."""
        type_ = tensor_type(type_)
        name, array = _register_type(type_), np.asarray(value)
        if name != type_.element_type.name:
            array = bits_of(array)
        if type_.size == 1 or (type_.size and _is_uniform(array)):
            register = self.scalar_constant(array[(0,) * array.ndim], name)
            return (dense_view if type_.size == 1 else splat_view)(register, type_.dims)
        view = self.operand(type_)
        self.constant_arrays[view.register] = array
        return view

    def zeros(self, type_: TensorType) -> View:
        """A constant of zeros."""
        return self.constant(type_, np.zeros((), type_.element_type.dtype))

    def scalar_constant(self, value: Value, type_: str) -> int:
        """The register of one constant, of an array if it is complex; equal constants share one."""
        key = (type_, value.tobytes())
        if key not in self._scalar_constants:
            register = self.new_register(virtual_register(type_, _count(type_, 1), is_constant=True))
            self._scalar_constants[key] = register
            if type_ in COMPLEX:
                self.constant_arrays[register] = value.reshape(1)
            else:
                self.constants[register] = value
        return self._scalar_constants[key]

    def shared_constant(self, value: Value, type_: str) -> int:
        """The register of a constant of a template, which all its copies share."""
        if value.size == 1:
            return self.scalar_constant(value.reshape(())[()], type_)
        if id(value) not in self._shared_constants:
            register = self.new_register(virtual_register(type_, value.size, is_constant=True))
            self._shared_constants[id(value)] = register
            self.constant_arrays[register] = value  # which keeps the array alive
        return self._shared_constants[id(value)]

    def pointwise(self, number: int, type_: str, shape: Ints, operands: tuple[int, ...]) -> View:
        """The result of a pointwise operation; a common subexpression is computed once."""
        key = (number, shape, operands)
        view = self.available.get(key)
        if view is None:
            view = self.available[key] = self._simplified(number, type_, shape, operands)
        return view

    def _simplified(self, number: int, type_: str, shape: Ints, operands: tuple[int, ...]) -> View:
        if concerns(number):
            same = self.peephole.simplify(number, operands, self.scalar_constant)
            if same is not None:
                return self.view_of(same, shape)
            combined = self.peephole.combine(number, operands, self.scalar_constant)
            if combined is not None:
                return self.pointwise(combined[0], type_, shape, combined[1])
            words = self.random_words(number, shape, operands)
            if words is not None:
                return words
        size = prod(shape)
        count = self.count_of_result(type_, shape, operands)
        result = self.new_register(virtual_register(type_, count))
        if size:
            self.add(Instruction(number, (result,), operands, work=size))
        self.peephole.define(result, number, operands)
        view = self.view_of(result, shape)
        if count == size == 1 and type_ not in COMPLEX:  # a part of one complex number
            view = dense_view(self.scalar(view), shape)
        self._whole_views[view.register] = view
        return view

    def random_words(self, number: int, shape: Ints, operands: tuple[int, ...]) -> View | None:
        """The high words of Threefry, if this operation completes them; None otherwise.

        One instruction for low and high words takes the place of that for the low words.
        """
        threefry = self.peephole.threefry(number, operands)
        if threefry is None:
            return None
        low = [
            self.available.get((number, shape, pair)) for pair in (threefry.last_low, threefry.last_low[::-1])
        ]
        registers = {view.register for view in low if view is not None}
        for instruction in self.instructions[-_NEAR_INSTRUCTIONS:]:
            if instruction.operation != number or instruction.result not in registers:
                continue
            high = self.new_like(instruction.result)
            instruction.operation, instruction.results = THREEFRY, (instruction.result, high)
            instruction.operands = (threefry.low, threefry.high, *threefry.key)
            self.peephole.define(high, number, operands)
            view = self._whole_views[high] = self.view_of(high, shape)
            return view
        return None

    def apply(self, name: str, to: str, *operands: View) -> View:
        """A pointwise operation, by its name and the type of its result, on arrays of one shape and scalars.

        Raises:
          NotLowerable: the VM lacks the operation.
        """
        number = operation(name, to, self.registers[operands[-1].register].type)
        if number < 0:
            raise NotLowerable
        return self.elementwise(number, to, operands)

    def elementwise(self, number: int, type_: str, operands: Sequence[View]) -> View:
        """The result of a pointwise operation on arrays of one shape and scalars."""
        shape = next((view.shape for view in operands if view.shape), ())
        spread = [view if view.shape else view.broadcast((), shape) for view in operands]
        return self.pointwise(number, type_, shape, tuple(map(self.splat_or_whole, spread)))

    def converted(self, view: View, to: str) -> View:
        """spec "convert"; the view itself if it has the type."""
        return view if self.registers[view.register].type == to else self.apply("convert", to, view)

    def count_of_result(self, type_: str, shape: Ints, operands: Sequence[int]) -> int:
        """The count of a register for the result of a pointwise operation on registers."""
        size = prod(shape)
        return size if size != 1 or any(map(self.is_complex, operands)) else _count(type_, size)

    def view_of(self, register: int, shape: Ints) -> View:
        """All of a register, which may be one element, as elements of a shape."""
        is_splat = self.registers[register].count == SCALAR and prod(shape) != 1
        return (splat_view if is_splat else dense_view)(register, shape)

    def is_known(self, view: View) -> bool:
        """Whether the elements of a view are constants."""
        return view.register in self.constants or view.register in self.constant_arrays

    def known(self, view: View) -> Value:
        """The elements of a view of a constant."""
        if view.register in self.constants:
            value = self.constants[view.register]
            return np.broadcast_to(value, view.shape) if view.shape else value
        array = self.constant_arrays[view.register]
        strides = tuple([stride * array.itemsize for stride in view.strides])
        return np.lib.stride_tricks.as_strided(np.ravel(array)[view.offset :], view.shape, strides)

    # From views to registers ---------------------------------------------------------------------

    def is_whole(self, view: View) -> bool:
        """Whether the view is all of a register, in order."""
        if self.registers[view.register].count == SCALAR:
            return view.size == 1
        return view.offset == 0 and self.registers[view.register].count == view.size and view.is_dense

    def scalar(self, view: View) -> int:
        """The register of the only element of a view, or of the first element of a splat."""
        if self.registers[view.register].count == SCALAR:
            return view.register
        if self.is_complex(view.register):
            raise NotLowerable
        if view.register in self.constant_arrays:
            array = self.constant_arrays[view.register]
            return self.scalar_constant(array.reshape(-1)[view.offset], self.registers[view.register].type)
        key = ("element", view.register, view.offset)
        if key not in self.available:
            register = self.new_scalar(self.registers[view.register].type)
            self.add(Instruction(MOVE, (register,), (view.register,), Move(view.offset, 0, [])))
            self.available[key] = register
        return self.available[key]

    def splat_or_whole(self, view: View) -> int:
        """The register of all elements in order; of one element if the view is a splat."""
        if self._whole_views.get(view.register) is view or self.registers[view.register].count == SCALAR:
            return view.register
        if self.is_complex(view.register):
            return self.whole(view)
        return self.scalar(view) if view.size and view.is_splat else self.whole(view)

    def element(self, view: View) -> int:
        """The register of the only element of a view: a scalar, or an array of one complex number."""
        return self.whole(view) if self.is_complex(view.register) else self.scalar(view)

    def whole(self, view: View) -> int:
        """The register that holds the elements of a view in row-major order."""
        return self.dense(view).register

    def dense(self, view: View) -> View:
        """The view, or a copy that is all of a register, in order."""
        if self.is_whole(view):
            return view
        if view.size == 1 and not self.is_complex(view.register):
            return dense_view(self.scalar(view), view.shape)
        key = ("dense", view)
        if key not in self.available:
            self.available[key] = self._elementwise_copy(view)
        return self.available[key]

    def writable_copy(self, view: View) -> View:
        """A copy in a register that instructions may write. Coalescing removes the copy if possible."""
        if not self.is_whole(view):
            return self._elementwise_copy(view)
        register = self.new_like(view.register)
        self.add(Instruction(COPY, (register,), (view.register,), work=view.size))
        return dense_view(register, view.shape)

    def _elementwise_copy(self, view: View) -> View:
        type_ = self.registers[view.register].type
        result = self.new_register(virtual_register(type_, _count(type_, view.size)))
        self.add(Instruction(IMPLICIT_DEF, (result,)))
        copy = dense_view(result, view.shape)
        self.store(copy, view)
        return copy

    def parallel_copy(self, destinations: Sequence[int], sources: Sequence[int]) -> None:
        """Copy registers as if all at the same time; a temporary breaks each cycle."""
        pending = {to: source for to, source in zip(destinations, sources, strict=True) if to != source}
        while pending:
            free = [to for to in pending if to not in pending.values()]
            if free:
                self.copy(free[0], pending.pop(free[0]))
                continue
            source = next(iter(pending.values()))
            temporary = self.new_like(source)
            self.copy(temporary, source)
            pending = {to: temporary if other == source else other for to, other in pending.items()}

    def copy(self, destination: int, source: int) -> None:
        """Copy a register."""
        if destination != source:
            work = max(1, self.registers[destination].count)
            self.add(Instruction(COPY, (destination,), (source,), work=work))

    def store(self, destination: View, source: View) -> None:
        """Copy the elements of a view to those of another view of the same shape."""
        if not source.size:
            return
        axes = list(map(MoveAxis, source.shape, source.strides, destination.strides))
        move = Move(source.offset, destination.offset, axes)
        results, operands = (destination.register,), (source.register,)
        self.add(Instruction(MOVE, results, operands, move, is_partial=True, work=source.size))

    def reshaped(self, view: View, shape: Ints) -> View:
        """spec "reshape": a view, or a copy."""
        return view.reshaped(shape) or dense_view(self.whole(view), shape)

    def new_in_parts(self, type_: TensorType) -> View:
        """A new register that instructions write in parts."""
        result = self.new(type_)
        self.add(Instruction(IMPLICIT_DEF, (result.register,)))
        return result

    def pad(self, pad: Pad, type_: TensorType, operand: View, value: View) -> View:
        """spec "pad": an array of this type."""
        result = self.new_in_parts(type_)
        self.store(result, splat_view(self.element(value), type_.dims))
        self.store(*placed(pad, result, operand))
        return result


def placed(pad: Pad, result: View, operand: View) -> tuple[View, View]:
    """Where a pad of an operand stands in a result, and the elements that stand there."""
    placements = pad.placements(operand.shape, result.shape)
    first, shape, starts, steps = zip(*placements, strict=True) if placements else ((), (), (), ())
    return result.sliced(starts, steps, shape), operand.sliced(first, (1,) * len(shape), shape)


def _register_type(type_: TensorType) -> str:
    name = register_type(type_)
    if name is None:
        raise NotLowerable
    return name


def _count(type_: str, size: int) -> int:
    """The count of a register for `size` elements."""
    return SCALAR if size == 1 and type_ not in COMPLEX else size


def _is_uniform(array: npt.NDArray[Any]) -> bool:
    """Whether all elements are known to have the same bits."""
    return not any(array.strides) or (array.size <= _SPLAT_CHECK_ELEMENTS and _is_splat(array))


def _is_splat(array: npt.NDArray[Any]) -> bool:
    """Whether all elements have the same bits."""
    words = np.ascontiguousarray(array).reshape(-1).view(f"u{min(array.dtype.itemsize, 8)}")
    words = words.reshape(array.size, -1)
    return bool((words == words[0]).all())
