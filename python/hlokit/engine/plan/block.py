"""Blocks (function bodies and regions): planned when they first run, evaluated by their tiers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from hlokit.children import stacks
from hlokit.children.lifetimes import LockOfProcess
from hlokit.children.stacks import LEVELS_PER_STACK
from hlokit.engine.contract.nan_bits import CANONICAL_NAN
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.run_context import current_work
from hlokit.engine.plan.executors import BlockFunction, Executor
from hlokit.engine.plan.plan import (
    GradualRewrite,
    Plan,
    Step,
    last_of,
    needed_steps,
    with_receivers,
    with_steps,
)
from hlokit.values.types import TensorType, ValueType

# Threads share blocks. Planning is rare, and a plan may require another plan, so there is one lock for all
# blocks. No thread holds the lock while a block runs.
_PLANNING = LockOfProcess(threading.RLock)

Rewrite = Callable[[Plan], Plan]


class Tier(NamedTuple):
    """A method to evaluate a plan: rewrites, in order, then an executor.

    The last rewrite may be gradual: a block then does one part of it in each run.
    """

    rewrites: tuple[Rewrite, ...]
    executor: Executor
    gradual: GradualRewrite | None = None

    def parts(self, plan: Plan) -> Generator[Plan, None, Plan]:
        """Yields the plan after each part of the rewrites but the last, and returns the plan after all."""
        for rewrite in self.rewrites:
            plan = rewrite(plan)
        return (yield from self.gradual(plan)) if self.gradual else plan

    def rewrite(self, plan: Plan) -> Plan:
        """The plan after all rewrites."""
        return last_of(self.parts(plan))

    def prepare(self, plan: Plan) -> BlockFunction:
        """Rewrite a plan, and return the function that evaluates it."""
        return self.executor(self.rewrite(plan))


class Tiers(NamedTuple):
    """The tiers of a block, which `engine/interpreter/tiers.py` defines.

    Attributes:
      first: the tier of the first run.
      later: the tier of all other runs. Its rewrites apply to the output of those of `first`, which are not
        repeated.
      vectorized: the tier that replaces `later` for a pointwise block that is called with whole arrays.
      in_place: the tier of a loop body whose steps write into arrays to which the loop has the only
        reference.
      is_observed: whether an observer is called before and after each step.
    """

    first: Tier
    later: Tier
    vectorized: Tier
    in_place: Tier
    is_observed: bool = False


class Block:
    """Callable on values: `block(*arguments, *captured)`. See `contract.region.Region`.

    Attributes:
      argument_types: the types of the block's own arguments, without captured values.
      tiers: the tiers that rewrite and evaluate the plan.
      receivers: for a region of control flow, the types of those that receive the values that it returns.
      inlined_size: what the function `inlined_size` returns; None before its first call.
      templates: of the block as a function: its instructions, which `native.lowerings.templates` copies.
      planned: the number of steps that the first run has planned.
      runs: the number of runs of a program that begin with the block, until it is settled.
      is_settled: whether later runs compile nothing: neither the block, nor others that it calls.
    """

    def __init__(
        self, argument_types: tuple[ValueType, ...], make_plan: Callable[[], Plan], tiers: Tiers
    ) -> None:
        self.argument_types = argument_types
        self._make_plan = make_plan
        self.tiers = tiers
        self.receivers: tuple[tuple[ValueType, ...], ...] = ()
        self._plan: Plan | None = None
        self._is_pointwise: bool | None = None
        self.inlined_size: int | None = None
        self.templates: dict[bool, dict[Any, Any]] = {}
        self.planned = self.runs = 0
        self.is_settled = False
        self._has_run = False
        # Until the code for later runs is compiled: the plan after the rewrites so far, and those to do.
        self._rewritten: Plan | None = None
        self._parts: Generator[Plan, None, Plan] | None = None
        self._compiled: BlockFunction | None = None
        self._vectorized: Block | None = None

    def __call__(self, *values: Value) -> Any:
        compiled = self._compiled
        if compiled is not None and self.is_settled:  # calls nothing
            return compiled(*values)
        # Calls and regions may be nested deeper than the stack of a thread allows.
        work = current_work()
        work.level += 1
        try:
            function = compiled or self._uncompiled
            if work.level % LEVELS_PER_STACK:
                return function(*values)
            return stacks.call(work.level, function, *values)
        finally:
            work.level -= 1

    def _uncompiled(self, *values: Value) -> Any:
        if self._has_run:
            return self._next()(*values)
        self._has_run = True
        work = current_work()
        before = work.planned - (len(self._plan.steps) if self._plan else 0)
        self._rewritten = plan = self.tiers.first.rewrite(self.plan)
        try:
            return self.tiers.first.executor(plan)(*values)
        finally:
            self.planned = work.planned - before

    def interpreted(self, *values: Value) -> Any:
        """As a call, but neither the block nor the blocks that it calls compile code for later runs."""
        work = current_work()
        outer, work.is_deferred = work.is_deferred, True
        try:
            return self(*values)
        finally:
            work.is_deferred = outer

    def _next(self) -> BlockFunction:
        """The function of the next run, after one more part of the rewrites for later runs."""
        with _PLANNING:
            work = current_work()
            is_later = work.is_deferred or work.left <= 0
            if self._compiled is None and not (is_later and self._rewritten is not None):
                parts, self._parts = self._all_parts(), None  # an error ends the rewrites
                try:
                    self._rewritten = next(parts)
                    while work.is_last:
                        self._rewritten = next(parts)
                    self._parts = parts
                except StopIteration as end:
                    self._finish(end.value)
                except RecursionError:  # the rewrites follow calls and regions deeper than the evaluation
                    self._finish(self._rewritten or self.tiers.first.rewrite(self.plan))
            if self._compiled is None:
                assert self._rewritten is not None
                return self.tiers.first.executor(self._rewritten)
            return self._compiled

    def compiled(self) -> BlockFunction:
        """The function of all runs after the first ones, for callers with many calls."""
        if self._compiled is None:
            with _PLANNING:
                if self._compiled is None:
                    parts, self._parts = self._all_parts(), None
                    self._finish(last_of(parts))
        assert self._compiled is not None
        return self._compiled

    def _all_parts(self) -> Generator[Plan, None, Plan]:
        if self._parts is None:
            self._parts = self.tiers.later.parts(self._rewritten or self.tiers.first.rewrite(self.plan))
        return self._parts

    def _finish(self, plan: Plan) -> None:
        self._compiled = self.tiers.later.executor(plan)
        self.is_settled = not any(map(blocks_of, plan.steps))
        self._rewritten = self._parts = None

    @property
    def plan(self) -> Plan:
        """The plan without rewrites, built on first use, so that a block that never runs is never planned."""
        if self._plan is None:
            with _PLANNING:
                if self._plan is None:
                    self._plan = with_receivers(self._make_plan(), self.receivers)
                    current_work().planned += len(self._plan.steps)
        return self._plan

    @property
    def is_observed(self) -> bool:
        """Whether an observer is called before and after each step."""
        return self.tiers.is_observed

    @property
    def output_types(self) -> tuple[ValueType, ...]:
        """Types of the values that the block returns."""
        return tuple(self.plan.slot_types[slot] for slot in self.plan.outputs)

    @property
    def is_pointwise(self) -> bool:
        """Whether the block maps scalars to scalars, elementwise: `vectorized` then takes whole arrays.

        A result of `vectorized` that depends on no argument still has rank 0: the caller broadcasts such a
        result.
        """
        with _PLANNING:
            if self._is_pointwise is None:
                self._is_pointwise = False  # for recursive functions
                with suppress(RecursionError):
                    self._is_pointwise = self._find_pointwise()
            return self._is_pointwise

    def _find_pointwise(self) -> bool:
        return all(map(_is_pointwise, self.plan.steps)) and all(
            isinstance(type_, TensorType) and type_.shape == () for type_ in self.plan.slot_types
        )

    @property
    def vectorized(self) -> Block:
        """A pointwise block on arrays of one shape (or rank 0) instead of scalars."""
        if self._vectorized is None:
            tiers = self.tiers._replace(later=self.tiers.vectorized)
            self._vectorized = type(self)(
                self.argument_types, partial(_with_vectorized_calls, self.plan), tiers
            )
        return self._vectorized

    def with_outputs(self, slots: Sequence[int]) -> Block:
        """The block with other results: the values of the given slots of the same plan."""
        return Block(self.argument_types, lambda: _with_outputs(self.plan, slots), self.tiers)

    @property
    def binary(self) -> str | None:
        """The name of the operation, if the block is one operation on its two arguments, in either order.

        The result of the operation may have any NaNs, even if the NaNs of the block are canonical.
        """
        if len(self.argument_types) != 2:
            return None
        match self.plan.steps:
            case (step,):
                results = step.results
            case (step, last) if last.name == CANONICAL_NAN and last.operands == step.results:
                results = last.results
            case _:
                return None
        if self.plan.outputs != results or sorted(step.operands) != [0, 1]:
            return None
        return step.name

    @property
    def ufunc(self) -> np.ufunc | None:
        """The ufunc, if the block is one ufunc of its two arguments.

        The arguments may be swapped if the ufunc is commutative.
        """
        if self.binary is None:
            return None
        step = self.plan.steps[0]
        ufunc = step.kernel.ufunc
        return ufunc if step.operands == (0, 1) or ufunc in _COMMUTATIVE else None

    @property
    def returned_argument(self) -> int | None:
        """The index of the argument, if the block has no steps and returns only one of its arguments."""
        match self.plan.outputs:
            case (slot,) if not self.plan.steps and slot < len(self.argument_types):
                return slot
            case _:
                return None


def plan_of(region: Region) -> Plan:
    """The plan of a region: all regions are blocks."""
    assert isinstance(region, Block)
    return region.plan


def _is_pointwise(step: Step) -> bool:
    called = step.kernel.function
    return step.kernel.pointwise or (isinstance(called, Block) and called.is_pointwise)


def _with_vectorized_calls(plan: Plan) -> Plan:
    """The plan of a pointwise block, with calls of vectorized functions."""
    return plan._replace(steps=tuple(map(_with_vectorized_call, plan.steps)), stored=None)


def _with_vectorized_call(step: Step) -> Step:
    called = step.kernel.function
    if not isinstance(called, Block):
        return step
    return step._replace(kernel=step.kernel._replace(function=called.vectorized))


def _with_outputs(plan: Plan, slots: Sequence[int]) -> Plan:
    """The plan that returns other slots, with only the steps on which these slots depend."""
    other = plan._replace(outputs=tuple(slots), receivers=(), stored=None)
    return with_steps(other, needed_steps(plan, slots))


_COMMUTATIVE = (
    np.add,
    np.multiply,
    np.maximum,
    np.minimum,
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.logical_and,
    np.logical_or,
    np.logical_xor,
)


def inlined_size(region: Region) -> int:
    """The number of steps of a block, with those of the blocks that these call."""
    assert isinstance(region, Block)
    if region.inlined_size is None:
        region.inlined_size = 0  # for recursive functions
        steps = region.plan.steps
        region.inlined_size = len(steps) + sum(
            [inlined_size(inner) for step in steps for inner in blocks_of(step)]
        )
    return region.inlined_size


def blocks_of(step: Step) -> Sequence[Region]:
    """The function that a step calls, or its regions."""
    called = step.kernel.function
    return (called,) if isinstance(called, Block) else step.kernel.regions
