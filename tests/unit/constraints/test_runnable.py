"""What the bindings' verifier accepts but no run can evaluate is refused by `verify` and `load` alike."""

from __future__ import annotations

import io
import re

import pytest

import hlokit
from hlokit.errors import VerificationError
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.context import make_context


def fft(kind: str, length: str, operand: str, result: str) -> str:
    return f"""func.func @main(%a: {operand}) -> {result} {{
      %0 = stablehlo.fft %a, type = {kind}, length = [{length}] : ({operand}) -> {result}
      return %0 : {result}
    }}"""


def all_reduce(groups: str) -> str:
    return f"""func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = "stablehlo.all_reduce"(%a) ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }}) {{replica_groups = {groups}}} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}"""


def over_mesh(mesh: str, axis: str = "x") -> str:
    axes = f'#stablehlo.axis_ref<name = "{axis}">'
    return all_reduce(f"#stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [{axes}]>")


def mesh_of(size: int) -> str:
    return f'#stablehlo.mesh<axes=[<name = "x", size = {size}>]>'


def cross_replica_sum(groups: str) -> str:
    return f"""func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {{
      %0 = "stablehlo.cross-replica-sum"(%a) {{replica_groups = {groups}}} : (tensor<2xf32>) -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }}"""


def reduce_window(attributes: str) -> str:
    return f"""func.func @main(%a: tensor<4xf32>, %i: tensor<f32>) -> tensor<4xf32> {{
      %0 = "stablehlo.reduce_window"(%a, %i) ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }}) {{window_dimensions = array<i64: 1>, {attributes}}} : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }}"""


def select_and_scatter(padding: int) -> str:
    return f"""func.func @main(%a: tensor<4xf32>, %s: tensor<2xf32>, %i: tensor<f32>) -> tensor<4xf32> {{
      %0 = "stablehlo.select_and_scatter"(%a, %s, %i) ({{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      }}, {{
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %1 = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %1 : tensor<f32>
      }}) {{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>,
           padding = dense<{padding}> : tensor<1x2xi64>}}
        : (tensor<4xf32>, tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }}"""


def index_select(batch_dims: int, dim: int = 1) -> str:
    return f"""func.func @main(%a: tensor<3x4xf32>, %i: tensor<2xi32>) -> tensor<3x2xf32> {{
      %0 = "stablehlo.torch_index_select"(%a, %i) {{dim = {dim} : i64, batch_dims = {batch_dims} : i64}}
        : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<3x2xf32>
      return %0 : tensor<3x2xf32>
    }}"""


def random_bits(state: str) -> str:
    return f"""func.func @main(%s: {state}) -> tensor<4xui32> {{
      %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : ({state}) -> ({state}, tensor<4xui32>)
      return %1 : tensor<4xui32>
    }}"""


def broadcast_add(dimensions: str) -> str:
    types = "(tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>"
    return f"""func.func @main(%a: tensor<2x4xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {{
      %0 = chlo.broadcast_add %a, %b {{broadcast_dimensions = array<i64{dimensions}>}} : {types}
      return %0 : tensor<2x4xf32>
    }}"""


_COMPLEX = "tensor<16xcomplex<f32>>"
_REFUSED = {
    fft("FFT", "-1", _COMPLEX, _COMPLEX): "fft_length must not be negative, got [-1]",
    fft("FFT", "16", "tensor<16x1xcomplex<f32>>", "tensor<16x1xcomplex<f32>>"): (
        "fft_length must be the sizes of the last dimensions of operand, [1], got [16]"
    ),
    cross_replica_sum("dense<0> : tensor<1xi64>"): "replica_groups must have 2 dimensions, got 1",
    over_mesh(mesh_of(0)): "the size of axis 'x' of a mesh must be positive, got 0",
    'sdy.mesh @mesh = <["x"=2]>\n' + over_mesh("@mesh", "y"): "must be in the mesh, got 'y'",
    reduce_window("window_dilations = array<i64>"): "window_dilations must have size 1, got 0",
    reduce_window("window_strides = array<i64>"): "window_strides must have size 1, got 0",
    reduce_window("base_dilations = array<i64>"): "base_dilations must have size 1, got 0",
    select_and_scatter(-(2**63)): "padding must be from -2^61 to 2^61, got [-9223372036854775808",
    index_select(0, 100): "dim must be from -2 to 1, got 100",
    index_select(-5): "batch_dims must be from -1 to 1, the rank of index, got -5",
    broadcast_add(": 2"): "broadcast_dimensions must be 1 increasing numbers below 2, got [2]",
    broadcast_add(": 0, 1"): "broadcast_dimensions must be 1 increasing numbers below 2, got [0, 1]",
    broadcast_add(""): "broadcast_dimensions must be 1 increasing numbers below 2, got []",
    random_bits("tensor<2xf32>"): "initial_state must have element type ui64, got f32",
}
_ACCEPTED = [
    fft("FFT", "16", _COMPLEX, _COMPLEX),
    fft("RFFT", "16", "tensor<16xf32>", "tensor<9xcomplex<f32>>"),
    fft("IRFFT", "16", "tensor<9xcomplex<f32>>", "tensor<16xf32>"),
    fft("FFT", "16", "tensor<?xcomplex<f32>>", "tensor<?xcomplex<f32>>"),
    all_reduce("dense<0> : tensor<1x1xi64>"),
    over_mesh(mesh_of(1)),
    reduce_window("window_dilations = array<i64: 1>"),
    select_and_scatter(0),
    random_bits("tensor<2xui64>"),
    index_select(0),
    broadcast_add(": 1"),
]


@pytest.mark.parametrize(("text", "message"), _REFUSED.items())
def test_what_cannot_run_is_refused(text: str, message: str) -> None:
    (diagnostic,) = hlokit.verify(text)
    assert message in diagnostic.message
    with pytest.raises(VerificationError) as raised:
        hlokit.load(text)
    assert [item.message for item in raised.value.diagnostics] == [diagnostic.message]


@pytest.mark.parametrize("text", _ACCEPTED)
def test_what_can_run_is_accepted(text: str) -> None:
    assert list(hlokit.verify(text)) == []
    assert hlokit.load(text).functions == ("main",)


def test_bytecode_that_cannot_run_is_refused() -> None:
    text, message = next(iter(_REFUSED.items()))
    module = parse_text(make_context(), text)
    bytecode = io.BytesIO()
    module.operation.write_bytecode(bytecode)
    with pytest.raises(VerificationError, match=re.escape(message)):
        hlokit.load(bytecode.getvalue())
