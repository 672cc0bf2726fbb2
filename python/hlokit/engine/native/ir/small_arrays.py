"""Arrays of a few elements become scalars in loops.

Equations of motion compute each of three numbers, stack them, scale the array, and slice it. An element takes
an operation to get into an array, and another one to get out. An operation on so small an array takes as long
as four on scalars: a call, and reads of elements that were written one by one.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Collection, Iterable, Sequence, Set
from itertools import product
from typing import Any

from hlokit.engine.native.ir.instructions import (
    CALL,
    COPY,
    IMPLICIT_DEF,
    MOVE,
    READ_WINDOWS,
    SCALAR,
    WRITE_WINDOWS,
    Instruction,
    VirtualRegister,
    virtual_register,
)
from hlokit.engine.native.ir.parameters import Jump, Move, Parameters
from hlokit.engine.native.ir.target import COMPLEX, cost_of

# The most elements of an array that becomes scalars.
_MOST = 4
# The cost of an operation on an array of a few elements, in operations on scalars.
_ARRAY_COST = 4


def split_small_arrays(
    instructions: list[Instruction], registers: list[VirtualRegister], kept: Collection[int]
) -> list[Instruction]:
    """The program with scalars in the place of small arrays, if its loops take less time with them.

    Args:
      registers: those of the scalars are added.
      kept: the operands and results of the program.
    """
    small = {
        number
        for number, register in enumerate(registers)
        if 1 < register.count <= _MOST and register.type not in COMPLEX and not register.is_constant
    }
    small.difference_update(kept)
    for instruction in instructions:
        if instruction.operation == CALL:
            small.difference_update(instruction.results, instruction.operands)
        elif instruction.is_partial and instruction.operation != MOVE:
            small.difference_update(instruction.results)
    if not any(
        instruction.loop_depth and not small.isdisjoint(instruction.results) for instruction in instructions
    ):
        return instructions
    first_new = len(registers)
    splitting = _Splitting(registers, small)
    positions = splitting.run(instructions)
    if _cost(splitting.instructions, registers) >= _cost(instructions, registers):
        del registers[first_new:]
        return instructions
    front = len(splitting.front)
    for instruction in splitting.instructions:
        if instruction.is_jump:
            instruction.parameters = Jump(front + positions[instruction.target])
    return [*splitting.front, *splitting.instructions]


def _cost(instructions: Iterable[Instruction], registers: Sequence[VirtualRegister]) -> int:
    """The cost of the instructions of loops, apart from copies, most of which are coalesced."""
    return sum(
        [
            cost_of(instruction.operation)
            + (_ARRAY_COST - 1 if registers[instruction.result].count != SCALAR else 0)
            if instruction.operation >= 0
            else 1
            for instruction in instructions
            if instruction.loop_depth and instruction.operation not in (COPY, IMPLICIT_DEF)
        ]
    )


class _Splitting:
    """Writes a program in which some arrays are scalars.

    Attributes:
      instructions: the program, without `front`.
      front: instructions before it, for the elements of constant arrays.
    """

    def __init__(self, registers: list[VirtualRegister], small: Set[int]) -> None:
        self.instructions: list[Instruction] = []
        self.front: list[Instruction] = []
        self._registers = registers
        self._small = small
        self._parts: dict[int, tuple[int, ...]] = {}  # the elements of arrays, also of constant ones
        self._together: list[Instruction] = []  # operations on arrays, element by element

    def run(self, instructions: Sequence[Instruction]) -> list[int]:
        """Write a program; returns the positions of its instructions, and of its end."""
        targets = {instruction.target for instruction in instructions if instruction.is_jump}
        positions: list[int] = []
        for at, instruction in enumerate(instructions):
            if at in targets or not self._is_next(instruction):
                self._end_together()
            positions.append(len(self.instructions))
            self._split(instruction)
        self._end_together()
        return [*positions, len(self.instructions)]

    def _split(self, instruction: Instruction) -> None:
        if self._small.isdisjoint(instruction.results) and self._small.isdisjoint(instruction.operands):
            self.instructions.append(instruction)
        elif self._is_whole(instruction):
            self._together.append(instruction)
        elif instruction.operation == MOVE:
            self._move(instruction)
        elif instruction.operation == IMPLICIT_DEF:
            for part in self._elements(instruction.result):
                self._add(instruction, IMPLICIT_DEF, part)
        else:
            self._around(instruction)

    # Operations on elements ----------------------------------------------------------------------

    def _is_whole(self, instruction: Instruction) -> bool:
        """Whether an instruction computes each element of a small array from elements of small arrays."""
        return (
            (instruction.operation >= 0 or instruction.operation == COPY)
            and instruction.result in self._small
            and all([self._has_elements(operand) for operand in instruction.operands])
        )

    def _has_elements(self, register: int) -> bool:
        count = self._registers[register].count
        is_constant = self._registers[register].is_constant and count <= _MOST
        return count == SCALAR or register in self._small or is_constant

    def _is_next(self, instruction: Instruction) -> bool:
        """Whether an instruction goes on with the elements of those before it."""
        if not self._together or not self._is_whole(instruction):
            return False
        last = self._together[-1]
        counts = self._registers[last.result].count, self._registers[instruction.result].count
        return counts[0] == counts[1] and last.loop_depth == instruction.loop_depth

    def _end_together(self) -> None:
        if not self._together:
            return
        for number in range(self._registers[self._together[0].result].count):
            for instruction in self._together:
                operands = [self._element(operand, number) for operand in instruction.operands]
                self._add(
                    instruction, instruction.operation, self._element(instruction.result, number), *operands
                )
        self._together.clear()

    # Arrays that stay, and their elements --------------------------------------------------------

    def _move(self, instruction: Instruction) -> None:
        source, target, move = instruction.operands[0], instruction.result, instruction.parameters
        assert isinstance(move, Move)
        places = list(product(*[range(axis.size) for axis in move.axes]))
        if target not in self._small and len(places) > _MOST:
            self._around(instruction)
            return
        for place in places:
            from_, to = move.source_offset, move.target_offset
            for step, axis in zip(place, move.axes, strict=True):
                from_, to = from_ + step * axis.source, to + step * axis.target
            self._move_element(instruction, (target, to), (source, from_))

    def _move_element(self, instruction: Instruction, to: tuple[int, int], from_: tuple[int, int]) -> None:
        source, target = from_, to
        if self._has_elements(source[0]):
            source = self._element(*source), 0
        if self._has_elements(target[0]):
            target = self._element(*target), 0
        if self._registers[source[0]].count == self._registers[target[0]].count == SCALAR:
            self._add(instruction, COPY, target[0], source[0])
            return
        is_partial = self._registers[target[0]].count != SCALAR
        parameters = Move(source[1], target[1], [])
        self._add(instruction, MOVE, target[0], source[0], parameters=parameters, is_partial=is_partial)

    def _around(self, instruction: Instruction) -> None:
        """An instruction on arrays whose elements are put together before it and taken apart behind it."""
        instruction = self._with_scalar_starts(instruction)
        whole = {
            register: self._new(self._registers[register].type, self._registers[register].count)
            for register in (*instruction.operands, *instruction.results)
            if register in self._small
        }
        for operand in dict.fromkeys(instruction.operands):
            if operand in whole:
                self._add(instruction, IMPLICIT_DEF, whole[operand])
                for number, part in enumerate(self._elements(operand)):
                    self._move_element(instruction, (whole[operand], number), (part, 0))
        results, operands = (
            tuple([whole.get(register, register) for register in group])
            for group in (instruction.results, instruction.operands)
        )
        self.instructions.append(self._changed(instruction, results, operands, instruction.parameters))
        for result in instruction.results:
            if result in whole:
                for number, part in enumerate(self._elements(result)):
                    self._move_element(instruction, (part, 0), (whole[result], number))

    def _with_scalar_starts(self, instruction: Instruction) -> Instruction:
        """The instruction; the starts of one window are scalars, not elements of small arrays."""
        if instruction.operation not in (READ_WINDOWS, WRITE_WINDOWS):
            return instruction
        parameters: Any = instruction.parameters
        array, *starts = instruction.operands
        components = list(parameters.components)
        for number, (start, component) in enumerate(zip(starts, components, strict=True)):
            if start in self._small and not component.batch:
                starts[number] = self._element(start, component.offset)
                components[number] = component._replace(offset=0)
        parameters = parameters._replace(components=components)
        return self._changed(instruction, instruction.results, (array, *starts), parameters)

    def _element(self, register: int, number: int) -> int:
        """The register of an element of a small array; a scalar itself."""
        return register if self._registers[register].count == SCALAR else self._elements(register)[number]

    def _elements(self, register: int) -> tuple[int, ...]:
        if register not in self._parts:
            old = self._registers[register]
            parts = [self._new(old.type, SCALAR) for _ in range(old.count)]
            self._parts[register] = tuple(parts)
            if old.is_constant:
                self.front += [
                    Instruction(MOVE, (part,), (register,), Move(number, 0, []), work=1)
                    for number, part in enumerate(parts)
                ]
        return self._parts[register]

    def _new(self, type_: str, count: int) -> int:
        self._registers.append(virtual_register(type_, count))
        return len(self._registers) - 1

    @staticmethod
    def _changed(
        instruction: Instruction,
        results: tuple[int, ...],
        operands: tuple[int, ...],
        parameters: Parameters | None,
    ) -> Instruction:
        """An instruction with other registers and parameters."""
        copy = Instruction(
            instruction.operation,
            results,
            operands,
            parameters,
            is_partial=instruction.is_partial,
            work=instruction.work,
        )
        copy.loop_depth = instruction.loop_depth
        return copy

    def _add(
        self,
        origin: Instruction,
        operation: int,
        result: int,
        *operands: int,
        parameters: Move | None = None,
        is_partial: bool = False,
    ) -> None:
        """Append an instruction on scalars that takes the place of `origin`, or of a part of it."""
        instruction = Instruction(operation, (result,), operands, parameters, is_partial=is_partial, work=1)
        instruction.loop_depth = origin.loop_depth
        self.instructions.append(instruction)
