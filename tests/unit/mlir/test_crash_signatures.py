"""Text that crashes some bindings gives an error."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from hlokit.errors import HlokitError
from hlokit.mlir.crash_signatures import CRASH_SIGNATURES, require_harmless
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context

WITHOUT_GROUPS = """func.func @main(%x: tensor<4x6xf32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
    split_count = 4 : i64, replica_groups = dense<0> : tensor<0x3xi64>} : (tensor<4x6xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}"""
NEGATIVE_DIMENSIONS = """func.func @main(%x: tensor<4x6xf32>, %y: tensor<6xf32>) {
  %0 = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: -1>} : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  return
}"""
UNRANKED_DOT = """func.func @main(%x: tensor<*xf32>, %y: tensor<*xf32>, %sizes: tensor<2xi64>) {
  %0 = "chlo.ragged_dot"(%x, %y, %sizes) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>
  } : (tensor<*xf32>, tensor<*xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return
}"""
LOW_RANK_SCAN = """func.func @main(%x: tensor<3xf32>) {
  %0:2 = "chlo.scan"(%x) ({
  ^bb0(%carry: tensor<3xf32>):
    stablehlo.return %carry, %carry : tensor<3xf32>, tensor<3xf32>
  }) {dimension = 3 : i64, operandSegmentSizes = array<i32: 0, 1>, resultSegmentSizes = array<i32: 1, 1>}
    : (tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}"""
SCALES_OF_RESULT = """!result = tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
func.func @main(%x: tensor<1x3xcomplex<f32>>, %dimensions: tensor<2xi64>) {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %dimensions, dims = [0, 1]
    : (tensor<1x3xcomplex<f32>>, tensor<2xi64>) -> !result
  return
}"""
RAW_DIMENSIONS = """func.func @main(%x: tensor<*xf32>, %y: tensor<4x6x3xf32>) {
  %0 = "stablehlo.convolution"(%x, %y) {
    dimension_numbers = #stablehlo.conv<raw input_spatial_dimensions = [2], output_spatial_dimensions = [7]>,
    batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<*xf32>, tensor<4x6x3xf32>) -> tensor<2x4x7xf32>
  return
}"""
NO_INPUTS = """func.func @main() {
  "stablehlo.reduce"() ({
    stablehlo.return
  }) {dimensions = array<i64: 0>} : () -> ()
  return
}"""
NO_RESULT = """func.func @main(%x: tensor<3xf32>) {
  stablehlo.custom_call @f(%x) {output_operand_aliases = [
    #stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>
  ]} : (tensor<3xf32>) -> ()
  return
}"""
TOKEN_OF_SORT = """func.func @main(%x: tensor<3xf32>) {
  %0 = "stablehlo.sort"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %token = stablehlo.create_token : !stablehlo.token
    "stablehlo.return"(%token) : (!stablehlo.token) -> ()
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}"""
TOKEN_OF_WHILE = """func.func @main(%x: tensor<i32>) {
  %0 = stablehlo.while(%i = %x) : tensor<i32>
  cond {
    %token = stablehlo.create_token : !stablehlo.token
    stablehlo.return %token : !stablehlo.token
  } do {
    stablehlo.return %i : tensor<i32>
  }
  return
}"""
PROGRAMS = {
    "all_to_all": WITHOUT_GROUPS,
    "chlo.broadcast_": NEGATIVE_DIMENSIONS,
    "chlo.ragged_dot": UNRANKED_DOT,
    "chlo.scan": LOW_RANK_SCAN,
    "dynamic_broadcast_in_dim": SCALES_OF_RESULT,
    "output_operand_aliases": NO_RESULT,
    "raw": RAW_DIMENSIONS,
    "stablehlo.reduce": NO_INPUTS,
    "stablehlo.sort": TOKEN_OF_SORT,
    "stablehlo.while": TOKEN_OF_WHILE,
}


def test_every_signature_has_a_program() -> None:
    assert {signature.word for signature in CRASH_SIGNATURES} == set(PROGRAMS)


# In a child process, which the text may crash. Each program has a line of the output.
PARSE_ALL = """
import json, sys
from hlokit.errors import HlokitError
from hlokit.mlir.provider.context import make_context
from hlokit.mlir.parse import parse_text
for name, text in json.load(sys.stdin).items():
  try:
    parse_text(make_context(), text, 'x.mlir')
  except HlokitError as error:
    print(json.dumps([name, str(error)]), flush=True)
"""


@pytest.fixture(scope="module")
def errors() -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", PARSE_ALL],
        input=json.dumps(PROGRAMS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(map(json.loads, done.stdout.splitlines()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_that_crashes_the_bindings_is_an_error(name: str, errors: dict[str, str]) -> None:
    assert "x.mlir" in errors[name]
    assert "error: " in errors[name]


def test_harmless_text_with_a_signature_passes() -> None:
    text = """func.func @main(%x: tensor<4x6xf32>, %y: tensor<0x3xi64>) -> tensor<4x6xf32> {
  %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
    split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}"""
    require_harmless(make_context(), text)
    assert parse_text(make_context(), text).operation.verify()


def test_invalid_text_with_a_signature_keeps_its_error() -> None:
    with pytest.raises(HlokitError, match=r"x\.mlir:2:"):
        parse_text(make_context(), "// all_to_all tensor<0x1xi64>\nfunc.fun @main()", "x.mlir")
