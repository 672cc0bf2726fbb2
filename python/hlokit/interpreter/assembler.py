"""Writes programs of `hlokit._native.Loop` for blocks: pointwise operations, moves of elements, control flow.

Branches, calls and loops are inlined. Values are views of registers: what only arranges elements anew (slice,
reshape, broadcast) writes nothing, until an instruction needs them in row-major order.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from hlokit.interpreter.array_forms import FormWriter
from hlokit.interpreter.block import Block
from hlokit.interpreter.forms import ArgExtremum
from hlokit.interpreter.lines import ASSIGN, JUMP, JUMP_IF, JUMP_IF_NOT, SCALAR, Line
from hlokit.interpreter.machine import operation, operation_of
from hlokit.interpreter.registers import Registers, Unfit, tensor_type
from hlokit.interpreter.registry import Value
from hlokit.interpreter.steps import Plan, Step
from hlokit.interpreter.views import View, dense
from hlokit.values.types import TensorType

# What is longer, calls inlined, is left to the kernels.
_MOST_LINES = 5000


class Assembler(Registers):
    """Writes a program, block by block."""

    def __init__(self) -> None:
        super().__init__()
        self._blocks: list[Block] = []  # those being inlined
        self._forms = FormWriter(self)
        # What steps are, by kernel and types: planners share these. Plans live as long as this.
        self._operations: dict[tuple[int, int, int], tuple[int, TensorType] | None] = {}

    def loop(self, cond: Block, body: Block, state: Sequence[View], captured: Sequence[View]) -> None:
        """A loop over views that hold its state: jump to the condition; body; condition, jump back.

        What the body returns as it came is not written.
        """
        entry = self._jump(JUMP)
        start = len(self.lines)
        with self._apart(1):
            outputs = self.block(body, [*state, *captured])
            changed = [n for n, output in enumerate(body.plan.outputs) if output != n]
            values = [self._whole_of(state[n], outputs[n]) for n in changed]
            self._move([state[n].register for n in changed], values)
        self._land(entry)
        with self._apart(1):
            (pred,) = self.block(cond, [*state, *captured])
            self._land(self._jump(JUMP_IF, self.scalar(pred)), start)

    @contextmanager
    def _apart(self, depth: int = 0) -> Generator[None]:
        """What is written perhaps does not run, or runs again: what it computes is known only within."""
        known, self.seen = self.seen, dict(self.seen)
        self.depth += depth
        yield
        self.depth -= depth
        self.seen = known

    def _whole_of(self, like: View, view: View) -> int:
        register = self.whole(view)
        if self.registers[register].count != self.registers[like.register].count:
            raise Unfit
        return register

    def block(self, block: Block, arguments: Sequence[View]) -> list[View]:
        """The lines of a block; gives views of what it returns."""
        if block.is_observed or block in self._blocks or len(self.lines) > _MOST_LINES:
            raise Unfit
        self._blocks.append(block)
        plan = block.plan
        views = dict(enumerate(arguments))
        constants = dict(plan.constants)
        for step in plan.steps:
            self.step(plan, step, views, constants)
        outputs = [self._operand(plan, views, constants, slot) for slot in plan.outputs]
        self._blocks.pop()
        return outputs

    def step(self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]) -> None:
        """The lines of a step of a plan.

        Args:
          views: of the slots so far; those of its results are added.
          constants: the plan's.
        """
        operands = [
            views[slot] if slot in views else self._operand(plan, views, constants, slot)
            for slot in step.operands
        ]
        found = self._operation(step)
        if found is not None:
            views[step.results[0]] = self._pointwise(step, *found, operands)
        else:
            views.update(zip(step.results, self._results(plan, step, operands), strict=True))

    def _operation(self, step: Step) -> tuple[int, TensorType] | None:
        """The number of the operation that a step is, and the type of its result."""
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key not in self._operations:
            number = -1 if step.kernel.source in ("{0}", "{1}") else operation_of(step)
            self._operations[key] = (number, tensor_type(step.result_types[0])) if number >= 0 else None
        return self._operations[key]

    def _operand(self, plan: Plan, views: dict[int, View], constants: dict[int, Value], slot: int) -> View:
        view = views.get(slot)
        if view is None:
            view = views[slot] = self.constant(plan.slot_types[slot], constants[slot])
        return view

    def _results(self, plan: Plan, step: Step, operands: list[View]) -> list[View]:
        match step.kernel.source:
            case "{0}":
                return [operands[0]]
            case "{1}":
                return [operands[1]]
            case _:
                pass
        if isinstance(step.kernel.form, ArgExtremum):
            is_used = step.results[0] in (
                *plan.outputs,
                *[slot for each in plan.steps for slot in each.operands],
            )
            index = self._forms.arg_extremum(step.kernel.form, step, operands, is_used)
            return [operands[0], index]  # nobody asks for the value
        if step.kernel.form is not None:
            return [self._forms.write(step.kernel.form, step, operands)]
        if isinstance(step.kernel.function, Block):
            return self.block(step.kernel.function, operands)
        match step.name, step.kernel.regions:
            case "stablehlo.optimization_barrier", _:
                return operands
            case "stablehlo.while", (cond, body):
                return self._while(step, cond, body, operands)
            case "stablehlo.if", (true_branch, false_branch):
                return self._branches(step, true_branch, false_branch, operands)
            case "stablehlo.case", branches if branches:
                return self._cases(step, branches, operands)
            case _:
                raise Unfit(step.name)

    def _pointwise(self, step: Step, number: int, type_: TensorType, operands: list[View]) -> View:
        if type_.size == 1:
            registers = tuple([self.scalar(operand) for operand in operands])
            if all(register in self.known for register in registers):
                return self._folded(step, type_, registers)
        else:
            registers = tuple([self.element_or_whole(operand) for operand in operands])
        same = self.patterns.same(number, registers)
        if same is not None:
            is_one = self.registers[same].count == SCALAR and type_.size != 1
            return View(same, 0, type_.dims, (0,) * type_.rank if is_one else dense(type_.dims))
        number, registers = self.patterns.find(number, registers) or (number, registers)
        return self.sweep(number, type_.element_type.name, type_.dims, registers)

    def _folded(self, step: Step, type_: Any, registers: Sequence[int]) -> View:
        """The result of scalars that are all known."""
        with np.errstate(all="ignore"):
            result = step.kernel.function(*[self.known[register] for register in registers])
        return self.constant(type_, np.asarray(result).reshape(type_.shape))

    # Control flow --------------------------------------------------------------------------------

    def _while(self, step: Step, cond: Block, body: Block, operands: list[View]) -> list[View]:
        count = len(step.operand_types)
        kept = body.plan.outputs
        state = [
            operand if kept[n] == n else self.copied(operand) for n, operand in enumerate(operands[:count])
        ]
        self.loop(cond, body, state, operands[count:])
        return state

    def _branches(
        self, step: Step, true_branch: Block, false_branch: Block, operands: list[View]
    ) -> list[View]:
        pred, *captured = operands
        register = self.scalar(pred)
        if register in self.known:
            return self.block(true_branch if self.known[register] else false_branch, captured)
        results = [self.new(tensor_type(type_)) for type_ in step.result_types]
        to_false = self._jump(JUMP_IF_NOT, register)
        self._branch(true_branch, captured, results)
        to_end = self._jump(JUMP)
        self._land(to_false)
        self._branch(false_branch, captured, results)
        self._land(to_end)
        return results

    def _cases(self, step: Step, branches: Sequence[Block], operands: list[View]) -> list[View]:
        index, *captured = operands
        register = self.scalar(index)
        results = [self.new(tensor_type(type_)) for type_ in step.result_types]
        to_end: list[int] = []
        for number, branch in enumerate(branches[:-1]):
            constant, pred = self.known_scalar(np.int32(number), "i32"), self.new_scalar("i1")
            self.add(Line(operation("EQ", "i1", "i32"), pred, (register, constant)))
            to_next = self._jump(JUMP_IF_NOT, pred)
            self._branch(branch, captured, results)
            to_end.append(self._jump(JUMP))
            self._land(to_next)
        self._branch(branches[-1], captured, results)  # of any other index
        for jump in to_end:
            self._land(jump)
        return results

    def _branch(self, block: Block, captured: Sequence[View], results: Sequence[View]) -> None:
        with self._apart():
            for result, value in zip(results, self.block(block, captured), strict=True):
                self._copy(result.register, self._whole_of(result, value))

    def _jump(self, kind: int, *pred: int) -> int:
        self.add(Line(kind, 0, pred))
        return len(self.lines) - 1

    def _land(self, jump: int, target: int | None = None) -> None:
        self.lines[jump].to = len(self.lines) if target is None else target

    def _move(self, to: Sequence[int], values: Sequence[int]) -> None:
        """Copy registers as if at the same time."""
        pending = {place: value for place, value in zip(to, values, strict=True) if place != value}
        while pending:
            free = [place for place in pending if place not in pending.values()]
            if free:
                self._copy(free[0], pending.pop(free[0]))
                continue
            # All that is left goes in circles: one value steps aside.
            value = next(iter(pending.values()))
            aside = self.like(value)
            self._copy(aside, value)
            pending = {place: aside if each == value else each for place, each in pending.items()}

    def _copy(self, to: int, value: int) -> None:
        if to != value:
            self.add(Line(ASSIGN, to, (value,), work=max(1, self.registers[to].count)))
