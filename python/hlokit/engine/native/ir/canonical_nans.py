"""Finds the necessary instructions that make NaNs canonical in a native program.

Plans have a step `vm.canonical_nan` after each step that computes a value which leaves its block. After
inlining, most consumers of such values ignore the bits of NaNs. For a loop-carried value it suffices to make
the value canonical once, after the loop, if all values moved to it were computed or are already canonical.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from hlokit.engine.contract.canonical_nan import is_canonical
from hlokit.engine.contract.nan_bits import BLIND, COMPUTES, KEEPS, MOVES
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.instructions import (
    BROADCAST,
    CALL,
    COPY,
    DOT,
    FFT,
    GATHER,
    JUMPS,
    LAPACK,
    MOVE,
    READ_WINDOWS,
    REDUCE,
    REDUCE_ROWS,
    SCAN,
    SORT,
    WRITE_WINDOWS,
    Instruction,
    VirtualRegister,
)
from hlokit.engine.native.ir.parameters import Call
from hlokit.engine.native.ir.target import (
    FLOATS,
    canonical_nan_operation,
    is_canonical_nan,
    is_conversion,
    nans_of_operation,
)

# The effects of other instructions than pointwise operations on the bits of NaNs.
_EFFECTS = {
    **dict.fromkeys((BROADCAST, COPY, GATHER, MOVE, READ_WINDOWS, WRITE_WINDOWS), MOVES),
    **dict.fromkeys((DOT, FFT, REDUCE, REDUCE_ROWS, SCAN), COMPUTES),
}


class CanonicalNans:
    """The necessary instructions that make NaNs canonical; the others become copies.

    Args:
      instructions, registers: the program.
      results: registers that the caller reads.
      noncanonical: registers that hold, when the program starts, values whose NaNs may have any bits, which
        the program must keep.
      is_lazy: results may be made canonical at the end.
      nans_of_calls: the effect of each called kernel on the bits of NaNs.

    Attributes:
      at_end: the results that must be made canonical at the end.
      moved: registers whose values move to other registers; empty if no value must be made canonical.
    """

    def __init__(
        self,
        instructions: Sequence[Instruction],
        registers: Sequence[VirtualRegister],
        results: Collection[int],
        noncanonical: Iterable[int],
        *,
        is_lazy: bool,
        nans_of_calls: Sequence[int] = (),
    ) -> None:
        self._registers = registers
        self.at_end: list[int] = []
        self.moved: set[int] = set()
        canonical = [instruction for instruction in instructions if is_canonical_nan(instruction.operation)]
        if not canonical:
            return
        self._moves: list[tuple[int, int]] = []  # from register, to register
        self._read: set[int] = set()  # by instructions that keep bits
        self._called: set[int] = set()  # written by calls
        self._converted: dict[int, int] = {}  # floats to floats: the operand of each result
        self._kept: set[int] = set(noncanonical)  # written by instructions that keep bits
        self._computed: set[int] = set()
        for instruction in instructions:
            if instruction.operation in (CALL, LAPACK, SORT):
                call = instruction.parameters if isinstance(instruction.parameters, Call) else None
                self._visit_call(instruction, KEEPS if call is None else nans_of_calls[call.number])
            else:
                self._visit(instruction)
        # An operand of the program that must be made canonical was computed before.
        written = {register for instruction in instructions for register in instruction.results}
        self._computed.update({instruction.operands[0] for instruction in canonical} - written)
        # The plan has a `canonical_nan` after a call only if NaNs of the call's results are distinguished.
        self._read.update(
            instruction.result for instruction in canonical if instruction.operands[0] in self._called
        )
        demanded = self._backward({*self._read, *results})
        kept = self._forward(self._kept)
        needed = demanded
        if is_lazy:
            starts = {*self._read, *[result for result in results if result in kept]}
            starts.update(source for source, to in self._moves if to in kept and to in demanded)
            needed = self._backward(starts)
        for instruction in canonical:
            if instruction.result not in needed:
                instruction.operation = COPY
                self._moves.append((instruction.operands[0], instruction.result))
        if is_lazy:
            computed = self._forward(self._computed)
            self.at_end = [result for result in results if result in computed and result not in kept]
            self.moved = {source for source, _ in self._moves}

    def instruction(self, register: int) -> Instruction:
        """The instruction that makes the NaNs of a register canonical."""
        of_register = self._registers[register]
        number = canonical_nan_operation(of_register.type)
        return Instruction(number, (register,), (register,), work=max(1, of_register.count))

    def _visit_call(self, call: Instruction, nans: int) -> None:
        if nans not in (BLIND, COMPUTES):
            self._read.update([self._converted.get(operand, operand) for operand in call.operands])
            self._kept.update(call.results)
        self._called.update(call.results)

    def _visit(self, instruction: Instruction) -> None:
        number = instruction.operation
        effect = nans_of_operation(number) if number >= 0 else _EFFECTS.get(number, BLIND)
        is_float = number not in JUMPS and self._registers[instruction.result].type in FLOATS
        if effect == KEEPS:
            self._read.update(instruction.operands)
            if is_float:
                self._kept.add(instruction.result)
        elif effect == MOVES and is_float:
            floats = [operand for operand in instruction.operands if self._registers[operand].type in FLOATS]
            self._moves += [(operand, instruction.result) for operand in floats]
        elif effect == COMPUTES and is_float and not is_canonical_nan(number):
            self._computed.add(instruction.result)
            if number >= 0 and is_conversion(number):
                self._visit_conversion(instruction.result, instruction.operands[0])
            if number in (REDUCE, REDUCE_ROWS, SCAN):  # without elements the result is the initial value
                self._read.add(instruction.operands[1])

    def _visit_conversion(self, result: int, operand: int) -> None:
        """A kernel may convert its operands and results in place of the program; NaNs keep payloads."""
        self._converted[result] = operand
        if operand in self._called:
            self._called.add(result)
            self._kept.add(result)

    def _backward(self, registers: set[int]) -> set[int]:
        """The registers from which values move to these."""
        return _closure(registers, [(to, source) for source, to in self._moves])

    def _forward(self, registers: set[int]) -> set[int]:
        """The registers to which values move from these."""
        return _closure(registers, self._moves)


def _closure(reached: set[int], edges: Sequence[tuple[int, int]]) -> set[int]:
    neighbours: dict[int, list[int]] = {}
    for one, other in edges:
        neighbours.setdefault(one, []).append(other)
    reached, pending = set(reached), list(reached)
    while pending:
        for other in neighbours.get(pending.pop(), ()):
            if other not in reached:
                reached.add(other)
                pending.append(other)
    return reached


def noncanonical_constants(values: Iterable[tuple[int, Value]]) -> list[int]:
    """The registers of constants that contain another NaN than the canonical one."""
    return [register for register, value in values if not is_canonical(value)]
