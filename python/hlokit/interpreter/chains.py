"""Chains of operations on large arrays, on the native machine.

NumPy computes a chain operation by operation, and each one reads and writes whole arrays. The machine
computes all of them on a piece that stays in the cache, and then the next piece: only what comes from outside
the chain is read, only what is used outside is written. Pointwise operations are part of chains, broadcasts,
and reductions of rows with what is done to their results.

A chain need not be contiguous in its plan. It is evaluated where its last step stands, so nothing before that
may need what it computes; steps in between that have nothing to do with it stay where they are. Functions
that a step calls become part of the chain if the machine can do all of what they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.interpreter.chain_code import Code, Item, Known, View, broadcast_view, view_of
from hlokit.interpreter.machine import THREADS, Instruction, bits_of, instruction, is_enabled
from hlokit.interpreter.registry import Kernel, Value
from hlokit.interpreter.steps import Plan, Step, frees
from hlokit.values.types import TensorType, ValueType

# Elements from which on a chain is worth its overhead.
_LARGE = 4096
# More arrays would leave the cache, and steps further apart keep values alive for long.
_MOST_OPERATIONS = 400
_MOST_ARRAYS = 16
_MOST_BETWEEN = 24

# Steps that cost nothing and cannot fail: left out where chains are all that reads their results.
_MOVES = frozenset(("stablehlo.broadcast_in_dim", "stablehlo.reshape"))
_VIEWS = _MOVES | {"stablehlo.transpose"}


@dataclass(eq=False, slots=True)
class Chain:
    """Steps of a plan that are evaluated together.

    Attributes:
      code: its program.
      steps: their indices.
      results: slots that are used outside.
      registers: of the results.
      items: what the slots are that the steps write.
    """

    code: Code
    steps: list[int] = field(default_factory=list[int])
    results: list[int] = field(default_factory=list[int])
    registers: list[int] = field(default_factory=list[int])
    items: dict[int, Item] = field(default_factory=dict[int, Item])

    @property
    def operands(self) -> dict[int, None]:
        """Slots from outside, each once."""
        return {each.slot: None for each in self.code.inputs.values() if each.slot >= 0}


def find_chains(plan: Plan) -> list[Chain]:
    """The chains of a plan that are worth it."""
    large = {
        id(type_) for type_ in {id(type_): type_ for type_ in plan.slot_types}.values() if _is_large(type_)
    }
    if not large or not is_enabled():
        return []
    return _Finder(plan, large).find()


def fused(plan: Plan) -> Plan:
    """The plan with a step for each of its chains: where the last one of the chain's steps stands."""
    if any(step.kernel.head is not None for step in plan.steps):
        from hlokit.interpreter.heads import with_heads  # few programs sort

        plan = with_heads(plan)
    chains = find_chains(plan)
    if not chains:
        return plan
    inside = {index for chain in chains for index in chain.steps}
    last = {chain.steps[-1]: chain for chain in chains}
    steps: list[Step] = []
    for index, step in enumerate(plan.steps):
        if index in last:
            steps.append(_step_of(plan, step, last[index]))
        elif index not in inside:
            steps.append(step)
    kept = {*plan.outputs, *(slot for slot, _ in plan.constants)}
    steps = _without_unread_views(steps, kept)
    return replace(plan, steps=tuple(steps), frees=frees(steps, kept))


def _step_of(plan: Plan, step: Step, chain: Chain) -> Step:
    operands, results = tuple(chain.operands), tuple(chain.results)
    types = plan.slot_types
    return step._replace(
        kernel=Kernel(ChainKernel(plan, chain)),
        operands=operands,
        results=results,
        operand_types=tuple([types[slot] for slot in operands]),
        result_types=tuple([types[slot] for slot in results]),
    )


def _without_unread_views(steps: Sequence[Step], kept: set[int]) -> list[Step]:
    read = set(kept)
    found: list[Step] = []
    for step in reversed(steps):
        if step.name in _VIEWS and read.isdisjoint(step.results):
            continue
        read.update(step.operands)
        found.append(step)
    found.reverse()
    return found


def _is_large(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.is_static and type_.size >= _LARGE


def _size(type_: ValueType) -> int:
    return type_.size if isinstance(type_, TensorType) and type_.is_static else -1


class _Finder:
    """Walks a plan with at most one open chain for each size.

    Args:
      large: ids of the types that are large. Planners make one object of a type, which is found sooner so.
    """

    def __init__(self, plan: Plan, large: set[int]) -> None:
        self._plan = plan
        self._large = large
        self._hopeless: set[tuple[int, int, int]] = set()  # kernels with types: what the machine cannot do
        self._open: dict[int, Chain] = {}
        self._producer: dict[int, Chain] = {}
        self._chains: list[Chain] = []
        self._readers: dict[int, list[int]] = {}
        self._outside: dict[int, Item] = {slot: Known(value) for slot, value in plan.constants}

    def find(self) -> list[Chain]:
        for index, step in enumerate(self._plan.steps):
            for slot in step.operands:
                self._readers.setdefault(slot, []).append(index)
        for index, step in enumerate(self._plan.steps):
            self._visit(index, step)
        return [chain for chain in self._chains if self._is_worth_it(chain)]

    def _visit(self, index: int, step: Step) -> None:
        joined = self._join(index, step)
        if joined is None and step.name in _MOVES:
            self._look_through(step)
        if not self._producer:
            return
        for slot in step.operands:
            chain = self._producer.get(slot)
            if chain is not None and chain is not joined:
                self._close(chain)

    def _look_through(self, step: Step) -> None:
        """A chain reads what is broadcast instead of the result."""
        item = self._item(step.operands[0])
        if isinstance(item, View):
            item = broadcast_view(item, step)
        elif isinstance(item, Known) and np.size(item.value) != 1:
            item = None
        if item is not None:
            self._outside[step.results[0]] = item

    def _item(self, slot: int) -> Item | None:
        """A value from outside."""
        item = self._outside.get(slot)
        if item is None:
            item = view_of(slot, self._plan.slot_types[slot])
            if item is not None:
                self._outside[slot] = item
        return item

    def _join(self, index: int, step: Step) -> Chain | None:
        """The open chain that the step has become part of."""
        chain, size = self._candidate(step)
        if size < 0:
            return None
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key in self._hopeless:
            return None
        if chain is not None and (
            len(chain.code.instructions) >= _MOST_OPERATIONS
            or chain.code.array_count >= _MOST_ARRAYS
            or index - chain.steps[-1] > _MOST_BETWEEN
        ):
            self._close(chain)
            chain = None
        if chain is not None and self._add(chain, index, step):
            return chain
        if size < _LARGE or step.name in _VIEWS:
            return None
        fresh = Chain(Code(size))
        if not self._add(fresh, index, step):
            self._hopeless.add(key)
            return None
        self._open[size] = fresh
        self._chains.append(fresh)
        return fresh

    def _candidate(self, step: Step) -> tuple[Chain | None, int]:
        """The chain that a step could be part of, and the elements that one has; fewer than 0 for none."""
        producers = [self._producer[slot] for slot in step.operands if slot in self._producer]
        for chain in producers:
            if self._open.get(chain.code.size) is chain:
                return chain, chain.code.size
        types = step.operand_types if step.name == "stablehlo.reduce" else step.result_types
        size = max([_size(type_) for type_ in types if id(type_) in self._large], default=-1)
        if step.name in _VIEWS:
            return None, -1
        return self._open.get(size), size

    def _add(self, chain: Chain, index: int, step: Step) -> bool:
        size = chain.code.size
        operands = [chain.items.get(slot) or self._item(slot) for slot in step.operands]
        if any(item is None for item in operands):
            return False
        mark = chain.code.mark()
        found = chain.code.add(step, [item for item in operands if item is not None])
        if found is None:
            return False
        sizes = size, chain.code.rows
        for slot, type_ in zip(step.results, step.result_types, strict=True):
            if _size(type_) not in sizes and (slot in self._readers or slot in self._plan.outputs):
                chain.code.restore(mark)
                return False
        chain.items.update(zip(step.results, found, strict=True))
        chain.steps.append(index)
        self._producer.update((slot, chain) for slot in step.results)
        return True

    def _is_open(self, chain: Chain) -> bool:
        return self._open.get(chain.code.size) is chain

    def _close(self, chain: Chain) -> None:
        if self._is_open(chain):
            del self._open[chain.code.size]

    def _is_worth_it(self, chain: Chain) -> bool:
        """Fill in the results; some intermediate value must stay inside."""
        inside = set(chain.steps)
        count = len(chain.code.instructions)
        taken: set[int] = set()
        for slot, item in chain.items.items():
            if slot in self._plan.outputs or not inside.issuperset(self._readers.get(slot, ())):
                type_ = self._plan.slot_types[slot]
                assert isinstance(type_, TensorType)
                register = chain.code.output(item, type_, taken)
                if register is None:
                    return False
                taken.add(register)
                chain.results.append(slot)
                chain.registers.append(register)
        return 0 < len(chain.results) < count


class ChainKernel:
    """Evaluates a chain: takes its operands, gives its result or a tuple of its results."""

    def __init__(self, plan: Plan, chain: Chain) -> None:
        code = chain.code
        instructions: list[Instruction] = [
            instruction(number, to, operands) for number, to, operands in code.instructions
        ]
        inputs = list(code.inputs.values())
        rows, columns = (1, code.size) if code.rows is None else (code.rows, code.size // code.rows)
        self._chain = _native.Chain(
            code.types,
            instructions,
            [(each.register, each.level, each.shape, each.dimensions) for each in inputs],
            chain.registers,
            rows,
            columns,
        )
        places = {slot: place for place, slot in enumerate(chain.operands)}
        # For each input the number of an operand, or a value.
        self._inputs = [(places.get(each.slot, -1), each.value) for each in inputs]
        self._results = [_shape_and_dtype(plan.slot_types[slot]) for slot in chain.results]
        self._has_bf16 = "bf16" in code.types

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(shape, dtype) for shape, dtype in self._results]
        inputs: list[Any] = [operands[place] if place >= 0 else value for place, value in self._inputs]
        bits = results
        if self._has_bf16:
            inputs, bits = [bits_of(each) for each in inputs], [bits_of(each) for each in results]
        if not self._chain.run(inputs, bits, THREADS):
            from hlokit.interpreter.copies import in_rows  # few operands lie so

            copies = [
                each if each.flags.c_contiguous and each.flags.aligned else in_rows(each) for each in inputs
            ]
            self._chain.run(copies, bits, THREADS)
        return results[0] if len(results) == 1 else tuple(results)


def _shape_and_dtype(type_: ValueType) -> tuple[tuple[int, ...], np.dtype[Any]]:
    assert isinstance(type_, TensorType)
    return type_.dims, type_.element_type.dtype
