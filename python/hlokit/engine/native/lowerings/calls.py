"""Calls of kernels from native programs: the steps that the VM has no instructions for.

The VM stops at a call, Python evaluates the step's kernel on arrays over the program's memory, and the VM
copies the results to its memory and continues.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hlokit.engine.contract.nan_bits import EFFECTS, KEEPS
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.views import Ints, View
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.plan.executors import call_step, raise_within
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of

# Shape, offset, strides and dtype of a view; shape and dtype of an array.
_View = tuple[Ints, int, Ints, Any]
_Array = tuple[Ints, Any]


class Call(NamedTuple):
    """A step whose kernel is called.

    Attributes:
      plan, step: the step.
      trail: the enclosing steps, whose blocks have been inlined, outermost first.
      operands: views of virtual registers.
      copies: whether the kernel receives copies of the operands, because other code may hold them afterwards.
    """

    plan: Plan
    step: Step
    trail: Sequence[tuple[Plan, Step]]
    operands: Sequence[View]
    copies: bool

    @property
    def nans(self) -> int:
        """The effect of the kernel on the bits of NaNs: `BLIND`, `COMPUTES`, `MOVES` or `KEEPS`."""
        return EFFECTS.get(traits_of(self.step.name).nans, KEEPS)

    def encoded(self) -> tuple[list[_View], list[_Array], bool]:
        """The call as `_kernels.Program` takes it."""
        # The types of all operands: those of the step lack the values that its regions capture.
        types = [self.plan.slot_types[slot] for slot in self.step.operands]
        operands = [
            (view.shape, view.offset, view.strides, tensor_type(type_).element_type.dtype)
            for view, type_ in zip(self.operands, types, strict=True)
        ]
        results = [tensor_type(type_) for type_ in self.step.result_types]
        return operands, [(type_.dims, type_.element_type.dtype) for type_ in results], self.copies

    def evaluate(self, operands: Sequence[Value]) -> Any:
        """The results of the kernel."""
        try:
            return call_step(self.plan, self.step, operands)
        except BaseException as error:
            raise_within(self.trail, error)
