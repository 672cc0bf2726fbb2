"""Fusion of operations on large arrays: several steps of a plan become one fused computation.

NumPy evaluates one operation after another, and each operation reads and writes whole arrays. A fused
computation evaluates all of its operations on a piece that stays in the cache, then on the next piece: it
reads only its inputs and writes only what is used outside. It contains pointwise operations, broadcasts,
reductions of rows and users of their results, calls, and loops with a known number of iterations.

The steps of a fused computation need not be consecutive. The computation replaces its last step. Earlier
steps that read its results and have small ones, such as the sum of a loss before its gradient, wait for it;
unrelated steps in between stay where they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from hlokit.engine.contract.registry import Kernel
from hlokit.engine.contract.thresholds import DEFAULTS, Thresholds
from hlokit.engine.native.fused.candidates import large_types, may_pay_off, size_of
from hlokit.engine.native.fused.fusion_kernel import FusionKernel
from hlokit.engine.native.fused.fusion_lowering import FusionLowering, laid_out
from hlokit.engine.native.fused.inputs import expansion
from hlokit.engine.native.ir.views import View, dense_view
from hlokit.engine.plan.block import Block
from hlokit.engine.plan.plan import Plan, Step, combined_step, with_steps
from hlokit.operations.lookup import traits_of
from hlokit.values.types import TensorType, ValueType


class FusedComputation:
    """Steps of a plan that are evaluated together.

    Attributes:
      program: the lowered steps.
      steps: the indices of the steps.
      waiting: the indices of steps that read results, and of steps that read the results of those.
      results: slots that are used outside.
      kernel: evaluates the computation.
    """

    def __init__(self, program: FusionLowering) -> None:
        self.program = program
        self.steps: list[int] = []
        self.waiting: list[int] = []
        self.results: list[int] = []
        self.kernel: FusionKernel | None = None

    @property
    def operands(self) -> tuple[int, ...]:
        """The slots that the computation reads."""
        assert self.kernel is not None
        return self.kernel.operands


def find_fusions(plan: Plan, thresholds: Thresholds = DEFAULTS) -> list[FusedComputation]:
    """The fused computations of a plan that pay off."""
    large = large_types(plan, thresholds)
    return _FusionFinder(plan, large, thresholds).find() if large else []


def with_fusions(plan: Plan, thresholds: Thresholds = DEFAULTS) -> Plan:
    """The plan with one step for each fused computation, in place of its last step."""
    fusions = find_fusions(plan, thresholds)
    if not fusions:
        return plan
    inside = {index for fusion in fusions for index in fusion.steps}
    inside.update(index for fusion in fusions for index in fusion.waiting if index < fusion.steps[-1])
    last = {fusion.steps[-1]: fusion for fusion in fusions}
    steps: list[Step] = []
    for index, step in enumerate(plan.steps):
        if index in last:
            fusion = last[index]
            assert fusion.kernel is not None
            kernel = Kernel(fusion.kernel)
            steps.append(combined_step(plan, step, kernel, fusion.operands, tuple(fusion.results)))
            steps += [plan.steps[waiting] for waiting in fusion.waiting if waiting < index]
        elif index not in inside:
            steps.append(step)
    return with_steps(plan, _without_unread_views(plan, steps))


def _without_unread_views(plan: Plan, steps: Sequence[Step]) -> list[Step]:
    """The steps without unread views, which cost nothing and cannot fail."""
    read = {*plan.outputs, *(slot for slot, _ in plan.constants)}
    kept: list[Step] = []
    for step in reversed(steps):
        if traits_of(step.name).view and read.isdisjoint(step.results):
            continue
        read.update(step.operands)
        kept.append(step)
    kept.reverse()
    return kept


class _FusionFinder:
    """Walks a plan with at most one open fused computation for each number of elements.

    Args:
      large: ids of the types of large arrays.
    """

    def __init__(self, plan: Plan, large: set[int], thresholds: Thresholds) -> None:
        self._plan = plan
        self._large = large
        self._thresholds = thresholds
        # Identities of kernels and types with which no fused computation of a size can begin.
        self._not_fusible: set[tuple[int, int, int, int]] = set()
        self._open: dict[int, FusedComputation] = {}
        self._producer: dict[int, FusedComputation] = {}
        self._waiting: dict[int, FusedComputation] = {}  # for the slots of steps that wait for a computation
        self._fusions: list[FusedComputation] = []
        self._readers: dict[int, list[int]] = {slot: [] for slot in plan.outputs}
        # Slots whose steps only broadcast or reshape a value: the slot of this value, and the steps; and its
        # layout as a view.
        self._layouts: dict[int, tuple[int, tuple[Step, ...]]] = {}
        self._views: dict[int, View] = {}

    def find(self) -> list[FusedComputation]:
        for index, step in enumerate(self._plan.steps):
            for slot in step.operands:
                self._readers.setdefault(slot, []).append(index)
        for index, step in enumerate(self._plan.steps):
            self._visit(index, step)
        return [fusion for fusion in self._fusions if self._finish(fusion)]

    def _visit(self, index: int, step: Step) -> None:
        joined = self._join(index, step)
        if joined is None and traits_of(step.name).layout:
            self._look_through(step)
        if not self._producer:
            return
        # The step reads results of other computations, which must be evaluated before it.
        others: list[FusedComputation] = []
        for slot in step.operands:
            fusion = self._producer.get(slot) or self._waiting.get(slot)
            if fusion is not None and fusion is not joined and fusion not in others and self._is_open(fusion):
                others.append(fusion)
        if joined is None and len(others) == 1 and self._may_wait(step):
            others[0].waiting.append(index)
            self._waiting.update((slot, others[0]) for slot in step.results)
            return
        for fusion in others:
            self._close(fusion)

    def _may_wait(self, step: Step) -> bool:
        """Whether a step may run later: it computes few elements, and no other step waits long for those."""
        is_simple = step.kernel.pointwise or step.kernel.array_op is not None
        most = self._thresholds.fusion_elements
        return is_simple and all(0 <= size_of(type_) < most for type_ in step.result_types)

    def _look_through(self, step: Step) -> None:
        """Let fused computations read what a step broadcasts or reshapes instead of its result."""
        slot, type_ = step.operands[0], step.operand_types[0]
        source, steps = self._layouts.get(slot, (slot, ()))
        source_type = self._plan.slot_types[source]
        if not _is_static(type_) or not _is_static(step.result_types[0]) or not _is_static(source_type):
            return
        view = self._views.get(slot) or dense_view(0, type_.dims)
        view = laid_out(view, step)
        if view is not None and expansion(view, source_type.dims) is not None:
            self._layouts[step.results[0]] = source, (*steps, step)
            self._views[step.results[0]] = view

    def _join(self, index: int, step: Step) -> FusedComputation | None:
        """Add a step to a fused computation; returns the computation, or None if the step cannot be fused."""
        for fusion, size in self._candidates(step):
            joined = self._join_one(fusion, size, index, step)
            if joined is not None:
                return joined
        return None

    def _join_one(
        self, fusion: FusedComputation | None, size: int, index: int, step: Step
    ) -> FusedComputation | None:
        """Add a step to an open computation, or to a new one of `size` elements."""
        key = id(step.kernel), id(step.operand_types), id(step.result_types), size
        if key in self._not_fusible:
            return None
        if fusion is not None and (self._is_full(fusion, index) or self._waits_for(step, fusion)):
            self._close(fusion)
            fusion = None
        if fusion is not None and self._add(fusion, index, step):
            return fusion
        if size < self._thresholds.fusion_elements or traits_of(step.name).view:
            return None
        fresh = FusedComputation(
            FusionLowering(size, self._plan, self._layouts, self._readers, self._thresholds)
        )
        if not self._add(fresh, index, step):
            self._not_fusible.add(key)
            return None
        self._open[size] = fresh
        self._fusions.append(fresh)
        return fresh

    def _waits_for(self, step: Step, fusion: FusedComputation) -> bool:
        return any(self._waiting.get(slot) is fusion for slot in step.operands)

    def _is_full(self, fusion: FusedComputation, index: int) -> bool:
        """Whether a computation should accept no step at this index."""
        return (
            len(fusion.program.instructions) >= self._thresholds.fusion_operations
            or fusion.program.array_count >= self._thresholds.fusion_inputs
            or index - fusion.steps[-1] > self._thresholds.fusion_distance
        )

    def _candidates(self, step: Step) -> list[tuple[FusedComputation | None, int]]:
        """The open computations that a step could join, None for a new one, with their sizes in elements."""
        producers = [self._producer[slot] for slot in step.operands if slot in self._producer]
        for fusion in producers:
            if self._is_open(fusion):
                return [(fusion, fusion.program.size)]
        if traits_of(step.name).view:
            return []
        sizes = [self._largest(step.result_types)]
        # Functions may reduce rows as well, such as a variance.
        may_reduce = isinstance(step.kernel.function, Block)
        if may_reduce or step.name == "stablehlo.reduce":
            operand = self._largest(step.operand_types)
            sizes = [operand, *sizes] if may_reduce and operand > sizes[0] else [operand]
        return [(self._open.get(size), size) for size in sizes if size >= 0]

    def _largest(self, types: Sequence[ValueType]) -> int:
        """The number of elements of the largest of some types; -1 if none is large."""
        return max([size_of(type_) for type_ in types if id(type_) in self._large], default=-1)

    def _add(self, fusion: FusedComputation, index: int, step: Step) -> bool:
        if not fusion.program.lower(step):
            return False
        fusion.steps.append(index)
        self._producer.update((slot, fusion) for slot in step.results)
        return True

    def _is_open(self, fusion: FusedComputation) -> bool:
        return self._open.get(fusion.program.size) is fusion

    def _close(self, fusion: FusedComputation) -> None:
        if self._is_open(fusion):
            del self._open[fusion.program.size]

    def _finish(self, fusion: FusedComputation) -> bool:
        """Make the kernel; returns whether the computation pays off, which requires an internal value."""
        program, inside = fusion.program, set(fusion.steps)
        count = len(program.instructions)
        if not may_pay_off(program.size, program.cost, self._thresholds):
            return False
        registers: list[int] = []
        for slot in program.views:
            if slot in self._plan.outputs or not inside.issuperset(self._readers.get(slot, ())):
                register = program.output(slot, registers)
                if register is None:
                    return False
                fusion.results.append(slot)
                registers.append(register)
        if not registers or (len(registers) >= count and not program.reads_short_rows):
            return False
        fusion.kernel = FusionKernel(program, registers, [self._plan.slot_types[n] for n in fusion.results])
        return True


def _is_static(type_: ValueType) -> TypeGuard[TensorType]:
    return isinstance(type_, TensorType) and type_.is_static
