"""The tables of opcodes and of instructions that the extension exports, and the functions that look opcodes up."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from hlokit import _kernels
from hlokit.engine.native.ir import array_parameters, instructions, parameters

# Kinds of fields that are registers (lib/vm/fields.h).
REGISTERS = {
    "Result",
    "Results",
    "ResultWords",
    "Operand",
    "Operands",
    "Alike",
    "Initial",
    "Condition",
    "Words",
}

RECORDS: dict[str, Any] = {
    name: value
    for name, value in (vars(parameters) | vars(array_parameters)).items()
    if hasattr(value, "_fields")
}


def numbers(record: str) -> list[tuple[str, str]]:
    """The fields of a record that are numbers."""
    return [(name, kind) for name, kind in _kernels.instruction_fields()[record] if kind not in REGISTERS]


def annotation(kind: str) -> Any:
    """The type of a field in Python."""
    list_kind, _, element = kind.rstrip(">").partition("<")
    if list_kind in ("Axes", "Some"):
        return list[annotation(element)]
    if kind in _kernels.instruction_fields():
        return RECORDS[kind]
    return bool if kind == "Flag" else int


def test_every_opcode_is_found_by_its_types() -> None:
    for number, name, result, operands in _kernels.opcodes():
        assert _kernels.find_operation(name, result, operands[-1]) == number


def test_there_are_no_others() -> None:
    assert _kernels.find_operation("add", "f16", "f32") == -1
    assert _kernels.find_operation("nothing", "f32", "f32") == -1
    with pytest.raises(ValueError, match="there is no type f7"):
        _kernels.find_operation("add", "f7", "f7")


def test_constants_of_the_compiler_are_those_of_the_vm() -> None:
    opcodes = {name: opcode for name, (opcode, _) in _kernels.instructions().items()}
    assert {name: getattr(instructions, name.upper(), None) for name in opcodes} == opcodes
    assert sorted(opcodes.values()) == list(range(-len(opcodes), 0))
    assert not {instructions.COPY, instructions.IMPLICIT_DEF} & set(opcodes.values())


def test_every_record_has_the_fields_of_the_vm() -> None:
    # A conditional jump has the numbers of a jump; a record of registers alone needs no class.
    wanted = {name for name in _kernels.instruction_fields() if numbers(name)} - {"ConditionalJump"}
    assert numbers("ConditionalJump") == numbers("Jump")
    assert set(RECORDS) == wanted
    for name, record in RECORDS.items():
        fields = {field: annotation(kind) for field, kind in numbers(name)}
        assert list(get_type_hints(record).items()) == list(fields.items()), name


def test_numbers_are_flat() -> None:
    axes = [array_parameters.WindowAxis(2, 3, 4)]
    start = array_parameters.WindowStart(5, 6, 7, -1, [8, 9])
    windows = array_parameters.Windows(10, 11, [], axes, [start], clamps=True, combine=-1)
    assert parameters.numbers_of(windows) == [10, 11, 0, 1, 2, 3, 4, 1, 5, 6, 7, -1, 2, 8, 9, 1, -1]


@pytest.mark.parametrize("type_", ["f32", "f64", "complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("name", ["select", "clamp"])
def test_operations_of_three_operands_are_no_functions(name: str, type_: str) -> None:
    with pytest.raises(ValueError, match=f"no function {name} of"):
        _kernels.scalar_function(name, type_)
