"""Calls of kernels from native programs: the steps that the VM has no instructions for.

The VM stops at a call, Python evaluates the step's kernel on arrays over the program's memory, and the VM
copies the results to its memory and continues.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from typing import Any, NamedTuple

from hlokit.engine.contract.nan_bits import EFFECTS, KEEPS
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.ir.views import Ints, View
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.escapes import lets_operands_escape
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
    """

    plan: Plan
    step: Step
    trail: Sequence[tuple[Plan, Step]]
    operands: Sequence[View]

    @property
    def nans(self) -> int:
        """The effect of the kernel on the bits of NaNs: `BLIND`, `COMPUTES`, `MOVES` or `KEEPS`."""
        return EFFECTS.get(traits_of(self.step.name).nans, KEEPS)

    @property
    def copies(self) -> bool:
        """Whether the kernel receives copies of the operands, because other code may hold them afterwards."""
        # Code in a region, which this check does not inspect, may keep a captured value.
        return lets_operands_escape(self.step) or len(self.step.operands) > len(self.step.operand_types)

    @property
    def types(self) -> tuple[list[_Array], list[_Array]]:
        """The shapes and dtypes of operands and results."""
        # The types of all operands: those of the step lack the values that its regions capture.
        operands = [tensor_type(self.plan.slot_types[slot]) for slot in self.step.operands]
        results = [tensor_type(type_) for type_ in self.step.result_types]
        return (
            [(type_.dims, type_.element_type.dtype) for type_ in operands],
            [(type_.dims, type_.element_type.dtype) for type_ in results],
        )

    def encoded(self) -> tuple[list[_View], list[_Array], bool]:
        """The call as `_kernels.Program` takes it."""
        types, results = self.types
        operands = [
            (view.shape, view.offset, view.strides, dtype)
            for view, (_, dtype) in zip(self.operands, types, strict=True)
        ]
        return operands, results, self.copies

    def evaluate(self, operands: Sequence[Value]) -> Any:
        """The results of the kernel."""
        try:
            return call_step(self.plan, self.step, operands)
        except BaseException as error:
            raise_within(self.trail, error)
