"""Costs of steps, to decide what becomes native: straight-line code, and loops that call kernels."""

from __future__ import annotations

from collections.abc import Sequence

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.region import Region
from hlokit.engine.contract.switches import is_on
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.native.fused.candidates import size_of
from hlokit.engine.native.ir.target import operation_of, register_type
from hlokit.engine.native.lowerings import narrow
from hlokit.engine.plan.block import Block, inlined_size, plan_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError
from hlokit.values.types import TensorType, ValueType

# The cost of a step that straight-line code cannot contain.
_IMPOSSIBLE = -1.0
# The assumed number of iterations of a loop within a loop.
_ITERATIONS = 16


class StepCosts:
    """The costs of steps as kernels and in straight-line code, in microseconds."""

    def __init__(self, thresholds: Thresholds) -> None:
        self._thresholds = thresholds
        # By the identity of kernels and types, which planners share, and which plans keep alive.
        self._costs: dict[tuple[int, int, int], float] = {}
        self._block_costs: dict[Region, float] = {}
        self._are_small: dict[int, bool] = {}

    def of(self, step: Step) -> float:
        """The cost of a step as a kernel; negative if straight-line code cannot contain it."""
        key = id(step.kernel), id(step.operand_types), id(step.result_types)
        if key not in self._costs:
            self._costs[key] = self._find_cost(step)
        return self._costs[key]

    def may_have_straight_line_code(self, plan: Plan) -> bool:
        """Whether some consecutive steps cost more than a call of straight-line code."""
        if len(plan.steps) == 1 and plan.steps[0].kernel.regions:  # it already is a program of its own
            return False
        total = 0.0
        for step in plan.steps:
            cost = self.of(step)
            total = total + cost if cost >= 0 else 0.0
            if total > self._thresholds.straight_line_cost:
                return True
        return False

    def of_straight_line(self, values: int) -> float:
        """The cost of straight-line code with `values` operands and results."""
        return self._thresholds.straight_line_cost + values * self._thresholds.straight_line_value_cost

    def _find_cost(self, step: Step) -> float:
        types = (*step.operand_types, *step.result_types)
        if not all(map(self._is_small, types)):
            return _IMPOSSIBLE
        if step.kernel.source in ("{0}", "{1}") or step.name == "stablehlo.optimization_barrier":
            return 0.0  # results are operands
        function = step.kernel.function
        if isinstance(function, Block):
            return self._cost_of_block(function)
        array_cost = self._thresholds.array_kernel_cost
        if narrow.concerns(step) and not step.kernel.regions:
            return array_cost if narrow.is_lowerable(step) else _IMPOSSIBLE
        if operation_of(step) >= 0:
            are_scalars = all(isinstance(type_, TensorType) and not type_.dims for type_ in types)
            return self._thresholds.scalar_kernel_cost if are_scalars else array_cost
        match step.kernel.array_op:
            case None:
                return self._cost_of_control_flow(step) if step.kernel.regions else _IMPOSSIBLE
            case array_ops.Dot() | array_ops.Reduce() | array_ops.ReduceWindow() | array_ops.ArgExtremum():
                return self._thresholds.sum_kernel_cost
            case array_ops.Sort() | array_ops.TopK():
                return self._thresholds.sort_kernel_cost
            case array_ops.RandomBits():
                return self._thresholds.random_kernel_cost
            case array_ops.Convolution():
                return self._thresholds.convolution_kernel_cost
            case array_ops.Lapack(describe):
                return _IMPOSSIBLE if describe() is None else self._thresholds.lapack_kernel_cost
            case array_ops.Fft():
                return self._thresholds.fft_kernel_cost
            case _:
                return array_cost

    def _cost_of_control_flow(self, step: Step) -> float:
        """The cost of a loop (of one call of its program) or of a branch (the mean cost of its regions)."""
        regions = step.kernel.regions
        try:
            size = sum(map(inlined_size, regions))
            costs = [self._cost_of_block(region) for region in regions]
        except HlokitError:  # of a region that may never run
            return _IMPOSSIBLE
        if size > self._thresholds.inlined_steps or min(costs) < 0:
            return _IMPOSSIBLE
        match step.name:
            case "stablehlo.while" if is_on("native-loops"):
                values = len(step.operands) + len(step.results)
                return self._thresholds.array_kernel_cost + self.of_straight_line(values)
            case "stablehlo.if" | "stablehlo.case":
                return self._thresholds.array_kernel_cost + sum(costs) / len(costs)
            case _:
                return _IMPOSSIBLE

    def _cost_of_block(self, block: Region) -> float:
        if block not in self._block_costs:
            self._block_costs[block] = _IMPOSSIBLE  # for recursive functions
            costs = [self.of(step) for step in plan_of(block).steps]
            are_small = all(map(self._is_small, plan_of(block).slot_types))
            is_possible = min(costs, default=0.0) >= 0 and are_small
            self._block_costs[block] = sum(costs) if is_possible else _IMPOSSIBLE
        return self._block_costs[block]

    def _is_small(self, type_: ValueType) -> bool:
        is_small = self._are_small.get(id(type_))
        if is_small is None:
            is_small = 0 <= size_of(type_) < self._thresholds.straight_line_elements
            is_small = self._are_small[id(type_)] = is_small and register_type(type_) is not None
        return is_small


def last_uses(plan: Plan) -> dict[int, int]:
    """For each slot, the index of the last step that reads it; for outputs, the number of steps."""
    last = {slot: index for index, step in enumerate(plan.steps) for slot in step.operands}
    last.update((slot, len(plan.steps)) for slot in plan.outputs)
    return last


class Runs:
    """What runs of consecutive steps of a plan read and write."""

    def __init__(self, plan: Plan) -> None:
        self._steps, self._last_use = plan.steps, last_uses(plan)
        self._constants = {slot for slot, _ in plan.constants}

    def operands_and_results(self, start: int, stop: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The slots that the steps from `start` to `stop` read, and those that they write for later steps."""
        steps = self._steps[start:stop]
        written = dict.fromkeys(slot for step in steps for slot in step.results)
        read = dict.fromkeys(slot for step in steps for slot in step.operands)
        operands = tuple([slot for slot in read if slot not in written and slot not in self._constants])
        return operands, tuple([slot for slot in written if self._last_use.get(slot, 0) >= stop])


def pays_off(cond: Region, body: Region, called: Sequence[Step], thresholds: Thresholds) -> bool:
    """Whether a native loop that calls the kernels of some steps takes less time than its blocks would.

    Blocks consist of kernel calls and straight-line code, which the called steps divide into short runs.
    """
    if not called:
        return True
    savings = _Savings(called, thresholds)
    return thresholds.array_kernel_cost + savings.of(cond) + savings.of(body) >= 0


class _Savings:
    """The microseconds that a native program saves, compared with a compiled block."""

    def __init__(self, called: Sequence[Step], thresholds: Thresholds) -> None:
        self._called = {id(step) for step in called}
        self._thresholds = thresholds
        self._costs = StepCosts(thresholds)

    def of(self, block: Region) -> float:
        """The savings of one evaluation of a block; negative if calls cost more."""
        plan = plan_of(block)
        runs = Runs(plan)
        saved, start, run = 0.0, 0, 0.0
        for index, step in enumerate(plan.steps):
            cost = _IMPOSSIBLE if id(step) in self._called else self._costs.of(step)
            if cost >= 0:
                run += cost
                continue
            saved += self._of_step(step) + self._of_run(runs, start, index, run)
            start, run = index + 1, 0.0
        return saved + self._of_run(runs, start, len(plan.steps), run)

    def _of_run(self, runs: Runs, start: int, stop: int, cost: float) -> float:
        """The savings of consecutive steps: the cost of their straight-line code, if that pays off."""
        if cost <= self._thresholds.straight_line_cost:
            return cost
        operands, results = runs.operands_and_results(start, stop)
        return min(cost, self._costs.of_straight_line(len(operands) + len(results)))

    def _of_step(self, step: Step) -> float:
        """The savings of a step that ends straight-line code."""
        if id(step) in self._called:
            return -self._thresholds.native_call_cost
        overhead = self._thresholds.array_kernel_cost
        if isinstance(step.kernel.function, Block):
            return overhead + self.of(step.kernel.function)
        regions = [self.of(region) for region in step.kernel.regions]
        if step.name == "stablehlo.while":  # in a block, it would be a native loop of its own
            return self._thresholds.native_loop_cost + min(0.0, _ITERATIONS * sum(regions))
        return overhead + sum(regions) / max(1, len(regions))
