"""Lowering of sorts: keys are arrays that the program computes, and one instruction sorts rows by them."""

from __future__ import annotations

from math import prod

import numpy as np

from hlokit.engine.contract import array_ops
from hlokit.engine.contract.array_ops import SortKey
from hlokit.engine.contract.region import Region
from hlokit.engine.native.ir.array_parameters import Sort
from hlokit.engine.native.ir.instructions import SORT, Instruction
from hlokit.engine.native.ir.target import NotLowerable, operation_of
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.builder import ProgramBuilder, tensor_type
from hlokit.engine.plan.block import plan_of
from hlokit.engine.plan.plan import Step, needed_steps

# The cost of sorting one element, in elements of other instructions.
_SORT_COST = 4
_MOST_KEYS = 16


def sort(program: ProgramBuilder, array_op: array_ops.Sort, step: Step, operands: list[View]) -> list[View]:
    """spec "sort", or its first elements."""
    count = len(step.operand_types)
    arrays, captured = operands[:count], operands[count:]
    shape, dimension = arrays[0].shape, array_op.dimension
    kept = tensor_type(step.result_types[0]).dims
    if not prod(kept) or not shape or shape[dimension] < 2:
        if kept != shape:
            raise NotLowerable
        return arrays
    if array_op.keys is None or array_op.comparator.is_observed or not 0 < len(array_op.keys) <= _MOST_KEYS:
        raise NotLowerable
    keys = _keys(program, array_op.comparator, array_op.keys, arrays, captured)
    return _sorted(program, step, keys, array_op.keys, arrays, dimension)


def top_k(program: ProgramBuilder, step: Step, operand: View) -> list[View]:
    """chlo.top_k: the start of a descending sort of the operand and its indices."""
    dims, index_type = operand.shape, tensor_type(step.result_types[1])
    size, kept = dims[-1], index_type.dims
    if not prod(kept):
        raise NotLowerable
    indices = np.broadcast_to(np.arange(size, dtype=index_type.element_type.dtype), dims)
    places = program.constant(index_type._replace(shape=dims), indices)
    if size == 1:
        return [operand, places]
    key = SortKey(0, 1, tensor_type(step.operand_types[0]).element_type, is_descending=True, is_total=True)
    return _sorted(program, step, [operand], (key,), [operand, places], len(dims) - 1)


def _sorted(
    program: ProgramBuilder,
    step: Step,
    keys: list[View],
    orders: tuple[SortKey, ...],
    arrays: list[View],
    dimension: int,
) -> list[View]:
    """The first elements of arrays along a dimension, sorted together by keys."""
    shape = arrays[0].shape
    results = [program.new(tensor_type(type_)) for type_ in step.result_types]
    for result, array in zip(results, arrays, strict=True):
        if program.registers[result.register].type != program.registers[array.register].type:
            raise NotLowerable
    sources = tuple([program.whole(view) for view in (*keys, *arrays)])
    sort = Sort(
        [order.is_descending + 2 * order.is_total for order in orders],
        outer=prod(shape[:dimension]),
        size=shape[dimension],
        inner=prod(shape[dimension + 1 :]),
        kept=results[0].shape[dimension],
    )
    targets = tuple([view.register for view in results])
    program.add(Instruction(SORT, targets, sources, sort, work=prod(shape) * _SORT_COST))
    return results


def _keys(
    program: ProgramBuilder,
    comparator: Region,
    keys: tuple[SortKey, ...],
    arrays: list[View],
    captured: list[View],
) -> list[View]:
    """The keys of all elements."""
    plan = plan_of(comparator)
    registers = [view for view in arrays for _ in range(2)] + captured
    values = dict(enumerate(registers))
    for slot, value in plan.constants:
        values[slot] = program.constant(plan.slot_types[slot], value)
    for step in needed_steps(plan, {slot for key in keys for slot in (key.lhs, key.rhs)}):
        values[step.results[0]] = _on_arrays(program, step, values)
    # Both sides have the same operands, so different results mean different functions.
    if any(values[key.lhs] != values[key.rhs] for key in keys):
        raise NotLowerable
    return [values[key.lhs] for key in keys]


def _on_arrays(program: ProgramBuilder, step: Step, values: dict[int, View]) -> View:
    """The result of a step of a comparator for all elements; a scalar if all operands are scalars."""
    operands = [values[slot] for slot in step.operands]
    if step.kernel.source in ("{0}", "{1}"):
        return operands[step.kernel.source == "{1}"]
    number = operation_of(step)
    if number < 0:
        raise NotLowerable
    return program.elementwise(number, tensor_type(step.result_types[0]).element_type.name, operands)
