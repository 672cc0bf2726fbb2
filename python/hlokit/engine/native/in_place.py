"""In-place updates: a loop that updates a part of an array writes into the array, instead of copying it.

Kernels never write into an operand, because other code may hold it. But a loop can copy its loop-carried
arrays once, before the first iteration: no other code holds these private arrays, and every iteration may
write into them as long as nothing reads their old contents. An alias analysis of the plan proves this.
`with_in_place_updates` replaces the kernels of steps that can write into their first operand
(`Kernel.in_place`) where

- the operand is a private array of the loop, or the result of such a step on one, and
- nothing that may alias the operand is read later, or returned.

A result may alias the operands of its step unless the operation is known to make a new array.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.contract.switches import is_on
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.native.costs import last_uses
from hlokit.engine.native.fused.fusion import find_fusions
from hlokit.engine.native.lowerings.escapes import lets_operands_escape
from hlokit.engine.plan.block import Block, Tier
from hlokit.engine.plan.executors import BlockFunction
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType, ValueType

# More deeply nested calls are not analysed: functions may be recursive.
_CALL_DEPTH = 8


class InPlacePlan(NamedTuple):
    """A plan some of whose steps write into arguments.

    Attributes:
      arguments: the arguments that must be private arrays of the caller.
      outputs: for each result, the argument, one of `arguments`, whose array it is; None for other values.
      aliases: for each result, the arguments that it may alias.
    """

    plan: Plan
    arguments: frozenset[int]
    outputs: tuple[int | None, ...]
    aliases: tuple[frozenset[int], ...]


def with_in_place_updates(
    plan: Plan, arguments: frozenset[int], tier: Tier, thresholds: Thresholds, depth: int = 0
) -> InPlacePlan | None:
    """The plan with steps that write into these arguments; None if no step can.

    Args:
      tier: evaluates functions that the plan calls and that write into arguments.
    """
    if depth > _CALL_DEPTH:
        return None
    analysis = _AliasAnalysis(plan, arguments, tier, thresholds, depth)
    for index, step in enumerate(plan.steps):
        analysis.visit(index, step)
    if not analysis.replaced:
        return None
    if analysis.written & analysis.escaped:
        return with_in_place_updates(plan, arguments - analysis.escaped, tier, thresholds, depth)
    steps = tuple([analysis.replaced.get(index, step) for index, step in enumerate(plan.steps)])
    updated = plan._replace(steps=steps)
    fusions = find_fusions(updated, thresholds)
    for index in analysis.replaced:
        # A fused computation reads its operands at the position of its last step, which is too late if it is
        # after the write.
        if any(
            fusion.steps[0] < index < fusion.steps[-1]
            and not analysis.aliases.keys().isdisjoint(fusion.operands)
            for fusion in fusions
        ):
            return None
    outputs = [analysis.owned.get(slot) for slot in plan.outputs]
    aliases = tuple([analysis.arguments([slot]) for slot in plan.outputs])
    return InPlacePlan(
        updated,
        frozenset(analysis.written),
        tuple([root if sum(root in group for group in aliases) == 1 else None for root in outputs]),
        aliases,
    )


class _AliasAnalysis:
    """The aliases of a plan's slots, step by step.

    Attributes:
      owned: slots that hold a private array -> the argument that passed the array.
      aliases: slots that may alias arguments -> these arguments.
      replaced: steps that work in place, by index.
      written: arguments that these steps write into.
      escaped: arguments that other code may hold after some step.
    """

    def __init__(
        self, plan: Plan, arguments: frozenset[int], tier: Tier, thresholds: Thresholds, depth: int
    ) -> None:
        self._tier, self._thresholds, self._depth = tier, thresholds, depth
        self.owned = {slot: slot for slot in arguments}
        self.aliases = {slot: frozenset((slot,)) for slot in range(plan.argument_count)}
        self.replaced: dict[int, Step] = {}
        self.written: set[int] = set()
        self.escaped: set[int] = set()
        self._last_use = last_uses(plan)

    def visit(self, index: int, step: Step) -> None:
        if lets_operands_escape(step):
            self.escaped.update(self.arguments(step.operands))
        if step.kernel.in_place is not None and self._may_write(index, step, 0):
            kernel = step.kernel._replace(function=step.kernel.in_place)
            self.replaced[index] = step._replace(kernel=kernel)
            self.written.add(self.owned[step.operands[0]])
            self._pass_on(step.results[0], step.operands[0])
            return
        called = step.kernel.function
        if isinstance(called, Block) and not called.is_observed and self._visit_call(index, step, called):
            return
        if not traits_of(step.name).allocates:
            self._alias(step.results, step.operands)

    def arguments(self, slots: Iterable[int]) -> frozenset[int]:
        """The arguments that slots may alias."""
        nothing = frozenset[int]()
        return nothing.union(*[self.aliases.get(slot, nothing) for slot in slots])

    def _visit_call(self, index: int, step: Step, called: Block) -> bool:
        """Replace the call of a function by a call that works in place; returns whether that is possible."""
        arguments = frozenset(n for n in range(len(step.operands)) if self._may_write(index, step, n))
        if not arguments:
            return False
        inner = with_in_place_updates(called.plan, arguments, self._tier, self._thresholds, self._depth + 1)
        if inner is None:
            return False
        kernel: Kernel = step.kernel._replace(function=self._tier.prepare(inner.plan))
        self.replaced[index] = step._replace(kernel=kernel)
        self.written.update(self.owned[step.operands[n]] for n in inner.arguments)
        for slot, root, aliases in zip(step.results, inner.outputs, inner.aliases, strict=True):
            if root is not None:
                self._pass_on(slot, step.operands[root])
            else:
                self._alias((slot,), [step.operands[n] for n in aliases])
        return True

    def _pass_on(self, result: int, operand: int) -> None:
        """The result is the same private array as the operand."""
        self.owned[result] = self.owned[operand]
        self.aliases[result] = self.aliases[operand]

    def _alias(self, results: Sequence[int], operands: Sequence[int]) -> None:
        """The results may alias the operands."""
        arguments = self.arguments(operands)
        if arguments:
            self.aliases.update((slot, arguments) for slot in results)

    def _may_write(self, index: int, step: Step, number: int) -> bool:
        """Whether a step may write into an operand: a private array that nothing reads later through any
        slot."""
        root = self.owned.get(step.operands[number])
        if root is None:
            return False
        others = self.arguments([*step.operands[:number], *step.operands[number + 1 :]])
        return root not in others and all(
            self._last_use.get(other, -1) <= index
            for other, arguments in self.aliases.items()
            if root in arguments
        )


class InPlaceLoop:
    """The body of a loop that updates arrays in place.

    Args:
      count: the number of loop-carried values.
    """

    def __init__(self, body: Region, count: int, thresholds: Thresholds = DEFAULTS) -> None:
        self._body, self._count, self._thresholds = body, count, thresholds

    @property
    def is_useful(self) -> bool:
        """Whether some step works in place. The first call analyses the plan."""
        return self._written_and_iteration is not None

    @cached_property
    def _written_and_iteration(self) -> tuple[frozenset[int], BlockFunction] | None:
        """The arrays that the loop writes, by their numbers, and one iteration; None if it writes none."""
        body = self._body
        types = body.argument_types[: self._count]
        owned = frozenset(n for n, type_ in enumerate(types) if self._is_large(type_))
        if not owned or body.is_observed or not is_on("in-place"):
            return None
        assert isinstance(body, Block)
        tier = body.tiers.in_place
        while (updated := with_in_place_updates(body.plan, owned, tier, self._thresholds)) is not None:
            # The next iteration expects the array at the same position.
            kept = frozenset(n for n in updated.arguments if updated.outputs[n] == n)
            if kept == owned:
                return kept, tier.prepare(updated.plan)
            owned = kept
        return None

    def _is_large(self, type_: ValueType) -> bool:
        if not isinstance(type_, TensorType) or not type_.is_static:
            return False
        return type_.nbytes >= self._thresholds.in_place_bytes

    def with_private_copies(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """The loop-carried values, with row-major copies of the arrays that the loop will write."""
        owned, _ = self._useful()
        return tuple([np.array(v, order="C") if n in owned else v for n, v in enumerate(values)])

    @property
    def run(self) -> BlockFunction:
        """One iteration."""
        _, run = self._useful()
        return run

    def _useful(self) -> tuple[frozenset[int], BlockFunction]:
        assert self._written_and_iteration is not None, "only a useful body runs"
        return self._written_and_iteration
