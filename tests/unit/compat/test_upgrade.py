"""Text of older versions."""

from __future__ import annotations

import math
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
        ("#mhlo<comparison_direction LT>", "#stablehlo<comparison_direction LT>"),
        ('#mhlo<"comparison_direction LT">', "#stablehlo<comparison_direction LT>"),
        ("#mhlo.comparison_direction<LT>", "#stablehlo<comparison_direction LT>"),
        ("#mhlo.rng_distribution< UNIFORM >", "#stablehlo<rng_distribution UNIFORM>"),
        ("#mhlo.result_accuracy_mode<TOLERANCE>", "#stablehlo.result_accuracy_mode<TOLERANCE>"),
        (
            "#mhlo.dot<lhs_contracting_dimensions = [1]>",
            "#stablehlo.dot<lhs_contracting_dimensions = [1]>",
        ),
        ("#mhlo<custom_call_schedule NONE>", "#mhlo<custom_call_schedule NONE>"),
        ("#mhlo.result_alias<result_index = [2]>", "#mhlo.result_alias<result_index = [2]>"),
        ("!mhlo.token", "!stablehlo.token"),
        ("{mhlo.sharding = 1 : i32}", "{mhlo.sharding = 1 : i32}"),
        ('call_target_name = "mhlo.topk"', 'call_target_name = "mhlo.topk"'),
        ('"mhlo.erf"(%x)', '"chlo.erf"(%x)'),
        ("mhlo.erf %x : tensor<2xf32>", "chlo.erf %x : tensor<2xf32> -> tensor<2xf32>"),
        (
            "mhlo.acos %x#1 {a = 1} : tensor<f32>, %y",
            "chlo.acos %x#1 {a = 1} : tensor<f32> -> tensor<f32>, %y",
        ),
        ("mhlo.copy %x : tensor<f32>", "stablehlo.optimization_barrier %x : tensor<f32>"),
        ("mhlo.topk(%x, k=2, largest=true) : T", "chlo.top_k(%x, k=2) : T"),
        (
            "mhlo.topk(%x, k = 2, largest = false) : tensor<3xf32> -> (A, B)",
            "stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2, largest = false}, "
            "mhlo.version = 1 : i64} : (tensor<3xf32>) -> (A, B)",
        ),
        ("mhlo.forgotten", "mhlo.forgotten"),
        ('comparison_direction = "LT"', "comparison_direction = #stablehlo<comparison_direction LT>"),
        (
            '"chlo.broadcast_compare"(%a) {compare_type = "FLOAT"}',
            '"chlo.broadcast_compare"(%a) {compare_type = #chlo<comparison_type FLOAT>}',
        ),
        (
            'precision_config = ["DEFAULT", "HIGH"]',
            "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]",
        ),
        ('precision_config = "a word"', 'precision_config = "a word"'),
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


MHLO = """func.func @main(%a: tensor<5xf32>, %b: tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>, tensor<5xf32>, tensor<5xi1>)
    attributes {mhlo.frontend_attributes = {a = "mhlo.add"}} {
  %0:2 = "mhlo.topk"(%a) <{k = 2 : i64, largest = false}> : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %1 = mhlo.erf %a : tensor<5xf32>
  %2 = "mhlo.copy"(%1) : (tensor<5xf32>) -> tensor<5xf32>
  %3 = mhlo.compare LT, %a, %b, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %0#0, %0#1, %2, %3 : tensor<2xf32>, tensor<2xi32>, tensor<5xf32>, tensor<5xi1>
}
"""
RAGGED = """func.func @main(%a: tensor<4x5xf32>, %b: tensor<2x5x7xf32>, %g: tensor<2xi32>) -> tensor<4x7xf32> {
  %0 = "mhlo.ragged_dot"(%a, %b, %g) <{precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>],
    ragged_dot_dimension_numbers = #mhlo.ragged_dot<dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1]>, lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
    : (tensor<4x5xf32>, tensor<2x5x7xf32>, tensor<2xi32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}
"""


def test_programs_of_mhlo() -> None:
    a, b = np.array([3, 1, 2, 5, -4], np.float32), np.array([3, 2, 1, 6, -5], np.float32)
    values, indices, erf, less = hlokit.load(upgrade(MHLO)[0])(a, b)
    assert (values.tolist(), indices.tolist()) == ([-4, 1], [4, 1])
    np.testing.assert_allclose(erf, [math.erf(x) for x in a], rtol=1e-6)
    np.testing.assert_array_equal(less, a < b)


def test_ragged_products_of_mhlo() -> None:
    a, b = np.ones((4, 5), np.float32), np.stack([np.ones((5, 7)), 2 * np.ones((5, 7))]).astype(np.float32)
    result = hlokit.load(upgrade(RAGGED)[0])(a, b, np.array([1, 3], np.int32))
    np.testing.assert_array_equal(result[:, 0], [5, 10, 10, 10])


@pytest.mark.parametrize("command", ["run", "info", "diff", "verify"])
def test_commands_advise_to_upgrade_mhlo(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.mlir"
    other = ("--against=xla",) if command == "diff" else ()
    advice = "`hlokit upgrade FILE` rewrites MHLO as StableHLO"
    lacking = "StableHLO and CHLO have no such operation"
    for text, expected in (
        (MHLO, advice),
        (RAGGED.replace('"mhlo.ragged_dot"', '"chlo.ragged_dot"'), advice),
        ('func.func @main() {\n  "mhlo.trace"() : () -> ()\n  return\n}', lacking),
    ):
        path.write_text(text)
        assert main([command, str(path), *other]) == 1 + len(other)
        captured = capsys.readouterr()
        assert expected in captured.out + captured.err


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
    assert f"{path}:3:24: error:" in captured.err
    assert "StableHLO and CHLO have no such operation" in captured.err
