"""Chains of pointwise operations on large arrays, on the native machine.

NumPy computes a chain operation by operation, and each one reads and writes whole arrays. The machine
computes all of them on a piece that stays in the cache, and then the next piece: only what comes from outside
the chain is read, only what is used outside is written.

A chain need not be contiguous in its plan. It is evaluated where its last step stands, so nothing before that
may need what it computes; steps in between that have nothing to do with it stay where they are. Functions
that a step calls become part of the chain if the machine can do all of what they do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hlokit import _native
from hlokit.interpreter.machine import (
    COPY,
    THREADS,
    Instruction,
    bits_of,
    instruction,
    is_enabled,
    operation,
    operation_of,
    type_name,
)
from hlokit.interpreter.registry import Value
from hlokit.interpreter.steps import Plan, Step, frees
from hlokit.values.element_types import Kind
from hlokit.values.types import TensorType, ValueType

# Elements from which on a chain is worth its overhead.
_LARGE = 4096
# More values would leave the cache, and steps further apart keep values alive for long.
_MOST_OPERATIONS = 64
_MOST_BETWEEN = 16
# Calls within calls that are inlined.
_MOST_DEEP = 4

# A value in a chain: its slot in the plan, or a number below 0.
_Key = int


@dataclass(eq=False, slots=True)
class Chain:
    """Steps of a plan that are evaluated together.

    Attributes:
      type_: of the first result; the shape is that of all.
      steps: their indices.
      operands: slots from outside, each once.
      results: slots that are used outside.
      code: operations with the keys of result and operands.
      types: of keys below 0.
      constants: values of keys, from functions that are called.
      keys: of the slots that the steps write.
    """

    type_: TensorType
    steps: list[int] = field(default_factory=list[int])
    operands: dict[int, None] = field(default_factory=dict[int, None])
    results: list[int] = field(default_factory=list[int])
    code: list[tuple[int, _Key, list[_Key]]] = field(default_factory=list[tuple[int, _Key, list[_Key]]])
    types: dict[_Key, str] = field(default_factory=dict[_Key, str])
    constants: dict[_Key, Value] = field(default_factory=dict[_Key, Value])
    keys: dict[int, _Key] = field(default_factory=dict[int, _Key])

    def add(self, index: int, step: Step) -> bool:
        """Add a step, if the machine can do it; its results have the shape of the chain."""
        size, types, constants = len(self.code), len(self.types), len(self.constants)
        found = self._inline(step, [self.keys.get(slot, slot) for slot in step.operands], 0)
        if found is None or len(self.code) > 2 * _MOST_OPERATIONS:
            del self.code[size:]
            _shorten(self.types, types)
            _shorten(self.constants, constants)
            return False
        written = {to for _, to, _ in self.code[size:]}
        for slot, key, type_ in zip(step.results, found, step.result_types, strict=True):
            if key in written:
                written.remove(key)
                self.keys[slot] = key
            else:  # passed through, or a result twice
                name = type_name(type_) or ""
                self.keys[slot] = self._add(operation(COPY, name, name), [key], type_)
        self.operands.update((slot, None) for slot in step.operands if slot not in self.keys)
        self.steps.append(index)
        return True

    def _add(self, number: int, operands: list[_Key], type_: ValueType) -> _Key:
        to = self._key(type_)
        self.code.append((number, to, operands))
        return to

    def _key(self, type_: ValueType) -> _Key:
        key = -1 - len(self.types)
        self.types[key] = type_name(type_) or ""
        return key

    def _inline(self, step: Step, operands: list[_Key], depth: int) -> list[_Key] | None:
        """Add what a step computes; gives the keys of its results, None if the machine cannot do it."""
        if not all(self._fits(type_) for type_ in (*step.operand_types, *step.result_types)):
            return None
        number = operation_of(step)
        if number >= 0:
            return None if _is_slow(step) else [self._add(number, operands, step.result_types[0])]
        # Within a function, what is broadcast needs no array: nobody else sees it.
        if depth and step.name == "stablehlo.broadcast_in_dim" and _is_scalar(step.operand_types[0]):
            return operands
        plan = getattr(step.kernel.function, "plan", None)  # of a block
        if not isinstance(plan, Plan) or depth == _MOST_DEEP:
            return None
        keys = dict(enumerate(operands))
        for slot, value in plan.constants:
            if not self._fits(plan.slot_types[slot]):
                return None
            keys[slot] = self._key(plan.slot_types[slot])
            self.constants[keys[slot]] = value
        for inner in plan.steps:
            found = self._inline(inner, [keys[slot] for slot in inner.operands], depth + 1)
            if found is None:
                return None
            keys.update(zip(inner.results, found, strict=True))
        return [keys[slot] for slot in plan.outputs]

    def _fits(self, type_: ValueType) -> bool:
        """An array of the chain's shape or a scalar, of a type that the machine has."""
        return (
            isinstance(type_, TensorType)
            and type_.shape in (self.type_.shape, ())
            and type_name(type_) is not None
        )


def _shorten(table: dict[_Key, Any], size: int) -> None:
    while len(table) > size:
        table.popitem()


def _is_scalar(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.shape == ()


def _is_slow(step: Step) -> bool:
    """NumPy does it sooner."""
    type_ = step.result_types[0]
    is_float = isinstance(type_, TensorType) and type_.element_type.kind is Kind.FLOAT
    return step.name == "stablehlo.remainder" and is_float


def find_chains(plan: Plan) -> list[Chain]:
    """The chains of a plan that are worth it."""
    large = {
        id(type_) for type_ in {id(type_): type_ for type_ in plan.slot_types}.values() if _is_large(type_)
    }
    if not large or not is_enabled():
        return []
    return _Finder(plan, large).find()


def _is_large(type_: ValueType) -> bool:
    return isinstance(type_, TensorType) and type_.is_static and type_.size >= _LARGE


class _Finder:
    """Walks a plan with at most one open chain for each shape.

    Args:
      large: ids of the types that are large. Planners make one object of a type, which is found sooner so.
    """

    def __init__(self, plan: Plan, large: set[int]) -> None:
        self._plan = plan
        self._large = large
        self._hopeless: set[tuple[int, int, int]] = set()  # kernels with types: what the machine cannot do
        self._open: dict[tuple[int, ...], Chain] = {}
        self._producer: dict[int, Chain] = {}
        self._chains: list[Chain] = []
        self._readers: dict[int, list[int]] = {}

    def find(self) -> list[Chain]:
        for index, step in enumerate(self._plan.steps):
            self._visit(index, step)
        found = [chain for chain in self._chains if len(chain.code) > 1]
        if found:
            for index, step in enumerate(self._plan.steps):
                for slot in step.operands:
                    self._readers.setdefault(slot, []).append(index)
        return [chain for chain in found if self._is_worth_it(chain)]

    def _visit(self, index: int, step: Step) -> None:
        joined = self._join(index, step)
        if not self._producer:
            return
        for slot in step.operands:
            chain = self._producer.get(slot)
            if chain is not None and chain is not joined:
                self._close(chain)

    def _join(self, index: int, step: Step) -> Chain | None:
        """The open chain that the step has become part of."""
        if not step.results or id(step.result_types[0]) not in self._large:
            return None
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key in self._hopeless:
            return None
        type_ = step.result_types[0]
        assert isinstance(type_, TensorType)
        shape = type_.dims
        chain = self._open.get(shape)
        if chain is not None and (
            len(chain.code) >= _MOST_OPERATIONS or index - chain.steps[-1] > _MOST_BETWEEN
        ):
            self._close(chain)
            chain = None
        chain = chain or Chain(type_)
        if any(each.shape != shape for each in step.result_types if isinstance(each, TensorType)) or not (
            chain.add(index, step)
        ):
            self._hopeless.add(key)
            return None
        if len(chain.steps) == 1:
            self._open[shape] = chain
            self._chains.append(chain)
        self._producer.update((slot, chain) for slot in step.results)
        return chain

    def _close(self, chain: Chain) -> None:
        if self._open.get(chain.type_.dims) is chain:
            del self._open[chain.type_.dims]

    def _is_worth_it(self, chain: Chain) -> bool:
        """Fill in the results; some intermediate value must stay inside."""
        inside = set(chain.steps)
        for slot in chain.keys:
            if slot in self._plan.outputs or not inside.issuperset(self._readers.get(slot, ())):
                chain.results.append(slot)
        return 0 < len(chain.results) < len(chain.code)


class ChainKernel:
    """Evaluates a chain: takes its operands, gives its result or a tuple of its results.

    Args:
      run_steps: evaluates a plan step by step.
    """

    def __init__(self, plan: Plan, chain: Chain, run_steps: Callable[..., Any]) -> None:
        keys = [*chain.operands, *chain.constants, *[to for _, to, _ in chain.code]]
        registers = {key: register for register, key in enumerate(keys)}
        types = [chain.types[key] if key < 0 else type_name(plan.slot_types[key]) or "" for key in keys]
        code: list[Instruction] = [
            instruction(number, registers[to], [registers[key] for key in operands])
            for number, to, operands in chain.code
        ]
        inputs = list(range(len(chain.operands) + len(chain.constants)))
        outputs = [registers[chain.keys[slot]] for slot in chain.results]
        self._chain = _native.Chain(types, code, inputs, outputs)
        self._constants = list(chain.constants.values())
        self._shape = chain.type_.dims
        self._dtypes = [_dtype(plan.slot_types[slot]) for slot in chain.results]
        # The buffer protocol has no bf16: its bits go instead.
        self._has_bf16 = "bf16" in types
        self._plain = _sub_plan(plan, chain)
        self._run_steps = run_steps

    def __call__(self, *operands: Value) -> Any:
        results: list[Any] = [np.empty(self._shape, dtype) for dtype in self._dtypes]
        inputs = [*operands, *self._constants]
        if self._has_bf16:
            bits = [bits_of(each) for each in results]
            done = self._chain.run([bits_of(each) for each in inputs], bits, THREADS)
        else:
            done = self._chain.run(inputs, results, THREADS)
        if not done:
            return self._run_steps(self._plain, *operands)
        return results[0] if len(results) == 1 else tuple(results)


def _dtype(type_: ValueType) -> np.dtype[Any]:
    assert isinstance(type_, TensorType)
    return type_.element_type.dtype


def _sub_plan(plan: Plan, chain: Chain) -> Plan:
    """The steps of a chain alone: for operands of a layout that the machine does not take."""
    steps = [plan.steps[index] for index in chain.steps]
    slots = {slot: number for number, slot in enumerate((*chain.operands, *chain.keys))}
    renumbered = [
        step._replace(
            operands=tuple([slots[slot] for slot in step.operands]),
            results=tuple([slots[slot] for slot in step.results]),
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
        frees(renumbered, outputs),
        outputs,
        tuple([plan.slot_types[slot] for slot in slots]),
    )
