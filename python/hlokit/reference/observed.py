"""What an observer sees of the reference: blocks as plans and values as arrays, as of the other tiers.

A plan has slots for all values of its block, and a step for each operation except constants and the
terminator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

from hlokit.engine.contract.registry import Kernel
from hlokit.engine.plan.executors import Observer, tell_entered, tell_failed, tell_left
from hlokit.engine.plan.plan import Plan, Step, frees
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.queries.structure import Operations, captured_values
from hlokit.mlir.queries.types import value_type
from hlokit.operations.lookup import traits_of
from hlokit.reference import bodies
from hlokit.reference.model.calls import Values
from hlokit.reference.model.tensors import Value, as_array


class Observed:
    """The blocks of a module, for one observer."""

    def __init__(self, observer: Observer, module: ir.Module, filename: str) -> None:
        self._observer = observer
        self._module = module
        self._filename = filename
        self._blocks: dict[ir.Region, ObservedBlock] = {}

    def block(self, body: bodies.Body, name: str) -> ObservedBlock:
        """A block of the function with this name."""
        block = self._blocks.get(body.region)
        if block is None:
            operations = Operations(self._module, body.region.blocks[0], self._filename)
            block = self._blocks[body.region] = ObservedBlock(self._observer, operations, body, name)
        return block


class ObservedBlock:
    """A block whose runs an observer follows."""

    def __init__(self, observer: Observer, operations: Operations, body: bodies.Body, name: str) -> None:
        self._observer = observer
        self._inputs = (*body.arguments, *captured_values((body.region,)))
        inner = [step for step in body.steps if not traits_of(step.name).terminator]
        self._operands = {
            position: (*step.operands, *captured_values(step.regions))
            for position, step in enumerate(inner)
            if not traits_of(step.name).constant
        }
        values = [*self._inputs, *[result for step in inner for result in step.results]]
        slots = dict(zip(values, count()))
        self._steps = {
            position: Step(
                inner[position].name,
                Kernel(_unplanned),
                tuple([slots[operand] for operand in operands]),
                tuple([slots[result] for result in inner[position].results]),
                inner[position].operand_types,
                inner[position].result_types,
                operations,
                position,
            )
            for position, operands in self._operands.items()
        }
        steps = tuple(self._steps.values())
        outputs = tuple([slots[operand] for operand in body.steps[-1].operands])
        types = tuple([value_type(value.type) for value in values])
        freed = frees(steps, outputs)
        self._plan = Plan(name, len(self._inputs), len(values), (), steps, freed, outputs, types)

    def enter(self, table: Mapping[ir.Value, Value]) -> None:
        """Tell the observer that a run begins."""
        tell_entered(self._observer, self._plan, [as_array(table[value]) for value in self._inputs])

    def leave(self) -> None:
        """Tell the observer that a run ends."""
        tell_left(self._observer)

    def run(self, position: int, table: Mapping[ir.Value, Value], evaluate: Callable[[], Values]) -> Values:
        """The results of the operation at a position, which the observer sees."""
        step = self._steps.get(position)
        if step is None:
            return evaluate()
        operands = [as_array(table[operand]) for operand in self._operands[position]]
        self._observer.before(self._plan, step, operands)
        try:
            results = evaluate()
        except BaseException:
            tell_failed(self._observer, self._plan, step)
            raise
        self._observer.after(self._plan, step, operands, tuple(map(as_array, results)))
        return results


def _unplanned(*_: object) -> object:
    raise NotImplementedError("the reference evaluates the steps of its plans")
