"""The programs of JAX libraries that the benchmarks run."""

from __future__ import annotations

import json
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import hlokit
from benchmarks.case import LIBRARY
from benchmarks.libraries.arguments import made, read, rule
from benchmarks.programs import CASES
from benchmarks.programs_libraries import ARTIFACTS, FOLDER

INDEX = json.loads((FOLDER / "index.json").read_text())


def run(program: hlokit.Program, arguments: Any) -> list[np.ndarray[Any, Any]]:
    results = program(*arguments)
    return [np.asarray(result) for result in (results if isinstance(results, tuple) else (results,))]


@pytest.mark.parametrize("file", INDEX)
def test_runs(file: str) -> None:
    """Finite results, and the same bytes when the compiled program runs."""
    program = hlokit.load((ARTIFACTS / f"{file}.mlir.bc").read_bytes())
    arguments = read(ARTIFACTS / f"{file}.zip")
    first, second = run(program, arguments), run(program, arguments)
    assert [result.tobytes() for result in first] == [result.tobytes() for result in second]
    for number, result in enumerate(first):
        if result.dtype.kind not in "biu":
            assert np.isfinite(result.astype(np.complex128)).all(), f"result {number}"


# XLA takes up to half a minute to compile one of the others.
@pytest.mark.parametrize(
    "file",
    [
        "graphs/attention",
        "networks/gru",
        "ode/tsit5",
        "solvers/direct",
        "solvers/kalman",
        "solvers/quadratic",
    ],
)
def test_agrees_with_xla(file: str) -> None:
    artifact, arguments = (ARTIFACTS / f"{file}.mlir.bc").read_bytes(), read(ARTIFACTS / f"{file}.zip")
    results = run(hlokit.load(artifact), arguments)
    expected = run(hlokit.load(artifact, backend="xla"), arguments)
    for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        room = INDEX[file]["tolerance"] * max(np.abs(wanted).max(initial=0), 1e-3)
        np.testing.assert_allclose(result, wanted, rtol=0, atol=room, err_msg=f"result {number}")


def test_every_artifact_has_a_case() -> None:
    files = {str(path.relative_to(ARTIFACTS)) for path in ARTIFACTS.rglob("*.*")}
    assert files == {f"{file}{suffix}" for file in INDEX for suffix in (".mlir.bc", ".zip")}
    assert sum(case.kind == LIBRARY for case in CASES) == len(INDEX) > 0


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
def test_rules_keep_size_and_spread(dtype: type) -> None:
    array = (np.random.default_rng(0).standard_normal((64, 64)) * 0.3 + 1).astype(dtype)
    found = rule(array, 5)
    assert found is not None
    again = made(found)
    assert (again.shape, again.dtype) == (array.shape, array.dtype)
    assert again.astype(np.float64).mean() == pytest.approx(1, abs=0.02)
    assert again.astype(np.float64).std() == pytest.approx(0.3, abs=0.02)
    assert rule(array[0], 5) is None
