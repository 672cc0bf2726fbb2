"""The numbers of instructions besides their registers: shapes, offsets and strides, in elements.

The records and their fields are those of lib/vm/instructions.inc, which explains them. A field is a number, a
record, or a list of either. Most programs have only the instructions of this module; `array_parameters` has
the records of the others.
"""

# Without `from __future__ import annotations`: named tuples would compile the text of each annotation.
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

# A record.
Parameters = tuple[Any, ...]


class Jump(NamedTuple):
    target: int


class MoveAxis(NamedTuple):
    size: int
    source: int
    target: int


class Move(NamedTuple):
    source_offset: int
    target_offset: int
    axes: list[MoveAxis]


class Call(NamedTuple):
    number: int


_Field: TypeAlias = "int | Sequence[_Field]"


def numbers_of(parameters: Parameters) -> list[int]:
    """The numbers as `_kernels.Program` takes them: a list is its length, then its elements."""
    numbers: list[int] = []
    _append(numbers, parameters)
    return numbers


def _append(numbers: list[int], fields: Sequence[_Field]) -> None:
    for field in fields:
        if isinstance(field, int):
            numbers.append(field)
            continue
        if isinstance(field, list):
            numbers.append(len(field))
        _append(numbers, field)
