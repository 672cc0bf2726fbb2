"""The artifacts that JAX keeps to test its promises: programs exported years ago, for CPUs, GPUs and TPUs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import hlokit
from hlokit.tools.conformance.exports import difference, read_exports

FOLDER = Path(pytest.importorskip("jax._src.internal_test_util.export_back_compat_test_data").__file__).parent

# Parts of messages.
REFUSED = {"tpu_Sharding.data_2025_06_30.gspmd": "must be partitioned before"}
# A TPU counts an initial value that is not neutral several times a window, which the specification forbids.
OTHERWISE = {"tpu_stablehlo_dynamic_reduce_window.data_variadic_2023_06_17": "result 0 differs by 8 where"}


def artifacts() -> dict[str, dict[str, Any]]:
    """One real and one complex type of each routine suffice: reading an artifact takes a process."""
    named = {
        f"{path.stem}.{name}": data
        for path in sorted(FOLDER.glob("*.py"))
        for name, data in read_exports(path).items()
    }
    return {name: data for name, data in named.items() if not name.endswith((".f64", ".c64"))}


ARTIFACTS = artifacts()


def test_there_are_artifacts() -> None:
    assert len(ARTIFACTS) > 60
    assert {*REFUSED, *OTHERWISE} <= set(ARTIFACTS)


@pytest.mark.parametrize("name", ARTIFACTS)
def test_artifact(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(hlokit.UnsupportedError, match=REFUSED[name]):
            difference(name, ARTIFACTS[name])
    elif name in OTHERWISE:
        assert OTHERWISE[name] in str(difference(name, ARTIFACTS[name]))
    else:
        assert difference(name, ARTIFACTS[name]) is None


@pytest.mark.parametrize(
    "name", ["cpu_eigh_lapack_syev.data_2024_08_19.f32", "cpu_svd_lapack_gesdd.data_2024_08_13.f32"]
)
def test_wrong_factors_are_seen(name: str) -> None:
    stem, _, key = name.partition(".")
    data = read_exports(FOLDER / f"{stem}.py")[key]
    wrong = [value.copy() for value in data["expected_outputs"]]
    wrong[0][..., 0] += 0.5
    assert "result 1 differs by" in str(difference(name, {**data, "expected_outputs": wrong}))
