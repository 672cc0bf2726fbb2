"""The memory of a run: values by their types, scratch memory as the system counts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

_SIDE = 512
_BYTES = _SIDE * _SIDE * 8
_PROGRAM = """
func.func @main(%x: tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>> {
  %y = stablehlo.fft %x, type = FFT, length = [512, 512]
    : (tensor<512x512xcomplex<f32>>) -> tensor<512x512xcomplex<f32>>
  return %y : tensor<512x512xcomplex<f32>>
}
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process its peak")
def test_info_names_the_scratch_memory_of_a_transform(tmp_path: Path) -> None:
    file = tmp_path / "fft.mlir"
    file.write_text(_PROGRAM)
    command = [sys.executable, "-m", "hlokit", "info", str(file), "--memory", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    memory = json.loads(done.stdout)["memory"]
    assert (memory["arguments"], memory["results"], memory["values"]) == (_BYTES, _BYTES, 2 * _BYTES)
    # The transform is computed in f64: a copy of twice the size. Code of kernels does not count.
    (scratch,) = memory["scratch"]
    assert scratch["op"] == "stablehlo.fft"
    assert 1.7 * _BYTES < scratch["bytes"] < 4 * _BYTES
    assert memory["peak"] == memory["values"] + scratch["bytes"]
