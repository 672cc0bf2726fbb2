"""Makes native programs of lowered steps: canonical NaNs, register allocation, encoding."""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hlokit.engine.contract.canonical_nan import nan_bits
from hlokit.engine.contract.registry import Value
from hlokit.engine.contract.thresholds import Thresholds
from hlokit.engine.native.ir.addressing import address_windows
from hlokit.engine.native.ir.canonical_nans import CanonicalNans, noncanonical_constants
from hlokit.engine.native.ir.encoding import encode
from hlokit.engine.native.ir.instructions import COPY, Instruction
from hlokit.engine.native.ir.live_ranges import find_live_at_ends
from hlokit.engine.native.ir.register_allocation import allocate
from hlokit.engine.native.ir.scheduling import scheduled
from hlokit.engine.native.ir.small_arrays import split_small_arrays
from hlokit.engine.native.ir.target import NotLowerable
from hlokit.engine.native.ir.views import View
from hlokit.engine.native.lowerings.blocks import BlockLowering
from hlokit.engine.native.program import Assembled
from hlokit.values.types import TensorType


class Operand(NamedTuple):
    """An operand of a program.

    Attributes:
      register: the virtual register.
      value: the value of a scalar that is a constant of the program.
      has_any_nans: NaNs may have any bits. A lazy program requires all other NaNs to be canonical.
    """

    register: int
    type: TensorType
    value: Value = None
    has_any_nans: bool = False


class Result(NamedTuple):
    """A result of a program: a view of a register, or the number of an operand."""

    value: View | int
    type: TensorType


def assemble(
    lowering: BlockLowering,
    operands: Sequence[Operand],
    results: Sequence[Result],
    thresholds: Thresholds,
    *,
    is_lazy: bool,
) -> Assembled:
    """The program of lowered steps.

    Args:
      is_lazy: see `NativeProgram`.

    Raises:
      NotLowerable: the program exceeds a limit of the VM, or is lazy, and its loops process so many elements
        per instruction that calls of kernels cost little in comparison.
    """
    outputs = _copied_results(lowering, [result for result in results if isinstance(result.value, View)])
    kept = [*[operand.register for operand in operands], *outputs]
    lowering.instructions = split_small_arrays(lowering.instructions, lowering.registers, kept)
    checked = _with_canonical_nans(lowering, operands, outputs, is_lazy=is_lazy)
    address_windows(lowering.instructions, lowering.registers, lowering.constants, lowering.peephole.bounds)
    filled = [operand.register for operand in operands]
    live_at_ends = find_live_at_ends(lowering.instructions, outputs)
    in_order = scheduled(lowering.instructions, lowering.registers, outputs, live_at_ends)
    instructions, registers, places = allocate(in_order, lowering.registers, filled, outputs, live_at_ends)
    if is_lazy and _favours_kernels(instructions, thresholds):
        raise NotLowerable
    used = {register for instruction in instructions for register in instruction.operands}
    written = iter(outputs)
    constants = {**lowering.constants, **lowering.constant_arrays}
    counters = [candidate for candidate in lowering.counters if candidate[0] in places]
    counter, limit = max(counters, key=lambda candidate: candidate[1], default=(-1, 0))
    dtype = np.dtype(f"i{4 if registers[places[counter]].type == 'i32' else 8}") if counters else None
    return Assembled(
        *encode(instructions, registers),
        [_encoded(operand, places, used, is_checked=operand.register in checked) for operand in operands],
        [
            (result.value, (), None)
            if isinstance(result.value, int)
            else (places[next(written)], result.type.dims, result.type.element_type.dtype)
            for result in results
        ],
        [
            (places[register], np.asarray(value, order="C"))
            for register, value in constants.items()
            if register in places
        ],
        [call.encoded() for call in lowering.calls],
        thresholds.loop_budget,
        (places[counter], dtype) if dtype is not None else None,
        limit,
        is_lazy,
        lowering.could_unroll,
    )


def _favours_kernels(instructions: Sequence[Instruction], thresholds: Thresholds) -> bool:
    """Whether a loop processes so many elements that calls of kernels cost little in comparison: kernels of
    large arrays are faster than instructions."""
    most = thresholds.loop_elements
    depths = {
        instruction.loop_depth
        for instruction in instructions
        if instruction.loop_depth and instruction.work > most
    }
    for depth in depths:
        works = [instruction.work for instruction in instructions if instruction.loop_depth >= depth]
        if sum(work for work in works if work > most) > thresholds.loop_call_elements * len(works):
            return True
    return False


def _copied_results(lowering: BlockLowering, results: Sequence[Result]) -> list[int]:
    """Lower copies of the results to separate registers, which are the arrays that the caller gets."""
    values = [lowering.whole(result.value) for result in results if isinstance(result.value, View)]
    outputs: list[int] = []
    for result, value in zip(results, values, strict=True):
        outputs.append(lowering.new(result.type).register)
        lowering.add(Instruction(COPY, (outputs[-1],), (value,), work=result.type.size))
    return outputs


def _with_canonical_nans(
    lowering: BlockLowering, operands: Sequence[Operand], outputs: Sequence[int], *, is_lazy: bool
) -> set[int]:
    """Keep the necessary instructions that make NaNs canonical.

    Returns:
      The operands whose NaNs must be canonical when the program starts.
    """
    noncanonical = [operand.register for operand in operands if operand.has_any_nans or not is_lazy]
    noncanonical += noncanonical_constants([*lowering.constants.items(), *lowering.constant_arrays.items()])
    nans = CanonicalNans(
        lowering.instructions,
        lowering.registers,
        outputs,
        noncanonical,
        is_lazy=is_lazy,
        nans_of_calls=[call.nans for call in lowering.calls],
    )
    for register in nans.at_end:
        lowering.add(nans.instruction(register))
    if not nans.at_end:
        return set()
    return {
        operand.register
        for operand in operands
        if not operand.has_any_nans and operand.register in nans.moved
    }


def _encoded(operand: Operand, places: dict[int, int], used: set[int], *, is_checked: bool) -> Any:
    """The operand as `_kernels.Program` takes it."""
    register, type_, value, _ = operand
    if value is not None:
        return places[register], type_.dims, value.tobytes()
    if places[register] not in used:
        return -1, type_.dims, None
    return places[register], type_.dims, nan_bits(type_) if is_checked else None
