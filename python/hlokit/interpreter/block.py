"""A block of a program (a function body or a region): planned when first run, compiled when run again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from hlokit.interpreter.chains import fused
from hlokit.interpreter.registry import Value
from hlokit.interpreter.run import Observer, generate, run_observed, run_steps
from hlokit.interpreter.steps import Plan, Step
from hlokit.interpreter.switches import is_on
from hlokit.values.types import TensorType, ValueType

# Processes share blocks. Planning is rare, and one plan may need another: one lock for all, which is never
# held while a block runs.
_PLANNING = threading.RLock()


class Block:
    """Callable on values: `block(*arguments, *captured)`.

    Gives the value that its terminator returns, or a tuple of them if it returns none or several.
    For a region, `captured` are the values that the enclosing operation captures (`Operation.capture_count`).

    Attributes:
      argument_types: of the block's own arguments, captured values not included.
    """

    def __init__(
        self, argument_types: tuple[ValueType, ...], make_plan: Callable[[], Plan], observer: Observer | None
    ) -> None:
        self.argument_types = argument_types
        self._make_plan = make_plan
        self._observer = observer
        self._plan: Plan | None = None
        self._is_pointwise: bool | None = None
        self._is_segmented = False
        self._has_run = False

    def __call__(self, *values: Value) -> Any:
        return self.run(*values)

    @property
    def plan(self) -> Plan:
        """Built on first use: what never runs is never planned. There is one, whoever asks first."""
        if self._plan is None:
            with _PLANNING:
                if self._plan is None:
                    self._plan = self._make_plan()
        return self._plan

    def run(self, *values: Value) -> Any:
        """What a call does, less its overhead: for loops. Running may put a faster one in its place."""
        if self._observer is not None:
            return self._put(partial(run_observed, self.plan, self._observer))(*values)
        if not self._has_run:
            plan = fused(self.plan)
            self._has_run = True
            return run_steps(plan, *values)
        if not is_on("generated"):
            return self._put(partial(run_steps, self.plan))(*values)
        from hlokit.interpreter.segments import segmented  # what it is made of asks for blocks

        with _PLANNING:
            self._is_segmented = self._is_pointwise is not True
            run = self._put(generate(self.plan, segmented if self._is_segmented else fused))
        return run(*values)

    def _put(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Put this in the place of the method. (A method kept there would be a cycle of references.)"""
        self.__dict__["run"] = run
        return run

    @property
    def is_observed(self) -> bool:
        """An observer is told about each step."""
        return self._observer is not None

    @property
    def output_types(self) -> tuple[ValueType, ...]:
        """Types of what the block returns."""
        return tuple(self.plan.slot_types[slot] for slot in self.plan.outputs)

    @property
    def is_pointwise(self) -> bool:
        """The block maps scalars to scalars, so that it may be called with whole arrays instead.

        A result that depends on no argument then still has rank 0: the caller broadcasts.
        """
        with _PLANNING:
            if self._is_pointwise is None:
                self._is_pointwise = False  # for a function that calls itself
                self._is_pointwise = self._find_pointwise()
                if self._is_pointwise and self._is_segmented:
                    self.__dict__.pop("run", None)  # made again: segments take no whole arrays
            return self._is_pointwise

    def _find_pointwise(self) -> bool:
        return (
            is_on("pointwise")
            and all(map(_is_pointwise, self.plan.steps))
            and all(isinstance(type_, TensorType) and type_.shape == () for type_ in self.plan.slot_types)
        )

    @property
    def binary(self) -> str | None:
        """The operation that the block applies to its two arguments, in either order; None if it does not."""
        if len(self.plan.steps) != 1 or len(self.argument_types) != 2:
            return None
        (step,) = self.plan.steps
        if self.plan.outputs != step.results or sorted(step.operands) != [0, 1]:
            return None
        return step.name

    @property
    def ufunc(self) -> np.ufunc | None:
        """The ufunc that the block applies to its two arguments in either order; None if it does not.

        Either order: only commutative operations are recognised.
        """
        if self.binary is None:
            return None
        (step,) = self.plan.steps
        ufunc = step.kernel.ufunc
        return ufunc if step.operands == (0, 1) or ufunc in _COMMUTATIVE else None

    @property
    def returned_argument(self) -> int | None:
        """The index of the argument that a block of no steps returns as its only result."""
        match self.plan.outputs:
            case (slot,) if not self.plan.steps and slot < len(self.argument_types):
                return slot
            case _:
                return None


def _is_pointwise(step: Step) -> bool:
    called = step.kernel.function
    return step.kernel.pointwise or (isinstance(called, Block) and called.is_pointwise)


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
