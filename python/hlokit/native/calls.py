"""Calls of kernels from native programs: the steps that the VM has no instructions for.

The VM stops at a call, Python evaluates the step's kernel on arrays over the program's memory and writes the
results there, and the VM goes on. That takes one microsecond more than a call from generated code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hlokit.contract.nan_bits import KEEPS, KNOWN, nans_of
from hlokit.native.instructions import CALL, SCALAR, Instruction, VirtualRegister
from hlokit.native.views import View
from hlokit.plan.executors import call_step, raise_within
from hlokit.plan.plan import Plan, Step
from hlokit.values.types import TensorType

# The memory of a register: a flat array of its bytes.
_Memory = Callable[[int], npt.NDArray[np.uint8]]


class Call(NamedTuple):
    """A step whose kernel is called.

    Attributes:
      plan, step: the step.
      trail: the steps whose blocks enclose it and have been inlined, outermost first.
      operands, results: views of virtual registers. Results are whole registers.
      copies: the kernel receives copies of the operands, because others may hold them after the call.
    """

    plan: Plan
    step: Step
    trail: Sequence[tuple[Plan, Step]]
    operands: Sequence[View]
    results: Sequence[View]
    copies: bool

    @property
    def nans(self) -> int:
        """The treatment of the bits of NaNs by the kernel: `BLIND`, `COMPUTES`, `MOVES` or `KEEPS`."""
        return KNOWN.get(nans_of(self.step.name), KEEPS)


class CallSites:
    """The calls of an allocated program."""

    def __init__(
        self, calls: Sequence[Call], instructions: Sequence[Instruction], registers: Sequence[VirtualRegister]
    ) -> None:
        self._calls = calls
        self._registers = registers
        # The registers of each call, as they have been allocated.
        self._operands: dict[int, tuple[int, ...]] = {}
        self._results: dict[int, tuple[int, ...]] = {}
        for each in instructions:
            if each.operation == CALL:
                assert each.immediates is not None
                (number,) = each.immediates
                self._operands[number], self._results[number] = each.operands, each.results

    def caller(self, memory: _Memory) -> Callable[[int], None]:
        """A function that evaluates the call with a number, for a run whose registers have this memory."""
        arrays: dict[int, tuple[list[Any], list[Any]]] = {}

        def run(number: int) -> None:
            call = self._calls[number]
            plan, step = call.plan, call.step
            try:
                bound = arrays.get(number)
                if bound is None:
                    bound = arrays[number] = self._bind(number, memory)
                operands, targets = bound
                if call.copies:
                    given = [each.copy() if each.ndim else each[()] for each in operands]
                else:
                    # Kernels take scalars sooner than arrays of rank 0.
                    given = [each if each.ndim else each[()] for each in operands]
                results = call_step(plan, step, given)
            except BaseException as error:
                raise_within(call.trail, error)
            if len(targets) == 1:
                targets[0][...] = results
            else:
                for target, result in zip(targets, results, strict=True):
                    target[...] = result

        return run

    def _bind(self, number: int, memory: _Memory) -> tuple[list[Any], list[Any]]:
        """Arrays over the operands and results of a call."""
        call = self._calls[number]
        # The types of all operands: those of the step lack the values that its regions capture.
        types = [call.plan.slot_types[slot] for slot in call.step.operands]
        operands = zip(self._operands[number], call.operands, types, strict=True)
        results = zip(self._results[number], call.results, call.step.result_types, strict=True)
        return (
            [self._array(register, view, type_, memory) for register, view, type_ in operands],
            [self._array(register, view, type_, memory) for register, view, type_ in results],
        )

    def _array(self, register: int, view: View, type_: Any, memory: _Memory) -> npt.NDArray[Any]:
        assert isinstance(type_, TensorType)
        dtype = type_.element_type.dtype
        size = dtype.itemsize
        strides = [0 if self._registers[register].count == SCALAR else s * size for s in view.strides]
        return np.ndarray(view.shape, dtype, memory(register), view.offset * size, strides)
