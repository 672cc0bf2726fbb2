"""Chains of pointwise operations on large arrays, on the native machine.

NumPy computes a chain operation by operation, and each one reads and writes whole arrays. The machine
computes all of them on a piece that stays in the cache, and then the next piece: only what comes from outside
the chain is read, only what is used outside is written.

A chain need not be contiguous in its plan. It is evaluated where its last step stands, so nothing before that
may need what it computes; steps in between that have nothing to do with it stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.interpreter.machine import Instruction, instruction, is_enabled, operation_of
from hlokit.interpreter.registry import Value
from hlokit.interpreter.steps import Plan, Step
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

# Elements from which on a chain is worth its overhead.
_LARGE = 4096
# Registers beyond these would leave the cache, and steps further apart keep values alive for long.
_MOST_STEPS = 64
_MOST_BETWEEN = 16


@dataclass(eq=False, slots=True)
class Chain:
    """Steps of a plan that are evaluated together.

    Attributes:
      type_: of the first result; the shape is that of all.
      steps: their indices.
      operands: slots from outside, each once.
      results: slots that are used outside.
    """

    type_: TensorType
    steps: list[int] = field(default_factory=list[int])
    operands: dict[int, None] = field(default_factory=dict[int, None])
    results: list[int] = field(default_factory=list[int])


def find_chains(plan: Plan) -> list[Chain]:
    """The chains of a plan that are worth it."""
    if len(plan.steps) < 2 or not any(map(_is_large, plan.slot_types)) or not is_enabled():
        return []
    return _Finder(plan).find()


def _is_large(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.is_static and type_.size >= _LARGE


class _Finder:
    """Walks a plan with at most one open chain for each shape."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._open: dict[tuple[int, ...], Chain] = {}
        self._producer: dict[int, Chain] = {}
        self._chains: list[Chain] = []
        self._readers: dict[int, list[int]] = {}

    def find(self) -> list[Chain]:
        for index, step in enumerate(self._plan.steps):
            self._visit(index, step)
        found = [chain for chain in self._chains if len(chain.steps) > 1]
        if found:
            for index, step in enumerate(self._plan.steps):
                for slot in step.operands:
                    self._readers.setdefault(slot, []).append(index)
        return [chain for chain in found if self._is_worth_it(chain)]

    def _visit(self, index: int, step: Step) -> None:
        type_ = step.result_types[0] if len(step.result_types) == 1 else None
        joins = (
            isinstance(type_, TensorType)
            and _is_large(type_)
            and not _is_slow(step.name, type_)
            and all(_fits(operand, type_) for operand in step.operand_types)
            and operation_of(step) >= 0
        )
        shape = type_.dims if joins and isinstance(type_, TensorType) else None
        for slot in step.operands:
            chain = self._producer.get(slot)
            if chain is not None and (shape is None or self._open.get(shape) is not chain):
                self._close(chain)
        if shape is None:
            return
        assert isinstance(type_, TensorType)
        chain = self._open.get(shape)
        if chain is not None and (len(chain.steps) == _MOST_STEPS or index - chain.steps[-1] > _MOST_BETWEEN):
            self._close(chain)
            chain = None
        if chain is None:
            chain = self._open[shape] = Chain(type_)
            self._chains.append(chain)
        for slot in step.operands:
            if self._producer.get(slot) is not chain:
                chain.operands[slot] = None
        chain.steps.append(index)
        self._producer[step.results[0]] = chain

    def _close(self, chain: Chain) -> None:
        if self._open.get(chain.type_.dims) is chain:
            del self._open[chain.type_.dims]

    def _is_worth_it(self, chain: Chain) -> bool:
        """Fill in the results; some intermediate value must stay inside."""
        steps, inside = self._plan.steps, set(chain.steps)
        for index in chain.steps:
            (slot,) = steps[index].results
            if slot in self._plan.outputs or not inside.issuperset(self._readers.get(slot, ())):
                chain.results.append(slot)
        return 0 < len(chain.results) < len(chain.steps)


def _fits(operand: ValueType, result: TensorType) -> bool:
    return isinstance(operand, TensorType) and operand.shape in (result.shape, ())


def _is_slow(name: str, type_: TensorType) -> bool:
    """NumPy does it sooner."""
    return name == "stablehlo.remainder" and type_.element_type.kind is Kind.FLOAT


class ChainKernel:
    """Evaluates a chain: takes its operands, gives its result or a tuple of its results.

    Args:
      run_steps: evaluates a plan step by step.
    """

    def __init__(self, plan: Plan, chain: Chain, run_steps: Callable[..., Any]) -> None:
        steps = [plan.steps[index] for index in chain.steps]
        registers: dict[int, int] = {}
        types: list[str] = []
        for slot in (*chain.operands, *[step.results[0] for step in steps]):
            registers[slot] = len(types)
            type_ = plan.slot_types[slot]
            assert isinstance(type_, TensorType)
            types.append(type_.element_type.name)
        code: list[Instruction] = [
            instruction(
                operation_of(step), registers[step.results[0]], [registers[slot] for slot in step.operands]
            )
            for step in steps
        ]
        outputs = [registers[slot] for slot in chain.results]
        self._chain = _native.Chain(types, code, list(range(len(chain.operands))), outputs)
        self._shape = chain.type_.dims
        self._dtypes = [_dtype(plan.slot_types[slot]) for slot in chain.results]
        # The buffer protocol has no bf16: its bits go instead.
        self._has_bf16 = "bf16" in types
        self._plain = _sub_plan(plan, chain)
        self._run_steps = run_steps

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(self._shape, dtype) for dtype in self._dtypes]
        if self._has_bf16:
            done = self._chain.run([_bits(each) for each in operands], [_bits(each) for each in results])
        else:
            done = self._chain.run(operands, results)
        if not done:
            return self._run_steps(self._plain, *operands)
        return results[0] if len(results) == 1 else tuple(results)


def _dtype(type_: ValueType) -> np.dtype[Any]:
    assert isinstance(type_, TensorType)
    return type_.element_type.dtype


def _bits(value: Value) -> Value:
    return value.view(np.uint16) if value.dtype.num > _LAST_BUILTIN else value


_LAST_BUILTIN = np.dtype(np.float16).num


def _sub_plan(plan: Plan, chain: Chain) -> Plan:
    """The steps of a chain alone: for operands of a layout that the machine does not take."""
    steps = [plan.steps[index] for index in chain.steps]
    slots = {
        slot: number for number, slot in enumerate((*chain.operands, *[step.results[0] for step in steps]))
    }
    renumbered = [
        step._replace(
            operands=tuple([slots[slot] for slot in step.operands]), results=(slots[step.results[0]],)
        )
        for step in steps
    ]
    outputs = tuple([slots[slot] for slot in chain.results])
    return Plan(
        plan.function_name,
        len(chain.operands),
        len(slots),
        (),
        tuple(renumbered),
        _frees(renumbered, outputs),
        outputs,
        tuple([plan.slot_types[slot] for slot in slots]),
    )


def _frees(steps: Sequence[Step], outputs: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """For each step the slots that nothing reads after it."""
    last = {slot: index for index, step in enumerate(steps) for slot in (*step.operands, *step.results)}
    frees: list[list[int]] = [[] for _ in steps]
    for slot, index in last.items():
        if slot not in outputs:
            frees[index].append(slot)
    return tuple(map(tuple, frees))
