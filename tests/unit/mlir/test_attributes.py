"""Attributes as plain values."""

from __future__ import annotations

import subprocess
import sys

DICTIONARY_OF_COMPLEX = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @named(%x) {api_version = 4 : i32,
    backend_config = {k = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""


def test_complex_elements_in_a_dictionary_are_an_error() -> None:
    """In a child process, because the bindings crashed on such elements."""
    program = f"import hlokit\ntry:\n  hlokit.load({DICTIONARY_OF_COMPLEX!r})([1.0, 2.0])\nexcept hlokit.UnsupportedError as error:\n  print(error)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "attribute k has complex elements, which the bindings cannot read" in done.stdout
