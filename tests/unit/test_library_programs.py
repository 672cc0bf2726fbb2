"""The programs of JAX libraries that the benchmarks run."""

from __future__ import annotations

import json
from collections import Counter

import ml_dtypes
import numpy as np
import pytest

from benchmarks.case import LIBRARY, Array
from benchmarks.libraries import ARTIFACTS, FOLDER
from benchmarks.libraries.arguments import made, rule
from benchmarks.libraries.expectations import EXPECTED, results, sample
from benchmarks.programs import CASES

INDEX = json.loads((FOLDER / "index.json").read_text())
KEPT = dict(np.load(EXPECTED))
COUNTS = Counter(name.rpartition("/")[0] for name in KEPT)


def assert_close(file: str, number: int, found: Array, wanted: Array) -> None:
    assert found.dtype == wanted.dtype
    is_exact = wanted.dtype.kind in "biu"
    room = 0 if is_exact else INDEX[file]["tolerance"] * max(np.abs(wanted).max(initial=0), 1e-3)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=room, err_msg=f"result {number}")


@pytest.mark.parametrize("file", INDEX)
@pytest.mark.sample("*/transformer", "*/minimise", "*/random", "*/neural", "*/2048")
def test_agrees_with_xla(file: str) -> None:
    """Integers are equal, floats within the program's tolerance; and the compiled program gives the same bytes."""
    expected = [KEPT[f"{file}/{number}"] for number in range(COUNTS[file])]
    first, second = results(file), results(file)
    assert [result.tobytes() for result in first] == [result.tobytes() for result in second]
    for number, (result, wanted) in enumerate(zip(first, expected, strict=True)):
        assert result.dtype.kind in "biu" or np.isfinite(result.astype(np.complex128)).all(), number
        assert_close(file, number, sample(result), wanted)


# XLA takes up to half a minute to compile one of the others.
@pytest.mark.parametrize("file", ["graphs/attention", "ode/tsit5", "solvers/kalman"])
@pytest.mark.sample("graphs/attention")
def test_expectations_are_those_of_the_installed_xla(file: str) -> None:
    for number, result in enumerate(results(file, backend="xla")):
        assert_close(file, number, sample(result), KEPT[f"{file}/{number}"])


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
