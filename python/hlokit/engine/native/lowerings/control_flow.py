"""Lowers blocks and control flow: branches, calls and loops are inlined.

Loops with a small known number of iterations are unrolled: then their counters, and the values that they
select by them, are constants.

Lowering is a generator, so that the caller can spread it over several runs of the program.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.native.ir.instructions import JUMP, JUMP_IF, JUMP_IF_NOT, Instruction
from hlokit.engine.native.ir.parameters import Jump
from hlokit.engine.native.ir.target import NotLowerable, operation
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.engine.native.lowerings.invariants import hoisted
from hlokit.engine.native.lowerings.trip_counts import counters, ranges_of_counters, trip_count
from hlokit.engine.plan.block import inlined_size, plan_of
from hlokit.engine.plan.partial_sort import with_partial_sorts
from hlokit.engine.plan.plan import Plan, Step

T = TypeVar("T")
# Work that pauses, and what it returns. It yields units of `run_context.Work` since the last pause.
Pausing = Generator[int, None, T]
# A position between steps of the outermost block: the number of instructions, and what is available.
Mark = tuple[int, dict[Any, Any], int]
# The number of steps between two pauses of lowering.
_STEPS = 100


class ControlFlowLowering(ProgramBuilder, ABC):
    """Lowers blocks, one after the other, into one program.

    Args:
      may_unroll: loops with a small known number of iterations are unrolled. That takes longer.

    Attributes:
      could_unroll: a loop with a small known number of iterations is not unrolled.
      counters: for each outermost loop whose condition is `counter < constant`, the register of the counter,
        and the constant.
    """

    def __init__(self, thresholds: Thresholds, *, may_unroll: bool = True) -> None:
        super().__init__()
        self.may_unroll, self.could_unroll = may_unroll, False
        self.counters: list[tuple[int, int]] = []
        self.thresholds = thresholds
        self._most_instructions = thresholds.lowered_instructions
        self._lowered = 0  # steps since the last pause
        self._repetitions = 1  # of the current position, by all unrolled loops around it
        self._plans: dict[Region, Plan] = {}  # with partial sorts
        self._inlining: list[Region] = []  # the blocks whose steps are being lowered, outermost first

    def pauses(self, least: int = _STEPS) -> tuple[int, ...]:
        """A pause, if so many steps were lowered since the last one."""
        if self._lowered < least:
            return ()
        units, self._lowered = self._lowered, 0
        return (units,)

    def mark(self) -> Mark:
        """The current position, to which `undo` returns."""
        return len(self.instructions), self.available, len(self.available)

    def undo(self, mark: Mark) -> None:
        """Remove all additions since a mark, except registers: nothing uses those."""
        count, self.available, available_count = mark
        del self.instructions[count:]
        while len(self.available) > available_count:
            self.available.popitem()
        self._inlining.clear()
        self._repetitions, self.loop_depth, self.is_repeated = 1, 0, False

    @property
    def is_unrolling(self) -> bool:
        """Whether a loop around the current position is being unrolled."""
        return self._repetitions > 1

    def check_size(self) -> None:
        """Raises NotLowerable if there are too many instructions."""
        if len(self.instructions) > self._most_instructions:
            raise NotLowerable

    @abstractmethod
    def lower_at_once(
        self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]
    ) -> bool:
        """Lower a step without blocks, which takes no pause; returns False for others, and does nothing."""

    @abstractmethod
    def step(
        self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]
    ) -> Pausing[None]:
        """Lower a step of a plan.

        Args:
          views: of the slots so far; those of the step's results are added.
          constants: the plan's.
        """

    @abstractmethod
    def of_function(self) -> "ControlFlowLowering":
        """A lowering of a function by itself, whose instructions may be copied."""

    def block(self, block: Region, arguments: Sequence[View]) -> Pausing[list[View]]:
        """Lower the steps of a block; returns views of the values that it returns."""
        if block.is_observed or block in self._inlining:
            raise NotLowerable
        self.check_size()
        self._inlining.append(block)
        plan = self._plan_of(block)
        views = dict(enumerate(arguments))
        constants = dict(plan.constants)
        for step in plan.steps:
            if not self.lower_at_once(plan, step, views, constants):
                yield from self.step(plan, step, views, constants)
            yield from self.pauses()
        outputs = [self._operand(plan, views, constants, slot) for slot in plan.outputs]
        self._inlining.pop()
        return outputs

    def _plan_of(self, block: Region) -> Plan:
        """The plan of a block, with partial sorts."""
        plan = plan_of(block)
        if all(step.kernel.partial_sort is None for step in plan.steps):
            return plan
        if block not in self._plans:
            self._plans[block] = with_partial_sorts(plan, self.thresholds)
        return self._plans[block]

    def _operand(self, plan: Plan, views: dict[int, View], constants: dict[int, Value], slot: int) -> View:
        view = views.get(slot)
        if view is None:
            view = views[slot] = self.constant(plan.slot_types[slot], constants[slot])
        return view

    # Loops ---------------------------------------------------------------------------------------

    def while_(
        self, cond: Region, body: Region, values: Sequence[View], captured: Sequence[View]
    ) -> Pausing[list[View]]:
        """A loop: a jump to the condition, the body, the condition, and a conditional jump back to the body.

        Instructions for values that the body returns unchanged are omitted, and those that compute the same
        in every iteration precede the loop.
        """
        size = max(1, inlined_size(body))
        most = self.thresholds.unrolled_steps // (size * self._repetitions)
        count = self._trip_count(cond, body, [*values, *captured], most)
        if count is not None and self.may_unroll:
            return (yield from self._unrolled(body, count, values, captured))
        self.could_unroll = self.could_unroll or count is not None
        outputs = plan_of(body).outputs
        state = [value if outputs[n] == n else self.writable_copy(value) for n, value in enumerate(values)]
        scalars = self._known_scalars([*values, *captured])
        counting = counters(body, scalars)
        one_of = {values[n]: state[n] for n in counting}
        for n in counting:  # counters that begin alike are one
            state[n] = one_of[values[n]]
        ranges = ranges_of_counters(cond, body, counting, scalars)
        bounds = {state[n].register: range_ for n, range_ in ranges.items()}
        self.peephole.bounds |= {register: (least, most - 1) for register, (least, most) in bounds.items()}
        first_register, entry = len(self.registers), self._jump(JUMP)
        start = len(self.instructions)
        with self._conditional(is_loop=True):
            results = yield from self.block(body, [*state, *captured])
            changed = [n for n, output in enumerate(outputs) if output != n and n not in counting]
            changed += counting  # last, before the condition that reads them
            copied = [self._whole_like(state[n], results[n]) for n in changed]
            self.parallel_copy([state[n].register for n in changed], copied)
        self._set_target(entry)
        self.peephole.bounds |= bounds
        with self._conditional(is_loop=True):
            (pred,) = yield from self.block(cond, [*state, *captured])
            self._set_target(self._jump(JUMP_IF, self.scalar(pred)), start)
        self.instructions = hoisted(self.instructions, entry, first_register, self.may_move)
        if not self.loop_depth:
            self._find_counter(state)
        return state

    @abstractmethod
    def may_move(self, instruction: Instruction) -> bool:
        """Whether an instruction may precede a loop that repeats it with the same operands: whether its
        result is its only effect."""

    def _trip_count(self, cond: Region, body: Region, operands: Sequence[View], most: int) -> int | None:
        """The number of iterations, if it is known and at most `most`."""
        return trip_count(cond, body, self._known_scalars(operands), most) if most >= 1 else None

    def _known_scalars(self, views: Sequence[View]) -> list[Value | None]:
        """The values of scalars that are constants; None for others."""
        return [self.constants.get(view.register) if not view.shape else None for view in views]

    def _unrolled(
        self, body: Region, count: int, values: Sequence[View], captured: Sequence[View]
    ) -> Pausing[list[View]]:
        outside, self._repetitions = self._repetitions, max(1, self._repetitions * count)
        state = list(values)
        for _ in range(count):
            state = yield from self.block(body, [*state, *captured])
        self._repetitions = outside
        return state

    def _find_counter(self, state: Sequence[View]) -> None:
        """The counter of the loop whose jump back is the last instruction, if it has one."""
        *_, last, _ = self.instructions
        if last.is_jump or len(last.operands) != 2:
            return
        counter, limit = last.operands
        type_ = self.registers[counter].type
        is_counter = counter in [view.register for view in state] and type_ in ("i32", "i64")
        if is_counter and limit in self.constants and last.operation == operation("LT", "i1", type_):
            self.counters.append((counter, int(self.constants[limit])))

    # Branches ------------------------------------------------------------------------------------

    def branches(self, step: Step, regions: Sequence[Region], operands: list[View]) -> Pausing[list[View]]:
        """spec "if" and "case": one region if the choice is a constant, else all regions and jumps."""
        choice, *captured = operands
        register = self.scalar(choice)
        is_pred = self.registers[register].type == "i1"
        if len(regions) == 1 or register in self.constants:
            value = int(self.constants.get(register, 0))
            number = 1 - value if is_pred else value
            region = regions[number if 0 <= number < len(regions) else -1]
            return (yield from self.block(region, captured))
        results = [self.new(tensor_type(type_)) for type_ in step.result_types]
        to_end: list[int] = []
        for number, region in enumerate(regions[:-1]):
            pred = register if is_pred else self._is_equal(register, number)
            to_next = self._jump(JUMP_IF_NOT, pred)
            yield from self._branch(region, captured, results)
            to_end.append(self._jump(JUMP))
            self._set_target(to_next)
        yield from self._branch(regions[-1], captured, results)  # for every other choice
        for jump in to_end:
            self._set_target(jump)
        return results

    def _is_equal(self, index: int, number: int) -> int:
        """The register of the comparison of an index with a number."""
        constant, pred = self.scalar_constant(np.int32(number), "i32"), self.new_scalar("i1")
        self.add(Instruction(operation("EQ", "i1", "i32"), (pred,), (index, constant)))
        return pred

    def _branch(self, block: Region, captured: Sequence[View], results: Sequence[View]) -> Pausing[None]:
        with self._conditional():
            values = yield from self.block(block, captured)
            for result, value in zip(results, values, strict=True):
                self.copy(result.register, self._whole_like(result, value))

    # Jumps ---------------------------------------------------------------------------------------

    @contextmanager
    def _conditional(self, *, is_loop: bool = False) -> Generator[None]:
        """A context for instructions that may not run, or may run again: their results are not available
        afterwards."""
        available, self.available = self.available, dict(self.available)
        is_repeated, self.is_repeated = self.is_repeated, is_loop
        self.loop_depth += is_loop
        yield
        self.loop_depth -= is_loop
        self.is_repeated = is_repeated
        self.available = available

    def _whole_like(self, like: View, view: View) -> int:
        """The register of a view in row-major order, which must be as large as that of another view."""
        register = self.whole(view)
        if self.registers[register].count != self.registers[like.register].count:
            raise NotLowerable
        return register

    def _jump(self, kind: int, *pred: int) -> int:
        """Append a jump whose target is not known yet; returns its index."""
        self.add(Instruction(kind, (), pred, Jump(0)))
        return len(self.instructions) - 1

    def _set_target(self, jump: int, target: int | None = None) -> None:
        """Set the target of a jump; the default is the next instruction."""
        self.instructions[jump].parameters = Jump(len(self.instructions) if target is None else target)
