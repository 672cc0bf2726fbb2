"""Bytecode to read, written by the bindings."""

from __future__ import annotations

import io

from hlokit.mlir.bindings import ir
from hlokit.mlir.context import make_context

VERSIONS = range(7)

# Something for every table: dialects, operations, every kind of dense attribute, a resource.
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


def to_bytecode(text: str, version: int | None = None) -> bytes:
    """MLIR text as bytecode of a version of the format, the newest by default."""
    buffer = io.BytesIO()
    # A context of its own: keys of resources get a suffix when a context has seen them before.
    with make_context():
        ir.Module.parse(text).operation.write_bytecode(buffer, desired_version=version)
    return buffer.getvalue()


def constant(text: str, version: int | None = None) -> bytes:
    """An operation with one attribute."""
    return to_bytecode(f'"test.constant"() {{value = {text}}} : () -> ()', version)
