"""HLOKIT_CPU lowers the level of vector instructions; kernels that round once give the same bits on every level."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hlokit
from hlokit import _kernels
from hlokit.cli.main import main
from hlokit.engine.contract.switches import CPU_LEVELS, CPU_VARIABLE

# Prints the level, and a digest of the results of each opcode on random bits, in which all NaNs are equal.
DIGESTS = """
import hashlib, json
import numpy as np
from hlokit import _kernels

SIZES = {"i1": 1, "f16": 2, "bf16": 2, "complex<f32>": 8, "complex<f64>": 16}
PLAIN = {"f32": np.float32, "f64": np.float64, "complex<f32>": np.float32, "complex<f64>": np.float64}
random = np.random.default_rng(5)

def elements(type_, count):
    if type_ == "i1":
        return random.integers(0, 2, count, np.uint8)
    size = SIZES.get(type_) or int(type_.lstrip("uif")) // 8
    data = random.integers(0, 256, (count, size), np.uint8)
    data[::3] = random.integers(0, 3, data[::3].shape, np.uint8)
    return data.view(np.dtype((np.void, size)))[:, 0] if size == 16 else data.view(f"u{size}")[:, 0]

def digest(type_, array):
    if type_ in PLAIN:
        array = array.view(PLAIN[type_])
        array = np.where(np.isnan(array), np.zeros((), array.dtype), array)
    elif type_ == "bf16":
        array = np.where((array & 0x7FFF) > 0x7F80, 0, array)
    elif type_ == "f16":
        array = np.where((array & 0x7FFF) > 0x7C00, 0, array)
    return hashlib.md5(array.tobytes()).hexdigest()

found = {}
for number, name, result, operands in _kernels.opcodes():
    count = 301
    types = [*operands, result]
    inputs = [(i, 2, (1, count), (0, 1)) for i in range(len(operands))]
    arity = len(operands)
    fused = _kernels.FusedProgram(types, [(number, (arity,), range(arity), ())], inputs, [arity], 1, count)
    arrays = [elements(type_, count).reshape(1, count) for type_ in operands]
    to = np.zeros_like(elements(result, count))
    assert fused.run(arrays, [to])
    if result == "f64" and "f32" in operands:  # levels may differ before the result is rounded
        result, to = "f32", to.view(np.float64).astype(np.float32)
    found[f"{number} {name}"] = digest(result, to)
print(json.dumps([_kernels.cpu_level(), found]))
"""


# Prints a digest of each function of f32 on 2 ** 20 operands of all magnitudes; all NaNs are equal.
FUNCTIONS = """
import hashlib, json
import numpy as np
from hlokit import _kernels

operands = np.random.default_rng(8).integers(0, 1 << 32, (2, 1 << 20), np.uint32).view(np.float32)
operands[:, ::2] = np.random.default_rng(9).normal(size=(2, 1 << 19)) * np.float32(4)
found = {}
for number, name, result, types in _kernels.opcodes():
    if result == "f32" and set(types) == {"f32"} and len(types) < 3:
        count = len(types)
        inputs = [(register, 2, (), ()) for register in range(count)]
        fused = _kernels.FusedProgram(["f32"] * (count + 1), [(number, (count,), range(count), ())], inputs, [count])
        to = np.empty(1 << 20, np.float32)
        assert fused.run(list(operands[:count]), [to])
        found[name] = hashlib.md5(np.where(np.isnan(to), np.float32(0), to).tobytes()).hexdigest()
print(json.dumps(found))
"""


def on_level(level: str, script: str) -> Any:
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {CPU_VARIABLE: level},
    )
    return json.loads(run.stdout)


def test_levels_are_lowered_and_never_raised() -> None:
    script = "import json; from hlokit import _kernels; print(json.dumps(_kernels.cpu_level()))"
    own = CPU_LEVELS.index(on_level("", script))
    for number, level in enumerate(CPU_LEVELS):
        assert on_level(level, script) == CPU_LEVELS[min(own, number)]


def test_the_level_is_that_of_the_processor() -> None:
    try:
        flags = set(re.findall(r"\w+", Path("/proc/cpuinfo").read_text().partition("flags")[2]))
    except OSError:
        pytest.skip("only Linux has /proc/cpuinfo")
    if platform.machine() != "x86_64":
        pytest.skip("other processors have one level")
    avx512 = {"avx512f", "avx512dq", "avx512bw", "avx512vl"}
    needs = {
        "amx": {*avx512, "avx512_vnni", "amx_tile", "amx_int8"},
        "avx512": avx512,
        "avx2": {"avx2", "fma"},
    }
    expected = next((level for level, names in needs.items() if names <= flags), "baseline")
    script = "import json; from hlokit import _kernels; print(json.dumps(_kernels.cpu_level()))"
    assert on_level("", script) == expected


def test_all_levels_give_the_same_bits() -> None:
    results = dict(on_level(level, DIGESTS) for level in CPU_LEVELS)
    assert len(results["baseline"]) == len(_kernels.opcodes())
    for found in results.values():
        assert found == results["baseline"]


def test_unknown_levels_are_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(CPU_VARIABLE, "avx3")
    message = "HLOKIT_CPU must be baseline, avx2, avx512 or amx, got 'avx3'"
    with pytest.raises(hlokit.ArgumentError, match=message):
        hlokit.load("func.func @main() { return }")
    assert main(["run", "/dev/null"]) == 1
    assert message in capsys.readouterr().err
    script = """
import json
from hlokit import _kernels
try:
    _kernels.Product("f32", "f32", "f32", "f32", 0, 1)
except ValueError as error:
    print(json.dumps(str(error)))
"""
    assert on_level("avx3", script) == message


def test_all_levels_round_functions_to_the_same_bits() -> None:
    """Levels may compute other f64, with fused multiply-adds, but not other f32."""
    expected, *others = [on_level(level, FUNCTIONS) for level in CPU_LEVELS]
    assert {"exponential", "log", "tanh", "sine", "power", "atan2", "erf"} <= expected.keys()
    for found in others:
        assert found == expected
