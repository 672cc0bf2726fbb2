"""The table of opcodes that the extension exports, and the functions that look opcodes up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlokit import _kernels
from hlokit.native.ir import instructions

HEADER = Path(__file__).parents[4] / "lib" / "vm" / "opcodes.h"


def test_every_opcode_is_found_by_its_types() -> None:
    for number, name, result, operands in _kernels.opcodes():
        assert _kernels.find_operation(name, result, operands[-1]) == number


def test_instructions_have_the_numbers_of_the_header() -> None:
    numbers = {
        name: int(number) for name, number in re.findall(r"constexpr int (\w+) = (-\d+);", HEADER.read_text())
    }
    assert numbers == _kernels.instructions()


def test_there_are_no_others() -> None:
    assert _kernels.find_operation("add", "f16", "f32") == -1
    assert _kernels.find_operation("nothing", "f32", "f32") == -1
    with pytest.raises(ValueError, match="there is no type f7"):
        _kernels.find_operation("add", "f7", "f7")


def test_constants_of_the_compiler_are_those_of_the_vm() -> None:
    constants = {name: getattr(instructions, name.upper(), None) for name in _kernels.instructions()}
    assert constants == _kernels.instructions()


@pytest.mark.parametrize("type_", ["f32", "f64", "complex<f32>", "complex<f64>"])
@pytest.mark.parametrize("name", ["select", "clamp"])
def test_operations_of_three_operands_are_no_functions(name: str, type_: str) -> None:
    with pytest.raises(ValueError, match=f"no function {name} of"):
        _kernels.scalar_function(name, type_)
