"""Registers of a native program that is being written, and how views of them come to be registers again."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit.interpreter.lines import ASSIGN, BEGIN, MOVE, SCALAR, Line, Register
from hlokit.interpreter.machine import type_name
from hlokit.interpreter.patterns import Patterns
from hlokit.interpreter.registry import Value
from hlokit.interpreter.views import Ints, View, dense
from hlokit.values.types import TensorType, ValueType

# Constants of this many elements or fewer are looked at: are they all the same?
_FEW = 4096
_MOST_DIMENSIONS = 12


class Unfit(Exception):
    """A block has something that the machine does not do."""


def tensor_type(type_: ValueType) -> TensorType:
    """The type, if a register holds such; raises `Unfit` if not."""
    if not isinstance(type_, TensorType) or not type_.is_static or type_name(type_) is None:
        raise Unfit
    if type_.rank > _MOST_DIMENSIONS // 2:
        raise Unfit
    return type_


class Registers:
    """Registers and lines of a program.

    A tensor of one element is a scalar, whatever its rank.

    Attributes:
      registers, lines: so far.
      known: scalars that are constants.
      arrays: registers of constant arrays.
      seen: what has been computed where the program stands, by how.
      depth: of loops around what is being written.
    """

    def __init__(self) -> None:
        self.registers: list[Register] = []
        self.lines: list[Line] = []
        self.known: dict[int, Value] = {}
        self.arrays: dict[int, npt.NDArray[Any]] = {}
        self.seen: dict[Any, Any] = {}
        self.depth = 0
        self._scalars: dict[tuple[str, bytes], int] = {}
        self.patterns = Patterns(self.known, self.known_scalar)
        self._whole: dict[int, View] = {}  # views of all of a register

    def add(self, line: Line) -> None:
        """Append a line."""
        line.depth = self.depth
        self.lines.append(line)

    def register(self, register: Register) -> int:
        """A new register."""
        self.registers.append(register)
        return len(self.registers) - 1

    def new_scalar(self, name: str) -> int:
        """A new register for a scalar."""
        return self.register(Register(name, SCALAR))

    def like(self, register: int) -> int:
        """A new register that can hold what another one holds."""
        old = self.registers[register]
        return self.register(Register(old.type, old.count))

    def new(self, type_: TensorType, *, is_outside: bool = False, is_constant: bool = False) -> View:
        """A new register for values of a type."""
        count = SCALAR if type_.size == 1 else type_.size
        is_outside = is_outside and count != SCALAR
        register = Register(type_.element_type.name, count, is_outside, is_constant)
        return View(self.register(register), 0, type_.dims, dense(type_.dims))

    def constant(self, type_: ValueType, value: Value) -> View:
        """A constant."""
        type_ = tensor_type(type_)
        array = np.asarray(value)
        name = type_.element_type.name
        if type_.size == 1:
            return View(self.known_scalar(array.reshape(())[()], name), 0, type_.dims, dense(type_.dims))
        if type_.size and (not any(array.strides) or (array.size <= _FEW and _is_one(array))):
            element = array[(0,) * array.ndim]
            return View(self.known_scalar(element, name), 0, type_.dims, (0,) * type_.rank)
        view = self.new(type_, is_outside=True, is_constant=True)
        self.arrays[view.register] = array
        return view

    def known_scalar(self, value: Value, name: str) -> int:
        """The register of a scalar that is a constant."""
        key = (name, value.tobytes())
        if key not in self._scalars:
            register = self.register(Register(name, SCALAR, is_constant=True))
            self._scalars[key] = register
            self.known[register] = value
        return self._scalars[key]

    def sweep(self, number: int, name: str, shape: Ints, registers: tuple[int, ...]) -> View:
        """A view of what an operation gives of registers; what is known already is not computed again."""
        key = (number, shape, registers)
        view = self.seen.get(key)
        if view is None:
            size = prod(shape)
            result = self.register(Register(name, SCALAR if size == 1 else size))
            if size:
                self.add(Line(number, result, registers, work=size))
            self.patterns.add(result, number, registers)
            view = self.seen[key] = self._whole[result] = View(result, 0, shape, dense(shape))
        return view

    # Views to registers --------------------------------------------------------------------------

    def is_whole(self, view: View) -> bool:
        """The view is all of a register, in order."""
        if self.registers[view.register].count == SCALAR:
            return view.size == 1
        return view.offset == 0 and self.registers[view.register].count == view.size and view.is_dense

    def scalar(self, view: View) -> int:
        """The register of a view of one element, or of one for all."""
        if self.registers[view.register].count == SCALAR:
            return view.register
        key = ("element", view.register, view.offset)
        if key not in self.seen:
            register = self.new_scalar(self.registers[view.register].type)
            self.add(Line(MOVE, register, (view.register,), [0, view.offset, 0], is_apart=True))
            self.seen[key] = register
        return self.seen[key]

    def element_or_whole(self, view: View) -> int:
        """A register of all elements, or of the one that they all are."""
        if self._whole.get(view.register) is view or self.registers[view.register].count == SCALAR:
            return view.register
        return self.scalar(view) if view.size and view.is_one else self.whole(view)

    def whole(self, view: View) -> int:
        """A register that holds the elements in row-major order."""
        return self.dense(view).register

    def dense(self, view: View) -> View:
        """The same elements as a register of their own, if they are not."""
        if self.is_whole(view):
            return view
        if view.size == 1:
            return View(self.scalar(view), 0, view.shape, dense(view.shape))
        key = ("dense", view)
        if key not in self.seen:
            self.seen[key] = self._copied(view)
        return self.seen[key]

    def copied(self, view: View) -> View:
        """The same elements in a register that may be written."""
        if not self.is_whole(view):
            return self._copied(view)
        register = self.like(view.register)
        self.add(Line(ASSIGN, register, (view.register,), work=view.size))
        return View(register, 0, view.shape, dense(view.shape))

    def _copied(self, view: View) -> View:
        count = SCALAR if view.size == 1 else view.size
        result = self.register(Register(self.registers[view.register].type, count))
        self.add(Line(BEGIN, result))
        place = View(result, 0, view.shape, dense(view.shape))
        self.put(place, view)
        return place

    def put(self, place: View, view: View) -> None:
        """Copy a view's elements to those of another view, of the same shape."""
        if not view.size:
            return
        rank = len(view.shape)
        numbers = [rank, *view.shape, view.offset, *view.strides, place.offset, *place.strides]
        self.add(
            Line(MOVE, place.register, (view.register,), numbers, keeps=True, is_apart=True, work=view.size)
        )


def _is_one(array: npt.NDArray[Any]) -> bool:
    """All elements have the same bits."""
    rows = np.ascontiguousarray(array).reshape(-1).view(f"u{array.dtype.itemsize}")
    return bool((rows == rows[0]).all())
