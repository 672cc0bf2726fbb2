"""Writes programs of `hlokit._native.Loop` for blocks of pointwise operations on scalars.

Branches, calls and loops of the same kind are inlined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hlokit.interpreter.block import Block
from hlokit.interpreter.machine import COPY, Instruction, instruction, operation, operation_of, type_name
from hlokit.interpreter.registry import Value
from hlokit.interpreter.steps import Plan, Step
from hlokit.values.types import TensorType, ValueType

# What is longer, calls inlined, is left to the kernels.
_MOST_INSTRUCTIONS = 5000
# Words that the machine keeps before the registers.
RESERVED = 2
_JUMP, _JUMP_IF, _JUMP_IF_NOT = -1, -2, -3


class Unfit(Exception):
    """A block has something that the machine does not do."""


def scalar_type(type_: ValueType) -> TensorType:
    """The type, if a register holds such; raises `Unfit` if not."""
    if not isinstance(type_, TensorType) or type_.shape != () or type_name(type_) in (None, "bf16"):
        raise Unfit
    return type_


class Assembler:
    """Writes a program, block by block.

    Attributes:
      types: of the registers.
      code: instructions so far.
    """

    def __init__(self) -> None:
        self.types: list[str] = []
        self.code: list[Instruction] = []
        self._constants: list[tuple[int, Value]] = []
        self._blocks: list[Block] = []  # those being inlined

    def image(self) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The registers before a run."""
        image = np.zeros(RESERVED + len(self.types), np.uint64)
        for register, value in self._constants:
            scalar = np.asarray(value)
            image[RESERVED + register :][:1].view(scalar.dtype)[0] = scalar
        return image

    def register(self, type_: ValueType) -> int:
        """A new register for a scalar."""
        return self._register(scalar_type(type_).element_type.name)

    def _register(self, name: str) -> int:
        self.types.append(name)
        return len(self.types) - 1

    def loop(self, cond: Block, body: Block, state: list[int], captured: list[int]) -> None:
        """A loop over registers that hold its state: jump to the condition; body; condition, jump back."""
        entry = self._jump(_JUMP)
        start = len(self.code)
        outputs = self.block(body, [*state, *captured])
        self._move(state, self._written_in_place(start, state, outputs))
        self._land(entry)
        (pred,) = self.block(cond, [*state, *captured])
        self._land(self._jump(_JUMP_IF, pred), start)

    def block(self, block: Block, arguments: list[int]) -> list[int]:
        """The instructions of a block; gives the registers of what it returns."""
        if block.is_observed or block in self._blocks or len(self.code) > _MOST_INSTRUCTIONS:
            raise Unfit
        self._blocks.append(block)
        plan = block.plan
        registers = dict(enumerate(arguments))
        for slot, value in plan.constants:
            registers[slot] = self.register(plan.slot_types[slot])
            self._constants.append((registers[slot], value))
        for step in plan.steps:
            operands = [registers[slot] for slot in step.operands]
            registers.update(zip(step.results, self._step(plan, step, operands), strict=True))
        self._blocks.pop()
        return [registers[slot] for slot in plan.outputs]

    def _step(self, plan: Plan, step: Step, operands: list[int]) -> list[int]:
        number = operation_of(step)
        if number >= 0:
            result = self.register(step.result_types[0])
            self.code.append(instruction(number, result, operands))
            return [result]
        if isinstance(step.kernel.function, Block):
            return self.block(step.kernel.function, operands)
        match step.name, step.kernel.regions:
            case "stablehlo.optimization_barrier", _:
                return operands
            case "stablehlo.while", (cond, body):
                count = len(step.operand_types)
                state = [self.register(type_) for type_ in step.result_types]
                self._move(state, operands[:count])
                self.loop(cond, body, state, operands[count:])
                return state
            case "stablehlo.if", (true_branch, false_branch):
                return self._branches(step, true_branch, false_branch, operands)
            case "stablehlo.case", branches if branches:
                return self._cases(step, branches, operands)
            case _:
                raise Unfit

    def _branches(
        self, step: Step, true_branch: Block, false_branch: Block, operands: list[int]
    ) -> list[int]:
        pred, *captured = operands
        results = [self.register(type_) for type_ in step.result_types]
        to_false = self._jump(_JUMP_IF_NOT, pred)
        self._move(results, self.block(true_branch, captured))
        to_end = self._jump(_JUMP)
        self._land(to_false)
        self._move(results, self.block(false_branch, captured))
        self._land(to_end)
        return results

    def _cases(self, step: Step, branches: Sequence[Block], operands: list[int]) -> list[int]:
        index, *captured = operands
        results = [self.register(type_) for type_ in step.result_types]
        to_end: list[int] = []
        for number, branch in enumerate(branches[:-1]):
            constant, pred = self._register("i32"), self._register("i1")
            self._constants.append((constant, np.int32(number)))
            self.code.append(instruction(operation("EQ", "i1", "i32"), pred, [index, constant]))
            to_next = self._jump(_JUMP_IF_NOT, pred)
            self._move(results, self.block(branch, captured))
            to_end.append(self._jump(_JUMP))
            self._land(to_next)
        self._move(results, self.block(branches[-1], captured))  # of any other index
        for jump in to_end:
            self._land(jump)
        return results

    def _jump(self, kind: int, pred: int = 0) -> int:
        self.code.append((kind, 0, pred, pred, pred))
        return len(self.code) - 1

    def _land(self, jump: int, target: int | None = None) -> None:
        kind, _, pred, _, _ = self.code[jump]
        self.code[jump] = kind, len(self.code) if target is None else target, pred, pred, pred

    def _written_in_place(self, start: int, state: list[int], outputs: list[int]) -> list[int]:
        """What is left to move to the state of a loop, its body being the code from `start`.

        An output that one instruction writes goes to its place at once, if nothing reads the old value later.
        """
        outputs = list(outputs)
        for index, (place, output) in enumerate(zip(state, outputs, strict=True)):
            if outputs.count(output) > 1 or place in outputs:
                continue
            writes = [at for at in range(start, len(self.code)) if _writes(self.code[at]) == output]
            if len(writes) != 1:
                continue
            (at,) = writes
            if any(place in _reads(later) for later in self.code[at + 1 :]):
                continue
            number, _, *operands = self.code[at]
            self.code[at] = instruction(number, place, operands)
            self.code[at + 1 :] = [_renamed(later, output, place) for later in self.code[at + 1 :]]
            outputs[index] = place
        return outputs

    def _move(self, to: list[int], values: list[int]) -> None:
        """Copy registers as if at the same time."""
        pending = {place: value for place, value in zip(to, values, strict=True) if place != value}
        while pending:
            free = [place for place in pending if place not in pending.values()]
            if free:
                self._copy(free[0], pending.pop(free[0]))
                continue
            # All that is left goes in circles: one value steps aside.
            value = next(iter(pending.values()))
            aside = self._register(self.types[value])
            self._copy(aside, value)
            pending = {place: aside if each == value else each for place, each in pending.items()}

    def _copy(self, to: int, value: int) -> None:
        number = operation(COPY, self.types[to], self.types[value])
        self.code.append(instruction(number, to, [value]))


def _writes(code: Instruction) -> int | None:
    return code[1] if code[0] >= 0 else None


def _reads(code: Instruction) -> tuple[int, ...]:
    return () if code[0] == _JUMP else code[2:]


def _renamed(code: Instruction, old: int, new: int) -> Instruction:
    number, to, *operands = code
    if number == _JUMP:
        return code
    return instruction(number, to, [new if operand == old else operand for operand in operands])
