"""Runs with disturbed values, and with loops that take other iterations, at the speed of plain runs.

The plans of such a run have further steps, which native loops contain, too: a disturbance after each
operation that rounds, and a counter in each loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from hlokit.engine.contract.registry import Kernel, Operation, Value, find
from hlokit.engine.interpreter.planner import operation_of
from hlokit.engine.interpreter.settings import Variant
from hlokit.engine.plan.block import Block, plan_of
from hlokit.engine.plan.plan import Plan, Step, with_steps
from hlokit.mlir.conversion.attributes import Attributes
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.module import called_functions
from hlokit.operations.lookup import traits_of
from hlokit.tools.diff.flow.disturbances import (
    Disturbance,
    amounts_type,
    kernel_of,
    may_round,
    shape_of_amounts,
)
from hlokit.tools.recording.places import LOOP, Operations
from hlokit.values.element_types import I1, I32
from hlokit.values.types import TensorType, ValueType

# The name of steps that the program does not have.
_ADDED = "vm.disturb"
_COUNT, _PRED = TensorType((), I32), TensorType((), I1)
_ONE, _ADD = np.int32(1), Kernel(np.add, pointwise=True, native="add")
_LESS, _SELECT = (
    Kernel(np.less, pointwise=True, native="LT"),
    Kernel(np.where, pointwise=True, native="select"),
)


class Counts(Protocol):
    """Decides how many iterations loops take."""

    def iterations_of(self, step: Step) -> int | None:
        """The iterations of a loop that begins; None if its condition decides."""
        ...

    def ended(self, step: Step, own: int) -> None:
        """A loop ends.

        Args:
          own: the iterations after which its condition would have ended it; one more than it took if it would
            have continued.
        """
        ...


class ChangedPlans(Variant):
    """Plans with further steps, outside of regions that are applied to elements.

    Args:
      counts: decides the iterations of loops. `ended` is called with the iterations that a loop has taken.
      disturbance: what changes the results of operations that round; None if nothing does.
    """

    def __init__(self, module: ir.Module, counts: Counts, disturbance: Disturbance | None = None) -> None:
        self._counts = counts
        self._disturbance = disturbance
        self._applied: set[ir.Operation] = set()
        for operation in Operations(module).all:
            if traits_of(operation.name).applies:
                self._applied.add(operation)
                self._applied.update(called_functions(operation).values())

    def plan(self, plan: Plan, block: ir.Block) -> Plan:
        outer: Any = block.owner
        while outer is not None:
            if outer.operation in self._applied:
                return plan
            outer = outer.operation.parent
        rewriting = _Rewriting(plan)
        for step in plan.steps:
            if step.name == LOOP:
                rewriting.add_counted(step, self._counts)
            elif self._disturbance is not None and may_round(step):
                rewriting.add_disturbed(step, self._disturbance)
            else:
                rewriting.steps.append(step)
        return rewriting.plan()


class _Rewriting:
    """A plan with further steps, slots and constants."""

    def __init__(self, plan: Plan) -> None:
        self.steps: list[Step] = []
        self._plan = plan
        self._types = list(plan.slot_types)
        self._constants = list(plan.constants)

    def plan(self) -> Plan:
        """The rewritten plan."""
        changed = self._plan._replace(
            slot_count=len(self._types), constants=tuple(self._constants), slot_types=tuple(self._types)
        )
        return with_steps(changed, self.steps)

    def add_disturbed(self, step: Step, disturbance: Disturbance) -> None:
        """Add a step, and one that disturbs each of its results."""
        results, disturbing = list(step.results), list[Step]()
        exactness = disturbance.exactness(step)
        for index, type_ in enumerate(step.result_types):
            if not isinstance(type_, TensorType) or not type_.element_type.kind.is_inexact:
                continue
            amounts = disturbance.amounts(step, index, type_)
            shape = shape_of_amounts(type_) if np.ndim(amounts) else ()
            amount_type = TensorType(shape, amounts_type(type_.element_type))
            amount = self._constant(amounts, amount_type)
            if exactness is not None:
                rounding = self._slot(amount_type if type_.is_static else type_)
                disturbing.append(self._step(step, exactness, (*step.operands, amount), (rounding,)))
                amount = rounding
            results[index] = self._slot(type_)
            disturbing.append(
                self._step(
                    step, kernel_of(type_.element_type), (results[index], amount), (step.results[index],)
                )
            )
        self.steps += [step._replace(results=tuple(results)), *disturbing]

    def add_counted(self, step: Step, counts: Counts) -> None:
        """Add a loop that counts its iterations, a step that decides them, and one that reports them.

        The state of the loop has two more values: the iterations so far, and those to take, or -1 if its
        condition decides.
        """

        def begin() -> Value:
            iterations = counts.iterations_of(step)
            return np.int32(-1 if iterations is None else iterations)

        def end(count: Value) -> Value:
            counts.ended(step, int(count))
            return count

        count = len(step.operand_types)
        wanted, final, last, ignored = [self._slot(_COUNT) for _ in range(4)]
        state, captured = step.operands[:count], step.operands[count:]
        types = (*step.operand_types, _COUNT, _COUNT)
        cond, body = step.kernel.regions
        blocks = (_with_counter(cond, step, _counted_condition), _with_counter(body, step, _counted_body))
        attributes = Attributes(operation_of(step))
        bind = find(LOOP)
        assert bind is not None
        kernel = bind(Operation(LOOP, types, types, attributes, blocks, len(captured)))
        assert isinstance(kernel, Kernel)
        zero = self._constant(np.int32(0), _COUNT)
        loop = step._replace(
            kernel=kernel,
            operands=(*state, zero, wanted, *captured),
            results=(*step.results, final, last),
            operand_types=types,
            result_types=(*step.result_types, _COUNT, _COUNT),
        )
        self.steps += [
            self._step(step, Kernel(begin), (), (wanted,)),
            loop,
            self._step(step, Kernel(end), (final,), (ignored,)),
        ]

    def _slot(self, type_: ValueType) -> int:
        self._types.append(type_)
        return len(self._types) - 1

    def _constant(self, value: Value, type_: TensorType) -> int:
        slot = self._slot(type_)
        self._constants.append((slot, value))
        return slot

    def _step(self, step: Step, kernel: Kernel, operands: tuple[int, ...], results: tuple[int, ...]) -> Step:
        """A step beside another one, whose location it has."""
        operand_types = tuple([self._types[slot] for slot in operands])
        result_types = tuple([self._types[slot] for slot in results])
        return Step(
            _ADDED, kernel, operands, results, operand_types, result_types, step.origin, step.position
        )


class _Region:
    """A region of a loop with two more arguments, the iterations so far and those to take, and further steps.

    Attributes:
      outputs: the slots of its results.
    """

    def __init__(self, plan: Plan, loop: Step) -> None:
        self._loop = loop
        self._count = count = len(loop.operand_types)
        self.counter, self.wanted = count, count + 1
        self.outputs = self._moved(plan.outputs)
        self._plan = plan
        self._types = [*plan.slot_types[:count], _COUNT, _COUNT, *plan.slot_types[count:]]
        self._constants = [(self._moved((slot,))[0], value) for slot, value in plan.constants]
        self._steps = [
            step._replace(operands=self._moved(step.operands), results=self._moved(step.results))
            for step in plan.steps
        ]

    def _moved(self, slots: Sequence[int]) -> tuple[int, ...]:
        """The slots with the values of slots of the region without further arguments."""
        return tuple([slot if slot < self._count else slot + 2 for slot in slots])

    def add(self, kernel: Kernel, *operands: int, type_: TensorType = _COUNT) -> int:
        """Add a step; returns the slot of its result."""
        result = len(self._types)
        self._types.append(type_)
        types = tuple([self._types[operand] for operand in operands])
        at = self._loop.origin, self._loop.position
        self._steps.append(Step(_ADDED, kernel, operands, (result,), types, (type_,), *at))
        return result

    def constant(self, value: np.int32) -> int:
        """The slot of a number."""
        self._types.append(_COUNT)
        self._constants.append((len(self._types) - 1, value))
        return len(self._types) - 1

    def plan(self) -> Plan:
        """The plan of the region."""
        changed = self._plan._replace(
            argument_count=self._plan.argument_count + 2,
            slot_count=len(self._types),
            constants=tuple(self._constants),
            outputs=self.outputs,
            slot_types=tuple(self._types),
            receivers=tuple([(*types, _COUNT, _COUNT) for types in self._plan.receivers]),
        )
        return with_steps(changed, self._steps)


def _with_counter(region: Any, loop: Step, count: Callable[[_Region], None]) -> Block:
    """A region of a loop with two more arguments.

    Args:
      count: adds the steps and outputs that deal with these arguments.
    """

    def make_plan() -> Plan:
        counted = _Region(plan_of(region), loop)
        count(counted)
        return counted.plan()

    return Block((*region.argument_types, _COUNT, _COUNT), make_plan, region.tiers)


def _counted_condition(region: _Region) -> None:
    """Continue if an iteration is left, or, without a number of iterations, if the condition says so."""
    decides = region.add(_LESS, region.wanted, region.constant(np.int32(0)), type_=_PRED)
    is_left = region.add(_LESS, region.counter, region.wanted, type_=_PRED)
    region.outputs = (region.add(_SELECT, decides, *region.outputs, is_left, type_=_PRED),)


def _counted_body(region: _Region) -> None:
    """Count the iteration."""
    following = region.add(_ADD, region.counter, region.constant(_ONE))
    region.outputs = (*region.outputs, following, region.wanted)
