"""Sums of padded arrays whose elements take different places: one array, written in parts.

Gradients of slices and splits are such sums, and so are the interleaved halves of an associative scan: each
operand is padded with zeros to the shape of the result, and no place has elements of two operands. Their sum
is one array in which each element stands once, plus zero (-0 becomes +0), and zero everywhere else.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import gcd, prod
from typing import NamedTuple

import numpy as np

from hlokit.engine.contract.array_ops import Pad, Placement, SumOfPads
from hlokit.engine.contract.registry import Kernel, Value
from hlokit.engine.contract.switches import is_on
from hlokit.engine.plan.plan import Plan, Step, combined_step, with_steps
from hlokit.values.types import TensorType

# Longer sums are divided: each operand is compared with all others.
_MOST_PADS = 64


class _Padded(NamedTuple):
    """A padded operand: its slot, the pad, and its placements."""

    slot: int
    pad: Pad
    placements: tuple[Placement, ...]


def with_sums_of_pads(plan: Plan, names: Container[str]) -> Plan:
    """The plan with one step for each sum of arrays padded with zeros whose elements take different places.

    Args:
      names: of the operations of the module.
    """
    if "stablehlo.pad" not in names or not is_on("fusion"):
        return plan
    zeros = {slot for slot, value in plan.constants if _is_zero(value)}
    sums: dict[int, tuple[_Padded, ...]] = {}
    steps: list[Step] = []
    for step in plan.steps:
        padded = _padded(step, zeros) or _sum(step, sums)
        if padded:
            sums[step.results[0]] = padded
        steps.append(_combined(plan, step, padded) if len(padded) > 1 else step)
    if all(len(padded) == 1 for padded in sums.values()):
        return plan
    return with_steps(plan, _without_unread(plan, steps, sums))


def _is_zero(value: Value) -> bool:
    return np.ndim(value) == 0 and not any(np.asarray(value).tobytes())


def _padded(step: Step, zeros: set[int]) -> tuple[_Padded, ...]:
    """The operand of a step that pads it with zeros; else nothing."""
    pad = step.kernel.array_op
    if not isinstance(pad, Pad) or step.operands[1] not in zeros:
        return ()
    operand, result = step.operand_types[0], step.result_types[0]
    assert isinstance(operand, TensorType)
    assert isinstance(result, TensorType)
    if not operand.is_static or not result.is_static:
        return ()
    return (_Padded(step.operands[0], pad, pad.placements(operand.dims, result.dims)),)


def _sum(step: Step, sums: dict[int, tuple[_Padded, ...]]) -> tuple[_Padded, ...]:
    """The padded operands whose sum a step is, if they take different places; else nothing."""
    if step.kernel.ufunc is not np.add or not step.kernel.pointwise or len(step.operands) != 2:
        return ()
    left, right = (sums.get(slot, ()) for slot in step.operands)
    if not left or not right or len(left) + len(right) > _MOST_PADS:
        return ()
    are_apart = all(_are_apart(one.placements, other.placements) for one in left for other in right)
    return (*left, *right) if are_apart else ()


def _are_apart(placements: Sequence[Placement], others: Sequence[Placement]) -> bool:
    """Whether two operands take different places."""
    return any(map(_is_apart, placements, others))


def _is_apart(one: Placement, other: Placement) -> bool:
    if one.stop <= other.start or other.stop <= one.start:
        return True
    between = gcd(*[placement.step for placement in (one, other) if placement.size > 1])
    return between > 0 and (one.start - other.start) % between != 0


def _combined(plan: Plan, step: Step, padded: Sequence[_Padded]) -> Step:
    """The step that computes a sum in one array."""
    type_ = step.result_types[0]
    assert isinstance(type_, TensorType)
    placed = sum(prod([placement.size for placement in operand.placements]) for operand in padded)
    array_op = SumOfPads(tuple([operand.pad for operand in padded]), placed == type_.size)
    parts = [
        (
            tuple([slice(p.first, p.first + p.size) for p in operand.placements]),
            tuple([slice(p.start, p.stop, p.step) for p in operand.placements]),
        )
        for operand in padded
    ]
    dtype, shape = type_.element_type.dtype, type_.dims
    zero, is_whole = np.zeros((), dtype), array_op.is_whole

    def kernel(*operands: Value) -> Value:
        result = np.empty(shape, dtype) if is_whole else np.zeros(shape, dtype)
        for operand, (kept, target) in zip(operands, parts, strict=True):
            np.add(operand[kept], zero, out=result[target])
        return result

    slots = tuple([operand.slot for operand in padded])
    return combined_step(plan, step, Kernel(kernel, array_op=array_op), slots, step.results)


def _without_unread(plan: Plan, steps: Sequence[Step], sums: dict[int, tuple[_Padded, ...]]) -> list[Step]:
    """The steps without pads and sums that no other step reads any more."""
    read, kept = set(plan.outputs), list[Step]()
    for step in reversed(steps):
        if step.results and step.results[0] in sums and step.results[0] not in read:
            continue
        read.update(step.operands)
        kept.append(step)
    kept.reverse()
    return kept
