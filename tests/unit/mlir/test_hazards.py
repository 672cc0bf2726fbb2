"""Text that bindings may die of gives an error."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hlokit.errors import HlokitError
from hlokit.mlir.context import make_context
from hlokit.mlir.hazards import HAZARDS, require_harmless
from hlokit.mlir.parse import parse_text

WITHOUT_GROUPS = """func.func @main(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
    split_count = 4 : i64, replica_groups = dense<0> : tensor<0x3xi64>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}"""
PROGRAMS = {"all_to_all": WITHOUT_GROUPS}


def test_every_hazard_has_a_program() -> None:
    assert {hazard.word for hazard in HAZARDS} == set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_hazard_is_an_error(name: str) -> None:
    program = f"from hlokit.mlir.parse import parse_text\nfrom hlokit.mlir.context import make_context\nfrom hlokit.errors import HlokitError\ntry:\n  parse_text(make_context(), {PROGRAMS[name]!r}, 'x.mlir')\nexcept HlokitError as error:\n  print(error)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "x.mlir" in done.stdout
    assert "error: " in done.stdout


def test_harmless_text_with_the_signs_of_a_hazard_passes() -> None:
    text = """func.func @main(%x: tensor<4x6xf32>, %y: tensor<0x3xi64>) -> tensor<4x6xf32> {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
    split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}"""
    require_harmless(text)
    assert parse_text(make_context(), text).operation.verify()


def test_invalid_text_with_the_signs_of_a_hazard_keeps_its_error() -> None:
    with pytest.raises(HlokitError, match=r"x\.mlir:2:"):
        parse_text(make_context(), "// all_to_all tensor<0x1xi64>\nfunc.fun @main()", "x.mlir")
