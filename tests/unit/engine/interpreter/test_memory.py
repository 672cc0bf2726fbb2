"""Later arrays reuse the memory of freed arrays."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

SCRIPT = """
import resource
import numpy as np
import hlokit

program = hlokit.load('''func.func @main(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %0 = stablehlo.exponential %x : tensor<1000x1000xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %2 = stablehlo.add %1, %x : tensor<1000x1000xf32>
  return %2 : tensor<1000x1000xf32>
}''')
x = np.ones((1000, 1000), np.float32)
for _ in range(3):
    program(x)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    program(x)
print((resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before) // 10)
"""


def faults(**environment: str) -> int:
    """Pages that a run of the program asks the system for."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("MALLOC_", "GLIBC_"))}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="hlokit configures glibc only")
def test_runs_ask_the_system_for_no_memory() -> None:
    assert faults() < 100


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="hlokit configures glibc only")
@pytest.mark.parametrize("name", ["MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_"])
def test_settings_of_the_environment_have_precedence(name: str) -> None:
    assert faults(**{name: "100000"}) > 1000
