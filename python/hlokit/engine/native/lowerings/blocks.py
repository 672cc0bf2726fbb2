"""Lowers the steps of blocks to instructions: pointwise operations, array ops, and calls of kernels.

Values are views of virtual registers: operations that only rearrange elements (slice, reshape, broadcast)
need no instruction until another operation needs the elements in order.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.native.ir.instructions import (
    CALL,
    COPY,
    DOT,
    FFT,
    IMPLICIT_DEF,
    LAPACK,
    MOVE,
    RANDOM_BITS,
    REDUCE,
    SCAN,
    SORT,
    THREEFRY,
    Instruction,
)
from hlokit.engine.native.ir.parameters import Call as CallNumber
from hlokit.engine.native.ir.target import NotLowerable, operation, operation_of
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings import narrow
from hlokit.engine.native.lowerings.array_ops import lower
from hlokit.engine.native.lowerings.builder import tensor_type
from hlokit.engine.native.lowerings.calls import Call
from hlokit.engine.native.lowerings.control_flow import ControlFlowLowering, Mark, Pausing
from hlokit.engine.native.lowerings.templates import called
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan, Step
from hlokit.operations.lookup import traits_of
from hlokit.values.element_types import Kind
from hlokit.values.types import ValueType

# Instructions that programs replace by a kernel call if the work is large.
_CALLED_IF_LONG = (DOT, FFT, LAPACK, RANDOM_BITS, REDUCE, SCAN, SORT)
# Besides operations on elements.
_COPYABLE = (COPY, IMPLICIT_DEF, MOVE, THREEFRY)


class Form(NamedTuple):
    """What the lowering of a step needs to know of its kernel and types.

    Attributes:
      number: that of the pointwise operation; -1 for other steps.
      element, shape: of the result of a pointwise operation.
      forwarded: the operand that is the result; -1 if none is.
      has_blocks: the step calls a function, or has regions that are inlined.
      is_narrow: the step has an operand or a result of a type that the VM lacks.
      computes: the step has one result, with elements of its own.
    """

    number: int
    element: str
    shape: tuple[int, ...]
    forwarded: int
    has_blocks: bool
    is_narrow: bool
    computes: bool


# By name, and the identity of kernel and types: planners share these objects, and the plans of the blocks
# keep them alive.
Forms = dict[tuple[str, int, int, int], Form]


class BlockLowering(ControlFlowLowering):
    """Lowers blocks, one after the other, into one program.

    Args:
      may_call: the program may call the kernels of steps that the VM has no instructions for.
      forms: those of the steps that other programs of the same plan have lowered.

    Attributes:
      calls: the kernels that the program calls; the immediate of a call is an index into them.
    """

    def __init__(
        self,
        thresholds: Thresholds,
        *,
        may_call: bool = False,
        may_unroll: bool = True,
        forms: Forms | None = None,
    ) -> None:
        super().__init__(thresholds, may_unroll=may_unroll)
        self.calls: list[Call] = []
        self._may_call = may_call
        self._most_elements = thresholds.loop_elements
        self._most_folded = thresholds.folded_elements
        self._trail: list[tuple[Plan, Step]] = []  # the steps whose blocks are being inlined, outermost first
        self._forms: Forms = {} if forms is None else forms
        self._tables = narrow.Tables()

    def call(self, function: Block, operands: Sequence[View]) -> Pausing[list[View]]:
        """Lower a call of a function."""
        return called(self, function, operands)

    def of_function(self) -> "BlockLowering":
        lowering = _FunctionLowering(self.thresholds, may_unroll=self.may_unroll, forms=self._forms)
        lowering._inlining = list(self._inlining)
        return lowering

    def undo(self, mark: Mark) -> None:
        super().undo(mark)
        self._trail.clear()

    def lower_at_once(
        self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]
    ) -> bool:
        form = self._form(step)
        if form.has_blocks:
            return False
        self._lowered += 1
        operands = self._operands(plan, step, views, constants)
        if form.number >= 0:
            views[step.results[0]] = self._pointwise(step, form, operands)
        else:
            views.update(zip(step.results, self._results(plan, step, form, operands), strict=True))
        return True

    def step(
        self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]
    ) -> Pausing[None]:
        if self.lower_at_once(plan, step, views, constants):
            return
        self._lowered += 1
        operands = self._operands(plan, step, views, constants)
        self._trail.append((plan, step))
        results = yield from self._regions(step, operands)
        self._trail.pop()
        views.update(zip(step.results, results, strict=True))

    def _operands(
        self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]
    ) -> list[View]:
        return [
            views[slot] if slot in views else self._operand(plan, views, constants, slot)
            for slot in step.operands
        ]

    def _form(self, step: Step) -> Form:
        key = step.name, id(step.kernel), id(step.operand_types), id(step.result_types)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = _form_of(step)
        return form

    def _results(self, plan: Plan, step: Step, form: Form, operands: list[View]) -> list[View]:
        if form.forwarded >= 0:
            return [operands[form.forwarded]]
        if step.kernel.array_op is not None:
            return self._array_op_or_call(plan, step, form, operands)
        if step.name == "stablehlo.optimization_barrier":
            return operands
        if step.name == "stablehlo.convert":  # to a complex type: the real part first
            to = tensor_type(step.result_types[0]).element_type
            operand = tensor_type(step.operand_types[0]).element_type.name
            if to.kind is Kind.COMPLEX and operation("convert", to.part.name, operand) >= 0:
                return [self.converted(self.converted(operands[0], to.part.name), to.name)]
        if len(step.results) == 1 and form.is_narrow:
            try:
                return [narrow.lower(self, self._tables, step, operands)]
            except NotLowerable:
                pass  # its kernel is called
        return self._call(plan, step, operands)

    def _array_op_or_call(self, plan: Plan, step: Step, form: Form, operands: list[View]) -> list[View]:
        if form.is_narrow and not narrow.is_lowerable(step):
            return self._call(plan, step, operands)
        if form.computes and all(map(self.is_known, operands)):
            # The types of all operands: those of the step lack the values that its regions capture.
            types = [plan.slot_types[slot] for slot in step.operands]
            folded = self._folded(step, types, operands)
            if folded is not None:
                return [folded]
        start = len(self.instructions)
        try:
            results = self._array_op(plan, step, operands)
        except NotLowerable:
            if not self._may_call:
                raise
            return self._call(plan, step, operands)
        for instruction in self.instructions[start:]:
            if instruction.work > self._most_elements and instruction.operation in _CALLED_IF_LONG:
                return self._call(plan, step, operands)
        return results

    def _array_op(self, plan: Plan, step: Step, operands: list[View]) -> list[View]:
        return lower(self, plan, step, operands)

    def _call(self, plan: Plan, step: Step, operands: list[View]) -> list[View]:
        """A call of the step's kernel. Its results must not share memory with its operands."""
        types = [tensor_type(type_) for type_ in step.result_types]
        if not self._may_call or not types:
            raise NotLowerable(step.name)
        views = [self.new(type_) for type_ in types]
        results, sources = ([view.register for view in group] for group in (views, operands))
        parameters, work = CallNumber(len(self.calls)), max(view.size for view in views)
        self.add(Instruction(CALL, tuple(results), tuple(sources), parameters, work=work))
        self.calls.append(Call(plan, step, tuple(self._trail), operands))
        return views

    def may_move(self, instruction: Instruction) -> bool:
        if not isinstance(instruction.parameters, CallNumber):
            return True
        return (
            self.calls[instruction.parameters.number].step.kernel.array_op is not None
        )  # it computes, no more

    def _regions(self, step: Step, operands: list[View]) -> Pausing[list[View]]:
        """The results of a step that calls a function or has regions, which are inlined."""
        if isinstance(step.kernel.function, Block):
            return self.call(step.kernel.function, operands)
        match step.name, step.kernel.regions:
            case "stablehlo.while", (cond, body):
                count = len(step.operand_types)
                return self.while_(cond, body, operands[:count], operands[count:])
            case "stablehlo.if" | "stablehlo.case", (_, *_) as regions:
                return self.branches(step, regions, operands)
            case _:
                raise NotLowerable(step.name)

    def _pointwise(self, step: Step, form: Form, operands: list[View]) -> View:
        if all(map(self.is_known, operands)):
            folded = self._folded(step, step.operand_types, operands)
            if folded is not None:
                return folded
        registers = tuple([self.splat_or_whole(operand) for operand in operands])
        return self.pointwise(form.number, form.element, form.shape, registers)

    def _folded(self, step: Step, types: Sequence[ValueType], operands: Sequence[View]) -> View | None:
        """The result of a step on constants if it is small."""
        result_type = tensor_type(step.result_types[0])
        if result_type.size > self._most_folded:
            return None
        with np.errstate(all="ignore"):
            values = [
                narrow.restored(self.known(view), type_) for view, type_ in zip(operands, types, strict=True)
            ]
            result = step.kernel.function(*values)
        return self.constant(result_type, np.asarray(result).reshape(result_type.dims))


def _form_of(step: Step) -> Form:
    kernel = step.kernel
    forwarded = {"{0}": 0, "{1}": 1}.get(kernel.source or "", -1)
    number = operation_of(step) if forwarded < 0 else -1
    type_ = tensor_type(step.result_types[0]) if number >= 0 else None
    is_computed = number >= 0 or forwarded >= 0 or kernel.array_op is not None
    return Form(
        number,
        type_.element_type.name if type_ is not None else "",
        type_.dims if type_ is not None else (),
        forwarded,
        not is_computed and (isinstance(kernel.function, Block) or bool(kernel.regions)),
        narrow.concerns(step),
        not traits_of(step.name).view and len(step.results) == 1,
    )


class _FunctionLowering(BlockLowering):
    """Lowers functions to instructions that do not depend on what is around them: on their position, or on
    whether a loop repeats them."""

    def add(self, instruction: Instruction) -> None:
        if instruction.operation < 0 and instruction.operation not in _COPYABLE:
            raise NotLowerable
        super().add(instruction)
