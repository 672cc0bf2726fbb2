"""Loops of scalars on the native machine.

A `stablehlo.while` of rank-0 state whose regions are made of pointwise operations, branches, calls and loops
of the same kind becomes one program of `hlokit._native.Loop`. It is made when a loop has run for some
iterations, and takes over from the state reached then.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.errors import HlokitError
from hlokit.interpreter.assembler import RESERVED, Assembler, Unfit, scalar_type
from hlokit.interpreter.block import Block
from hlokit.interpreter.machine import is_enabled
from hlokit.interpreter.registry import Value
from hlokit.values.types import ValueType

# Iterations between looks at signals and at what other threads want of this one: some milliseconds.
_BUDGET = 100_000
# How `struct` spells a register of eight bytes whose first ones hold an integer of so many bytes.
_FORMATS = {1: "B7x", 2: "H6x", 4: "I4x", 8: "Q"}


class ScalarLoop:
    """The native program of a while loop; what it computes is `run`.

    Args:
      cond, body: its regions.
      count: how many values its state has.
    """

    def __init__(self, cond: Block, body: Block, count: int) -> None:
        self._cond, self._body, self._count = cond, body, count
        self._program: _Program | None = None
        self._is_tried = False

    @property
    def is_native(self) -> bool:
        """The machine can run the loop, and is switched on. Found out when first asked."""
        if not self._is_tried:
            self._program = _program(self._cond, self._body, self._count)
            self._is_tried = True
        return self._program is not None

    def run(self, values: Sequence[Value], captured: Sequence[Value]) -> list[Value]:
        """Loop from a state until the condition is false; gives the state then."""
        assert self._program is not None, "only a loop that is native runs"
        return self._program.run((*values, *captured))


def _program(cond: Block, body: Block, count: int) -> _Program | None:
    if not is_enabled() or cond.is_observed or body.is_observed:
        return None
    try:
        assembler = Assembler()
        captured_types = body.plan.slot_types[count : body.plan.argument_count]
        types = (*body.argument_types, *captured_types)
        state = [assembler.register(type_) for type_ in types]
        assembler.loop(cond, body, state[:count], state[count:])
        return _Program(assembler, types, count)
    except (Unfit, HlokitError):  # an error of a region that perhaps never runs
        return None


class _Program:
    """A program whose first registers are the state and the captured values."""

    def __init__(self, assembler: Assembler, types: Sequence[ValueType], count: int) -> None:
        self._loop = _native.Loop(assembler.types, assembler.code)
        self._image = assembler.image()
        dtypes = [scalar_type(type_).element_type.dtype for type_ in types]
        self._bits = [np.dtype(f"u{dtype.itemsize}") for dtype in dtypes]
        self._results = [(dtype, bits) for dtype, bits in zip(dtypes, self._bits, strict=True)][:count]
        self._all = struct.Struct("=" + "".join(_FORMATS[dtype.itemsize] for dtype in dtypes))
        self._state = struct.Struct("=" + "".join(_FORMATS[dtype.itemsize] for dtype in dtypes[:count]))

    def run(self, values: Sequence[Value]) -> list[Value]:
        registers: Any = self._image.copy()
        words = [value.view(bits) for value, bits in zip(values, self._bits, strict=True)]
        self._all.pack_into(registers, 8 * RESERVED, *words)
        while not self._loop.run(registers, _BUDGET):
            pass  # here Python handles signals and what else has come up
        state = self._state.unpack_from(registers, 8 * RESERVED)
        return [bits.type(word).view(dtype) for word, (dtype, bits) in zip(state, self._results, strict=True)]
