"""Native loops: a `stablehlo.while` as one native program.

A loop can be compiled if lowering knows all operations of its regions. Its kernel asks for the program after
some iterations in Python, and the program continues from the state that they have reached.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from hlokit import _kernels
from hlokit.contract.canonical_nan import is_canonical, is_nan
from hlokit.contract.region import Region
from hlokit.contract.registry import Value
from hlokit.contract.switches import is_on
from hlokit.contract.thresholds import DEFAULTS, Thresholds
from hlokit.errors import HlokitError
from hlokit.native.builder import tensor_type
from hlokit.native.calls import CallSites
from hlokit.native.canonical_nans import CanonicalNans, odd_constants
from hlokit.native.costs import pays_off
from hlokit.native.instructions import SCALAR, encode
from hlokit.native.lowering import BlockLowering
from hlokit.native.register_allocation import allocate
from hlokit.native.target import NotLowerable, is_enabled
from hlokit.plan.block import plan_of
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType

# Words that the VM keeps before the registers.
_RESERVED = 3
# The result of `LoopRun.resume` when the program has ended.
ENDED = -1
# Offsets into an arena count from its first cache line.
_ALIGNMENT = 64
# The format of `struct` for a register of eight bytes whose first bytes hold an integer of this size.
_FORMATS = {1: "B7x", 2: "H6x", 4: "I4x", 8: "Q"}


class NativeLoop:
    """The native programs of a while loop.

    The first program is specialised: the scalars that the loop captures are its constants, and it runs
    whenever they have the same values. A general program, which takes them as inputs, is compiled for other
    values. Both give the same bits.

    Args:
      cond, body: its regions.
      count: the number of values in its state.
    """

    def __init__(self, cond: Region, body: Region, count: int, thresholds: Thresholds = DEFAULTS) -> None:
        self._cond, self._body, self._count, self._thresholds = cond, body, count, thresholds
        self._special: LoopProgram | None = None
        self._general: LoopProgram | None = None
        self._is_special_tried = self._is_general_tried = False

    def compiled(self, captured: Sequence[Value]) -> LoopProgram | None:
        """The program for these captured values, if there is one already."""
        if self._special is not None and self._special.fits(captured):
            return self._special
        return self._general

    def compile(self, captured: Sequence[Value]) -> LoopProgram | None:
        """The program for these captured values; None if the loop has no lowering, or none is allowed."""
        if not self._is_special_tried:
            self._is_special_tried = True
            self._special = self._program(captured)
            self._is_general_tried = self._special is None
        if (program := self.compiled(captured)) is not None or self._is_general_tried:
            return program
        return self._compile_general()

    @property
    def is_lowerable(self) -> bool:
        """Whether the loop has a program for all captured values."""
        return self._compile_general() is not None

    def _compile_general(self) -> LoopProgram | None:
        if not self._is_general_tried:
            self._is_general_tried = True
            self._general = self._program(None)
        return self._general

    def _program(self, captured: Sequence[Value] | None) -> LoopProgram | None:
        if not (is_enabled() and is_on("native-loops")) or self._cond.is_observed or self._body.is_observed:
            return None
        try:
            return LoopProgram(self._cond, self._body, self._count, captured, self._thresholds)
        except (NotLowerable, HlokitError):  # an error of a region that may never run
            return None


class LoopProgram:
    """A native program whose inputs are the state of a loop and the captured values.

    A lazy program takes a state whose NaNs are all canonical, and makes the NaNs of its results canonical
    after the loop. For any other state, such as an argument that no iteration has computed, another program
    is compiled, which makes NaNs canonical in every iteration.

    Args:
      captured: values whose scalars become constants; None for none.
    """

    def __init__(
        self,
        cond: Region,
        body: Region,
        count: int,
        captured: Sequence[Value] | None,
        thresholds: Thresholds,
        *,
        is_lazy: bool = True,
    ) -> None:
        self._strict: LoopProgram | None = None
        self._make_strict = partial(LoopProgram, cond, body, count, captured, thresholds, is_lazy=False)
        plan = plan_of(body)
        types = [
            tensor_type(t) for t in (*body.argument_types, *plan.slot_types[count : plan.argument_count])
        ]
        changed = [n < count and plan.outputs[n] != n for n in range(len(types))]
        lowering = BlockLowering(thresholds, may_call=True)
        fixed: dict[int, Value] = {}
        for n, value in enumerate(captured or (), count):
            if types[n].shape == ():
                fixed[n] = value
        views = [
            lowering.constant(type_, fixed[n])
            if n in fixed
            else lowering.new(type_, is_outside=True, is_constant=not changed[n])
            for n, type_ in enumerate(types)
        ]
        lowering.loop(cond, body, views[:count], views[count:])
        if not pays_off(cond, body, [call.step for call in lowering.calls], thresholds):
            raise NotLowerable
        results = [view.register for view, is_changed in zip(views, changed, strict=True) if is_changed]
        inputs = [view.register for n, view in enumerate(views) if n not in fixed]
        odd = [
            view.register for n, view in enumerate(views) if n not in fixed and not (is_lazy and changed[n])
        ]
        odd += odd_constants([*lowering.constants.items(), *lowering.constant_arrays.items()])
        nans = CanonicalNans(
            lowering.instructions,
            lowering.registers,
            results,
            odd,
            is_lazy=is_lazy,
            nans_of_calls=[call.nans for call in lowering.calls],
        )
        for register in nans.at_end:
            lowering.add(nans.instruction(register))
        self._checked = [n for n in range(count) if changed[n] and nans.at_end and _is_float(types[n])]
        instructions = allocate(lowering.instructions, lowering.registers, inputs, results)
        if any(each.loop_depth and each.work > thresholds.loop_elements for each in instructions):
            raise NotLowerable  # the calls of kernels cost little in comparison
        used = {register for each in instructions for register in (*each.uses, *each.results)}
        is_array = [lowering.registers[view.register].count != SCALAR for view in views]
        scalars = [n for n, is_one in enumerate(is_array) if not is_one and n not in fixed]
        arrays = [n for n, is_one in enumerate(is_array) if is_one and views[n].register in used]
        # The scalar inputs come first, so that one `struct` fills them.
        order = [*[views[n].register for n in (*scalars, *arrays)], *sorted(used)]
        places = {register: place for place, register in enumerate(dict.fromkeys(order))}
        for each in instructions:
            each.rename(places)
        constants = [register for register in lowering.constant_arrays if register in places]
        outside = [
            *[places[views[n].register] for n in arrays],
            *[places[register] for register in constants],
        ]
        code = encode(instructions, [lowering.registers[register] for register in places])
        self._calls = CallSites(lowering.calls, instructions, [lowering.registers[r] for r in places])
        self._outside = {register: place for place, register in enumerate(outside)}
        try:
            self._loop = _kernels.Loop(*code, outside)
        except ValueError as error:  # a limit of the VM
            raise NotLowerable from error
        self._budget = thresholds.loop_budget
        self._count = count
        self._fixed = [(n - count, value.tobytes()) for n, value in fixed.items()]
        self._scalars = [(n, types[n].dims, *_dtypes(types[n])) for n in scalars]
        self._arrays = [(n, changed[n], *_dtypes(types[n])) for n in arrays]
        self._changed = changed[:count]
        self._constants = [_dense_bits(lowering.constant_arrays[register]) for register in constants]
        self._initial_registers = _initial_registers(lowering, places)
        formats = [_FORMATS[types[n].element_type.dtype.itemsize] for n in scalars]
        self._struct = struct.Struct("=" + "".join(formats))
        self._limit = _limit(cond, count, dict(fixed))

    def fits(self, captured: Sequence[Value]) -> bool:
        """Whether the scalars that are constants of the program have their values."""
        return all(captured[n].tobytes() == bits for n, bits in self._fixed)

    def counter(self, registers: Any) -> tuple[int, int] | None:
        """The counter of a running loop and its limit, if the condition is `counter < constant`."""
        place = next((at for at, scalar in enumerate(self._scalars) if scalar[0] == self._limit[0]), None)
        if place is None or self._limit[1] <= 0:
            return None
        dtype = self._scalars[place][2]
        word = registers.view(np.uint8)[8 * (_RESERVED + place) :][: dtype.itemsize]
        return int(word.view(dtype)[0]), self._limit[1]

    def run(self, values: Sequence[Value]) -> list[Value]:
        """Run the loop from a state until its condition is false; returns the final state.

        Args:
          values: the state and the captured values, which the program `fits`.
        """
        for n in self._checked:
            value = values[n]
            if (value.ndim or is_nan(value)) and not is_canonical(value):
                if self._strict is None:
                    self._strict = self._make_strict()
                return self._strict.run(values)
        registers: Any = self._initial_registers.copy()
        words = [
            values[n].view(bits) if not dims else values[n].reshape(()).view(bits)
            for n, dims, _, bits in self._scalars
        ]
        self._struct.pack_into(registers, 8 * _RESERVED, *words)
        results = list(values[: self._count])
        arrays: list[Any] = []
        for n, is_changed, dtype, bits in self._arrays:
            array = np.array(values[n], order="C") if is_changed else np.ascontiguousarray(values[n])
            if is_changed:
                results[n] = array
            arrays.append(array if dtype == bits else array.view(bits))
        arrays += self._constants
        arena: Any = np.empty(self._loop.arena_bytes, np.uint8)
        call = self._calls.caller(partial(self._memory, registers, arrays, arena))
        run = _kernels.LoopRun(self._loop, registers, arrays, arena)
        while (stop := run.resume(self._budget)) != ENDED:
            if stop >= 0:
                call(stop)
            # else the budget is spent: Python handles signals and runs other threads
        state = self._struct.unpack_from(registers, 8 * _RESERVED)
        for word, (n, dims, dtype, bits) in zip(state, self._scalars, strict=True):
            if n < self._count and self._changed[n]:
                value = bits.type(word).view(dtype)
                results[n] = value if not dims else np.reshape(value, dims)
        return results

    def _memory(self, registers: Any, arrays: Sequence[Any], arena: Any, register: int) -> Any:
        """The memory of a register of a run, as bytes."""
        place = self._outside.get(register)
        if place is not None:
            return arrays[place].reshape(-1).view(np.uint8)
        offset = self._loop.arena_offset(register)
        if offset < 0:  # a scalar
            return registers.view(np.uint8)[8 * (_RESERVED + register) :]
        return arena[-arena.ctypes.data % _ALIGNMENT + offset :]


def _limit(cond: Region, count: int, captured: dict[int, Value]) -> tuple[int, int]:
    """The state value that a condition compares with a known integer, and the integer; (-1, 0) for others."""
    plan = plan_of(cond)
    last = plan.steps[-1] if plan.steps else None
    if last is None or last.kernel.native != "LT" or plan.outputs != last.results or len(last.operands) != 2:
        return -1, 0
    known = {**captured, **dict(plan.constants)}
    slot, limit = last.operands[0], known.get(last.operands[1])
    if slot >= count or limit is None or np.ndim(limit) or np.asarray(limit).dtype.kind not in "iu":
        return -1, 0
    return slot, int(limit)


def _is_float(type_: TensorType) -> bool:
    """Whether values of a type may be NaN."""
    return type_.element_type.kind in (Kind.FLOAT, Kind.COMPLEX)


def _dtypes(type_: TensorType) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtype of a type, and the unsigned dtype of its bits."""
    dtype = type_.element_type.dtype
    return dtype, np.dtype(f"u{dtype.itemsize}")


def _dense_bits(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array in row-major order, as its bits."""
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _initial_registers(lowering: BlockLowering, places: dict[int, int]) -> npt.NDArray[np.uint64]:
    """The registers before a run: constants, and 0 elsewhere."""
    words = np.zeros(_RESERVED + len(places), np.uint64)
    for register, value in lowering.constants.items():
        if register in places:
            scalar = np.asarray(value)
            words[_RESERVED + places[register] :][:1].view(scalar.dtype)[0] = scalar
    return words
