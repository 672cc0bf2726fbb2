"""Bytecode to read, written by the bindings."""

from __future__ import annotations

import io
from functools import cache

from hlokit.compat.serialize import serialize
from hlokit.mlir.parse import parse_text
from hlokit.mlir.provider.bindings import ir
from hlokit.mlir.provider.context import make_context

VERSIONS = range(7)

# Entries for every table: dialects, operations, every kind of dense attribute, a resource.
SAMPLE = """
func.func @main() -> tensor<3xf32> {
  "test.attributes"() {
    bools = array<i1: true, false>,
    bytes = "\\00\\FF",
    ints = array<i32: 1, 2, 3>,
    packed = dense<[true, false, true, true, false, false, false, false, true]> : tensor<9xi1>,
    splat = dense<1.5> : tensor<4xbf16>
  } : () -> ()
  %0 = stablehlo.constant dense_resource<weights> : tensor<3xf32>
  return %0 : tensor<3xf32>
}
{-#
  dialect_resources: {
    builtin: { weights: "0x400000000000803F0000004000004040" }
  }
#-}
"""


def to_bytecode(text: str, version: int | None = None, context: ir.Context | None = None) -> bytes:
    """MLIR text as bytecode of a version of the format, the newest by default."""
    buffer = io.BytesIO()
    # A new context, because a context adds a suffix to keys of resources that it has seen before.
    with context or make_context():
        ir.Module.parse(text).operation.write_bytecode(buffer, desired_version=version)
    return buffer.getvalue()


_context_of_constants = cache(make_context)


def constant(text: str, version: int | None = None) -> bytes:
    """An operation with one attribute, which is no resource."""
    return to_bytecode(f'"test.constant"() {{value = {text}}} : () -> ()', version, _context_of_constants())


# Regions with and without captured values, tuples, quantized types, calls, dictionaries of attributes.
_PROGRAM = """
module @sample attributes {mhlo.num_replicas = 1 : i32} {
  func.func private @declared(tensor<i32>)
  func.func @main(%a: tensor<i32> {jax.arg = "a"}, %b: tensor<4xi32>) -> (tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>) {
    %0:2 = stablehlo.while(%i = %a, %j = %a) : tensor<i32>, tensor<i32>
      cond {
        %p = stablehlo.compare LT, %i, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %s = stablehlo.reduce(%b init: %j) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
        %t = stablehlo.add %s, %j : tensor<i32>
        stablehlo.return %t, %j : tensor<i32>, tensor<i32>
      }
    %c = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %d = stablehlo.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
    %t = stablehlo.tuple %c, %d : tuple<tensor<3xi1>, tensor<1xcomplex<f32>>>
    %u = stablehlo.get_tuple_element %t[0] : (tuple<tensor<3xi1>, tensor<1xcomplex<f32>>>) -> tensor<3xi1>
    %e = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %q = stablehlo.uniform_quantize %e : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
    %f = stablehlo.custom_call @f(%e) {backend_config = "x", mhlo.attributes = {a = [1 : i32, 2.0 : f32]}} : (tensor<2xf32>) -> tensor<2xf32>
    %g = stablehlo.dot_general %e, %f, contracting_dims = [0] x [0], precision = [HIGH, DEFAULT] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
    call @declared(%a) : (tensor<i32>) -> ()
    return %0#0, %q : tensor<i32>, tensor<2x!quant.uniform<i8:f32, 0.5>>
  }
}
"""


def artifacts() -> dict[str, bytes]:
    """Small portable artifacts, by version: one for each version that changed the encoding."""
    module = parse_text(make_context(), _PROGRAM)
    return {
        version: serialize(module, version) for version in ("0.9.0", "0.12.0", "0.14.0", "0.15.0", "1.17.0")
    }
