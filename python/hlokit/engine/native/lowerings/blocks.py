"""Lowers the steps of blocks to instructions: pointwise operations, array ops, and calls of kernels.

Values are views of virtual registers: operations that only rearrange elements (slice, reshape, broadcast)
need no instruction until another operation needs the elements in order.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from hlokit.values.types import TensorType, ValueType

# Instructions that programs replace by a kernel call if the work is large.
_CALLED_IF_LONG = (DOT, FFT, LAPACK, RANDOM_BITS, REDUCE, SCAN, SORT)
# Besides operations on elements.
_COPYABLE = (COPY, IMPLICIT_DEF, MOVE, THREEFRY)


class BlockLowering(ControlFlowLowering):
    """Lowers blocks, one after the other, into one program.

    Args:
      may_call: the program may call the kernels of steps that the VM has no instructions for.

    Attributes:
      calls: the kernels that the program calls; the immediate of a call is an index into them.
    """

    def __init__(self, thresholds: Thresholds, *, may_call: bool = False, may_unroll: bool = True) -> None:
        super().__init__(thresholds, may_unroll=may_unroll)
        self.calls: list[Call] = []
        self._may_call = may_call
        self._most_elements = thresholds.loop_elements
        self._most_folded = thresholds.folded_elements
        self._trail: list[tuple[Plan, Step]] = []  # the steps whose blocks are being inlined, outermost first
        # The operation of a step, by the identity of kernel and types: planners share these objects, and the
        # plans of the blocks keep them alive.
        self._operations: dict[tuple[int, int, int], tuple[int, TensorType] | None] = {}
        self._tables = narrow.Tables()

    def call(self, function: Block, operands: Sequence[View]) -> Pausing[list[View]]:
        """Lower a call of a function."""
        return called(self, function, operands)

    def of_function(self) -> BlockLowering:
        lowering = _FunctionLowering(self.thresholds, may_unroll=self.may_unroll)
        lowering._inlining = list(self._inlining)
        return lowering

    def undo(self, mark: Mark) -> None:
        super().undo(mark)
        self._trail.clear()

    def step(
        self, plan: Plan, step: Step, views: dict[int, View], constants: dict[int, Value]
    ) -> Pausing[None]:
        self._lowered += 1
        operands = [
            views[slot] if slot in views else self._operand(plan, views, constants, slot)
            for slot in step.operands
        ]
        computed = self._operation(step)
        if computed is not None:
            views[step.results[0]] = self._pointwise(step, *computed, operands)
        else:
            results = yield from self._results(plan, step, operands)
            views.update(zip(step.results, results, strict=True))

    def _operation(self, step: Step) -> tuple[int, TensorType] | None:
        """The number of the operation that a step computes, and the type of its result."""
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key not in self._operations:
            number = -1 if step.kernel.source in ("{0}", "{1}") else operation_of(step)
            self._operations[key] = (number, tensor_type(step.result_types[0])) if number >= 0 else None
        return self._operations[key]

    def _results(self, plan: Plan, step: Step, operands: list[View]) -> Pausing[list[View]]:
        if step.kernel.source in ("{0}", "{1}"):
            return [operands[step.kernel.source == "{1}"]]
        if step.kernel.array_op is not None:
            return self._array_op_or_call(plan, step, operands)
        if isinstance(step.kernel.function, Block) or step.kernel.regions:
            self._trail.append((plan, step))
            results = yield from self._regions(step, operands)
            self._trail.pop()
            return results
        if step.name == "stablehlo.optimization_barrier":
            return operands
        if step.name == "stablehlo.convert":  # to a complex type: the real part first
            to = tensor_type(step.result_types[0]).element_type
            operand = tensor_type(step.operand_types[0]).element_type.name
            if to.kind is Kind.COMPLEX and operation("convert", to.part.name, operand) >= 0:
                return [self.converted(self.converted(operands[0], to.part.name), to.name)]
        if len(step.results) == 1 and narrow.concerns(step):
            try:
                return [narrow.lower(self, self._tables, step, operands)]
            except NotLowerable:
                pass  # its kernel is called
        return self._call(plan, step, operands)

    def _array_op_or_call(self, plan: Plan, step: Step, operands: list[View]) -> list[View]:
        if narrow.concerns(step) and not narrow.is_lowerable(step):
            return self._call(plan, step, operands)
        if not traits_of(step.name).view and len(step.results) == 1:
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
        added = self.instructions[start:]
        if any(
            instruction.work > self._most_elements
            for instruction in added
            if instruction.operation in _CALLED_IF_LONG
        ):
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

    def _pointwise(self, step: Step, number: int, type_: TensorType, operands: list[View]) -> View:
        folded = self._folded(step, step.operand_types, operands)
        if folded is not None:
            return folded
        registers = tuple([self.splat_or_whole(operand) for operand in operands])
        return self.pointwise(number, type_.element_type.name, type_.dims, registers)

    def _folded(self, step: Step, types: Sequence[ValueType], operands: Sequence[View]) -> View | None:
        """The result of a step on constants if it is small."""
        result_type = tensor_type(step.result_types[0])
        for view in operands:
            if not self.is_known(view):
                return None
        if result_type.size > self._most_folded:
            return None
        with np.errstate(all="ignore"):
            values = [
                narrow.restored(self.known(view), type_) for view, type_ in zip(operands, types, strict=True)
            ]
            result = step.kernel.function(*values)
        return self.constant(result_type, np.asarray(result).reshape(result_type.dims))


class _FunctionLowering(BlockLowering):
    """Lowers functions to instructions that do not depend on what is around them: on their position, or on
    whether a loop repeats them."""

    def add(self, instruction: Instruction) -> None:
        if instruction.operation < 0 and instruction.operation not in _COPYABLE:
            raise NotLowerable
        super().add(instruction)
