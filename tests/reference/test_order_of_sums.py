"""Kernels, fused code and native loops add in the order of the reference, bit for bit."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hlokit
from hlokit.engine.contract import switches
from hlokit.reference.evaluator import run
from hlokit.values.tensor import Tensor
from tests.reference.sum_cases import dot, reduce, region
from tests.reference.sums_programs import all_cases, layouts

COUNTS = (1, 2, 3, 7, 8, 9, 15, 16, 63, 64, 65, 127, 128, 200, 256, 257, 300, 513, 1024, 1025, 2100)
TYPES = ("f32", "f64", "f16", "complex<f32>")
CASES = all_cases()
ROOT = Path(__file__).parents[2]
# These settings of a process cannot change while it runs.
PROCESSES = (
    {"HLOKIT_CPU": "baseline", "HLOKIT_THREADS": "1"},
    {"HLOKIT_CPU": "avx2", "HLOKIT_THREADS": "2", "HLOKIT_DISABLE": "all"},
    {"HLOKIT_THREADS": "2"},
)


def one_nan(value: Any) -> bytes:
    """The bytes, those of all NaNs being the same."""
    array = np.array(value, order="C", ndmin=1)
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if array.dtype.kind == "f":
        array[np.isnan(array)] = np.nan
    return array.tobytes()


def results(program: hlokit.Program, *arguments: Any, **options: Any) -> list[bytes]:
    found = program(*arguments, **options)
    return [one_nan(value) for value in (found if isinstance(found, tuple) else (found,))]


def reference(program: hlokit.Program, *arguments: np.ndarray) -> list[bytes]:
    types = program.signature().inputs
    tensors = [
        Tensor.from_numpy(each, type_.element_type) for each, type_ in zip(arguments, types, strict=True)
    ]
    return [one_nan(result.numpy()) for result in run(program.module, tensors) if isinstance(result, Tensor)]


def stored(arguments: list[np.ndarray]) -> list[tuple[np.ndarray, ...]]:
    """The arguments in several layouts."""
    columns = [list(layouts(argument)) for argument in arguments]
    count = max(map(len, columns))
    return list(zip(*[column * count if len(column) == 1 else column for column in columns], strict=False))


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if not case.is_large])
@pytest.mark.sample("* f32", "[b-km-z]* bf16")
def test_the_order_of_the_reference(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text, arguments, _ = CASES[name]
    program = hlokit.load(text)
    expected = reference(program, *arguments)
    for given in stored(arguments):
        for _ in range(2):
            assert results(program, *given) == expected
    assert results(program, *arguments, observer=hlokit.Trace([].append)) == expected
    monkeypatch.setenv(switches.VARIABLE, "all")
    plain = hlokit.load(text)
    for given in stored(arguments):
        for _ in range(2):
            assert results(plain, *given) == expected


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("operation", ["add", "multiply"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.sample("0-add-f32-*", "0-multiply-f32-2100", "1-add-f16-*5")
def test_reduce(count: int, type_: str, operation: str, axis: int) -> None:
    shape = (count, 2) if axis == 0 else (2, count)
    text, (array, init), _ = reduce(shape, (axis,), type_, region(type_, operation))
    if operation == "multiply":
        array = np.asarray(array * array.dtype.type(0.5) + 1, array.dtype)
    program = hlokit.load(text)
    expected = reference(program, array, init)
    for given, _ in stored([array, init]):
        for _ in range(2):
            assert results(program, given, init) == expected


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.sample("f32-*", "f16-*5", "f16-2100")
def test_dot(count: int, type_: str) -> None:
    text, (x, y), _ = dot(((2, count), type_), ((count, 3), type_), type_)
    program = hlokit.load(text)
    expected = reference(program, x, y)
    for left in (x, np.asfortranarray(x)):
        for right in (y, np.asfortranarray(y)):
            assert results(program, left, right) == expected
    assert results(program, x, y) == expected


def digests() -> dict[str, list[str]]:
    """The results of all programs in this process, in all layouts."""
    found: dict[str, list[str]] = {}
    for name, (text, arguments, _) in CASES.items():
        program = hlokit.load(text)
        given = [results(program, *each) for each in stored(arguments)]
        found[name] = [hashlib.sha256(b"".join(each)).hexdigest() for each in given]
    return found


@pytest.fixture(scope="module")
def here() -> dict[str, list[str]]:
    return digests()


@pytest.mark.parametrize("environment", PROCESSES, ids=str)
@pytest.mark.sample("*'HLOKIT_THREADS': '2'}")
def test_processors_threads_and_layouts(environment: dict[str, str], here: dict[str, list[str]]) -> None:
    code = "import json; from tests.reference.test_order_of_sums import digests; print(json.dumps(digests()))"
    process = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    there = json.loads(process.stdout)
    different = [name for name, each in there.items() if {*each, *here[name]} != {here[name][0]}]
    assert not different
