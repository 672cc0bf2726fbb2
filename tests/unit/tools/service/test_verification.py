"""Verification: all errors with their positions, and no error that is not in the program."""

from __future__ import annotations

from pathlib import Path

import pytest

import hlokit
from hlokit.mlir.provider.context import make_context
from hlokit.tools.service.masking import without_body, without_operation
from hlokit.tools.service.verification import verify_in_context

VALID = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  return %a : tensor<2xf32>\n}\n"
# Kills the bindings, also as text: there is no init value.
DEADLY = """func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>
  return
}
"""
MANY = """#axis = array<i64: 4>
func.func @first(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = stablehlo.transpose %0, dims = [7] : (tensor<2xf32>) -> tensor<2xf32> // a comment
  // another: %9 = stablehlo.abs
  %2:2 = "stablehlo.reduce"(%1, %1, %1, %1) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3, %3 : tensor<f32>, tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
      -> (tensor<f32>, tensor<f32>)
  %4 = stablehlo.add %2#0, %2#1 : tensor<f32>
  return %1 : tensor<2xf32>
}
func.func private @second(%a: tensor<2xf32>) -> tensor<2xf32> attributes {note = "{"} {
  %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<3xf32>
  %1 = func.call @nowhere(%0) : (tensor<3xf32>) -> tensor<2xf32>
  %2 = stablehlo.abs %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}
"""


def positions(diagnostics: list[hlokit.Diagnostic]) -> list[tuple[int, int]]:
    return sorted({(item.line, item.column) for item in diagnostics})


def test_valid_programs() -> None:
    assert hlokit.verify(VALID) == []
    assert hlokit.verify(VALID.encode()) == []


def test_every_invalid_operation_is_reported() -> None:
    found = hlokit.verify(MANY, filename="many.mlir")
    assert positions(found) == [(3, 8), (4, 8), (6, 10), (13, 3), (16, 8), (17, 8)]
    assert {item.file for item in found} == {"many.mlir"}
    assert any("does not reference a valid function" in item.message for item in found)


def test_one_error_of_the_parser_in_each_function() -> None:
    bodies = ("%0 = stablehlo.no_such %a", "return %a : tensor<2xf32>", "%0 = stablehlo.abs %a tensor", "]")
    functions = [
        f"func.func @f{i}(%a: tensor<2xf32>) -> tensor<2xf32> {{\n  {body}\n}}\n"
        for i, body in enumerate(bodies)
    ]
    assert [item.line for item in hlokit.verify("".join(functions[:3]))] == [2, 8]
    # After an extra bracket, the end of the function is unknown.
    assert [item.line for item in hlokit.verify("".join(functions))][:2] == [2, 8]


def test_errors_in_regions() -> None:
    text = """func.func @main(%p: tensor<i1>, %a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<3xf32>
    stablehlo.return %a : tensor<2xf32>
  }, {
    %1 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
    assert positions(hlokit.verify(text)) == [(3, 10), (6, 10)]


def test_a_crash_of_the_bindings_is_a_diagnostic() -> None:
    (found,) = hlokit.verify(DEADLY)
    assert found.severity == "error"
    assert found.message == "the program cannot be verified: it kills its reader (SIGSEGV)" or found.line == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"\xfe\xfd", "input must be MLIR text, MLIR bytecode"),
        (b"ML\xefR\x06nonsense", "malformed bytecode"),
        ("{" * 5000, "nested more than 256 levels deep"),
        ("/no/such/file.mlir", "cannot open input file"),
        ("func.func\n", "expected"),
    ],
)
def test_inputs_that_are_none(source: str | bytes, message: str) -> None:
    (found,) = hlokit.verify(source)
    assert message in found.message


def test_files_and_bytecode(tmp_path: Path) -> None:
    path = tmp_path / "x.mlir"
    path.write_text(MANY)
    assert {item.file for item in hlokit.verify(path)} == {str(path)}
    assert hlokit.verify(str(path)) == hlokit.verify(path)
    with open(tmp_path / "x.mlirbc", "wb") as file:
        hlokit.load(VALID).module.operation.write_bytecode(file)
    assert hlokit.verify(tmp_path / "x.mlirbc") == []


def test_strict() -> None:
    """Invalid by the specification, accepted by the bindings: global ids without a channel."""
    text = """func.func @main(%a: tensor<2xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_gather"(%a) {
    all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids
  } : (tensor<2xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    assert hlokit.verify(text) == []
    found = hlokit.verify(text, strict=True, filename="loose.mlir")
    assert [(item.severity, item.file, item.line) for item in found] == [("error", "loose.mlir", 2)]
    assert found[0].message.endswith("(C5)")
    assert verify_in_context(make_context(), text.encode(), "loose.mlir", strict=True) == found
    assert hlokit.verify(VALID, strict=True) == []


def test_masks_keep_lines() -> None:
    masked = without_operation(MANY, 6, 10, ())
    assert masked is not None
    assert masked.count("\n") == MANY.count("\n")
    assert masked.splitlines()[11:] == MANY.splitlines()[11:]
    body = without_body(MANY, 17, 3)
    assert body is not None
    assert body.count("\n") == MANY.count("\n")
    assert body.splitlines()[:14] == MANY.splitlines()[:14]
    assert without_body(MANY, 1, 1) is None
    assert without_operation(MANY, 99, 1, ()) is None
    assert without_operation("", 1, 1, ()) is None
