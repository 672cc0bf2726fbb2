"""Checks of shapes at run time, for operations with unknown dimensions.

Static operations have no checks. In a program with unknown dimensions their types are true as well, because
each operation that makes a static value of a dynamic one is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlokit.engine.contract.registry import Kernel, Operation, Value
from hlokit.engine.plan.block import Block
from hlokit.operations.lookup import traits_of
from hlokit.values.types import ValueType, require_types

if TYPE_CHECKING:
    from hlokit.mlir.provider.bindings import ir


def with_checked_types(kernel: Kernel, planned: Operation, operation: ir.Operation) -> Kernel:
    """The kernel of an operation with dynamic types, with checks of its operands and results."""
    from hlokit.mlir.run_time_types import RunTimeTypes  # few programs have unknown dimensions

    types = RunTimeTypes(operation, planned.operand_types, planned.result_types)
    function, is_single = kernel.function, len(planned.result_types) == 1

    def checked(*operands: Value) -> Any:
        types.require_operands(operands)
        results = function(*operands)
        types.require_results((results,) if is_single else results)
        return results

    return Kernel(checked, regions=kernel.regions)


def set_receivers(planned: Operation) -> None:
    """Let the regions of control flow know what the values that they return become: results of the
    operation, or the next state of a loop."""
    if traits_of(planned.name).makes_grid:
        return  # the regions return pieces of the results
    states = _states(planned)
    for region in planned.regions[-1:] if states else planned.regions:
        assert isinstance(region, Block), "planners make all regions"
        region.receivers = states or (planned.result_types,)


def with_checked_state(kernel: Kernel, planned: Operation) -> Kernel:
    """The kernel of control flow. If operands, arguments of regions and results of a loop have different
    types, the kernel checks the first and the last state."""
    states, types = _states(planned), planned.operand_types
    if not states or {types, *states, planned.result_types} == {types}:
        return kernel
    function, is_single = kernel.function, len(types) == 1

    def checked(*operands: Value) -> Any:
        for state in states:
            require_types(operands[: len(types)], state, "operand")
        results = function(*operands)
        require_types((results,) if is_single else results, planned.result_types, "result")
        return results

    return Kernel(checked, regions=kernel.regions)


def _states(planned: Operation) -> tuple[tuple[ValueType, ...], ...]:
    """The types of the state of a loop in its condition and its body; none for other control flow."""
    states = tuple([region.argument_types for region in planned.regions])
    return states if len(states) == 2 and any(states) else ()
