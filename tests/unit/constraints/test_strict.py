"""The strict verifier: valid programs that it must accept, and its messages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlokit.constraints import strict
from hlokit.constraints.types import agree, is_promotable
from hlokit.errors import ParseError, VerificationError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context
from hlokit.values.element_types import ELEMENT_TYPES
from hlokit.values.quantized import QuantizedType
from hlokit.values.types import TensorType

TESTS = Path(__file__).parents[2]
CONTEXT = make_context()
# Programs for which the specification has no rule that the bindings lack, or that extend it on purpose.
BEYOND_THE_SPECIFICATION = {
    "dot_general.mlir": "operands of different element types, as XLA has them",
}


@pytest.mark.parametrize("folder", ["interpret", "verify"])
def test_valid_programs_pass(folder: str) -> None:
    count = 0
    for path in sorted((TESTS / folder).rglob("*.mlir")):
        if path.name in BEYOND_THE_SPECIFICATION or path.parent.name == "strict":
            continue
        for text in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE):
            try:
                module = parse_text(CONTEXT, text, path.name)
            except (ParseError, VerificationError):
                continue
            assert strict.check(module, path.name) == [], path
            count += 1
    assert count > 40


def test_diagnostics_have_position_and_label() -> None:
    text = """func.func @main(%x: tensor<3xi32>) {
      %0 = "stablehlo.compare"(%x, %x) {
        comparison_direction = #stablehlo<comparison_direction LT>,
        compare_type = #stablehlo<comparison_type FLOAT>
      } : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
      return
    }"""
    (diagnostic,) = strict.check(parse_text(CONTEXT, text, "a.mlir"), "a.mlir")
    assert (diagnostic.severity, diagnostic.file, diagnostic.line) == ("error", "a.mlir", 2)
    assert diagnostic.message == ("'stablehlo.compare' op compare_type of i32 must be SIGNED, got FLOAT (C3)")


@pytest.mark.parametrize(
    "operation",
    [
        '"stablehlo.bitcast_convert"(%x) : (tensor<?x4xf32>) -> tensor<2x?xi32>',
        '"stablehlo.bitcast_convert"(%x) : (tensor<?x4xf32>) -> tensor<?x4x2xi16>',
        """"stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64,
          replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<?x4xf32>) -> tensor<7x4xf32>""",
        """"stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64,
          replica_groups = dense<> : tensor<0x0xi64>} : (tensor<?x4xf32>) -> tensor<?x12xf32>""",
        """"stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64,
          replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
          channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<?x4xf32>) -> tensor<?x24xf32>""",
    ],
)
def test_unknown_types_are_not_rejected(operation: str) -> None:
    text = f"func.func @main(%x: tensor<?x4xf32>) {{\n%0 = {operation}\nreturn\n}}"
    assert strict.check(parse_text(CONTEXT, text)) == []


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("f16", "f32", True),
        ("f32", "f16", False),
        ("f16", "bf16", True),
        ("i8", "i32", True),
        ("i32", "f32", False),
        ("i1", "i1", True),
        ("i1", "i8", False),
        ("complex<f64>", "complex<f32>", False),
    ],
)
def test_promotion(source: str, target: str, expected: bool) -> None:
    assert is_promotable(ELEMENT_TYPES[source], ELEMENT_TYPES[target]) is expected


def test_promotion_of_quantized_types_is_that_of_their_storage() -> None:
    i8, i16, f64 = (ELEMENT_TYPES[name] for name in ("i8", "i16", "f64"))
    f32 = ELEMENT_TYPES["f32"]
    narrow, wide = (QuantizedType.make(storage, f32, (0.5,), (0,)) for storage in (i8, i16))
    assert is_promotable(narrow, wide)
    assert not is_promotable(wide, narrow)
    assert not is_promotable(narrow, QuantizedType.make(i16, f64, (0.5,), (0,)))
    assert not is_promotable(narrow, f32)


GATHER = """func.func @main(%x: tensor<2xf32>) {{
  %0 = "stablehlo.all_gather"(%x) {{
    all_gather_dim = 0 : i64,
    replica_groups = #stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [#stablehlo.axis_ref<name = "x">]>
  }} : (tensor<2xf32>) -> tensor<6xf32>
  return
}}"""


def test_groups_of_mesh_axes() -> None:
    axes = '#stablehlo.mesh_axis<name = "x", size = {}>'
    two, three = (f"#stablehlo.mesh<axes = [{axes.format(size)}]>" for size in (2, 3))
    assert strict.check(parse_text(CONTEXT, GATHER.format(mesh=three))) == []
    (diagnostic,) = strict.check(parse_text(CONTEXT, GATHER.format(mesh=two)))
    assert diagnostic.message.endswith(
        "must grow by the size of the process groups, 2, got tensor<2xf32> and tensor<6xf32> (C6)"
    )


def test_groups_of_a_mesh_of_shardy() -> None:
    two, three = (f'sdy.mesh @mesh = <["x"={size}]>\n{GATHER.format(mesh="@mesh")}' for size in (2, 3))
    assert strict.check(parse_text(CONTEXT, three)) == []
    (diagnostic,) = strict.check(parse_text(CONTEXT, two))
    assert "must grow by the size of the process groups, 2" in diagnostic.message


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ((2, 3), (2, 3), True),
        ((2, 3), (2, 4), False),
        ((2, -1), (2, 4), True),
        ((2, 3), (2,), False),
        ((2, 3), None, True),
    ],
)
def test_shapes_that_may_be_equal_agree(
    left: tuple[int, ...], right: tuple[int, ...] | None, expected: bool
) -> None:
    f32 = ELEMENT_TYPES["f32"]
    assert agree(TensorType(left, f32), TensorType(right, f32)) is expected
    assert not agree(TensorType(left, f32), TensorType(left, ELEMENT_TYPES["f64"]))
