"""The kernel of a fused computation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit import _kernels
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.threads import thread_count
from hlokit.engine.native.fused.copies import in_rows
from hlokit.engine.native.fused.fusion_lowering import FusionLowering
from hlokit.engine.native.fused.inputs import TABLE
from hlokit.engine.native.fused.rows import Rows
from hlokit.engine.native.ir.canonical_nans import CanonicalNans
from hlokit.engine.native.ir.encoding import encoded
from hlokit.engine.native.ir.instructions import COPY, Instruction
from hlokit.engine.native.ir.target import bits_of, convert_operation
from hlokit.values.types import TensorType, ValueType


class FusionKernel:
    """Evaluates a fused computation: from its operands to its result, or a tuple of its results.

    Args:
      lowering: the computation; the constructor may change its instructions.
      outputs: the registers of the results.
      types: the types of the results.

    Attributes:
      operands: the slots of the operands.
    """

    def __init__(self, lowering: FusionLowering, outputs: Sequence[int], types: Sequence[ValueType]) -> None:
        CanonicalNans(lowering.instructions, lowering.registers, outputs, (), is_lazy=False)
        instructions = _without_dead_code(_without_copies(lowering.instructions, outputs), outputs)
        places: dict[int, int] = {}
        for instruction in instructions:
            for register in (*instruction.operands, *instruction.results):
                places.setdefault(register, len(places))
        inputs = lowering.inputs(places)
        rows = lowering.rows or Rows(1, 1, 1, lowering.size)
        names = [lowering.registers[register].type for register in places]
        for instruction in instructions:
            instruction.rename(places)
            if instruction.operation == COPY:
                instruction.operation = convert_operation(names[instruction.result])
        self._program = _kernels.FusedProgram(
            names,
            [encoded(instruction) for instruction in instructions],
            [(places[input_.register], input_.level, input_.shape, input_.dimensions) for input_ in inputs],
            [places[register] for register in outputs],
            rows.row_count,
            rows.columns,
            rows.inner,
            rows.run if rows.inner > 1 else 1,
        )
        self.operands = tuple(dict.fromkeys([input_.slot for input_ in inputs if input_.slot >= 0]))
        # For each input the position of an operand, or a constant value.
        self._inputs = [
            (self.operands.index(input_.slot) if input_.slot >= 0 else -1, input_.value) for input_ in inputs
        ]
        self._is_table = [input_.level == TABLE for input_ in inputs]
        self._results = [_shape_and_dtype(type_) for type_ in types]
        self._has_bf16 = "bf16" in names

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(shape, dtype) for shape, dtype in self._results]
        inputs: list[Any] = [operands[n] if n >= 0 else value for n, value in self._inputs]
        bits = results
        if self._has_bf16:
            inputs, bits = [bits_of(array) for array in inputs], [bits_of(array) for array in results]
        if not self._program.run(inputs, bits, thread_count()):
            # A table, or the rows of an operand are not contiguous.
            dense = [
                array if array.flags.c_contiguous and array.flags.aligned else _dense(array, is_table)
                for array, is_table in zip(inputs, self._is_table, strict=True)
            ]
            self._program.run(dense, bits, thread_count())
        return results[0] if len(results) == 1 else tuple(results)


def _dense(array: Value, is_table: bool) -> Value:
    return array.copy() if is_table else in_rows(array)


def _without_copies(instructions: Sequence[Instruction], outputs: Sequence[int]) -> list[Instruction]:
    """The instructions without copies, except those of which a result is made."""
    sources: dict[int, int] = {}
    kept: list[Instruction] = []
    for instruction in instructions:
        instruction.operands = tuple([sources.get(operand, operand) for operand in instruction.operands])
        if instruction.operation == COPY and instruction.result not in outputs:
            sources[instruction.result] = instruction.operands[0]
        else:
            kept.append(instruction)
    return kept


def _without_dead_code(instructions: Sequence[Instruction], outputs: Sequence[int]) -> list[Instruction]:
    """The instructions that contribute to the outputs."""
    needed, kept = set(outputs), list[Instruction]()
    for instruction in reversed(instructions):
        if instruction.result in needed:
            needed.update(instruction.operands)
            kept.append(instruction)
    kept.reverse()
    return kept


def _shape_and_dtype(type_: ValueType) -> tuple[tuple[int, ...], np.dtype[Any]]:
    assert isinstance(type_, TensorType)
    return type_.dims, type_.element_type.dtype
