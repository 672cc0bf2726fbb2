"""Loops that update a part of an array write into it, instead of copying it in every turn.

Kernels never write into an operand, for anyone may have it. But what a loop carries from turn to turn it can
have for itself: it copies such an array once, and then each turn may write into it, as long as nothing reads
what was there before. A plan shows that. `own` looks for steps with a kernel that writes into its first
operand (`Kernel.in_place`) where

- the operand is an argument that the loop owns, or what such a step made of one;
- nothing that may share its memory is read later, or returned.

A value may share the memory of what it was made from unless its operation is known to make a new array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from hlokit.interpreter.block import Block
from hlokit.interpreter.chains import find_chains
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import BlockFunction, generate, run_steps
from hlokit.interpreter.steps import Plan, Step
from hlokit.interpreter.switches import is_on
from hlokit.values.types import TensorType, ValueType

# Arrays below this size are copied in less time than it takes to say so.
_SMALLEST = 256

# Operations that give their operands to others: to Python code, or to other processes.
_KEEPING = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("custom_call", "send", "recv", "infeed", "outfeed", "all_gather", "all_reduce", "all_to_all"),
        *("collective_broadcast", "collective_permute", "collective_reduce", "cross-replica-sum"),
        "reduce_scatter",
    )
)

# Operations whose result shares no memory with an operand.
_MAKE_NEW = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "power", "compare", "exponential", "log", "logistic"),
        *("tanh", "sine", "cosine", "sqrt", "rsqrt", "dot_general", "convolution"),
    )
)


class OwnedPlan(NamedTuple):
    """A plan some of whose steps write into arguments.

    Attributes:
      arguments: which arguments must be arrays of the caller alone.
      outputs: for each result which of them it is, None for another value.
      shares: for each result the arguments with which it may share memory.
    """

    plan: Plan
    arguments: frozenset[int]
    outputs: tuple[int | None, ...]
    shares: tuple[frozenset[int], ...]


def own(plan: Plan, arguments: frozenset[int], depth: int = 0) -> OwnedPlan | None:
    """The plan with steps in place where the arguments of these numbers allow; None if they allow none."""
    if depth > 8:  # functions that call each other
        return None
    walk = _Walk(plan, arguments, depth)
    for index, step in enumerate(plan.steps):
        walk.visit(index, step)
    if not walk.replaced:
        return None
    if walk.used & walk.kept:
        return own(plan, arguments - walk.kept, depth)
    steps = tuple([walk.replaced.get(index, step) for index, step in enumerate(plan.steps)])
    owned = replace(plan, steps=steps)
    if any(_is_late(walk, owned, index) for index in walk.replaced):
        return None
    outputs = [walk.owned.get(slot) for slot in plan.outputs]
    shares = tuple([walk.roots.get(slot, _NOTHING) for slot in plan.outputs])
    return OwnedPlan(
        owned,
        frozenset(walk.used),
        tuple([root if sum(root in roots for roots in shares) == 1 else None for root in outputs]),
        shares,
    )


_NOTHING = frozenset[int]()


class _Walk:
    """What is known of a plan's slots, step by step.

    Attributes:
      owned: slots that are an owned array -> the number of the argument that it came as.
      roots: slots that may share the memory of arguments -> which.
      replaced: steps that work in place, by index.
      used: arguments that they write into.
      kept: arguments that someone may have after a step, and look at later.
    """

    def __init__(self, plan: Plan, arguments: frozenset[int], depth: int) -> None:
        self.plan, self.depth = plan, depth
        self.owned = {slot: slot for slot in arguments}
        self.roots = {slot: frozenset((slot,)) for slot in range(plan.argument_count)}
        self.replaced: dict[int, Step] = {}
        self.used: set[int] = set()
        self.kept: set[int] = set()
        self._last_read: dict[int, int] = {slot: len(plan.steps) for slot in plan.outputs}
        for index, step in reversed([*enumerate(plan.steps)]):
            for slot in step.operands:
                self._last_read.setdefault(slot, index)

    def visit(self, index: int, step: Step) -> None:
        if _keeps(step):
            self.kept.update(*[self.roots.get(slot, _NOTHING) for slot in step.operands])
        if step.kernel.in_place is not None and self._is_free(index, step, 0):
            self._replace(index, step, replace(step.kernel, function=step.kernel.in_place))
            self._take(step.results[0], step.operands[0])
            return
        called = step.kernel.function
        if isinstance(called, Block) and not called.is_observed:
            free = frozenset(n for n in range(len(step.operands)) if self._is_free(index, step, n))
            inner = own(called.plan, free, self.depth + 1) if free else None
            if inner is not None:
                self._replace(index, step, replace(step.kernel, function=compiled(inner.plan)))
                self.used.update(self.owned[step.operands[n]] for n in inner.arguments)
                for slot, root, shares in zip(step.results, inner.outputs, inner.shares, strict=True):
                    if root is not None:
                        self._take(slot, step.operands[root])
                    else:
                        self._share((slot,), [step.operands[n] for n in shares])
                return
        if step.name not in _MAKE_NEW:
            self._share(step.results, step.operands)

    def _replace(self, index: int, step: Step, kernel: object) -> None:
        self.replaced[index] = step._replace(kernel=kernel)  # pyright: ignore[reportArgumentType] # a Kernel
        if step.kernel.in_place is not None:
            self.used.add(self.owned[step.operands[0]])

    def _take(self, result: int, operand: int) -> None:
        self.owned[result] = self.owned[operand]
        self.roots[result] = self.roots[operand]

    def _share(self, results: Sequence[int], operands: Sequence[int]) -> None:
        roots = _NOTHING.union(*[self.roots.get(slot, _NOTHING) for slot in operands])
        if roots:
            self.roots.update((slot, roots) for slot in results)

    def _is_free(self, index: int, step: Step, number: int) -> bool:
        """Whether a step may write into an operand: it is owned, and read no more, under no name."""
        slot = step.operands[number]
        root = self.owned.get(slot)
        if root is None:
            return False
        others = [self.roots.get(other, _NOTHING) for n, other in enumerate(step.operands) if n != number]
        return not any(root in shared for shared in others) and all(
            self._last_read.get(other, -1) <= index for other, roots in self.roots.items() if root in roots
        )


def _keeps(step: Step, seen: set[Block] | None = None) -> bool:
    """Someone may still have an operand when the step is over: Python code, or other processes.

    Args:
      seen: blocks that are being looked at, or have been: functions may call themselves.
    """
    seen = set() if seen is None else seen
    called = step.kernel.function
    blocks = (called,) if isinstance(called, Block) else step.kernel.regions
    if blocks:
        fresh = [block for block in blocks if block not in seen]
        seen.update(fresh)
        return any(_keeps(inner, seen) for block in fresh for inner in block.plan.steps)
    return not step.name.startswith(("stablehlo.", "chlo.")) or step.name in _KEEPING


def _is_late(walk: _Walk, plan: Plan, index: int) -> bool:
    """Some chain of steps reads the owned arrays when all of it is evaluated, after a step has written."""
    return any(
        chain.steps[0] < index < chain.steps[-1] and not walk.roots.keys().isdisjoint(chain.operands)
        for chain in find_chains(plan)
    )


def compiled(plan: Plan) -> BlockFunction:
    """A plan as a function."""
    return generate(plan) if is_on("generated") else partial(run_steps, plan)


class OwningLoop:
    """The body of a loop that may write into what the loop carries.

    Args:
      body: region of the loop.
      count: how many values the loop carries.
    """

    def __init__(self, body: Block, count: int) -> None:
        self._body, self._count = body, count
        self._owned: frozenset[int] | None = None
        self._run: BlockFunction | None = None

    @property
    def is_useful(self) -> bool:
        """Some step can work in place. Found out when first asked."""
        if self._owned is None:
            self._find()
        return bool(self._owned)

    def _find(self) -> None:
        types = self._body.argument_types
        owned = frozenset(n for n in range(self._count) if _is_large(types[n]))
        self._owned = frozenset()
        if not owned or self._body.is_observed or not is_on("in-place"):
            return
        while (found := own(self._body.plan, owned)) is not None:
            # What comes in as owned must go out so, at the same place.
            kept = frozenset(n for n in found.arguments if found.outputs[n] == n)
            if kept == owned:
                self._owned, self._run = kept, compiled(found.plan)
                return
            owned = kept

    def take(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """What the loop carries, with arrays of its own, in row-major order, where it will write."""
        assert self._owned is not None
        return tuple([np.array(v, order="C") if n in self._owned else v for n, v in enumerate(values)])

    @property
    def run(self) -> BlockFunction:
        """A turn."""
        assert self._run is not None, "only a body that is useful runs"
        return self._run


def _is_large(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.is_static and type_.nbytes >= _SMALLEST
