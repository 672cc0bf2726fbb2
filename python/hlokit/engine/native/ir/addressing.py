"""Addressing: where the start of a window is the sum of a value and a constant, the window is offset instead.

Loops over a table read elements beside the one that the counter numbers. The next value of the counter would
be computed early for that, and be copied at the end of the iteration.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hlokit.engine.native.ir.instructions import (
    COPY,
    READ_WINDOWS,
    SCALAR,
    WRITE_WINDOWS,
    Instruction,
    VirtualRegister,
)
from hlokit.engine.native.ir.target import operation


class _Sum(NamedTuple):
    """The sum of a value, which is not negative, and a constant; `most` is the greatest sum."""

    value: int
    constant: int
    most: int


def address_windows(
    instructions: Sequence[Instruction],
    registers: Sequence[VirtualRegister],
    constants: Mapping[int, Any],
    bounds: Mapping[int, tuple[int, int]],
) -> None:
    """Replace starts of windows by values of which they are sums, where the windows lie inside their arrays.

    Args:
      constants: the values of the registers that are constants.
      bounds: the least and the greatest value of sums, where they are known; these do not wrap around.
    """
    additions = [operation("add", type_, type_) for type_ in ("i32", "i64")]
    targets = {instruction.target for instruction in instructions if instruction.is_jump}
    sums: dict[int, _Sum] = {}  # of registers that hold sums of what other registers still hold
    for at, instruction in enumerate(instructions):
        if at in targets:
            sums.clear()
        if sums:
            if instruction.operation in (READ_WINDOWS, WRITE_WINDOWS):
                _address(instruction, sums)
            written = instruction.results
            for register in [n for n, sum_ in sums.items() if n in written or sum_.value in written]:
                del sums[register]
        if instruction.operation in additions and registers[instruction.result].count == SCALAR:
            least, most = bounds.get(instruction.result, (-1, -1))
            for value, other in (instruction.operands, instruction.operands[::-1]):
                constant = int(constants.get(other, -1))
                if 0 < constant <= least and value != instruction.result:
                    sums[instruction.result] = _Sum(value, constant, most)
        elif instruction.operation == COPY and instruction.operands[0] in sums:
            sums[instruction.result] = sums[instruction.operands[0]]


def _address(instruction: Instruction, sums: Mapping[int, _Sum]) -> None:
    parameters: Any = instruction.parameters
    array, *starts = instruction.operands
    components = list(parameters.components)
    offset = parameters.array_offset
    for n, (start, component) in enumerate(zip(starts, components, strict=True)):
        sum_ = sums.get(start)
        if sum_ is not None and sum_.most <= component.limit:
            starts[n] = sum_.value
            components[n] = component._replace(limit=component.limit - sum_.constant)
            offset += sum_.constant * component.stride
    instruction.operands = (array, *starts)
    instruction.parameters = parameters._replace(array_offset=offset, components=components)
