"""Native programs as JSON, for the folder of HLOKIT_CACHE, and back.

`_kernels.Program` checks the instructions, registers and constants of a file as it checks those that the
compiler makes. This module checks the types of operands and results, and that calls lead to steps.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from hlokit.engine.contract.region import Region
from hlokit.engine.contract.registry import Value
from hlokit.engine.native.lowerings.calls import Call
from hlokit.engine.native.program import Assembled
from hlokit.engine.plan.block import blocks_of, plan_of
from hlokit.engine.plan.plan import Plan, Step
from hlokit.errors import HlokitError
from hlokit.values.element_types import ELEMENT_TYPES, element_type_of
from hlokit.values.types import TensorType, ValueType

T = TypeVar("T")

# What functions raise for data of other types and values; nanobind has a `RuntimeError` for some.
_FAILURES = (
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RuntimeError,
    HlokitError,
)


class Damaged(Exception):
    """A record that was not written by this version."""


class NotStorable(Exception):
    """A program that calls kernels that cannot be named."""


def read(record: bytes, convert: Callable[[Any], T]) -> T:
    """What a function makes of a record.

    Raises:
      Damaged: the function fails.
    """
    import json  # few processes have a folder

    try:
        return convert(json.loads(record))
    except _FAILURES as error:
        raise Damaged from error


def written(data: Any) -> bytes:
    """A record as one line."""
    import json  # few processes have a folder

    return json.dumps(data, separators=(",", ":")).encode()


def as_data(program: Assembled) -> list[Any]:
    """A program as data of JSON."""
    return [
        program.types,
        program.code,
        program.counts,
        [
            (register, dims, fact.hex() if isinstance(fact, bytes) else fact)
            for register, dims, fact in program.operands
        ],
        [(register, dims, _name(dtype)) for register, dims, dtype in program.results],
        [(register, *_array_data(value)) for register, value in program.constants],
        [_call_data(call) for call in program.calls],
        program.budget,
        None if program.counter is None else (program.counter[0], _name(program.counter[1])),
        program.limit,
        program.is_lazy,
        program.could_unroll,
    ]


def from_data(data: Any, operands: Sequence[ValueType], results: Sequence[ValueType]) -> Assembled:
    """A program of data, for operands and results of these types."""
    types, code, counts, read_operands, read_results, constants, calls, budget, counter, *rest = data
    for read_values, value_types in ((read_operands, operands), (read_results, results)):
        if len(read_values) != len(value_types):
            raise ValueError
    program = Assembled(
        types,
        [
            (opcode, tuple(written_), tuple(read_), tuple(numbers))
            for opcode, written_, read_, numbers in code
        ],
        counts,
        [
            (register, _checked(dims, type_), _known(fact))
            for (register, dims, fact), type_ in zip(read_operands, operands, strict=True)
        ],
        [
            (register, dims, None) if name is None else (register, _checked(dims, type_, name), _dtype(name))
            for (register, dims, name), type_ in zip(read_results, results, strict=True)
        ],
        [(register, _array(*array)) for register, *array in constants],
        [_call(*call) for call in calls],
        budget,
        None if counter is None else (counter[0], _dtype(counter[1])),
        *rest,
    )
    for (number, _, dtype), type_ in zip(program.results, results, strict=True):
        if dtype is None and operands[number] != type_:
            raise ValueError
    return program


def _checked(dims: Sequence[int], type_: ValueType, name: str | None = None) -> Sequence[int]:
    if not isinstance(type_, TensorType) or tuple(dims) != type_.dims:
        raise ValueError
    if name is not None and name != type_.element_type.name:
        raise ValueError
    return type_.dims


def _known(fact: str | list[int] | None) -> bytes | tuple[int, int] | None:
    if isinstance(fact, list):
        infinity, nan = fact
        return infinity, nan
    return None if fact is None else bytes.fromhex(fact)


def _name(dtype: np.dtype[Any] | None) -> str | None:
    return None if dtype is None else element_type_of(dtype).name


def _dtype(name: str) -> np.dtype[Any]:
    return ELEMENT_TYPES[name].dtype


def _array_data(value: Value) -> tuple[str | None, Sequence[int], str]:
    return _name(value.dtype), value.shape, binascii.b2a_base64(value.tobytes(), newline=False).decode()


def _array(name: str, shape: list[int], data: str) -> Value:
    return np.frombuffer(binascii.a2b_base64(data), _dtype(name)).reshape(shape)


def _call_data(call: Any) -> Any:
    operands, results, copies = call
    return (
        [(shape, offset, strides, _name(dtype)) for shape, offset, strides, dtype in operands],
        [(dims, _name(dtype)) for dims, dtype in results],
        copies,
    )


def _call(operands: list[Any], results: list[Any], copies: bool) -> Any:
    return (
        [(shape, offset, strides, _dtype(name)) for shape, offset, strides, name in operands],
        [(dims, _dtype(name)) for dims, name in results],
        copies,
    )


# Kernels that a program calls, by the way to their steps: numbers of regions and steps, alternately.


def ways(calls: Sequence[Call], roots: Sequence[Region]) -> list[list[int]]:
    """The ways from the regions of a loop to the steps that its program calls.

    Raises:
      NotStorable: no block has a step.
    """
    return [_way([*call.trail, (call.plan, call.step)], roots) for call in calls]


def _way(steps: Sequence[tuple[Plan, Step]], regions: Sequence[Region]) -> list[int]:
    way: list[int] = []
    for _, step in steps:
        places = [
            (number, position)
            for number, region in enumerate(regions)
            for position, other in enumerate(plan_of(region).steps)
            if other is step
        ]
        if not places:  # a partial sort, which the plan of the block does not have
            raise NotStorable
        way += places[0]
        regions = blocks_of(step)
    return way


def calls_at(paths: Sequence[Sequence[int]], roots: Sequence[Region], data: Sequence[Any]) -> list[Call]:
    """The calls of a program, by the ways to their steps, which must have the types of the program's data."""
    return [_call_at(way, roots, encoded) for way, encoded in zip(paths, data, strict=True)]


def _call_at(way: Sequence[int], regions: Sequence[Region], encoded: Any) -> Call:
    steps: list[tuple[Plan, Step]] = []
    for block, position in zip(way[::2], way[1::2], strict=True):
        plan = plan_of(regions[block])
        steps.append((plan, plan.steps[position]))
        regions = blocks_of(plan.steps[position])
    plan, step = steps.pop()
    call = Call(plan, step, steps, ())
    operands, results, copies = encoded
    types = (
        [(tuple(shape), dtype) for shape, _, _, dtype in operands],
        [(tuple(dims), dtype) for dims, dtype in results],
    )
    if types != call.types or copies != call.copies:
        raise ValueError
    return call
