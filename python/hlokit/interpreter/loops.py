"""Loops on the native machine.

A `stablehlo.while` whose regions are made of operations that `assembler.py` knows becomes one program of
`hlokit._native.Loop`. It is made when a loop has run for some iterations, and takes over from the state
reached then.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _native
from hlokit.errors import HlokitError
from hlokit.interpreter.assembler import Assembler
from hlokit.interpreter.block import Block
from hlokit.interpreter.lines import SCALAR, encode, share
from hlokit.interpreter.machine import is_enabled
from hlokit.interpreter.registers import Unfit, tensor_type
from hlokit.interpreter.registry import Value
from hlokit.interpreter.switches import is_on
from hlokit.values.types import TensorType

# What a program does between looks at signals and at what other threads want of this one: some milliseconds.
_BUDGET = 100_000
# Elements that an instruction of a loop may take. With more the calls of kernels cost little.
_MOST_ELEMENTS = 1 << 15
# Words that the machine keeps before the registers.
_RESERVED = 2
# How `struct` spells a register of eight bytes whose first ones hold an integer of so many bytes.
_FORMATS = {1: "B7x", 2: "H6x", 4: "I4x", 8: "Q"}


class NativeLoop:
    """The native program of a while loop; what it computes is `run`.

    Args:
      cond, body: its regions.
      count: how many values its state has.
    """

    def __init__(self, cond: Block, body: Block, count: int) -> None:
        self._cond, self._body, self._count = cond, body, count
        self._special: NativeProgram | None = None
        self._general: NativeProgram | None = None
        # For captured scalars as they are in most runs; and then for any.
        self._is_tried = self._is_generally_tried = False

    def ready(self, captured: Sequence[Value]) -> NativeProgram | None:
        """The program for these captured values, if it has been made."""
        if self._special is not None and self._special.fits(captured):
            return self._special
        return self._general

    def made(self, captured: Sequence[Value]) -> NativeProgram | None:
        """The program for these captured values; None if the machine cannot run the loop, or is switched off.

        Scalars among the first ones that are seen are constants to the first program.
        """
        if not self._is_tried:
            self._is_tried = True
            self._special = _program(self._cond, self._body, self._count, captured)
            self._is_generally_tried = self._special is None
        if (program := self.ready(captured)) is not None or self._is_generally_tried:
            return program
        return self._made_generally()

    @property
    def is_native(self) -> bool:
        """The machine can run the loop whatever it captures, and is switched on."""
        return self._made_generally() is not None

    def _made_generally(self) -> NativeProgram | None:
        if not self._is_generally_tried:
            self._is_generally_tried = True
            self._general = _program(self._cond, self._body, self._count, None)
        return self._general


def _program(cond: Block, body: Block, count: int, captured: Sequence[Value] | None) -> NativeProgram | None:
    if not is_enabled() or cond.is_observed or body.is_observed:
        return None
    try:
        return NativeProgram(cond, body, count, captured)
    except (Unfit, HlokitError):  # an error of a region that perhaps never runs
        return None


class NativeProgram:
    """A program whose arguments are the state and the captured values.

    Args:
      captured: values whose scalars are to be constants; None for none.
    """

    def __init__(self, cond: Block, body: Block, count: int, captured: Sequence[Value] | None) -> None:
        plan = body.plan
        types = [
            tensor_type(t) for t in (*body.argument_types, *plan.slot_types[count : plan.argument_count])
        ]
        if not is_on("native-arrays") and any(type_.shape != () for type_ in types):
            raise Unfit
        changed = [n < count and plan.outputs[n] != n for n in range(len(types))]
        assembler = Assembler()
        fixed: dict[int, Value] = {}
        for n, value in enumerate(captured or (), count):
            if types[n].shape == ():
                fixed[n] = value
        views = [
            assembler.constant(type_, fixed[n])
            if n in fixed
            else assembler.new(type_, is_outside=True, is_constant=not changed[n])
            for n, type_ in enumerate(types)
        ]
        assembler.loop(cond, body, views[:count], views[count:])
        results = [view.register for view, is_changed in zip(views, changed, strict=True) if is_changed]
        given = [view.register for n, view in enumerate(views) if n not in fixed]
        lines = share(assembler.lines, assembler.registers, given, results)
        if any(line.depth and line.work > _MOST_ELEMENTS for line in lines):
            raise Unfit
        used = {
            register for line in lines for register in (*line.reads, *(() if line.is_jump else (line.to,)))
        }
        is_array = [assembler.registers[view.register].count != SCALAR for view in views]
        scalars = [n for n, is_one in enumerate(is_array) if not is_one and n not in fixed]
        arrays = [n for n, is_one in enumerate(is_array) if is_one and views[n].register in used]
        order = [*[views[n].register for n in (*scalars, *arrays)], *sorted(used)]
        places = {register: place for place, register in enumerate(dict.fromkeys(order))}
        for line in lines:
            line.place(places)
        constants = [register for register in assembler.arrays if register in places]
        outside = [
            *[places[views[n].register] for n in arrays],
            *[places[register] for register in constants],
        ]
        code = encode(lines, [assembler.registers[register] for register in places])
        try:
            self._loop = _native.Loop(*code, outside)
        except ValueError as error:
            raise Unfit from error
        self._count = count
        self._fixed = [(n - count, value.tobytes()) for n, value in fixed.items()]
        self._scalars = [(n, types[n].dims, *_bits(types[n])) for n in scalars]
        self._arrays = [(n, changed[n], *_bits(types[n])) for n in arrays]
        self._changed = changed[:count]
        self._constants = [_plain(assembler.arrays[register]) for register in constants]
        self._image = _image(assembler, places)
        formats = [_FORMATS[types[n].element_type.dtype.itemsize] for n in scalars]
        self._pack = struct.Struct("=" + "".join(formats))

    def fits(self, captured: Sequence[Value]) -> bool:
        """The scalars that it takes for constants are these."""
        return all(captured[n].tobytes() == bits for n, bits in self._fixed)

    def run(self, values: Sequence[Value]) -> list[Value]:
        """Loop from a state until the condition is false; gives the state then.

        Args:
          values: the state, and the captured values, for which the program `fits`.
        """
        registers: Any = self._image.copy()
        words = [
            values[n].view(bits) if not dims else values[n].reshape(()).view(bits)
            for n, dims, _, bits in self._scalars
        ]
        self._pack.pack_into(registers, 8 * _RESERVED, *words)
        results = list(values[: self._count])
        given: list[Any] = []
        for n, is_changed, dtype, bits in self._arrays:
            array = np.array(values[n], order="C") if is_changed else np.ascontiguousarray(values[n])
            if is_changed:
                results[n] = array
            given.append(array if dtype == bits else array.view(bits))
        given += self._constants
        arena: Any = np.empty(self._loop.arena_bytes, np.uint8)
        while not self._loop.run(registers, given, arena, _BUDGET):
            pass  # here Python handles signals and what else has come up
        state = self._pack.unpack_from(registers, 8 * _RESERVED)
        for word, (n, dims, dtype, bits) in zip(state, self._scalars, strict=True):
            if n < self._count and self._changed[n]:
                value = bits.type(word).view(dtype)
                results[n] = value if not dims else np.reshape(value, dims)
        return results


def _bits(type_: TensorType) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtype of a type, and that of its bits."""
    dtype = type_.element_type.dtype
    return dtype, np.dtype(f"u{dtype.itemsize}")


def _plain(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in row-major order, as its bits."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _image(assembler: Assembler, places: dict[int, int]) -> npt.NDArray[np.uint64]:
    """The registers before a run."""
    image = np.zeros(_RESERVED + len(places), np.uint64)
    for register, value in assembler.known.items():
        if register in places:
            scalar = np.asarray(value)
            image[_RESERVED + places[register] :][:1].view(scalar.dtype)[0] = scalar
    return image
