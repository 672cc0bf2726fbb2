"""Text of older versions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import hlokit
from hlokit.cli.main import main
from hlokit.compat.upgrade import upgrade

OLD = """func @main(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
  // dimensions = dense<[1]> : tensor<1xi64> in a comment
  %0 = "mhlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>, note = "dimensions = dense<1> : tensor<1xi64>"} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
"""


def test_old_text() -> None:
    text, changes = upgrade(OLD)
    program = hlokit.load(text)
    assert str(program.signature()) == "@main(tensor<2x3xf32>) -> tensor<3x2xf32>"
    assert [(change.line, change.column, change.what) for change in changes] == [
        (1, 1, "func is now func.func"),
        (3, 8, "the dialect mhlo is now stablehlo"),
        (3, 30, "permutation is now an array, not a tensor"),
    ]
    assert 'note = "dimensions = dense<1> : tensor<1xi64>"' in text
    assert "// dimensions = dense<[1]> : tensor<1xi64> in a comment" in text


def test_text_of_today_stays() -> None:
    text, changes = upgrade(upgrade(OLD)[0])
    assert text == upgrade(OLD)[0]
    assert not changes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("strides = dense<1> : tensor<3xi64>", "strides = array<i64: 1, 1, 1>"),
        ("strides = dense<[]> : tensor<0xi64>", "strides = array<i64>"),
        ("strides = dense<[-1, 2]> : tensor<2xi64>", "strides = array<i64: -1, 2>"),
        ("window_reversal=dense<false>:tensor<2xi1>", "window_reversal = array<i1: false, false>"),
        ("padding = dense<0> : tensor<2xi64>", "padding = dense<0> : tensor<2xi64>"),
        ("strides = dense<[[1, 2]]> : tensor<1x2xi64>", "strides = dense<[[1, 2]]> : tensor<1x2xi64>"),
        ("tensor<?xf32, #stablehlo.type_extensions<bounds = [3]>>", "tensor<?xf32, #stablehlo.bounds<3>>"),
        ("#mhlo.type_extensions<bounds = [3]>", "#stablehlo.bounds<3>"),
        ("#mhlo<comparison_direction LT>", "#mhlo<comparison_direction LT>"),
        ('dense<"0xFF01"> : tensor<2x5xi1>', f'dense<"0x{"01" * 9}00"> : tensor<2x5xi1>'),
        ('dense < "0x010A" > :tensor<16xi1>', f'dense<"0x01{"00" * 8}01000100000000"> : tensor<16xi1>'),
        ('dense<"0x01"> : tensor<8xi1>', 'dense<"0x01"> : tensor<8xi1>'),
        ('dense<"0x0100"> : tensor<2xi1>', 'dense<"0x0100"> : tensor<2xi1>'),
        ('dense<"0x010203"> : tensor<16xi1>', 'dense<"0x010203"> : tensor<16xi1>'),
        ('dense<"0xFF01"> : tensor<16xi8>', 'dense<"0xFF01"> : tensor<16xi8>'),
        (MANY := f'dense<"0xFF01"> : tensor<{"9" * 5000}xi1>', MANY),
        (
            "strides = dense<1> : tensor<9999999xi64>",
            "strides = dense<1> : tensor<9999999xi64>",
        ),
        (SPLAT := f"strides = dense<1> : tensor<{'9' * 5000}xi64>", SPLAT),
        ("func private @f()", "func.func private @f()"),
        ("func.func @f()", "func.func @f()"),
    ],
)
def test_rewrites(old: str, new: str) -> None:
    assert upgrade(old)[0] == new


PACKED = """func.func @main() -> tensor<2x8xi1> {
  %0 = stablehlo.constant dense<"0x8E01"> : tensor<2x8xi1>
  return %0 : tensor<2x8xi1>
}
"""


def test_booleans_that_older_mlir_packed() -> None:
    booleans = hlokit.load(upgrade(PACKED)[0])()
    assert np.packbits(booleans, bitorder="little").tolist() == [0x8E, 0x01]


def test_parser_advises_to_upgrade_packed_booleans() -> None:
    with pytest.raises(hlokit.ParseError, match=r"invalid.* `hlokit upgrade FILE` rewrites them") as caught:
        hlokit.load(PACKED)
    assert caught.value.diagnostics[0].line == 2
    with pytest.raises(hlokit.ParseError) as caught:
        hlokit.load(PACKED.replace("0x8E01", "0x8E0102"))
    assert "upgrade" not in str(caught.value)


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "old.mlir"
    path.write_text(OLD)
    assert main(["upgrade", str(path), "-o", str(tmp_path / "new.mlir")]) == 0
    assert f"{path}:3:30: remark: permutation is now an array, not a tensor" in capsys.readouterr().err
    assert hlokit.load(tmp_path / "new.mlir").functions == ("main",)


def test_command_names_operations_that_it_cannot_upgrade(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.mlir"
    path.write_text(OLD.replace("mhlo.transpose", "mhlo.forgotten"))
    assert main(["upgrade", str(path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{path}:3:8: error:" in captured.err
