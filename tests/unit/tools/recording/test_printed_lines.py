"""Bytecode without locations has lines of the text that a command prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import hlokit
from hlokit.mlir.printing import write_bytecode
from hlokit.tools.recording.places import Operations

TEXT = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>

  %0 = stablehlo.add %x, %c : tensor<3xf32>
  %1 = stablehlo.tanh %0 : tensor<3xf32>
  return %1 : tensor<3xf32>
}
"""


def line_of_tanh(operations: Operations) -> str:
    (number,) = [n for n, operation in enumerate(operations.all) if operation.name == "stablehlo.tanh"]
    return operations.source(number)


@pytest.mark.deep
@pytest.mark.parametrize("command", ["stablehlo-opt", "stablehlo-translate --deserialize"])
@pytest.mark.parametrize("has_locations", [False, True])
def test_lines_are_those_of_the_command(command: str, has_locations: bool, tmp_path: Path) -> None:
    program, path = hlokit.load(TEXT), tmp_path / "program.mlirbc"
    if command == "stablehlo-opt":
        stripped = program if has_locations else hlokit.load(program.text())
        path.write_bytes(write_bytecode(stripped.module))
    else:
        path.write_bytes(program.serialize(strip_debug_info=not has_locations))
    source = line_of_tanh(Operations.of_program(hlokit.load(path)))
    assert source.startswith("line ")
    assert source.endswith(f" of '{command} {path}'")
    name, *flags = command.split()
    words = [Path(sys.executable).with_name(name), *flags, path]
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "stablehlo.tanh" in run.stdout.split("\n")[int(source.split()[1]) - 1]


def test_lines_of_text_and_names_stay() -> None:
    assert line_of_tanh(Operations.of_program(hlokit.load(TEXT))) == "-:5:8"
    named = TEXT.replace("tanh %0 : tensor<3xf32>", 'tanh %0 : tensor<3xf32> loc("jit(f)/tanh")')
    program = hlokit.load(write_bytecode(hlokit.load(named).module))
    assert line_of_tanh(Operations.of_program(program)) == "line 5 of 'Program.text()' (jit(f)/tanh)"
    unknown = TEXT.replace("tanh %0 : tensor<3xf32>", "tanh %0 : tensor<3xf32> loc(unknown)")
    assert line_of_tanh(Operations.of_program(hlokit.load(unknown))) == "line 5 of 'Program.text()'"
